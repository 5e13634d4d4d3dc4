import type { SignedIn } from '../../../platform/context.ts'
import { commit, requireVersion } from '../../../platform/database.ts'
import { userErrors } from '../users.errors.ts'
import { mustLeaveAnAdministrator, mustNotBeStronger, updateUser } from '../users.queries.ts'
import {
  type AdminUser,
  endAccess,
  findUserToChange,
  nextStamps,
  requireOther,
} from '../users.usecases.ts'

/** How long a deletion can be taken back. */
const GRACE_MS = 30 * 24 * 60 * 60 * 1000

/** Lets the user in no more, and has it erased once the deletion cannot be taken back. */
export async function removeUser(ctx: SignedIn, id: string): Promise<AdminUser> {
  const user = await findUserToChange(ctx, id)
  requireVersion(ctx, user.version)
  requireOther(ctx, user)
  if (user.status === 'deleted') {
    throw userErrors.deleted()
  }
  const changed = { status: 'deleted' as const, deletionDueAt: ctx.now + GRACE_MS }
  return commit(ctx, {
    action: 'user.deleted',
    resource: { type: 'user', id },
    ownerId: id,
    changes: imagesOf(user, changed),
    writes: [
      mustNotBeStronger(ctx, id),
      mustLeaveAnAdministrator(id),
      ...endAccess(ctx, id),
      ...updateUser(ctx, user, changed),
    ],
    result: { ...user, ...changed, ...nextStamps(ctx, user) },
    guards: { conflict: userErrors.lastAdministrator },
  })
}

/** Takes a deletion back, whoever asked for it. */
export async function restoreUser(ctx: SignedIn, id: string): Promise<AdminUser> {
  const user = await findUserToChange(ctx, id)
  if (user.deletionDueAt === null) {
    throw userErrors.notDeleted()
  }
  const status = user.status === 'deleted' ? ('active' as const) : user.status
  const changed = { status, deletionDueAt: null }
  return commit(ctx, {
    action: 'user.restored',
    resource: { type: 'user', id },
    ownerId: id,
    changes: imagesOf(user, changed),
    writes: [mustNotBeStronger(ctx, id), ...updateUser(ctx, user, changed)],
    result: { ...user, ...changed, ...nextStamps(ctx, user) },
  })
}

type Doom = Pick<AdminUser, 'status' | 'deletionDueAt'>

const imagesOf = (before: Doom, after: Doom) => ({
  status: [before.status, after.status],
  deletionDueAt: [before.deletionDueAt, after.deletionDueAt],
})

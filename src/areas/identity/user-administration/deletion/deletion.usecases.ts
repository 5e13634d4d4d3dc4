import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import { endSignInsOf, updateUserRow } from '../../auth/auth.public.ts'
import { userErrors } from '../user-administration.errors.ts'
import { userEvents } from '../user-administration.events.ts'
import {
  mustLeaveAnAdministrator,
  userMustNotBeStronger,
  userToDelete,
} from '../user-administration.queries.ts'
import {
  type AdminUser,
  findUserToChange,
  nextStamps,
  own,
  requireFound,
  requireNotStronger,
  requireOther,
} from '../user-administration.usecases.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Lets the user in no more, and has it erased after the time of grace that administrators set. */
export async function deleteUser(ctx: SignedIn, id: string): Promise<AdminUser> {
  const [[row]] = await read(ctx, userToDelete(ctx, id))
  const { graceDays, ...user } = requireFound(row)
  requireNotStronger(ctx, user)
  requireVersion(ctx, user.version)
  requireOther(ctx, user)
  if (user.status === 'deleted') {
    throw userErrors.deleted()
  }
  const deletionDueAt = ctx.now + graceDays * DAY_MS
  const changed = { status: 'deleted' as const, deletionDueAt }
  const after = { ...user, ...changed, ...nextStamps(ctx, user) }
  return commit(ctx, {
    changes: [
      {
        statements: [
          userMustNotBeStronger(ctx, id),
          mustLeaveAnAdministrator(id, userErrors.lastAdministrator),
          ...endSignInsOf(ctx, id),
          ...updateUserRow(ctx, user, changed),
        ],
        events: [userEvents.deleted(own(after), { before: user, after })],
      },
    ],
    result: after,
  })
}

/** Takes a deletion back, whoever asked for it. */
export async function restoreUser(ctx: SignedIn, id: string): Promise<AdminUser> {
  const user = await findUserToChange(ctx, id)
  if (user.deletionDueAt === null) {
    throw userErrors.notDeleted()
  }
  if (user.deletionDueAt <= ctx.now) {
    throw userErrors.beingErased()
  }
  const status = user.status === 'deleted' ? ('active' as const) : user.status
  const changed = { status, deletionDueAt: null }
  const after = { ...user, ...changed, ...nextStamps(ctx, user) }
  return commit(ctx, {
    changes: [
      {
        statements: [userMustNotBeStronger(ctx, id), ...updateUserRow(ctx, user, changed)],
        events: [userEvents.restored(own(after), { before: user, after })],
      },
    ],
    result: after,
  })
}

import { profileOf, sessionIdOf, type SignedIn } from '../../../platform/context.ts'
import { commit } from '../../../platform/database.ts'
import { mailTask } from '../../../platform/mail.ts'
import { deletePersonalTokensOf, endSignInsOf } from '../../auth/auth.public.ts'
import { mustLeaveAnAdministrator } from '../../users/users.public.ts'
import { userErrors } from '../user.errors.ts'
import { updateOwnUser } from '../user.queries.ts'
import { changed, findProfile, type OwnProfile, provenByPassword } from '../user.usecases.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Has the own user erased after a time in which that can be undone. Meanwhile everything works as before. */
export async function scheduleDeletion(
  ctx: SignedIn,
  given: { password?: string | undefined },
): Promise<OwnProfile> {
  const proof = await provenByPassword(ctx, given.password)
  const { deletionDueAt: scheduled, graceDays } = proof.state
  const user = profileOf(ctx)
  const deletionDueAt = ctx.now + graceDays * DAY_MS
  const mail = { template: 'deletionScheduled', values: { dueAt: deletionDueAt } } as const
  const tasks = [await mailTask(ctx, { ...mail, to: user.email })]
  return proof.orTakeBack(() => {
    if (scheduled !== null) {
      throw userErrors.deletionScheduled()
    }
    return commit(ctx, {
      action: 'user.deletionScheduled',
      resource: { type: 'user', id: user.id },
      changes: { deletionDueAt: [null, deletionDueAt] },
      writes: [
        mustLeaveAnAdministrator(user.id, userErrors.lastAdministrator),
        ...proof.writes,
        ...updateOwnUser(ctx, user.version, { deletionDueAt }),
        ...endSignInsOf(ctx, user.id, sessionIdOf(ctx)),
        deletePersonalTokensOf(user.id),
      ],
      tasks,
      result: { user: changed(ctx, user), deletionDueAt },
    })
  })
}

/** Keeps the own user after all. Sessions and personal access tokens that were ended stay so. */
export async function undoDeletion(ctx: SignedIn): Promise<OwnProfile> {
  const { user, deletionDueAt } = await findProfile(ctx)
  if (deletionDueAt === null) {
    throw userErrors.deletionNotScheduled()
  }
  return commit(ctx, {
    action: 'user.deletionUndone',
    resource: { type: 'user', id: user.id },
    changes: { deletionDueAt: [deletionDueAt, null] },
    writes: updateOwnUser(ctx, user.version, { deletionDueAt: null }),
    result: { user: changed(ctx, user), deletionDueAt: null },
  })
}

import { profileOf, sessionIdOf, type SignedIn } from '../../../platform/context.ts'
import { commit } from '../../../platform/database.ts'
import { untold } from '../../../platform/events.ts'
import { mailTask } from '../../../platform/mail.ts'
import { deletePersonalTokensOf, endSignInsOf, updateUser } from '../../auth/auth.public.ts'
import { mustLeaveAnAdministrator } from '../../users/users.public.ts'
import { userErrors } from '../user.errors.ts'
import { ownUserEvents } from '../user.events.ts'
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
    const after = changed(ctx, user)
    const { id, version } = after
    return commit(ctx, {
      changes: [
        untold(proof.writes),
        {
          statements: [
            mustLeaveAnAdministrator(id, userErrors.lastAdministrator),
            ...updateUser(ctx, user, { deletionDueAt }),
            ...endSignInsOf(ctx, id, sessionIdOf(ctx)),
            deletePersonalTokensOf(id),
          ],
          events: [
            ownUserEvents.deletionScheduled(
              { id, version },
              { before: { deletionDueAt: null }, after: { deletionDueAt } },
            ),
          ],
        },
      ],
      tasks,
      result: { user: after, deletionDueAt },
    })
  })
}

/** Keeps the own user after all. Sessions and personal access tokens that were ended stay so. */
export async function undoDeletion(ctx: SignedIn): Promise<OwnProfile> {
  const { user, deletionDueAt } = await findProfile(ctx)
  if (deletionDueAt === null) {
    throw userErrors.deletionNotScheduled()
  }
  const after = changed(ctx, user)
  const { id, version } = after
  return commit(ctx, {
    changes: [
      {
        statements: updateUser(ctx, user, { deletionDueAt: null }),
        events: [
          ownUserEvents.deletionUndone(
            { id, version },
            { before: { deletionDueAt }, after: { deletionDueAt: null } },
          ),
        ],
      },
    ],
    result: { user: after, deletionDueAt: null },
  })
}

import { profileOf, sessionIdOf, type SignedIn } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { mailTask } from '../../../../platform/mail.ts'
import {
  deletePersonalTokensOf,
  endSignInsOf,
  updateUserRow,
} from '../../../identity/auth/auth.public.ts'
import { mustLeaveAnAdministrator } from '../../../identity/user-administration/user-administration.public.ts'
import { ownUserErrors } from '../own-user.errors.ts'
import { ownUserEvents } from '../own-user.events.ts'
import { changed, getProfile, type OwnProfile, provenByPassword } from '../own-user.usecases.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Has the own user erased after a time in which that can be undone. Meanwhile everything works as before. */
export async function deleteOwnUser(
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
      throw ownUserErrors.deletionScheduled()
    }
    const after = changed(ctx, user)
    const { id, version } = after
    return commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: [
            mustLeaveAnAdministrator(id, ownUserErrors.lastAdministrator),
            ...updateUserRow(ctx, user, { deletionDueAt }),
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
export async function restoreOwnUser(ctx: SignedIn): Promise<OwnProfile> {
  const { user, deletionDueAt } = await getProfile(ctx)
  if (deletionDueAt === null) {
    throw ownUserErrors.deletionNotScheduled()
  }
  const after = changed(ctx, user)
  const { id, version } = after
  return commit(ctx, {
    changes: [
      {
        statements: updateUserRow(ctx, user, { deletionDueAt: null }),
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

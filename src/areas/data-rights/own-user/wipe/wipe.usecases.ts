import type { WipeKind } from '../../../../domain/owned-data.ts'
import { type Context, profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { mailTask } from '../../../../platform/outbound/mail.ts'
import { ownedData } from '../../../../platform/owned-data/owned-data.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import type { NewTask } from '../../../../platform/work/task-rows.ts'
import { eraseInSteps } from '../erasure/steps.usecases.ts'
import { ownUserErrors } from '../own-user.errors.ts'
import { wipeEvents } from '../own-user.events.ts'
import { provenByPassword } from '../own-user.usecases.ts'
import {
  mustBeWanted,
  mustHaveNoWipe,
  mustNotBeRestored,
  releaseWipeOf,
  undoWipeOf,
  wipeKeyOf,
  wipeOf,
} from './wipe.queries.ts'
import { wipesInOrder, type Wipe } from './wipe.rules.ts'

const GRACE_MS = 7 * 24 * 60 * 60 * 1000

/** The payload of the task. */
interface Payload extends Wipe {
  userId: string
}

export const WIPE_DATA = 'user.wipe'

const taskOf = (payload: Payload, dueAt?: number): NewTask => ({
  kind: WIPE_DATA,
  payload: { ...payload },
  summary: payload.kinds.join(', '),
  dedupeKey: wipeKeyOf(payload.userId),
  cancellable: true,
  ...(dueAt === undefined ? {} : { dueAt }),
})

/** Has data of the caller erased after a time in which that can be undone. */
export async function wipeData(
  ctx: SignedIn,
  given: { kinds: WipeKind[]; password?: string | undefined },
): Promise<Wipe> {
  const proof = await provenByPassword(ctx, given.password)
  const { id: userId, email } = profileOf(ctx)
  const dueAt = ctx.now + GRACE_MS
  const wipe: Wipe = { kinds: wipesInOrder(given.kinds), requestedAt: ctx.now, dueAt }
  const mail = await mailTask(ctx, { to: email, template: 'wipeScheduled', values: { dueAt } })
  return proof.orTakeBack(() =>
    commit(ctx, {
      changes: [
        withoutEvents(proof.writes),
        {
          statements: [
            mustHaveNoWipe(userId, ownUserErrors.wipeScheduled),
            mustNotBeRestored(userId),
          ],
          events: [wipeEvents.wipeScheduled({ id: userId }, { after: wipe })],
        },
      ],
      tasks: [taskOf({ userId, ...wipe }, dueAt), mail],
      result: wipe,
    }),
  )
}

export async function getWipe(ctx: SignedIn): Promise<Wipe & { isRunning: boolean }> {
  const [[task]] = await read(ctx, wipeOf(ctx.caller.userId))
  if (!task) {
    throw ownUserErrors.wipeNotScheduled()
  }
  return { ...(JSON.parse(task.payload) as Payload), isRunning: task.state === 'running' }
}

export async function undoWipe(ctx: SignedIn): Promise<void> {
  const { isRunning, kinds, requestedAt, dueAt } = await getWipe(ctx)
  if (isRunning) {
    throw ownUserErrors.wipeRunning()
  }
  const { userId } = ctx.caller
  return commit(ctx, {
    changes: [
      {
        statements: undoWipeOf(userId),
        events: [wipeEvents.wipeUndone({ id: userId }, { before: { kinds, requestedAt, dueAt } })],
      },
    ],
    result: undefined,
  })
}

/**
 * Erases what was there when it was asked for. Nothing that came later goes, nor what that needs: an account
 * or category that something newer is booked on stays.
 */
export async function wipe(ctx: Context, payload: Payload, finish: Statement[]): Promise<void> {
  const { userId, kinds, requestedAt } = payload
  const scope = { ownerId: userId, before: requestedAt }
  const guard = mustBeWanted(userId)
  const rows = ownedData()
    .flatMap(({ erase = [] }) => erase)
    .filter(({ wipedWith = [] }) => wipedWith.some((kind) => kinds.includes(kind)))
  const { isDone, left } = await eraseInSteps(ctx, { scope, kinds: rows, guard })
  const resets = ownedData().flatMap(({ reset }) =>
    isDone && reset && kinds.includes(reset.wipedWith) ? reset.statements(ctx, scope) : [],
  )
  const user = { id: userId, ownerId: userId }
  await commit(ctx, {
    changes: [
      {
        statements: [guard, ...resets],
        events: [
          isDone
            ? wipeEvents.wiped(user, { kinds, ...(left.length > 0 ? { left } : {}) })
            : wipeEvents.wipeContinued(user, { kinds }),
        ],
      },
      withoutEvents([releaseWipeOf(userId), ...finish]),
    ],
    tasks: isDone ? [] : [taskOf(payload)],
    result: undefined,
  })
}

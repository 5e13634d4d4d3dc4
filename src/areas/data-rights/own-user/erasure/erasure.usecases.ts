import { dateInZone } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import { type Context, profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type DomainEvent, type Thing, withoutEvents } from '../../../../platform/log/events.ts'
import { forgetMailsTo, mailTask } from '../../../../platform/outbound/mail.ts'
import { ownedData } from '../../../../platform/owned-data/owned-data.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import type { NewTask } from '../../../../platform/work/task-rows.ts'
import { conflicting } from '../../../../platform/database/refusals.ts'
import type { WipeKind } from '../../../../domain/owned-data.ts'
import { erasureEvents, wipeEvents } from '../own-user.events.ts'
import { ownUserErrors } from '../own-user.errors.ts'
import { provenByPassword } from '../own-user.usecases.ts'
import { wipesInOrder, type Wipe } from './wipe.rules.ts'
import {
  addressesOf,
  forgetTasksOf,
  mustBeDue,
  USERS_AT_ONCE,
  usersToErase,
  mustBeWanted,
  mustHaveNoWipe,
  mustNotBeRestored,
  releaseWipeOf,
  undoWipeOf,
  wipeKeyOf,
  wipeOf,
} from './erasure.queries.ts'
import { eraseInSteps } from './steps.usecases.ts'

export const ERASE_USER = 'user.erase'

/** Stores a task for each user whose time has come; one that failed for good gets another on the next day. */
export async function scheduleErasures(ctx: Context, finish: Statement[]): Promise<void> {
  const today = dateInZone(ctx.now, 'UTC')
  let due: { id: string }[] = []
  do {
    ;[due] = await read(ctx, usersToErase(ctx, due.at(-1)?.id ?? ''))
    await commit(ctx, {
      changes: [
        {
          statements: due.length < USERS_AT_ONCE ? finish : [],
          events: due.map(({ id }) => erasureEvents.erasureScheduled(own(id))),
        },
      ],
      tasks: due.map(({ id }) => ({
        kind: ERASE_USER,
        payload: { userId: id },
        summary: id,
        dedupeKey: `${ERASE_USER} ${id} ${today}`,
      })),
      result: undefined,
    })
  } while (due.length === USERS_AT_ONCE)
}

/** Erases a user with all that it owns, unless that was undone. */
export async function eraseUser(ctx: Context, userId: string, finish: Statement[]): Promise<void> {
  try {
    await eraseDueUser(ctx, userId, finish)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'user.notDue')) {
      throw error
    }
    const events = [erasureEvents.erasureStopped(own(userId))]
    await commit(ctx, { changes: [{ statements: finish, events }], result: undefined })
  }
}

async function eraseDueUser(ctx: Context, userId: string, finish: Statement[]): Promise<void> {
  const guard = mustBeDue(ctx, userId)
  const all = ownedData()
  const commitOne = (statements: Statement[], event: DomainEvent, tasks: NewTask[] = []) =>
    commit(ctx, {
      changes: [{ statements: [guard, ...statements], events: [event] }],
      tasks,
      result: undefined,
    })
  // Nobody comes in any more, so nothing is added to what is erased from now on.
  await commitOne(
    all.flatMap(({ close }) => close?.(ctx, userId) ?? []),
    erasureEvents.erasureBegun(own(userId)),
  )
  const scope = { ownerId: userId, before: Number.MAX_SAFE_INTEGER }
  const kinds = all.flatMap(({ erase = [] }) => erase)
  const { isDone, left } = await eraseInSteps(ctx, { scope, kinds, guard })
  if (left.length > 0) {
    throw conflicting()
  }
  if (!isDone) {
    return commitOne(finish, erasureEvents.erasureContinued(own(userId)), [
      { kind: ERASE_USER, payload: { userId }, summary: userId },
    ])
  }
  const [addresses] = await read(ctx, addressesOf(userId))
  const mails = await Promise.all(
    // An address that the user only asked for may belong to somebody else.
    addresses.map(({ email, isOwn }) => forgetMailsTo(ctx, email, isOwn ? undefined : userId)),
  )
  return commitOne(
    [
      ...mails.flat(),
      ...forgetTasksOf(userId),
      ...all.flatMap(({ forget }) => forget?.(ctx, userId) ?? []),
      ...finish,
    ],
    erasureEvents.erased(own(userId)),
  )
}

/** The user as the thing of an event: the service acts, but it is theirs. */
const own = (userId: string): Thing => ({ id: userId, ownerId: userId })

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

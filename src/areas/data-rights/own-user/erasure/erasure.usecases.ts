import { dateInZone } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import type { DomainEvent, Thing } from '../../../../platform/log/events.ts'
import { forgetMailsTo } from '../../../../platform/outbound/mail.ts'
import { ownedData } from '../../../../platform/owned-data/owned-data.ts'
import type { Statement } from '../../../../platform/database/statements.ts'
import type { NewTask } from '../../../../platform/work/task-rows.ts'
import { conflicting } from '../../../../platform/database/refusals.ts'
import { erasureEvents } from '../own-user.events.ts'
import {
  addressesOf,
  forgetTasksOf,
  mustBeDue,
  USERS_AT_ONCE,
  usersToErase,
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
    // What the user wanted to have may be somebody else's.
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

import { dateInZone } from '../../../domain/calendar.ts'
import { AppError } from '../../../domain/errors.ts'
import { deleteFiles } from '../../../platform/bucket.ts'
import type { Context } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import { type Thing, untold } from '../../../platform/events.ts'
import { forgetMailsTo } from '../../../platform/mail.ts'
import type { Statement } from '../../../platform/statements.ts'
import { reportProgress } from '../../../platform/task-rows.ts'
import { readOrStop } from '../../../platform/tasks.ts'
import {
  endExports,
  eventsTellingOf,
  redactEvents,
  standingExports,
} from '../../audit-log/audit-log.public.ts'
import { erasureEvents } from '../user.events.ts'
import {
  addressesOf,
  closeUser,
  forgetUser,
  mustBeDue,
  USERS_AT_ONCE,
  usersToErase,
} from './erasure.queries.ts'
import { type Found, type Kind, KINDS, type Scope } from './kinds.queries.ts'

/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_COMMITS = 100

interface Erasing {
  scope: Scope
  kinds: Kind[]
  /** Stops the work when it is no longer wanted: in every commit of it. */
  guard: Statement
}

/**
 * Erases these kinds of rows in commits of bounded size. May be killed anywhere: the next run goes on with
 * what is left. Gives whether nothing is.
 */
export async function eraseInSteps(ctx: Context, erasing: Erasing): Promise<boolean> {
  const { scope, kinds, guard } = erasing
  let commits = 0
  for (const [at, kind] of kinds.entries()) {
    let found = await rowsOf(ctx, kind, scope)
    while (found.length > 0) {
      if (commits === MOST_COMMITS) {
        return false
      }
      commits += 1
      // Before the rows, which alone know of the objects.
      await deleteFiles(
        ctx,
        found.flatMap(({ objectKey }) => objectKey ?? []),
      )
      const ids = found.map(({ id }) => id)
      await commit(ctx, {
        changes: [
          {
            statements: [guard, ...kind.erase(ids, scope)],
            events: [erasureEvents.dataErased(own(scope.ownerId), { [kind.name]: found.length })],
          },
          untold(reportProgress(ctx, (100 * at) / kinds.length)),
        ],
        result: undefined,
      })
      found = await rowsOf(ctx, kind, scope)
    }
  }
  return true
}

async function rowsOf(ctx: Context, kind: Kind, scope: Scope): Promise<Found[]> {
  const [found] = await readOrStop(ctx, kind.find(scope))
  return found
}

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
  await commit(ctx, {
    changes: [
      {
        statements: [guard, ...closeUser(ctx, userId)],
        events: [erasureEvents.erasureBegun(own(userId))],
      },
    ],
    result: undefined,
  })
  const scope = { ownerId: userId, before: Number.MAX_SAFE_INTEGER }
  const erasing = { scope, kinds: Object.values(KINDS), guard }
  // The log last, as each step of the others adds to it.
  if (!((await eraseInSteps(ctx, erasing)) && (await redactLog(ctx, erasing)))) {
    return commit(ctx, {
      changes: [
        {
          statements: [guard, ...finish],
          events: [erasureEvents.erasureContinued(own(userId))],
        },
      ],
      tasks: [{ kind: ERASE_USER, payload: { userId }, summary: userId }],
      result: undefined,
    })
  }
  await eraseExports(ctx, erasing)
  const [addresses] = await read(ctx, addressesOf(userId))
  const mails = await Promise.all(
    // What the user wanted to have may be somebody else's.
    addresses.map(({ email, isOwn }) => forgetMailsTo(ctx, email, isOwn ? undefined : userId)),
  )
  return commit(ctx, {
    changes: [
      {
        statements: [guard, ...mails.flat(), ...forgetUser(ctx, userId), ...finish],
        events: [erasureEvents.erased(own(userId))],
      },
    ],
    result: undefined,
  })
}

/** Takes out of the log what it says of the user; what it says itself is nothing that would be taken out again. */
async function redactLog(ctx: Context, { scope, guard }: Erasing): Promise<boolean> {
  const { ownerId } = scope
  let after = 0
  for (let commits = 0; commits < MOST_COMMITS; commits++) {
    const [found] = await readOrStop(ctx, eventsTellingOf(ownerId, after))
    const last = found.at(-1)
    if (!last) {
      return true
    }
    const numbers = found.map(({ number }) => number)
    await commit(ctx, {
      changes: [
        {
          statements: [guard, ...redactEvents(ownerId, numbers)],
          events: [erasureEvents.logRedacted(own(ownerId))],
        },
      ],
      result: undefined,
    })
    after = last.number
  }
  return false
}

/** What was exported of the log before it was silent of the user, whoever has it. */
async function eraseExports(ctx: Context, { scope, guard }: Erasing): Promise<void> {
  for (;;) {
    const [found] = await readOrStop(ctx, standingExports())
    if (found.length === 0) {
      return
    }
    await deleteFiles(
      ctx,
      found.map(({ objectKey }) => objectKey),
    )
    const ids = found.map(({ id }) => id)
    await commit(ctx, {
      changes: [
        {
          statements: [guard, endExports(ctx, ids)],
          events: [erasureEvents.exportsErased(own(scope.ownerId))],
        },
      ],
      result: undefined,
    })
  }
}

/** The user as the thing of an event: the service acts, but it is theirs. */
const own = (userId: string): Thing => ({ id: userId, ownerId: userId })

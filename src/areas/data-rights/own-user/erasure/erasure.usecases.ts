import { dateInZone } from '../../../../domain/calendar.ts'
import { AppError } from '../../../../domain/errors.ts'
import { deleteFiles } from '../../../../platform/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { type DomainEvent, type Thing, withoutEvents } from '../../../../platform/events.ts'
import { forgetMailsTo } from '../../../../platform/mail.ts'
import { type OwnedRows, ownedData, type OwnedScope } from '../../../../platform/owned-data.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { type NewTask, reportProgress } from '../../../../platform/task-rows.ts'
import { conflicting } from '../../../../platform/refusals.ts'
import { readOrStop } from '../../../../platform/tasks.ts'
import { erasureEvents } from '../own-user.events.ts'
import {
  addressesOf,
  forgetTasksOf,
  mustBeDue,
  USERS_AT_ONCE,
  usersToErase,
} from './erasure.queries.ts'

/** Commits of one run, so that it ends well within its lease; what is left is another task's. */
const MOST_COMMITS = 100

interface Erasing {
  scope: OwnedScope
  kinds: OwnedRows[]
  /** Stops the work when it is no longer wanted: in every commit of it. */
  guard: Statement
  /** How rows stay that something else needs; without it, only those stay whose balances would leave the range of amounts. */
  stay?: Staying
}

interface Staying {
  /** Whether rows stay because of an error. */
  isMeant: (error: AppError) => boolean
  /** Notes that rows stay, so that they are not found again. */
  note: (rowIds: string[]) => Statement
}

/** What came of an erasure in steps. */
interface ErasedInSteps {
  /** Whether nothing is left but what stays. */
  isDone: boolean
  /** The kinds of rows of which some stay. */
  left: string[]
}

/** So many are erased one by one before a whole step is tried again. */
const ONE_BY_ONE = 25

/**
 * Erases these kinds of rows in commits of bounded size. May be killed anywhere: the next run goes on with
 * what is left.
 */
export async function eraseInSteps(ctx: Context, erasing: Erasing): Promise<ErasedInSteps> {
  const { scope, kinds, stay } = erasing
  const left: string[] = []
  let commits = 0
  for (const [at, kind] of kinds.entries()) {
    let [found] = await readOrStop(ctx, kind.find(scope, ''))
    while (found.length > 0) {
      if (commits >= MOST_COMMITS) {
        return { isDone: false, left }
      }
      if (await tryToErase(ctx, erasing, at, found)) {
        commits += 1
      } else {
        const erased = await eraseOneByOne(ctx, erasing, at, found)
        commits += erased + 1
        if (erased === 0) {
          left.push(kind.name)
          if (!stay) {
            break
          }
          await letStay(ctx, erasing, stay.note(found.map(({ id, rowId = id }) => rowId)))
        }
      }
      ;[found] = await readOrStop(ctx, kind.find(scope, found.at(-1)?.id ?? ''))
    }
  }
  return { isDone: true, left }
}

const letStay = (ctx: Context, { guard }: Erasing, note: Statement): Promise<void> =>
  commit(ctx, { changes: [withoutEvents([guard, note])], result: undefined })

type Found = Awaited<ReturnType<OwnedRows['find']>>[number]

/** Erases rows of a kind by one commit. Gives false, with nothing erased, where the rows cannot go together. */
async function tryToErase(
  ctx: Context,
  { scope, kinds, guard, stay }: Erasing,
  at: number,
  found: Found[],
): Promise<boolean> {
  const kind = kinds[at]
  if (!kind) {
    return true
  }
  // Before the rows, which alone know of the objects.
  await deleteFiles(
    ctx,
    found.flatMap(({ objectKey }) => objectKey ?? []),
  )
  const ids = found.map(({ id }) => id)
  const user = own(scope.ownerId)
  const statements = [guard, ...(await kind.erase(ids, scope, ctx))]
  const event = kind.told
    ? erasureEvents[kind.told](user)
    : erasureEvents.dataErased(user, { [kind.name]: ids.length })
  try {
    await commit(ctx, {
      changes: [
        { statements, events: [event] },
        withoutEvents(reportProgress(ctx, (100 * at) / kinds.length)),
      ],
      result: undefined,
    })
  } catch (error) {
    const isRefused =
      error instanceof AppError &&
      ((kind.findOne && error.code === 'ledger.outOfRange') || stay?.isMeant(error))
    if (!isRefused) {
      throw error
    }
    return false
  }
  await deleteFiles(
    ctx,
    found.flatMap(({ replacedKey }) => replacedKey ?? []),
  )
  return true
}

/** Erases some rows, each by its own commit, and gives how many. */
async function eraseOneByOne(
  ctx: Context,
  erasing: Erasing,
  at: number,
  found: Found[],
): Promise<number> {
  const { findOne } = erasing.kinds[at] ?? {}
  let count = 0
  if (!findOne) {
    for (const one of found) {
      count += (await tryToErase(ctx, erasing, at, [one])) ? 1 : 0
    }
    return count
  }
  let after = ''
  while (count < ONE_BY_ONE) {
    const [some] = await readOrStop(ctx, findOne(erasing.scope, after))
    const last = some.at(-1)
    if (!last) {
      return count
    }
    // What goes changes which others can, also among those before it.
    const one = some.find(({ canGo }) => canGo === 1)
    const isErased = one !== undefined && (await tryToErase(ctx, erasing, at, [one]))
    count += isErased ? 1 : 0
    after = isErased ? '' : (one ?? last).id
  }
  return count
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

import { type AppError, SEND_FORCE } from '../../domain/errors.ts'
import type { Entry } from '../../domain/ledger.ts'
import { rankOf } from '../../domain/sharing.ts'
import { lockErrors } from './locks.errors.ts'

/** An account with its effective locks, and what the caller may do with it. */
export interface AccountLocks {
  id: string
  lockedThrough: string | null
  hardLockedThrough: string | null
  /** A rank of domain/sharing.ts. */
  rank: number
}

/** An account on which lines change, with the earliest day of a line that does. */
export interface ChangedDay {
  accountId: string
  date: string
}

type LockedEntry = Pick<
  Entry,
  | 'line'
  | 'accountId'
  | 'side'
  | 'date'
  | 'amountMinor'
  | 'currency'
  | 'status'
  | 'categoryId'
  | 'pair'
>

/** Statuses that count the same, and may follow each other in a locked period. */
const classOf = ({ status }: LockedEntry) =>
  status === 'pending' || status === 'void' ? status : 'booked'

/** The fields of lines that a lock protects, as text to compare. */
const protectedOf = (entries: LockedEntry[]): string =>
  JSON.stringify(
    entries
      .toSorted((a, b) => a.line - b.line)
      .map((entry) => [
        ...[entry.line, entry.side, entry.date, entry.amountMinor, entry.currency],
        ...[classOf(entry), entry.categoryId, entry.pair],
      ]),
  )

/** The accounts on which lines of a transaction change so that a lock refuses it. */
export function daysChanged(
  before: LockedEntry[] | undefined,
  after: LockedEntry[] | undefined,
): ChangedDay[] {
  if (before === after) {
    return []
  }
  const was = Map.groupBy(before ?? [], ({ accountId }) => accountId)
  const is = Map.groupBy(after ?? [], ({ accountId }) => accountId)
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((accountId) => {
    const [old, now] = [was.get(accountId) ?? [], is.get(accountId) ?? []]
    const isSame = old.length > 0 && now.length > 0 && protectedOf(old) === protectedOf(now)
    return isSame ? [] : [{ accountId, date: earliest([...old, ...now].map(({ date }) => date)) }]
  })
}

/** A transaction before and after a change; none where it is not booked. */
interface Change {
  before?: { entries: LockedEntry[] }
  after?: { entries: LockedEntry[] }
}

/** The accounts on which a commit changes lines, each with its earliest day. */
export function daysOf(movements: Change[]): ChangedDay[] {
  const days = movements.flatMap(({ before, after }) =>
    daysChanged(before?.entries, after?.entries),
  )
  return [...Map.groupBy(days, ({ accountId }) => accountId)].map(([accountId, some]) => ({
    accountId,
    date: earliest(some.map(({ date }) => date)),
  }))
}

const earliest = (dates: string[]) => dates.reduce((one, other) => (other < one ? other : one))

/** The refusal of a change of lines on these days; undefined where no lock is in the way. */
export function lockRefusal(
  days: ChangedDay[],
  accounts: AccountLocks[],
  { force, field }: { force?: boolean | undefined; field?: string },
): AppError | undefined {
  const locked = days.flatMap(({ accountId, date }) =>
    accounts.filter(({ id, lockedThrough }) => id === accountId && date <= (lockedThrough ?? '')),
  )
  const detail = field === undefined ? {} : { field }
  const dateOf = ({ id }: AccountLocks) =>
    days.find(({ accountId }) => accountId === id)?.date ?? ''
  const hard = locked.find((account) => dateOf(account) <= (account.hardLockedThrough ?? ''))
  if (hard) {
    const how = 'The lock is hard: end it first, or choose a later day.'
    return lockErrors.periodLocked({ through: hard.hardLockedThrough ?? '', how }, detail)
  }
  const refused = force ? locked.find(({ rank }) => rank < rankOf('manage')) : locked[0]
  if (!refused) {
    return undefined
  }
  const through = refused.lockedThrough ?? ''
  const how = `Choose a later day. The owner and people with the right “manage” can force it: ${SEND_FORCE}.`
  return force
    ? lockErrors.forceNotAllowed({ through }, detail)
    : lockErrors.periodLocked({ through, how }, detail)
}

/** Says that a day is locked, too, beside another reason for which a change needs force; nothing where it is not. */
export function lockNote(date: string, accounts: AccountLocks[]): string[] {
  const through = (dayOf: (account: AccountLocks) => string | null): string =>
    accounts.reduce(
      (last, account) => ((dayOf(account) ?? '') > last ? (dayOf(account) ?? '') : last),
      '',
    )
  const hard = through(({ hardLockedThrough }) => hardLockedThrough)
  const soft = through(({ lockedThrough }) => lockedThrough)
  if (date <= hard) {
    return [`The period is also locked through ${hard}, and that lock is hard: end it first.`]
  }
  return date <= soft
    ? [`The period is also locked through ${soft}; force changes it all the same.`]
    : []
}

/** @throws AppError where a lock is in the way */
export function requireUnlocked(...given: Parameters<typeof lockRefusal>): void {
  const refusal = lockRefusal(...given)
  if (refusal) {
    throw refusal
  }
}

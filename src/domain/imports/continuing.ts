import { identitiesAs, type Hash, type RowIdentity } from './identity.ts'
import type { OpenRow } from './open-rows.ts'
import type { BookableRow } from './rows.ts'
import type { SettledStatement, StatementCheck, StoredClosing } from './statements.ts'
import type { Decision, StoredIdentity } from './verdicts.ts'

/** A statement that was imported before, with what tells whether another one goes on from it. */
export interface StoredEnd extends StoredClosing {
  importId: string
  /** Stated, or derived. */
  openingMinor: number | null
  isInterim: boolean
  /** The sum of all that was imported on its last day. */
  movedMinor: number
}

/** The first statement of an account in a file begins on a day of which earlier statements contain a part. */
export interface Continuation {
  accountId: string
  date: string
  /** The imports of those statements. Their rows of that day are not in this file. */
  importIds: ReadonlySet<string>
  /** The balances prove it. Otherwise the file may tell the whole day again. */
  isCertain: boolean
}

/** The days and balances of a statement of a file. */
export type Ends = Pick<
  SettledStatement,
  'accountId' | 'from' | 'to' | 'openingMinor' | 'closingMinor' | 'isInterim'
> &
  Pick<StatementCheck, 'derivedMinor'>

/** Finds where the first statement of an account opens with the closing balance of a stored one that ends on its first day. */
export function findContinuations(
  statements: readonly Ends[],
  stored: readonly StoredEnd[],
): Continuation[] {
  const whole = statements.filter(({ isInterim, from }) => !isInterim && from !== undefined)
  return [...Map.groupBy(whole, ({ accountId }) => accountId)].flatMap(([accountId, list]) => {
    const first = list.reduce((one, other) => (dayOf(other) < dayOf(one) ? other : one))
    const date = dayOf(first)
    const own = stored.filter((one) => one.accountId === accountId && !one.isInterim)
    const ofDay = own.filter(({ to }) => to === date)
    const isAgain = own.some((one) => areSame(one, first))
    const holdsEarlier = ofDay.some((one) => list.some((other) => areSame(one, other)))
    if (isAgain || holdsEarlier) {
      return []
    }
    const opening = first.openingMinor ?? first.derivedMinor
    const before = opening === undefined ? ofDay : endingWith(opening, ofDay)
    const importIds = new Set(before.map(({ importId }) => importId))
    // If a statement moved nothing in all, the balances before and after it are equal, so the place in the day is
    // uncertain.
    const isCertain = opening !== undefined && before.every(({ movedMinor }) => movedMinor !== 0)
    return before.length === 0 ? [] : [{ accountId, date, importIds, isCertain }]
  })
}

const dayOf = ({ from }: Ends) => from as string

function areSame(stored: StoredEnd, one: Ends): boolean {
  const opening = one.openingMinor ?? one.derivedMinor ?? null
  return (
    stored.from === one.from &&
    stored.to === one.to &&
    stored.openingMinor === opening &&
    stored.closingMinor === one.closingMinor
  )
}

/** The statements that end with a balance, those that end with what they open with, and so on. */
function endingWith(balance: number, all: StoredEnd[]): StoredEnd[] {
  const found = new Set<StoredEnd>()
  const balances = new Set<number | null>([balance])
  for (const opening of balances) {
    for (const one of all.filter(({ closingMinor }) => closingMinor === opening)) {
      found.add(one)
      balances.add(one.openingMinor)
    }
  }
  return [...found]
}

/** A row of the first day of a file that is known by its text. */
export interface FirstDayRow {
  row: BookableRow
  open: OpenRow
  identity: RowIdentity
  stored: StoredIdentity
}

/** The known rows of statements on the first day of each account. */
export interface FirstDays {
  see: (known: FirstDayRow) => void
  rows: () => FirstDayRow[]
}

export function watchFirstDays(most: number): FirstDays {
  const days = new Map<string, FirstDayRow[]>()
  return {
    see: (known) => {
      const { accountId, date, source } = known.row
      const others = days.get(accountId) ?? []
      const first = others[0]?.row.date ?? date
      const isOfText = source.statement !== undefined && known.stored.identity.startsWith('f')
      if (isOfText && date <= first && others.length < most) {
        days.set(accountId, date < first ? [known] : [...others, known])
      }
    },
    rows: () => [...days.values()].flat(),
  }
}

/**
 * Distinguishes known rows from equal ones in earlier statements of the day: they get the next number under which
 * neither the account nor the file knows a row.
 *
 * @param storedOf all stored identities with the date and amount of a row
 */
export function rowsGoingOn(
  known: readonly FirstDayRow[],
  continuations: readonly Continuation[],
  storedOf: (row: BookableRow) => readonly StoredIdentity[],
  { hash, has }: { hash: Hash; has: (accountId: string, identity: string) => boolean },
): { open: OpenRow; decision: Decision }[] {
  const given = new Set<string>()
  const isEarlier = ({ row, stored }: FirstDayRow) =>
    continuations.some(
      ({ accountId, date, importIds, isCertain }) =>
        isCertain &&
        accountId === row.accountId &&
        date === row.date &&
        importIds.has(stored.importId ?? ''),
    )
  return known.filter(isEarlier).map(({ row, open, identity }) => {
    const { at, accountId } = row
    const stored = new Set(storedOf(row).map((one) => one.identity))
    const isTaken = (one: string) =>
      stored.has(one) || has(accountId, one) || given.has(`${accountId} ${one}`)
    for (let occurrence = identity.occurrence + 1; ; occurrence += 1) {
      const all = identitiesAs(hash, row, occurrence)
      if (!all.some(isTaken)) {
        all.forEach((one) => given.add(`${accountId} ${one}`))
        const [byText, byId] = all as [string, string?]
        const next = { ...identity, byText, occurrence, ...(byId === undefined ? {} : { byId }) }
        return { open, decision: { at, verdict: 'new', identity: next } }
      }
    }
  })
}

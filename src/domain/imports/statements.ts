import { nearDay } from '../calendar.ts'
import type { IgnoredReason, SourceStatement } from '../bank-files/source.ts'
import { isInRange } from '../money.ts'
import { roundedAmount, type SettledRow } from './rows.ts'

/** A statement of a file, in the minor units of its account. */
export interface SettledStatement {
  /** The position among the statements of the file. */
  index: number
  accountId: string
  currency: string
  number?: string
  from?: string
  to?: string
  openingMinor?: number
  closingMinor?: number
  /** The day at whose end the closing balance stood, where that is not `to`. */
  closingDate?: string
  /** The source counts it as interim, so its balances check nothing. */
  isInterim: boolean
}

/** A row that may explain a difference. */
export interface Explanation {
  at: number
  line: number
  kind: 'error' | 'rounded' | 'duplicateInFile' | 'ignored'
  /** Absent where the amount could not be read. */
  minor?: number
  /** The amount as the file has it, where it was rounded. */
  exact?: string
  /** True if it alone is the whole difference. */
  explainsAll: boolean
}

/** Opening + rows = closing, or what is missing. Sums may be beyond the range of amounts. */
export interface StatementCheck extends SettledStatement {
  rows: number
  sum: bigint
  /** Absent without an opening balance. */
  computed?: bigint
  /** The stated closing balance minus the computed one. Absent without both balances. */
  difference?: bigint
  /** Absent where nothing can be checked. */
  ok?: boolean
  /** The balance before the first row, by the closing balance, where the file states none. */
  derivedMinor?: number
  explanations: Explanation[]
}

/** Rows of these reasons never moved the account. */
const NO_MOVEMENT: readonly (IgnoredReason | undefined)[] = [
  ...(['opening', 'closing', 'turnover', 'notCompleted', 'pending'] as const),
  ...([
    'neutral',
    'information',
    'security',
    'deleted',
    'paidElsewhere',
    'hold',
    'toldAgain',
  ] as const),
]
const MOST_EXPLANATIONS = 20
/** The maximum number of rows of each kind that are remembered for a statement. */
const MOST_REMEMBERED = 1_000

export function settleStatement(
  source: SourceStatement,
  index: number,
  { id, currency }: { id: string; currency: string },
): SettledStatement {
  const { number, from, opening, closing, through = source.closingDate } = source
  const isOwnCurrency = source.currency === undefined || source.currency === currency
  const openingMinor = isOwnCurrency ? minorOf(opening, currency) : undefined
  const closingMinor = isOwnCurrency ? minorOf(closing, currency) : undefined
  // With an opening balance, the closing balance is that of the end of the statement. Alone, banks state that of the
  // present day.
  const closingDate = opening === undefined ? source.closingDate : undefined
  return {
    index,
    accountId: id,
    currency,
    isInterim: source.interim,
    ...(number === undefined ? {} : { number }),
    ...(from === undefined ? {} : { from }),
    ...(through === undefined ? {} : { to: through }),
    ...(openingMinor === undefined ? {} : { openingMinor }),
    ...(closingMinor === undefined ? {} : { closingMinor }),
    ...(closingDate === undefined || closingDate === through ? {} : { closingDate }),
  }
}

/**
 * The days that a statement covers completely. One that does not name them covers those between its balances: that of
 * the opening may be the last of the statement before, unless a row is on it.
 *
 * @param first the day of its first row
 */
export function statementPeriod(
  { from, startsWithin, through, openingDate, closingDate, interim }: SourceStatement,
  first: string | undefined,
): { from: string; through: string } | undefined {
  const last = through ?? closingDate
  const start = from && startsWithin ? nearDay(from, 1) : from
  const begin = start ?? (openingDate && earliest(first, openingDate, last))
  return interim || begin === undefined || last === undefined || begin > last
    ? undefined
    : { from: begin, through: last }
}

function earliest(first: string | undefined, openingDate: string, last: string | undefined) {
  return first === openingDate || last === openingDate ? openingDate : nearDay(openingDate, 1)
}

const minorOf = (text: string | undefined, currency: string) =>
  text === undefined ? undefined : roundedAmount(text, currency).minor

/** Adds up the rows of statements, piece by piece. */
export interface StatementSums {
  /** @param occurrences of the rows, from 1 */
  add(rows: readonly SettledRow[], occurrences: readonly (number | undefined)[]): void
  check(statement: SettledStatement): StatementCheck
}

interface Sum {
  rows: number
  sum: bigint
  /** The day of the last row. */
  last?: string
  remembered: Omit<Explanation, 'explainsAll'>[]
}

export function sumStatements(): StatementSums {
  const sums = new Map<number, Sum>()
  return {
    add: (rows, occurrences) => {
      for (const [index, row] of rows.entries()) {
        const { statement } = row.source
        if (statement !== undefined) {
          const known = sums.get(statement) ?? { rows: 0, sum: 0n, remembered: [] }
          sums.set(statement, known)
          addRow(known, row, occurrences[index] ?? 1)
        }
      }
    },
    check: (statement) => checkStatement(statement, sums.get(statement.index)),
  }
}

function addRow(sum: Sum, row: SettledRow, occurrence: number) {
  const { at, date = '', minor, ignored, source } = row
  const moves = !NO_MOVEMENT.includes(ignored) && !source.pending
  if (moves) {
    sum.rows += 1
    sum.sum += BigInt(minor ?? 0)
    sum.last = sum.last !== undefined && sum.last > date ? sum.last : date
  }
  const kind = kindOf(row, moves, occurrence)
  const isNeeded = kind !== undefined && sum.remembered.length < MOST_REMEMBERED
  if (isNeeded) {
    const isExact = kind === 'rounded' || kind === 'error'
    sum.remembered.push({
      ...{ at, line: source.line, kind },
      ...(minor === undefined ? {} : { minor }),
      ...(isExact && source.amount !== undefined ? { exact: source.amount } : {}),
    })
  }
}

function kindOf(
  row: SettledRow,
  moves: boolean,
  occurrence: number,
): Explanation['kind'] | undefined {
  if (row.errors.length > 0) {
    return 'error'
  }
  if (row.warnings.includes('amountRounded')) {
    return 'rounded'
  }
  if (!moves) {
    return 'ignored'
  }
  return occurrence > 1 ? 'duplicateInFile' : undefined
}

function checkStatement(
  statement: SettledStatement,
  { rows, sum, last, remembered }: Sum = { rows: 0, sum: 0n, remembered: [] },
): StatementCheck {
  const { openingMinor, closingMinor, isInterim } = statement
  const counted = { ...statement, rows, sum, explanations: [] }
  if (isInterim) {
    return counted
  }
  if (openingMinor === undefined) {
    const derived = closingMinor === undefined ? undefined : BigInt(closingMinor) - sum
    const isKnown = derived !== undefined && closesWithin(statement, last) && isInRange(derived)
    return isKnown ? { ...counted, derivedMinor: Number(derived) } : counted
  }
  const computed = BigInt(openingMinor) + sum
  if (closingMinor === undefined) {
    return { ...counted, computed }
  }
  const difference = BigInt(closingMinor) - computed
  const ok = difference === 0n
  return {
    ...{ ...counted, computed, difference, ok },
    explanations: ok ? [] : explain(remembered, difference),
  }
}

/** Tells whether the closing balance is of a day of the statement after which it has no rows. */
function closesWithin(
  { from = '', to = '', closingDate = to }: SettledStatement,
  last = '',
): boolean {
  return closingDate !== '' && from <= closingDate && last <= closingDate && closingDate <= to
}

/** Rows that are too many explain a difference by the opposite of their amount, ignored ones by their amount. */
function explain(remembered: Sum['remembered'], difference: bigint): Explanation[] {
  return remembered
    .map((one) => ({ ...one, explainsAll: effectOf(one) === difference }))
    .filter(({ kind, explainsAll }) => explainsAll || kind === 'error' || kind === 'rounded')
    .toSorted((a, b) => Number(b.explainsAll) - Number(a.explainsAll))
    .slice(0, MOST_EXPLANATIONS)
}

function effectOf({ kind, minor }: Omit<Explanation, 'explainsAll'>): bigint | undefined {
  if (minor === undefined) {
    return undefined
  }
  return kind === 'ignored' ? BigInt(minor) : -BigInt(minor)
}

/** Two statements that do not follow each other: one between them is missing, or a balance is wrong. */
export interface StatementGap {
  accountId: string
  /** The position of the later statement. */
  index: number
  closingMinor: number
  openingMinor: number
}

/** The last statement of an account that was imported before. */
export interface StoredClosing {
  accountId: string
  from?: string | null
  to: string
  closingMinor: number
}

/**
 * Compares the opening of each statement with the closing of the one before it, in the file or stored.
 *
 * @param stored the closings of earlier files, in any order
 */
export function findGaps(
  statements: readonly SettledStatement[],
  stored: readonly StoredClosing[],
): StatementGap[] {
  const closings = Map.groupBy(stored, ({ accountId }) => accountId)
  const dated = statements.filter(({ isInterim }) => !isInterim)
  return [...Map.groupBy(dated, ({ accountId }) => accountId)].flatMap(([accountId, list]) => {
    const inOrder = list.toSorted(
      (a, b) => compare(dayOf(a) ?? '', dayOf(b) ?? '') || a.index - b.index,
    )
    return inOrder.flatMap((statement, position): StatementGap[] => {
      const { index, openingMinor } = statement
      const before = inOrder[position - 1] ?? earlier(closings.get(accountId), dayOf(statement))
      const closingMinor = before?.closingMinor
      return openingMinor === undefined ||
        closingMinor === undefined ||
        closingMinor === openingMinor
        ? []
        : [{ accountId, index, closingMinor, openingMinor }]
    })
  })
}

/** One without rows may tell the day of its closing alone. */
const dayOf = ({ from, to }: SettledStatement) => from ?? to

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** The newest closing that is not after the day on which a statement begins. */
function earlier(
  closings: readonly StoredClosing[] | undefined,
  from: string | undefined,
): StoredClosing | undefined {
  return (closings ?? [])
    .filter(({ to }) => from !== undefined && to <= from)
    .toSorted((a, b) => compare(b.to, a.to))[0]
}

import type { Status, Kind } from '../../domain/ledger.ts'
import type { Comparison, Condition } from '../../domain/conditions/conditions.ts'
import { searchKey } from '../../domain/search-key.ts'
import { type CalendarDate, firstOfMonth, lastOfMonth, monthOf } from '../../domain/calendar.ts'

/** A line that its account has, but the caller does not see. */
export interface HiddenLine {
  accountId: string
  date: string
  transactionId: string
  line: number
  amountMinor: number
  currency: string
  status: Status
}

/** The place of a row in the order of its account. */
type Place = Pick<HiddenLine, 'date' | 'transactionId' | 'line'>

/** True if one is newer than the other. */
const isAfter = (one: Place, other: Place): boolean =>
  one.date !== other.date
    ? one.date > other.date
    : one.transactionId !== other.transactionId
      ? one.transactionId > other.transactionId
      : one.line > other.line

/** Returns the sum of the hidden lines between two rows, or of all newer hidden lines if there is no row above. */
const movedBetween = (hidden: HiddenLine[], row: Place, above: Place | undefined): bigint =>
  hidden
    .filter((line) => isAfter(line, row) && (!above || isAfter(above, line)))
    .reduce((sum, line) => sum + movedBy(line), 0n)

const movedBy = ({ amountMinor, status }: Pick<HiddenLine, 'amountMinor' | 'status'>) =>
  status === 'void' ? 0n : BigInt(amountMinor)

/** A number of lines, and the amounts that they moved. */
export interface MovedSums {
  count: number
  inflow: bigint
  /** Negative. */
  outflow: bigint
}

/** Returns the amounts of hidden lines in a span of days, which kept sums include although the caller cannot see them. */
export function sumsOfHidden(
  hidden: HiddenLine[],
  { from = '', to = '~' }: { from?: string | undefined; to?: string | undefined },
): MovedSums {
  const within = hidden.filter(({ date }) => date >= from && date <= to)
  const amounts = within.map(movedBy)
  const sumOf = (some: bigint[]) => some.reduce((sum, amount) => sum + amount, 0n)
  return {
    count: within.length,
    inflow: sumOf(amounts.filter((amount) => amount > 0n)),
    outflow: sumOf(amounts.filter((amount) => amount < 0n)),
  }
}

/** A filter of account lines. All of its conditions must hold. */
export interface LedgerFilter {
  accountId?: string | undefined
  /** Any of these. */
  accountIds?: readonly string[] | undefined
  from?: string | undefined
  to?: string | undefined
  /** Decimal text, for the absolute amount in whatever currency. */
  amountFrom?: string | undefined
  amountTo?: string | undefined
  currency?: string | undefined
  status?: Status | undefined
  kind?: Kind | undefined
  source?: 'user' | 'import' | 'rule' | 'recurring' | 'api' | undefined
  reviewed?: boolean | undefined
  hasAttachment?: boolean | undefined
  /** Also those below it. */
  categoryId?: string | undefined
  uncategorised?: boolean | undefined
  payeeId?: string | undefined
  tagId?: string | undefined
  importId?: string | undefined
  text?: string | undefined
  metadataKey?: string | undefined
  metadataValue?: string | undefined
  /** With days in place of the names of periods. */
  condition?: Condition | undefined
  piece?: Piece | undefined
}

/** A run of months with about so many lines, behind `skipped` lines of those from the day `start` on. */
export interface Piece {
  direction: Direction
  start: CalendarDate | undefined
  skipped: number
  lines: number
  isLast: boolean
}

/** The order in which lines are looked at. */
export type Direction = 'newestFirst' | 'oldestFirst'

/** The most words of a search: each is a condition of its own. */
export const MOST_WORDS = 10

/** The words of a search, each of which must be found. One that is punctuation alone is none. */
export const searchWords = (text: string): string[] => [
  ...new Map(
    text
      .split(/\s+/)
      .map((word): [string, string] => [searchKey(word), word])
      .filter(([key]) => key !== ''),
  ).values(),
]

export function isSearchable(text: string): boolean {
  const { length } = searchWords(text)
  return length >= 1 && length <= MOST_WORDS
}

/** All that a filter asks for beside accounts and days, as one condition; it may be empty. */
export function conditionIn(filter: LedgerFilter): { all: Condition[] } {
  const { text, metadataKey: key, metadataValue: value, accountIds, condition } = filter
  return {
    all: [
      ...FIELDS.flatMap(([name, field, op]): Comparison[] => {
        const wanted = filter[name]
        return wanted === undefined ? [] : [{ field, op, value: wanted }]
      }),
      ...(accountIds === undefined
        ? []
        : [{ field: 'accountId', op: 'oneOf', value: [...accountIds] } as const]),
      ...(text === undefined
        ? []
        : searchWords(text).map(
            (word) => ({ field: 'text', op: 'contains', value: word }) as const,
          )),
      ...(key === undefined && value === undefined
        ? []
        : [{ field: 'metadata', op: 'is', value: { key, value } } as const]),
      ...(condition === undefined ? [] : [condition]),
    ],
  }
}

/** The fields of a filter that are comparisons. */
const FIELDS = [
  ['status', 'status', 'is'],
  ['currency', 'currency', 'is'],
  ['amountFrom', 'amount', 'from'],
  ['amountTo', 'amount', 'to'],
  ['categoryId', 'categoryId', 'within'],
  ['uncategorised', 'uncategorised', 'is'],
  ['hasAttachment', 'hasAttachment', 'is'],
  ['payeeId', 'payeeId', 'is'],
  ['importId', 'importId', 'is'],
  ['tagId', 'tagId', 'is'],
  ['kind', 'kind', 'is'],
  ['source', 'source', 'is'],
  ['reviewed', 'reviewed', 'is'],
] as const satisfies [keyof LedgerFilter, Comparison['field'], Comparison['op']][]

/** The kept sums that together are what moved in a span of days. */
export interface KeptSpans {
  /** Whole months, after the one and before the other. */
  months?: { after: string; before: string }
  /** First and last day of each run of days. */
  days: [CalendarDate, CalendarDate][]
}

/** Whole months in the middle, single days at the edges; both ends are included. */
export function spansOf(from: CalendarDate | undefined, to: CalendarDate | undefined): KeptSpans {
  if (from !== undefined && to !== undefined && (to < from || monthOf(from) === monthOf(to))) {
    return { days: from <= to ? [[from, to]] : [] }
  }
  return {
    months: {
      after: from === undefined ? '' : monthOf(from),
      // Above all months in the order of text.
      before: to === undefined ? '~' : monthOf(to),
    },
    days: [
      ...(from === undefined
        ? []
        : [[from, lastOfMonth(from)] satisfies KeptSpans['days'][number]]),
      ...(to === undefined ? [] : [[firstOfMonth(to), to] satisfies KeptSpans['days'][number]]),
    ],
  }
}

/** Compares the positions of two rows in ascending order. Numbers are text in them. */
export function comparePositions(one: readonly string[], other: readonly string[]): number {
  for (const [at, value] of one.entries()) {
    const [a, b] = [value, other[at] ?? ''].map((text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    )
    if (a !== undefined && b !== undefined && a !== b) {
      return a < b ? -1 : 1
    }
  }
  return 0
}

/** A row of a register. */
export interface RegisterLine extends Place {
  amountMinor: number
  status: Status
  /** The balance after it; undefined where that follows from the row above. */
  balance: bigint | undefined
}

/**
 * Returns the balance after each row, in minor units; newest row first.
 * @param hidden lines of the account that are no rows
 * @param balance that of the account
 */
export function runningBalances(
  lines: RegisterLine[],
  hidden: HiddenLine[],
  balance: bigint,
): bigint[] {
  let running = balance
  let above: RegisterLine | undefined
  return lines.map((line) => {
    running -= (above ? movedBy(above) : 0n) + movedBetween(hidden, line, above)
    running = line.balance ?? running
    above = line
    return running
  })
}

import type { AnswerOutcome, Question } from '../../../../domain/bank-files/format.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import { formatMoney } from '../../../../domain/money.ts'
import type { SourceRow, FileWarning } from '../../../../domain/bank-files/source.ts'
import type { Mapping } from '../imports.rules.ts'
import { importErrors } from '../imports.errors.ts'

export type TalliedRow = Pick<SettledRow, 'date' | 'minor' | 'currency' | 'errors'>

/**
 * Returns the result of booking rows: their number, their first and last day, and the incoming and outgoing sums in
 * each currency.
 */
export function outcomeOfRows(rows: TalliedRow[]): Omit<AnswerOutcome, 'option'> {
  const booked = rows.flatMap(({ date, minor, currency, errors }) =>
    date === undefined || minor === undefined || errors.length > 0
      ? []
      : [{ date, minor, currency }],
  )
  const dates = booked.map(({ date }) => date).toSorted()
  const sums = new Map<string, { in: bigint; out: bigint }>()
  for (const { minor, currency } of booked) {
    const sum = sums.get(currency) ?? { in: 0n, out: 0n }
    sum[minor < 0 ? 'out' : 'in'] += BigInt(Math.abs(minor))
    sums.set(currency, sum)
  }
  return {
    rows: booked.length,
    errors: rows.length - booked.length,
    from: dates[0] ?? null,
    to: dates.at(-1) ?? null,
    sums: [...sums].map(([currency, sum]) => ({
      currency,
      in: formatMoney(sum.in, currency),
      out: formatMoney(sum.out, currency),
    })),
  }
}

/**
 * Returns why a row that could be booked is ignored. Pending rows of a bank may never be posted; an export has all that there is.
 */
export function whyIgnored(
  { pending, date }: SourceRow,
  { pending: said, from, through }: Mapping,
  isOwn: boolean,
): SourceRow['ignored'] {
  const wanted = said ?? (isOwn ? 'import' : 'skip')
  if (pending && wanted === 'skip') {
    return 'pending'
  }
  const isOutside =
    date !== undefined &&
    ((from !== undefined && date < from) || (through !== undefined && date > through))
  return isOutside ? 'outsideSpan' : undefined
}

/** Tells of decisions on rows that this reading takes the place of. */
export const dropping = (rows = 0): FileWarning[] =>
  rows === 0 ? [] : [{ code: 'decisionsDropped', rows }]

export const isUnlikely = ({ ignored, warnings }: SourceRow): boolean =>
  ignored === undefined && warnings.includes('dateUnlikely')

/** Tells of rows on days that are unlikely, as of a file whose days and months were taken for each other. */
export const unlikelyDays = (rows: number): FileWarning[] =>
  rows === 0 ? [] : [{ code: 'datesUnlikely', rows }]

/** The maximum computing time for reading a file. */
const MOST_MS = 20_000

/** Runs work that computes, with pauses in between, and refuses once all of it takes too long. */
export type Busy = <Result>(work: () => Result) => Promise<Result>

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/**
 * @param letOthersIn called after each piece of work, and pauses once in a while
 * @param now a clock; on Workers it stands still while code computes, and moves on after a turn of the event loop
 * @param mostMs how long all work may take
 * @param pause waits for the next turn, where the clock has not moved
 */
export function busyFor(
  letOthersIn: () => Promise<void>,
  now: () => number,
  mostMs = MOST_MS,
  pause = nextTurn,
): Busy {
  let spent = 0
  return async (work) => {
    const begun = now()
    const result = work()
    if (now() === begun) {
      await pause()
    }
    spent += now() - begun
    if (spent > mostMs) {
      throw importErrors.tooSlow()
    }
    await letOthersIn()
    return result
  }
}

/** The reading of an earlier file of the user, and its account; null for any. */
export interface Habit {
  accountId: string | null
  mapping: Pick<Mapping, 'dateOrder' | 'decimal' | 'sign'>
}

/** The facts from which the answers of a user are guessed. */
export interface Habits {
  /** Imports that are done, the newest first. */
  imports: Habit[]
  profiles: Habit[]
  locale: string
}

const SUGGESTED = ['dateOrder', 'decimal', 'sign'] as const

type Suggested = (typeof SUGGESTED)[number]

const isSuggested = (key: Question['key']): key is Suggested => SUGGESTED.includes(key as Suggested)

/**
 * Adds what earlier imports on the same accounts, then profiles, and then the locale say to questions that suggest nothing.
 * Profiles of other accounts say nothing of the sign: it is a matter of the account.
 */
export const withSuggestions = (
  questions: Question[],
  accountIds: ReadonlySet<string>,
  { imports, profiles, locale }: Habits,
): Question[] =>
  questions.map((question) => {
    const { key, options, suggestion } = question
    if (!isSuggested(key) || suggestion !== undefined) {
      return question
    }
    const isOfAccount = ({ accountId }: Habit) => accountId !== null && accountIds.has(accountId)
    const found = [
      ...[...imports.filter(isOfAccount), ...profiles.filter(isOfAccount)],
      ...(key === 'sign' ? [] : profiles.filter((one) => !isOfAccount(one))),
    ].map(({ mapping }) => mapping[key])
    const said = [...found, ...(key === 'sign' ? [] : [byLocale[key](locale)])]
    const [best] = said.flatMap((one) => (one !== undefined && options.includes(one) ? [one] : []))
    return best === undefined ? question : { ...question, suggestion: best }
  })

const byLocale = {
  dateOrder: (locale: string): Mapping['dateOrder'] => {
    const { language, region } = new Intl.Locale(locale)
    // English is written in both orders, and is what users have who have chosen nothing.
    if (language === 'en' && region === undefined) {
      return undefined
    }
    const parts = new Intl.DateTimeFormat(locale).formatToParts()
    const order = parts.flatMap(({ type }) => ORDER_LETTERS[type] ?? []).join('')
    return ORDERS.find((one) => one === order)
  },
  decimal: (locale: string): Mapping['decimal'] => {
    const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
    return parts.some(({ value }) => value === ',') ? ',' : '.'
  },
}

const ORDERS = ['YMD', 'DMY', 'MDY'] as const
const ORDER_LETTERS: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {
  ...{ year: 'Y', month: 'M', day: 'D' },
}

import { addDays, type CalendarDate, toDayNumber } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { scheduleOf, type Series, seriesOf } from '../../../../domain/recurring/series.ts'
import { intervalIndexOf, intervalStart } from '../../../../domain/schedules/intervals.ts'
import { searchKey } from '../../../../domain/search-key.ts'
import type { ItemInput, RecurringItem } from '../recurring.rules.ts'

/** An expense or an income that is no occurrence of an item. */
export interface LooseRow {
  id: string
  accountId: string
  currency: string
  date: CalendarDate
  amountMinor: number
  private: 0 | 1
  payeeId: string | null
  /** The name of the payee, which is empty once that is archived; else the text of the bank, or the description. */
  name: string
  /** Null where it has parts. */
  categoryId: string | null
  /** The number of lines that were looked at. */
  lines: number
}

/** Rows that come again, under the key that names the suggestion. */
export interface FoundSeries {
  key: string
  series: Series
  /** Oldest first. */
  rows: LooseRow[]
  last: LooseRow
}

/** An item that rows suggest. */
export interface Suggestion {
  key: string
  item: ItemInput & { from: CalendarDate; transactionIds: string[] }
  /** The number of rows. */
  count: number
  lastDate: CalendarDate
}

/** Letters of a text that a key has: with the rest it has no more characters than a request may send. */
const LETTERS_OF_KEY = 80

const DIGITS = /\p{N}+/gu

/** The text by which rows belong together: without digits, which are often numbers of a receipt or a contract. */
const textKey = (text: string): string =>
  [...searchKey(text).replace(DIGITS, ' ').replace(/ +/g, ' ').trim()]
    .slice(0, LETTERS_OF_KEY)
    .join('')
    .trim()

const keyOf = (accountId: string, isIncome: boolean, named: string): string =>
  `${accountId} ${isIncome ? 'in' : 'out'} ${named}`

/** The keys of suggestions that an item makes needless. */
export function keysOfItem({ transaction }: RecurringItem): string[] {
  if (transaction.kind === 'transfer' || transaction.accountId === null) {
    return []
  }
  const { accountId, kind, payeeId, payeeRaw, description } = transaction
  const text = textKey(payeeRaw || description || '')
  return [payeeId, text].flatMap((named) =>
    named ? [keyOf(accountId, kind === 'income', named)] : [],
  )
}

/**
 * The series among rows, those with the newest rows first.
 * @param rows oldest first
 * @param left keys of suggestions that are left out
 */
export function seriesAmong(
  rows: readonly LooseRow[],
  left: ReadonlySet<string>,
  today: CalendarDate,
): FoundSeries[] {
  const keys = new Map<string, string>()
  const keyed = (text: string) => {
    const key = keys.get(text) ?? textKey(text)
    keys.set(text, key)
    return key
  }
  const byKey = Map.groupBy(rows, ({ accountId, amountMinor, payeeId, name }) => {
    const named = payeeId ?? keyed(name)
    return named === '' ? '' : keyOf(accountId, amountMinor > 0, named)
  })
  return [...byKey]
    .flatMap(([key, those]) => {
      const last = those.at(-1)
      const series =
        key === '' || left.has(key)
          ? undefined
          : seriesOf(
              those.map(({ date, amountMinor }) => ({
                day: toDayNumber(date),
                amountMinor: Math.abs(amountMinor),
              })),
              toDayNumber(today),
            )
      return series && last ? [{ key, series, rows: those, last }] : []
    })
    .toSorted((a, b) =>
      a.last.date === b.last.date ? (a.key < b.key ? -1 : 1) : a.last.date < b.last.date ? 1 : -1,
    )
}

const LONGEST_NAME = 100

/**
 * The body of a request that creates the item of a series.
 * @param categories those that can be put on transactions
 * @returns undefined where it has no name; an archived payee says that nothing more is to come
 */
export function suggestionOf(
  { key, series, rows, last }: FoundSeries,
  categories: ReadonlySet<string>,
): Suggestion | undefined {
  const { payeeId, categoryId } = last
  const name = nameFrom(last.name)
  if (name === '') {
    return undefined
  }
  const dates = rows.map(({ date }) => date)
  const schedule = scheduleOf(series, dates)
  // The rows are linked to occurrences of their own, so these begin before the first of them.
  const anchor = intervalStart(schedule, intervalIndexOf(schedule, dates[0] as CalendarDate))
  const isExact = rows.every(({ amountMinor }) => amountMinor === last.amountMinor)
  const isIncome = last.amountMinor > 0
  return {
    key,
    item: {
      ...{ name, purpose: isIncome ? 'income' : 'other', mode: 'expect' },
      schedule: { ...schedule, anchor },
      transaction: {
        ...{ kind: isIncome ? 'income' : 'expense', accountId: last.accountId },
        amount: formatMoney(Math.round(series.medianMinor), last.currency),
        ...(payeeId === null ? { payeeRaw: last.name } : { payeeId }),
        ...(categoryId !== null && categories.has(categoryId) ? { categoryId } : {}),
        ...(rows.some((row) => row.private === 1) ? { private: true } : {}),
      },
      ...{ amountIs: isExact ? 'exact' : 'about', amountMax: null },
      tolerancePercent: isExact ? null : '25.00',
      ...{ dayWindow: 3, leadDays: 0, graceDays: 0, remindOn: null, active: true, note: null },
      from: addDays(schedule.anchor, 1),
      transactionIds: rows.map(({ id }) => id),
    },
    count: rows.length,
    lastDate: last.date,
  }
}

const nameFrom = (text: string): string =>
  [...text.replace(/[\s\p{C}]+/gu, ' ').trim()]
    .slice(0, LONGEST_NAME / 2)
    .join('')
    .trim()

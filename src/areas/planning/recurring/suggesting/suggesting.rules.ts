import { addDays, type CalendarDate, toDayNumber } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { scheduleOf, type Series, seriesOf } from '../../../../domain/recurring/series.ts'
import { searchKey } from '../../../../domain/search-key.ts'
import type { ItemInput, RecurringItem } from '../recurring.rules.ts'
import type { LooseRow, SeenWords } from './suggesting.queries.ts'

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
  item: ItemInput & { from: CalendarDate }
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
  const byKey = Map.groupBy(rows, ({ accountId, amountMinor, payeeId, text }) => {
    const named = payeeId ?? keyed(text ?? '')
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
 * @param words of its last row
 * @returns undefined where it has no name that can be used
 */
export function suggestionOf(
  { key, series, rows, last }: FoundSeries,
  { payeeId, payeeName, payeeRaw, description, categoryId }: SeenWords,
): Suggestion | undefined {
  const name = [...(payeeName ?? (payeeRaw || description)).replace(/[\s\p{C}]+/gu, ' ').trim()]
    .slice(0, LONGEST_NAME / 2)
    .join('')
    .trim()
  // An archived payee says that nothing more is to come.
  if (name === '' || (last.payeeId !== null && payeeId === null)) {
    return undefined
  }
  const schedule = scheduleOf(
    series,
    rows.map(({ date }) => date),
  )
  const isExact = rows.every(({ amountMinor }) => amountMinor === last.amountMinor)
  const isIncome = last.amountMinor > 0
  const named = payeeRaw ? { payeeRaw } : { description }
  return {
    key,
    item: {
      ...{ name, purpose: isIncome ? 'income' : 'other', mode: 'expect', schedule },
      transaction: {
        ...{ kind: isIncome ? 'income' : 'expense', accountId: last.accountId },
        amount: formatMoney(Math.round(series.medianMinor), last.currency),
        ...(payeeId === null ? named : { payeeId }),
        ...(categoryId === null ? {} : { categoryId }),
        ...(rows.some((row) => row.private === 1) ? { private: true } : {}),
      },
      ...{ amountIs: isExact ? 'exact' : 'about', amountMax: null },
      tolerancePercent: isExact ? null : '25.00',
      ...{ dayWindow: 3, leadDays: 0, graceDays: 0, remindOn: null, active: true, note: null },
      from: addDays(schedule.anchor, 1),
    },
    count: rows.length,
    lastDate: last.date,
  }
}

import { sortKey, writtenDate, type WrittenDate } from '../bank-files/dates.ts'
import type { DateOrder } from '../bank-files/format.ts'
import { findCurrency } from '../currency.ts'
import { isAmountLike, isDateLike } from './cells.ts'
import { monthNamed } from '../bank-files/months.ts'
import type { CsvRecord } from './records.ts'
import { foldHeading, readHeading, summaryOf } from './words.ts'

/** The facts above a heading about the account and the statement; dates and amounts are as written. */
export interface Preamble {
  iban?: string
  number?: string
  name?: string
  currency?: string
  from?: string
  through?: string
  opening?: string
  closing?: string
  /** The type of the account, if a title tells it. */
  type?: 'creditCard'
  /** The year, and the month from 1, of the last day that is named. */
  year?: number
  month?: number
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/
export const looksLikeIban = (text: string) => IBAN.test(text.replace(/\s/g, ''))

/** `key: value` in one cell, or a key in a cell and its value in the next one that is not empty. */
function pairs(cells: readonly string[]): [string, string][] {
  const filled = cells.filter((cell) => cell !== '')
  const found: [string, string][] = []
  for (const [index, cell] of filled.entries()) {
    const colon = cell.indexOf(':')
    const [key, value] = [cell.slice(0, colon).trim(), cell.slice(colon + 1).trim()]
    if (colon > 0 && value !== '') {
      found.push([key, value])
    } else if (filled[index + 1] !== undefined) {
      found.push([colon > 0 ? key : cell, filled[index + 1] as string])
    }
  }
  return found
}

/** The dates that a text names, as they are written: `1.1.2025 - 31.1.2025`. */
const datesIn = (text: string): string[] =>
  text
    .split(/\s+(?:-|–|to|bis|au|al|a|t\/m|till|til|do|–|до|по|至|~)\s+|[~～]|至|\s+/u)
    .map((part) => part.replace(/^[[(（]|[\])）,;]$/gu, ''))
    .filter((part) => /\d.*\d/.test(part) && part.length > 5 && isDateLike(part))

/** `March 2025`, `03/2025` or `2025-03`. */
function monthIn(text: string): { year: number; month: number } | undefined {
  const word = /(\p{L}[\p{L}\p{M}]{2,})\.?\s+(20\d\d)/u.exec(text)
  const named = word ? monthNamed(word[1] as string) : undefined
  if (word && named !== undefined) {
    return { year: Number(word[2]), month: named }
  }
  const [, ofYear, ofMonth] = /(20\d\d)年\s*(1[0-2]|0?[1-9])月/u.exec(text) ?? []
  if (ofYear !== undefined) {
    return { year: Number(ofYear), month: Number(ofMonth) }
  }
  const numbers = /(?:^|\s)(?:(20\d\d)[-/.](\d\d)|(\d\d)[-/.](20\d\d))(?:$|\s)/.exec(text)
  const month = Number(numbers?.[2] ?? numbers?.[3])
  return numbers && month >= 1 && month <= 12
    ? { year: Number(numbers[1] ?? numbers[4]), month }
    : undefined
}

function yearOf(text: string): { year: number; month?: number } | undefined {
  const written = writtenDate(text) as WrittenDate
  const meanings = Object.entries(written.under)
    .filter(([order]) => sortKey(written, order as DateOrder) !== 0)
    .map(([, meaning]) => meaning)
  const [first] = meanings
  if (first?.year === undefined) {
    return undefined
  }
  const isSure = meanings.every(({ month }) => month === first.month)
  return { year: first.year, ...(isSure && { month: first.month }) }
}

function take(facts: Preamble, key: string, value: string) {
  const role = readHeading(key).role
  if (role === 'account' || role === 'counterAccount' || foldHeading(key).startsWith('account')) {
    if (/\d/.test(value)) {
      facts.number ??= value.slice(0, 100)
    } else {
      facts.name ??= value.slice(0, 100)
    }
  } else if (role === 'currency') {
    const code = findCurrency(value.trim().toUpperCase())?.code
    if (code !== undefined) {
      facts.currency ??= code
    }
  }
  const summary = summaryOf(key)
  if ((summary === 'opening' || summary === 'closing') && isAmountLike(value)) {
    facts[summary] ??= value
  }
}

const OF_CARD =
  /\bcredit ?cards?\b|kreditkarte|carte de cr[eé]dit|tarjeta de cr[eé]dito|carta di credito|cart[aã]o de cr[eé]dito|karta kredytowa|信用卡|クレジットカード|신용카드/iu

/** Looks through the lines above a heading. */
export function readPreamble(records: readonly CsvRecord[]): Preamble {
  const facts: Preamble = {}
  for (const { cells } of records) {
    for (const cell of cells) {
      const words = cell.split(/[:：]\s*|\s*\(/u)
      const iban = [cell, ...words].find(looksLikeIban)
      if (iban !== undefined) {
        facts.iban ??= iban.replace(/\s/g, '')
      }
    }
    for (const [key, value] of pairs(cells)) {
      take(facts, key, value)
    }
    const line = cells.join(' ').slice(0, 500)
    if (OF_CARD.test(line)) {
      facts.type = 'creditCard'
    }
    const dates = datesIn(line.replace(/[:：,]\s*/gu, ' '))
    if (dates.length === 2 && facts.from === undefined) {
      ;[facts.from, facts.through] = dates as [string, string]
      Object.assign(facts, yearOf(facts.through))
    } else if (facts.year === undefined) {
      Object.assign(facts, monthIn(line))
    }
  }
  return facts
}

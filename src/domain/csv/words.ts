import { findCurrency } from '../currency.ts'
import { foldWord } from '../bank-files/months.ts'
import { remembering, lazily } from '../memoized.ts'
import type { ColumnRole } from '../bank-files/format.ts'
import cellWords from './cell-words.json' with { type: 'json' }
import headingWords from './heading-words.json' with { type: 'json' }

// oxlint-disable-next-line no-control-regex -- of ASCII, controls are a part
const ASCII = /^[\u0000-\u007f]*$/

/** Letters and digits of any script, folded; the rest says nothing in a heading. */
export const foldHeading = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase().replace(/[^a-z0-9]+/g, '')
    : foldWord(text.normalize('NFKC')).replace(/[^\p{L}\p{N}]+/gu, '')

/** Words of lines that divide them by `|`. */
const listed = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split('|').map((word) => word.trim()))

interface Meaning {
  role: ColumnRole
  /** The place of its list. Of several columns of one role, that of the earliest list is taken. */
  rank: number
}

/** The meaning of headings in the languages of banks, compared without case, accents, spaces and punctuation. */
const meanings = lazily(() => {
  const found = new Map<string, Meaning>()
  const columns = headingWords.columns as { role: ColumnRole; words: string[] }[]
  for (const [rank, { role, words }] of columns.entries()) {
    for (const word of listed(words)) {
      const key = foldHeading(word)
      // `+/-` folds to nothing.
      if (key !== '' && !found.has(key)) {
        found.set(key, { role, rank })
      }
    }
  }
  return found
})

export interface Heading {
  /** Folded, without the unit. */
  key: string
  role?: ColumnRole
  rank?: number
  /** The currency that the heading names, as in `Amount (EUR)`. */
  currency?: string
}

const CURRENCY_SIGNS = new Map([
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['zł', 'PLN'],
  ['元', 'CNY'],
  ['円', 'JPY'],
  ['원', 'KRW'],
])

function currencyNamed(text: string): string | undefined {
  const trimmed = text.trim()
  return findCurrency(trimmed.toUpperCase())?.code ?? CURRENCY_SIGNS.get(trimmed.toLowerCase())
}

/** Latin letters that stand in Cyrillic words because they look the same. */
const LOOKALIKES = new Map(
  [...'aceikmoptxybh'].map((latin, index) => [latin, [...'асеікмортхувн'][index]]),
)

function meaningOf(text: string): Heading {
  const key = foldHeading(text)
  const isMixed = /\p{Script=Cyrillic}/u.test(key) && /[a-z]/.test(key)
  const meaning =
    meanings().get(key) ??
    (isMixed
      ? meanings().get(key.replace(/[a-z]/g, (letter) => LOOKALIKES.get(letter) ?? letter))
      : undefined)
  return meaning ? { key, ...meaning } : { key }
}

/** An amount with the side that stands in brackets behind it. */
function amountOfSide(text: string, side: string): Heading | undefined {
  const direction = directionInWord(side)
  const amount = meaningOf(text)
  if (amount.role !== 'amount' || direction === undefined || direction === 'neutral') {
    return undefined
  }
  return {
    ...amount,
    key: foldHeading(text + side),
    role: direction === 'out' ? 'debit' : 'credit',
  }
}

/** Without what stands in brackets at the end, and without a currency behind `in` or alone. */
function withUnit(text: string): Heading {
  const bracketed = /[([（【]([^()[\]（）【】]{1,40})[)\]）】]\s*$/u.exec(text)
  if (bracketed) {
    const currency = currencyNamed(bracketed[1] as string)
    const sided = amountOfSide(text.slice(0, bracketed.index), bracketed[1] as string)
    if (sided) {
      return sided
    }
    return { ...meaningOf(text.slice(0, bracketed.index)), ...(currency && { currency }) }
  }
  const words = text.trim().split(/\s+/)
  const currency = words.length > 1 ? currencyNamed(words.at(-1) as string) : undefined
  if (currency === undefined) {
    return meaningOf(text)
  }
  const isLink = ['in', 'en', 'w', 'v', 'i', 'em', 'в', 'at'].includes(
    (words.at(-2) as string).toLowerCase(),
  )
  return { ...meaningOf(words.slice(0, isLink ? -2 : -1).join(' ')), currency }
}

/** A currency with its sign, as `CAD$`, is what the amounts are in. */
function currencyAsHeading(text: string): Heading | undefined {
  const [, code = ''] = /^\s*([A-Z]{3})\s?\$\s*$/.exec(text) ?? []
  const currency = currencyNamed(code)
  return currency === undefined
    ? undefined
    : { ...meaningOf('amount'), key: foldHeading(text), currency }
}

/** Reads a heading such as `Description 1`, which numbers several columns for texts. */
function numberedText(text: string): Heading | undefined {
  const [, name] = /^(.*\D)\s*\d$/.exec(text.trim()) ?? []
  const meaning = meaningOf(name ?? '')
  return meaning.role === 'description' ? { ...meaning, key: foldHeading(text) } : undefined
}

/** Returns the role that a heading gives its column. */
export const readHeading = remembering((cell: string): Heading => {
  const text = cell.slice(0, 200)
  const priced = currencyAsHeading(text)
  if (priced) {
    return priced
  }
  const plain = meaningOf(text)
  const numbered = plain.role === undefined ? numberedText(text) : undefined
  if (numbered) {
    return numbered
  }
  return plain.role === undefined || /[([（]/u.test(text) ? bestOf(plain, withUnit(text)) : plain
})

const bestOf = (plain: Heading, unit: Heading): Heading =>
  plain.role === undefined ? unit : { ...plain, ...(unit.currency && { currency: unit.currency }) }

const wordSet = (lines: readonly string[]) => lazily(() => new Set(listed(lines).map(foldHeading)))

const MONEY_OUT = wordSet(cellWords.moneyOut)
const MONEY_IN = wordSet(cellWords.moneyIn)
const NEUTRAL = wordSet(cellWords.neutral)
const SIGNS = new Map([
  ['-', 'out'],
  ['+', 'in'],
  ['/', 'neutral'],
] as const)

/** Returns the direction of money that a word states: out, in, or neither. */
export const directionInWord = remembering((cell: string): 'out' | 'in' | 'neutral' | undefined => {
  const key = foldHeading(cell)
  if (MONEY_OUT().has(key)) {
    return 'out'
  }
  if (MONEY_IN().has(key)) {
    return 'in'
  }
  // Signs fold to nothing, so they are compared as they are.
  return NEUTRAL().has(key) ? 'neutral' : SIGNS.get(cell.trim() as '-')
})

const NOT_COMPLETED = wordSet(cellWords.notCompleted)
const PENDING = wordSet(cellWords.pending)

/** Returns the state that a word stands for, if it means that a row is not booked. */
export const stateOf = remembering((cell: string): 'notCompleted' | 'pending' | undefined => {
  const key = foldHeading(cell)
  return NOT_COMPLETED().has(key) ? 'notCompleted' : PENDING().has(key) ? 'pending' : undefined
})

const OPENING = wordSet(cellWords.opening)
const CLOSING = wordSet(cellWords.closing)
const TURNOVER = wordSet(cellWords.turnover)
/** Words for sums that shops are called, too. */
const TOTAL = wordSet(cellWords.total)

/** The statement of a row that is not a booking: a balance, a sum, or possibly a sum. */
export type Summary = 'opening' | 'closing' | 'turnover' | 'total'

/** Returns what a row states whose text is only that. */
export function summaryOf(cell: string): Summary | undefined {
  // A date or an amount follows the words, as in `Saldo 31.12.2025`.
  return cell.length > 60 || /\d\s*\p{L}{2}/u.test(cell) ? undefined : summaryNamed(cell)
}

const summaryNamed = remembering((cell: string): Summary | undefined => {
  const words = cell.replace(/[\d.,:/-]+/g, ' ').trim()
  const key = foldHeading(words.replace(/ (?:as of|as at|on|at|am|per|au|al|a|em|op|pr|den)$/i, ''))
  if (OPENING().has(key)) {
    return 'opening'
  }
  if (CLOSING().has(key)) {
    return 'closing'
  }
  return TURNOVER().has(key) ? 'turnover' : TOTAL().has(key) ? 'total' : undefined
})

const CARD_PAYMENTS = wordSet(cellWords.cardPayments)

/** Tells whether a text on a credit card describes a payment of its holder. */
export function isCardPayment(text: string): boolean {
  const key = foldHeading(text)
  return CARD_PAYMENTS()
    .values()
    .some((words) => key.includes(words))
}

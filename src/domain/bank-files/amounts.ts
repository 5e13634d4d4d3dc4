import { CURRENCIES } from '../currency.ts'
import { canonicalDecimal, type DecimalText } from './decimals.ts'
import type { DecimalMark, Question } from './format.ts'

/** An amount without what surrounds its digits. */
export interface CleanAmount {
  negative: boolean
  /** True if a plus, or a word for a credit, stands beside the digits. */
  plus?: true
  /** Digits, and the marks `.` and `,` between them. */
  digits: string
  /** The currency that its code or its unmistakable sign names. */
  currency?: string
}

const MAX_LENGTH = 64

/** Signs and words beside an amount that name no one currency. */
const UNITS =
  `$ £ ¥ 元 圆 圓 円 원 rs rs. kr kr. fr fr. sfr sfr. p c$ s/ s/. dm din din. руб руб. р р. лв лв. ден ден. ft fts
  lei ron. eur. usd. euro euros dollar dollars rmb cn¥ jp¥ nt$ hk$ us$ a$ au$ ca$ nz$ sg$ mx$ r$ z$ zl kc грн грн. тг tl
  bs. b/. q. l. rp. m$ mn ¢`.split(/\s+/)

/**
 * The signs that may stand beside the digits, with the code of the currency; undefined if several currencies share the
 * sign.
 */
const units = new Map<string, string | undefined>([
  ...UNITS.map((unit): [string, undefined] => [unit, undefined]),
  ...CURRENCIES.flatMap(({ code, symbol }): [string, string | undefined][] => {
    const isUnique = CURRENCIES.filter((other) => other.symbol === symbol).length === 1
    // A letter or two could be anything else; they name no currency.
    return [
      [symbol.toLowerCase(), isUnique && symbol.length > 2 ? code : undefined],
      [code.toLowerCase(), code],
    ]
  }),
  ['€', 'EUR'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['₹', 'INR'],
  ['₴', 'UAH'],
  ['₪', 'ILS'],
  ['zł', 'PLN'],
  ['kč', 'CZK'],
  ['元', 'CNY'],
  ['hk$', 'HKD'],
  ['us$', 'USD'],
  ['r$', 'BRL'],
  ['nt$', 'TWD'],
])

/**
 * The currency that a cell of a column for currencies names, by its code or its unmistakable sign. A code that is not known
 * is one, too: amounts in it are not in the currency of the account.
 */
export function currencyIn(cell: string): string | undefined {
  const key = cell.trim().toLowerCase()
  return units.has(key) ? units.get(key) : /^[a-z]{3}$/.exec(key)?.[0].toUpperCase()
}

/** Words behind the digits that are a sign: credit and debit in English, German and by letter. */
const SIGNS = new Map([
  ['cr', '+'],
  ['c', '+'],
  ['h', '+'],
  ['dr', '-'],
  ['d', '-'],
  ['s', '-'],
])

const ZERO = 48
const NINE = 57
const isDigit = (code: number) => code >= ZERO && code <= NINE
const isMark = (code: number) => code === 46 || code === 44

/** White space of all kinds, and apostrophes, which group digits as it does. */
const isSpace = (letter: string) => /[\s'’ʼ`´]/u.test(letter)
const MINUS = new Set(['-', '−', '–', '‐', '‑'])

/** Digits with at most one mark and perhaps a minus before: most cells. */
function isPlain(text: string): boolean {
  const start = text.charCodeAt(0) === 45 ? 1 : 0
  let digits = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isDigit(code)) {
      digits += 1
    } else if (!isMark(code)) {
      return false
    }
  }
  return digits > 0
}

interface AmountParts {
  signs: string[]
  opened: boolean
  closed: boolean
  digits: string
  /** True if something stands behind the digits, so that no more may come. */
  isOver: boolean
  units: string[]
}

/** Takes the word or sign that begins here; returns where it ends. */
function takeWord(text: string, at: number, found: AmountParts): number {
  let end = at
  while (end < text.length) {
    const letter = text[end] as string
    const isDotWithin = letter === '.' && !isDigit(text.charCodeAt(end + 1)) && end > at
    const isOther = isDigit(text.charCodeAt(end)) || isSpace(letter) || '+(),'.includes(letter)
    if (isOther || MINUS.has(letter) || (letter === '.' && !isDotWithin)) {
      break
    }
    end += 1
  }
  const word = text.slice(at, end).toLowerCase()
  // `Rs.12.50`: the first point belongs to the word.
  if (text[end] === '.' && units.has(`${word}.`)) {
    end += 1
  }
  found.units.push(word)
  return Math.max(end, at + 1)
}

function takeAll(text: string): AmountParts | undefined {
  const found: AmountParts = {
    signs: [],
    opened: false,
    closed: false,
    digits: '',
    isOver: false,
    units: [],
  }
  let at = 0
  while (at < text.length) {
    const letter = text[at] as string
    const code = text.charCodeAt(at)
    if (isDigit(code) || isMark(code)) {
      if (found.isOver || found.closed) {
        return undefined
      }
      found.digits += letter
      at += 1
      continue
    }
    if (isSpace(letter)) {
      at += 1
      continue
    }
    found.isOver = found.digits !== ''
    if (MINUS.has(letter) || letter === '+') {
      found.signs.push(letter === '+' ? '+' : '-')
      at += 1
    } else if (letter === '(' && !found.isOver && !found.opened) {
      found.opened = true
      at += 1
    } else if (letter === ')' && found.isOver && found.opened && !found.closed) {
      found.closed = true
      at += 1
    } else {
      at = takeWord(text, at, found)
    }
  }
  return found
}

/**
 * Takes off everything around the digits of an amount: white space, apostrophes, currency signs and codes, units, and
 * signs. `undefined` where that leaves no number: letters, exponents, two signs.
 */
export function cleanAmount(source: string): CleanAmount | undefined {
  if (isPlain(source) && source.length <= MAX_LENGTH) {
    const negative = source.charCodeAt(0) === 45
    return { negative, digits: negative ? source.slice(1) : source }
  }
  const text = source.trim()
  const found = text.length > MAX_LENGTH ? undefined : takeAll(text)
  if (!found || found.opened !== found.closed || !isPlain(found.digits)) {
    return undefined
  }
  const signs = [...found.signs]
  let currency: string | undefined
  for (const [index, unit] of found.units.entries()) {
    const sign = index === found.units.length - 1 && found.isOver ? SIGNS.get(unit) : undefined
    if (sign === undefined && !units.has(unit)) {
      return undefined
    }
    if (sign !== undefined) {
      signs.push(sign)
    } else {
      currency ??= units.get(unit)
    }
  }
  if (found.opened) {
    signs.push('-')
  }
  // `12,-` means 12.00 where it is written, not less than nothing: it could be either.
  const isOpenEnded = isMark(found.digits.charCodeAt(found.digits.length - 1))
  if (signs.length > 1 || (isOpenEnded && text.endsWith('-'))) {
    return undefined
  }
  return {
    negative: signs[0] === '-',
    ...(signs[0] === '+' && { plus: true }),
    digits: found.digits,
    ...(currency !== undefined && { currency }),
  }
}

/** The conclusion from the digits of one amount about the decimal mark. */
export type MarkEvidence = DecimalMark | 'open' | 'none' | 'malformed'

/** Groups of three digits, or of two as in India, with three at the end. */
function isGrouped(digits: string, mark: DecimalMark): boolean {
  const groups = digits.split(mark)
  return groups.every((group, index) => {
    const isLast = index === groups.length - 1
    if (index === 0) {
      return group.length >= 1 && group.length <= 3
    }
    return group.length === 3 || (group.length === 2 && !isLast)
  })
}

const other = (mark: DecimalMark): DecimalMark => (mark === '.' ? ',' : '.')

/**
 * @param digitsOfCurrency the decimals of the currency, where it is known: three digits are decimals if it has three,
 *   and thousands if it has none
 */
export function markEvidence(digits: string, digitsOfCurrency?: number): MarkEvidence {
  const point = digits.lastIndexOf('.')
  const comma = digits.lastIndexOf(',')
  const last = Math.max(point, comma)
  if (last === -1) {
    return 'none'
  }
  const mark = point > comma ? '.' : ','
  const whole = digits.slice(0, last)
  if (point !== -1 && comma !== -1) {
    return !whole.includes(mark) && isGrouped(whole, other(mark)) ? mark : 'malformed'
  }
  if (whole.includes(mark)) {
    return isGrouped(digits, mark) ? other(mark) : 'malformed'
  }
  // `0.123` and `1234.567` have three digits behind the mark, and cannot be thousands all the same.
  const isOpen =
    digits.length - last - 1 === 3 && digitsOfCurrency !== 3 && /^[1-9]\d{0,2}$/.test(whole)
  if (isOpen && digitsOfCurrency === 0) {
    return other(mark)
  }
  return isOpen ? 'open' : mark
}

/** The number that the digits are under a decimal mark, or why they are none. */
export function decimalUnder(
  clean: CleanAmount,
  mark: DecimalMark,
): { amount: DecimalText } | { error: 'money.malformed' | 'amountStyleMixed' } {
  const { digits, negative } = clean
  // Two digits behind the one mark there is: most amounts.
  const place = digits.length - 3
  if (place > 0 && digits.indexOf(mark) === place && !digits.includes(other(mark))) {
    return { amount: canonicalDecimal(negative, digits.slice(0, place), digits.slice(place + 1)) }
  }
  // A third digit of a currency does not matter here: the mark is known.
  const evidence = markEvidence(digits)
  if (evidence === 'malformed') {
    return { error: 'money.malformed' }
  }
  if (evidence === other(mark)) {
    return { error: 'amountStyleMixed' }
  }
  const at = digits.lastIndexOf(mark)
  const isDecimal = at !== -1 && evidence !== 'none'
  const whole = isDecimal ? digits.slice(0, at) : digits
  const decimals = isDecimal ? digits.slice(at + 1) : ''
  return { amount: canonicalDecimal(negative, whole.replaceAll(other(mark), ''), decimals) }
}

/** Like `decimalUnder`, for an amount that may be written in another style than those of the bookings. */
export function decimalOfAnyStyle(clean: CleanAmount, mark: DecimalMark) {
  const found = decimalUnder(clean, mark)
  const isOfOther = 'error' in found && found.error === 'amountStyleMixed'
  return isOfOther ? decimalUnder(clean, other(mark)) : found
}

type Evidence = Question['evidence'][number]

export interface MarkFindings {
  /** The one mark, where the file leaves no doubt. */
  mark?: DecimalMark
  /** Values that settle it, or the first ones that leave it open. */
  evidence: Evidence[]
  amounts: number
  /** True if some values use the other mark; those are errors of their rows. */
  isMixed: boolean
}

export interface MarkCollector {
  /** Answers the amount as far as it is known without its mark. */
  add(text: string, line: number, digitsOfCurrency?: number): CleanAmount | undefined
  /** The mark that is likeliest so far. */
  likely(): DecimalMark
  findings(): MarkFindings
}

const MAX_EVIDENCE = 5

/** Collects what amounts that share a decimal mark say of it, such as those of a column. */
export function markCollector(): MarkCollector {
  const counts = { '.': 0, ',': 0, open: 0, none: 0, malformed: 0 }
  const evidence: Record<'.' | ',' | 'open', Evidence[]> = { '.': [], ',': [], open: [] }
  return {
    add(text, line, digitsOfCurrency) {
      const clean = cleanAmount(text)
      if (!clean) {
        return undefined
      }
      const found = markEvidence(clean.digits, digitsOfCurrency)
      counts[found] += 1
      if (found !== 'none' && found !== 'malformed' && evidence[found].length < MAX_EVIDENCE) {
        evidence[found].push({ line, raw: text })
      }
      return clean
    },
    likely: () => (counts[','] > counts['.'] ? ',' : '.'),
    findings() {
      const { '.': points, ',': commas, open, none } = counts
      const amounts = points + commas + open + none
      const isMixed = points > 0 && commas > 0
      if (points + commas === 0) {
        return open > 0
          ? { evidence: evidence.open, amounts, isMixed }
          : { mark: '.', evidence: [], amounts, isMixed }
      }
      const mark = points >= commas ? '.' : ','
      return { mark, evidence: evidence[mark], amounts, isMixed }
    },
  }
}

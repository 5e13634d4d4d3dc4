import { addDays } from '../../../src/domain/calendar.ts'
import type { TestUser } from '../../support/world.ts'
import {
  type BookAccount,
  type BookCategory,
  type BookLine,
  DIGITS,
  type Ledger,
  textOf,
} from './ledger.fixtures.ts'

// What reports answer about a ledger, added up anew from its lines, without the code of the service.

const floor = (a: bigint, b: bigint) => (a >= 0n || a % b === 0n ? a / b : a / b - 1n)

/** The nearest whole number; of two, the even one. */
export function nearest(a: bigint, b: bigint): bigint {
  const low = floor(a, b)
  const twice = 2n * (a - low * b)
  return twice > b || (twice === b && low % 2n !== 0n) ? low + 1n : low
}

type Fraction = [bigint, bigint]

/** The value of a unit of a currency in another, by the newest rates on or before a day. */
function rateOn({ rates }: Ledger, from: string, to: string, day: string): Fraction | undefined {
  const newest = (one: string, other: string): Fraction | undefined => {
    const [found] = rates
      .filter((rate) => rate.from === one && rate.to === other && rate.date <= day)
      .toSorted((a, b) => (a.date < b.date ? 1 : -1))
    return found && [BigInt(Math.round(Number(found.rate) * 10_000)), 10_000n]
  }
  const leg = (one: string, other: string): Fraction | undefined => {
    const inverse = newest(other, one)
    return newest(one, other) ?? (inverse && [inverse[1], inverse[0]])
  }
  const direct = leg(from, to)
  if (direct) {
    return direct
  }
  const [first, second] = [leg(from, 'EUR'), leg('EUR', to)]
  return first && second && [first[0] * second[0], first[1] * second[1]]
}

export function converted(
  ledger: Ledger,
  minor: bigint,
  { from, to, day }: { from: string; to: string; day: string },
): bigint | undefined {
  if (from === to) {
    return minor
  }
  const rate = rateOn(ledger, from, to, day)
  const scale = (currency: string) => 10n ** BigInt(DIGITS[currency] ?? 0)
  return rate && nearest(minor * rate[0] * scale(to), rate[1] * scale(from))
}

export interface Asked {
  viewer: TestUser
  from: string
  to: string
  /** `none` for each currency by itself. */
  currency: string
  interval: 'day' | 'week' | 'month' | 'quarter' | 'year' | undefined
}

/** The first day of the interval of a day, or of the span where that is later. */
export function bucketOf({ from, interval }: Asked, day: string): string {
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  const quarter = String(Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')
  const first = {
    day,
    week: addDays(day, -weekday),
    month: `${day.slice(0, 7)}-01`,
    quarter: `${day.slice(0, 4)}-${quarter}-01`,
    year: `${day.slice(0, 4)}-01-01`,
  }
  const start = interval === undefined ? from : first[interval]
  return start < from ? from : start
}

/** The first days of all intervals of the span. */
export function bucketsOf(asked: Asked): string[] {
  const found = new Set<string>()
  for (let day = asked.from; day <= asked.to; day = addDays(day, 1)) {
    found.add(bucketOf(asked, day))
  }
  return [...found]
}

const owns = ({ viewer }: Asked, account: BookAccount) => account.owner.id === viewer.id

const isVisible = (
  asked: Asked,
  one: { isPrivate: boolean; account: BookAccount; member: TestUser },
) => !one.isPrivate || owns(asked, one.account) || one.member.id === asked.viewer.id

export const accountsOf = ({ accounts }: Ledger, { viewer }: Asked): BookAccount[] =>
  accounts.filter(({ seenBy }) => seenBy.includes(viewer.id))

/** A line with what it counts in the currency of the report. */
export interface CountedLine extends BookLine {
  currency: string
  counted: bigint
}

const isExcluded = (line: BookLine) => line.isExcluded || line.category?.isExcluded === true

/** The lines of a report, the amounts without a rate, and what is excluded. */
export function countedLines(ledger: Ledger, asked: Asked) {
  const accounts = accountsOf(ledger, asked)
  const lines = ledger.lines
    .filter((line) => accounts.includes(line.account) && isVisible(asked, line))
    .filter(({ day }) => asked.from <= day && day <= asked.to)
    .toSorted((a, b) =>
      a.transaction === b.transaction ? a.line - b.line : a.transaction < b.transaction ? -1 : 1,
    )
  const running = new Map<string, { sum: bigint; shown: bigint }>()
  const unconverted: BookLine[] = []
  const counted = lines.flatMap((line): CountedLine[] => {
    const { account, day, side, category } = line
    if (asked.currency === 'none' || account.currency === asked.currency) {
      return [{ ...line, currency: account.currency, counted: line.minor }]
    }
    const key = [account.id, day, side, category?.id, isExcluded(line)].join(' ')
    const before = running.get(key) ?? { sum: 0n, shown: 0n }
    const sum = before.sum + line.minor
    const shown = converted(ledger, sum, { from: account.currency, to: asked.currency, day })
    if (shown === undefined) {
      unconverted.push(line)
      return []
    }
    running.set(key, { sum, shown })
    return [{ ...line, currency: asked.currency, counted: shown - before.shown }]
  })
  return {
    lines: counted.filter((line) => !isExcluded(line)),
    excluded: counted.filter(isExcluded),
    unconverted: unconverted.filter((line) => !isExcluded(line)),
  }
}

export const sumOf = (
  lines: readonly CountedLine[],
  currency: string,
  isMeant: (line: CountedLine) => boolean = () => true,
): bigint =>
  lines
    .filter((line) => line.currency === currency && isMeant(line))
    .reduce((sum, { counted }) => sum + counted, 0n)

export const BREAKDOWNS = ['category', 'payee', 'tag', 'account', 'member'] as const

/** The keys of the rows in which a line counts by itself. */
export function keysOf(by: (typeof BREAKDOWNS)[number], line: BookLine): string[] {
  const keys = {
    category: line.category ? [line.category.id] : [],
    payee: line.payee ? [line.payee] : [],
    tag: line.tags,
    account: [line.account.id],
    member: [line.member.id],
  }[by]
  return keys.length === 0 ? ['none'] : keys
}

/** The categories of a line, from its own to the top, as far as the viewer may know them by name. */
export function lineage(
  asked: Asked,
  lines: readonly CountedLine[],
  excluded: readonly CountedLine[],
  unconverted: readonly BookLine[],
): (line: BookLine) => string[] {
  const used = new Set([...lines, ...excluded, ...unconverted].map(({ category }) => category?.id))
  const above = (one: BookCategory | undefined, account: BookAccount): string[] =>
    one === undefined
      ? []
      : [
          ...(owns(asked, account) || used.has(one.id) ? [one.id] : []),
          ...above(one.parent, account),
        ]
  return ({ category, account }) => (category ? above(category, account) : ['none'])
}

/** The percentage as text, with one decimal. */
export function percent(part: bigint, whole: bigint): string | null {
  if (whole === 0n) {
    return null
  }
  const tenths = whole < 0n ? nearest(-part * 1000n, -whole) : nearest(part * 1000n, whole)
  return textOf(tenths * 1n, 'TENTHS').replace(/^(-?)(\d+)$/, (_, sign: string, digits: string) => {
    const all = digits.padStart(2, '0')
    return `${sign}${all.slice(0, -1)}.${all.slice(-1)}`
  })
}

/** The figures of a cash flow in one currency, by the first days of its intervals. */
export function expectedCash(ledger: Ledger, asked: Asked) {
  const accounts = accountsOf(ledger, asked)
  const buckets = bucketsOf(asked)
  const currencies =
    asked.currency === 'none' ? [...new Set(accounts.map((one) => one.currency))] : [asked.currency]
  const cells = new Map<string, { sum: bigint; account: BookAccount; day: string; what: string }>()
  const flows: { account: BookAccount; day: string; what: string; minor: bigint }[] = []
  const put = (account: BookAccount, day: string, what: string, minor: bigint, category = '') => {
    flows.push({ account, day, what, minor })
    const key = [account.id, day, what, category].join(' ')
    const cell = cells.get(key) ?? { sum: 0n, account, day, what }
    cells.set(key, { ...cell, sum: cell.sum + minor })
  }
  for (const line of ledger.lines.filter(({ account }) => accounts.includes(account))) {
    const signed = line.side === 'earned' ? line.minor : -line.minor
    if (isVisible(asked, line)) {
      const cell = `${line.category?.id} ${isExcluded(line)}`
      put(line.account, line.day, line.side === 'earned' ? 'in' : 'out', signed, cell)
    } else {
      put(line.account, line.day, 'adjustments', signed)
    }
  }
  for (const move of ledger.moves.filter(({ account }) => accounts.includes(account))) {
    const { account, day, counter, minor } = move
    const isInside = counter && accounts.includes(counter)
    const isHidden = !isVisible(asked, move)
    const what = isHidden || !counter ? 'adjustments' : isInside ? 'exchange' : 'otherAccounts'
    put(account, day, what, minor)
  }
  const balance = (account: BookAccount, day: string) =>
    flows
      .filter((one) => one.account === account && one.day <= day)
      .reduce((sum, { minor }) => sum + minor, 0n)
  return buckets.flatMap((from, at) => {
    const next = buckets[at + 1]
    const to = next === undefined ? asked.to : addDays(next, -1)
    return currencies.map((currency) => {
      const inCurrency = (account: BookAccount) =>
        asked.currency !== 'none' || account.currency === currency
      const value = (minor: bigint, account: BookAccount, day: string) =>
        converted(ledger, minor, { from: account.currency, to: currency, day }) ?? 0n
      const balances = (day: string) =>
        accounts
          .filter(inCurrency)
          .reduce((sum, account) => sum + value(balance(account, day), account, day), 0n)
      const of = (what: string) =>
        [...cells.values()]
          .filter((cell) => cell.what === what && inCurrency(cell.account))
          .filter(({ day }) => from <= day && day <= to)
          .reduce((sum, cell) => sum + value(cell.sum, cell.account, cell.day), 0n)
      const [opening, closing] = [balances(addDays(from, -1)), balances(to)]
      const sums = {
        in: of('in'),
        out: of('out'),
        otherAccounts: of('otherAccounts'),
        adjustments: of('adjustments'),
      }
      const rest = closing - opening - sums.in - sums.out - sums.otherAccounts - sums.adjustments
      return { from, currency, opening, ...sums, rest, closing }
    })
  })
}

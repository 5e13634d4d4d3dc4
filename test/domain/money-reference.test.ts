import { expect, it } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { chooseRate, convert, formatRate, parseRate, toRate } from '../../src/domain/exchange.ts'
import { type Entry, singleEntries, transferEntries } from '../../src/domain/ledger.ts'
import { add, allocate, formatMoney, negate, parseMoney, sum } from '../../src/domain/money.ts'
import { type Random, randomFrom } from '../support/random.ts'
import {
  DIGITS,
  type Fraction,
  fractionOf,
  inverse,
  isAmount,
  nearest,
  powerOfTen,
  rateText,
  textOf,
  times,
  unitsOf,
} from './reference.ts'
import { rounds, SEED } from '../support/rounds.ts'

const OPERATIONS = rounds(20_000, 500_000)
const CURRENCIES = Object.keys(DIGITS)
const digitsOf = (currency: string) => DIGITS[currency] ?? 0

/** What an operation gives, as text; the code of the error where it refuses. */
function given(operation: () => unknown): string {
  try {
    return shown(operation())
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

const shown = (value: unknown): string =>
  Object.is(value, -0) ? '-0' : Array.isArray(value) ? value.map(shown).join() : String(value)

const inRange = (units: bigint) => (isAmount(units) ? units : 'money.outOfRange')

/** Of any size, with the largest and the smallest there are among them. */
function anyMinor({ whole, chance, pick }: Random): number {
  if (chance(0.05)) {
    return pick([0, 1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 2 ** 52])
  }
  const bits = whole(1, 53)
  const size = whole(0, 2 ** Math.min(bits, 26) - 1) * 2 ** Math.max(0, bits - 26)
  return (size + whole(0, 2 ** Math.max(0, bits - 26) - 1)) * pick([1, -1]) || 0
}

const numerals = ({ whole }: Random, length: number) =>
  Array.from({ length }, () => whole(0, 9)).join('')

/** What somebody might send for an amount: mostly one, and all that is nearly one. */
function anyText(random: Random): string {
  const { whole, chance, pick } = random
  const sign = chance(0.3) ? '-' : ''
  const point = chance(0.7) ? `.${numerals(random, whole(1, 4))}` : ''
  const text = `${sign}${chance(0.2) ? 0 : whole(1, 9) + numerals(random, whole(0, 16))}${point}`
  if (chance(0.9)) {
    return text
  }
  const cut = whole(0, text.length)
  return (
    text.slice(0, cut) +
    pick(['', '0', '.', '-', '+', 'e', ' ', ',', '٣', '00000000000']) +
    text.slice(cut)
  )
}

function anyRate(random: Random): string {
  const { whole, chance } = random
  const wholes = chance(0.4) ? '0' : `${whole(1, 9)}${numerals(random, whole(0, 5))}`
  return `${wholes}.${numerals(random, whole(0, 11))}${whole(1, 9)}`
}

interface Compared {
  operation: string
  of: unknown
  given: string
  meant: string
}

type Operation = (random: Random) => Compared

const parse: Operation = (random) => {
  const text = anyText(random)
  const currency = random.pick(CURRENCIES)
  const options = { signed: random.chance(0.6), allowZero: random.chance(0.8) }
  return {
    operation: 'parse',
    of: [text, currency, options],
    given: given(() => parseMoney(text, currency, options)),
    meant: shown(unitsOf(text, digitsOf(currency), options)),
  }
}

const format: Operation = (random) => {
  const minor = anyMinor(random)
  const currency = random.pick(CURRENCIES)
  return {
    operation: 'format',
    of: [minor, currency],
    given: given(() => formatMoney(minor, currency)),
    meant: textOf(BigInt(minor), digitsOf(currency)),
  }
}

/** There and back again. */
const read: Operation = (random) => {
  const minor = anyMinor(random)
  const currency = random.pick(CURRENCIES)
  return {
    operation: 'read',
    of: [minor, currency],
    given: given(() => parseMoney(formatMoney(minor, currency), currency, { signed: true })),
    meant: shown(minor),
  }
}

const addTwo: Operation = (random) => {
  const [one, other] = [anyMinor(random), anyMinor(random)]
  return {
    operation: 'add',
    of: [one, other],
    given: given(() => add(one, other)),
    meant: shown(inRange(BigInt(one) + BigInt(other))),
  }
}

const turn: Operation = (random) => {
  const minor = anyMinor(random)
  return {
    operation: 'negate',
    of: minor,
    given: given(() => negate(minor)),
    meant: shown(-BigInt(minor)),
  }
}

const total = (list: readonly number[]) => list.reduce((all, one) => all + BigInt(one), 0n)

const sumUp: Operation = (random) => {
  const list = Array.from({ length: random.whole(0, 12) }, () => anyMinor(random))
  return {
    operation: 'sum',
    of: list,
    given: given(() => sum(list)),
    meant: shown(inRange(total(list))),
  }
}

/** Each part rounded towards zero, and what is left on the last that has a weight. */
const share: Operation = (random) => {
  const minor = anyMinor(random)
  const weights = Array.from({ length: random.whole(1, 6) }, () => random.whole(0, 9))
  weights.push(random.whole(1, 9))
  const all = total(weights)
  const parts = weights.map((weight) => (BigInt(minor) * BigInt(weight)) / all)
  const last = weights.length - 1
  const rest = parts.slice(0, last).reduce((left, part) => left - part, BigInt(minor))
  return {
    operation: 'allocate',
    of: [minor, weights],
    given: given(() => allocate(minor, weights)),
    meant: shown([...parts.slice(0, last), rest]),
  }
}

const converted = (minor: number, from: string, to: string, { over, under }: Fraction) =>
  inRange(
    nearest({
      over: BigInt(minor) * over * powerOfTen(digitsOf(to)),
      under: under * powerOfTen(digitsOf(from)),
    }),
  )

const exchange: Operation = (random) => {
  const [from, to] = [random.pick(CURRENCIES), random.pick(CURRENCIES)]
  const [minor, rate] = [anyMinor(random), anyRate(random)]
  return {
    operation: 'convert',
    of: [minor, from, to, rate],
    given: given(() => convert(minor, from, to, toRate(parseRate(rate)))),
    meant: shown(converted(minor, from, to, fractionOf(rate))),
  }
}

/** By the rates there are: straight, turned around, or over a third currency. */
const exchangeByPath: Operation = (random) => {
  const [from, over, to] = ['EUR', 'JPY', 'BHD', 'CLF', 'USD']
    .map((code) => ({ code, order: random.whole(0, 1e9) }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ code }) => code) as [string, string, string]
  const minor = anyMinor(random)
  const leg = (one: string, other: string) => {
    const [rate, date] = [anyRate(random), `2026-01-${random.whole(10, 28)}`]
    const isTurned = random.chance(0.5)
    return {
      stored: isTurned
        ? { from: other, to: one, date, rate }
        : { from: one, to: other, date, rate },
      rate: isTurned ? inverse(fractionOf(rate)) : fractionOf(rate),
    }
  }
  const legs = random.chance(0.5) ? [leg(from, to)] : [leg(from, over), leg(over, to)]
  const stored = legs.map((one) => one.stored)
  const rate = legs.map((one) => one.rate).reduce(times)
  const date = stored.map((one) => one.date).toSorted()[0]
  const amount = converted(minor, from, to, rate)
  return {
    operation: 'convert by path',
    of: [minor, stored],
    given: given(() => {
      const chosen = chooseRate(stored, from, to, over)
      return chosen && [chosen.rateText, chosen.date, convert(minor, from, to, chosen.rate)]
    }),
    meant: typeof amount === 'string' ? amount : shown([rateText(rate), date, amount]),
  }
}

const writeRate: Operation = (random) => {
  const rate = anyRate(random)
  return {
    operation: 'rate',
    of: rate,
    given: given(() => formatRate(parseRate(rate))),
    meant: rateText(fractionOf(rate)),
  }
}

const legIn = (currency: string, accountId: string) =>
  ({ accountId, ownerId: 'usr', currency, status: 'cleared', externalId: null }) as const

const lines = (entries: Entry[]) =>
  entries.map(
    ({ line, side, currency, amountMinor }) => `${line} ${side} ${currency} ${amountMinor}`,
  )

const book: Operation = (random) => {
  const currency = random.pick(CURRENCIES)
  const signedMinor = anyMinor(random) || 1
  const kind = random.pick(['expense', 'income', 'adjustment', 'opening'] as const)
  const amounts = Array.from({ length: random.whole(0, 5) }, () => random.whole(-9999, 9999) || 1)
  const rest = (signedMinor < 0 ? -BigInt(signedMinor) : BigInt(signedMinor)) - total(amounts)
  const splits =
    amounts.length > 0 && isAmount(rest) && rest !== 0n ? [...amounts, Number(rest)] : []
  const parts = splits.length > 0 ? splits : [Math.abs(signedMinor)]
  const direction = signedMinor < 0 ? 1 : -1
  return {
    operation: 'book',
    of: [currency, signedMinor, kind, splits],
    given: given(() =>
      lines(
        singleEntries({
          kind,
          leg: legIn(currency, 'acc_1'),
          date: '2026-01-01',
          signedMinor,
          categoryId: null,
          splits: splits.map((amountMinor) => ({ amountMinor, categoryId: null, note: null })),
        }),
      ),
    ),
    meant: shown([
      `1 account ${currency} ${signedMinor}`,
      ...parts.map((part, at) => `${at + 2} ${kind} ${currency} ${part * direction}`),
    ]),
  }
}

const transfer: Operation = (random) => {
  const [one, two] = [random.pick(CURRENCIES), random.pick(CURRENCIES)]
  const leaves = Math.abs(anyMinor(random)) || 1
  const fee = random.chance(0.4) ? random.whole(1, 5000) : 0
  const stays = leaves - fee
  const arrives = one === two && random.chance(0.9) ? stays : Math.abs(anyMinor(random)) || 1
  return {
    operation: 'transfer',
    of: [one, two, leaves, fee, arrives],
    given: given(() =>
      lines(
        transferEntries({
          from: legIn(one, 'acc_1'),
          to: legIn(two, 'acc_2'),
          date: '2026-01-01',
          amountMinor: leaves,
          toAmountMinor: arrives,
          categoryId: null,
          fees: fee === 0 ? [] : [{ amountMinor: fee, categoryId: null, note: null }],
        }),
      ),
    ),
    meant: meantTransfer({ one, two, leaves, fee, stays, arrives }),
  }
}

function meantTransfer({
  one,
  two,
  leaves,
  fee,
  stays,
  arrives,
}: Record<'leaves' | 'fee' | 'stays' | 'arrives', number> & Record<'one' | 'two', string>): string {
  if (stays <= 0) {
    return 'ledger.feeTooLarge'
  }
  if (one === two && stays !== arrives) {
    return 'ledger.transferMismatch'
  }
  return shown([
    `1 account ${one} ${-leaves}`,
    `2 account ${two} ${arrives}`,
    ...(one === two ? [] : [`3 exchange ${one} ${stays}`, `4 exchange ${two} ${-arrives}`]),
    ...(fee === 0 ? [] : [`5 expense ${one} ${fee}`]),
  ])
}

const OFTEN: Operation[] = [parse, parse, format, read, addTwo, addTwo, turn, sumUp, exchange]
const SELDOM: Operation[] = [share, exchangeByPath, writeRate, book, transfer]

it.each([1, SEED])(
  `reckons ${OPERATIONS} times as one would with whole numbers alone (seed %i)`,
  (seed) => {
    const random = randomFrom(seed)
    const differences: Compared[] = []
    const counts = new Map<string, number>()
    for (let at = 0; at < OPERATIONS; at++) {
      const compared = random.pick(random.chance(0.8) ? OFTEN : SELDOM)(random)
      if (compared.given !== compared.meant && differences.push(compared) === 5) {
        break
      }
      counts.set(compared.operation, (counts.get(compared.operation) ?? 0) + 1)
    }
    expect(differences).toEqual([])
    expect(Math.min(...counts.values())).toBeGreaterThan(OPERATIONS / 50)
  },
)

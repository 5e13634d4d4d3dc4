import { expect } from 'vitest'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { ok } from '../../support/api.ts'
import {
  type Asked,
  BREAKDOWNS,
  bucketOf,
  bucketsOf,
  type CountedLine,
  countedLines,
  expectedCash,
  keysOf,
  lineage,
  percent,
  sumOf,
} from './expected.fixtures.ts'
import { type Ledger, newLedger, textOf } from './ledger.fixtures.ts'

type Flat = Record<string, string | null | undefined>

/** Sums in one currency, or in each, as one list. */
export function each(currency: string, sums: object): (Flat & { currency: string })[] {
  const { byCurrency } = sums as { byCurrency?: (Flat & { currency: string })[] }
  return currency === 'none' ? (byCurrency ?? []) : [{ ...(sums as Flat), currency }]
}

const currenciesIn = (asked: Asked, lines: readonly CountedLine[]) =>
  asked.currency === 'none'
    ? [...new Set(lines.map(({ currency }) => currency))].toSorted()
    : [asked.currency]

/** Sums of a row: by key, currency and the first day of the interval, or `all`. */
type Sums = Map<string, bigint>

const add = (sums: Sums, key: string, minor: bigint) => sums.set(key, (sums.get(key) ?? 0n) + minor)

/** Adds up what each row has of its own and with those below it. */
function rowSums(
  asked: Asked,
  lines: readonly CountedLine[],
  keysFor: (line: CountedLine) => { own: string[]; total: string[] },
): Sums {
  const sums: Sums = new Map()
  for (const line of lines) {
    for (const [what, keys] of Object.entries(keysFor(line))) {
      for (const key of keys) {
        for (const at of ['all', bucketOf(asked, line.day)]) {
          add(sums, [key, what, line.currency, at].join(' '), line.counted)
        }
      }
    }
  }
  return sums
}

interface ShownRow {
  key: string
  periods: ({ from: string } & object)[]
}

/** Compares rows of an answer with sums: each figure, and that no row is missing. */
function compareRows(
  asked: Asked,
  rows: readonly ShownRow[],
  { sums, totalIn, label }: { sums: Sums; totalIn: (currency: string) => bigint; label: string },
): void {
  const seen = new Set<string>()
  for (const row of rows) {
    for (const { currency, own, total, share } of each(asked.currency, row)) {
      const of = (what: string, at: string) =>
        sums.get([row.key, what, currency, at].join(' ')) ?? 0n
      const text = (minor: bigint) => textOf(minor, currency)
      expect([own, total, share], `${label} ${row.key}`).toEqual([
        ...[text(of('own', 'all')), text(of('total', 'all'))],
        percent(of('total', 'all'), totalIn(currency)),
      ])
      seen.add(`${row.key} ${currency}`)
      for (const period of row.periods) {
        const found = each(asked.currency, period).find((one) => one.currency === currency)
        expect([found?.own, found?.total], `${label} ${row.key} ${period.from}`).toEqual([
          ...[text(of('own', period.from)), text(of('total', period.from))],
        ])
      }
    }
    expect(row.periods.map(({ from }) => from)).toEqual(bucketsOf(asked))
  }
  const expected = [...sums.keys()].map((key) => {
    const [id = '', , currency = ''] = key.split(' ')
    return `${id} ${currency}`
  })
  expect([...seen].toSorted(), label).toEqual([...new Set(expected)].toSorted())
}

const queryOf = ({ from, to, currency, interval }: Asked) => ({
  ...{ from, to, currency },
  ...(interval ? { interval } : {}),
})

const compareExcluded = (asked: Asked, shown: object, excluded: readonly CountedLine[]): void => {
  for (const { currency, earned, spent } of each(asked.currency, shown)) {
    const of = (side: string) =>
      textOf(
        sumOf(excluded, currency, (line) => line.side === side),
        currency,
      )
    expect([earned, spent]).toEqual([of('earned'), of('spent')])
  }
}

/** The sums of what is not counted. */
function compareRemainder(
  asked: Asked,
  answer: { excluded: object; unconverted: { accountId: string }[] },
  { excluded, unconverted }: ReturnType<typeof countedLines>,
): void {
  compareExcluded(asked, answer.excluded, excluded)
  const left = [...Map.groupBy(unconverted, ({ account }) => account.id)].map(
    ([accountId, lines]) => {
      const currency = lines[0]?.account.currency ?? ''
      const days = lines.map(({ day }) => day).toSorted()
      const of = (side: string) =>
        textOf(
          lines.filter((line) => line.side === side).reduce((sum, { minor }) => sum + minor, 0n),
          currency,
        )
      return {
        ...{ accountId, currency, earned: of('earned'), spent: of('spent') },
        ...{ from: days[0], to: days.at(-1) },
      }
    },
  )
  expect(answer.unconverted).toEqual(left.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1)))
}

/** Compares an income statement and spending by everything with what the ledger adds up to. */
export async function compareFlows(ledger: Ledger, asked: Asked): Promise<void> {
  const as = asked.viewer
  const found = countedLines(ledger, asked)
  const { lines } = found
  const above = lineage(asked, lines, found.excluded, found.unconverted)
  const statement = await ok(getIncomeStatement, { as, query: queryOf(asked) })
  compareRemainder(asked, statement, found)
  for (const side of ['earned', 'spent'] as const) {
    const ofSide = lines.filter((line) => line.side === side)
    const totalIn = (currency: string) => sumOf(ofSide, currency)
    const byCategory = rowSums(asked, ofSide, (line) => {
      const keys = above(line)
      return { own: keys.slice(0, 1), total: keys }
    })
    compareRows(
      asked,
      statement[side].map((row) => ({ ...row, key: row.categoryId ?? 'none' })),
      { sums: byCategory, totalIn, label: `statement ${side}` },
    )
    for (const by of BREAKDOWNS) {
      const answer = await ok(getSpending, {
        as,
        query: { ...queryOf(asked), by, side, limit: '500' },
      })
      const sums =
        by === 'category'
          ? byCategory
          : rowSums(asked, ofSide, (line) => ({ own: keysOf(by, line), total: keysOf(by, line) }))
      const label = `${by} ${side} ${JSON.stringify(queryOf(asked))}`
      compareRows(asked, answer.rows, { sums, totalIn, label })
      compareRemainder(asked, answer, found)
      for (const { currency, amount } of each(asked.currency, answer.total)) {
        expect(amount, label).toBe(textOf(totalIn(currency), currency))
      }
      for (const row of answer.rows) {
        expect(row.name, label).toBe(ledger.names.get(row.key) ?? null)
      }
    }
  }
  for (const { from, to: _, partial: _partial, ...period } of [
    ...statement.periods,
    { ...statement.totals, from: 'all', to: '', partial: false },
  ]) {
    for (const { currency, earned, spent, net, savingsRate } of each(asked.currency, period)) {
      const of = (side: string) =>
        sumOf(
          lines,
          currency,
          (line) => line.side === side && (from === 'all' || bucketOf(asked, line.day) === from),
        )
      const [inward, outward] = [of('earned'), of('spent')]
      const text = (minor: bigint) => textOf(minor, currency)
      expect([earned, spent, net, savingsRate], from).toEqual([
        ...[text(inward), text(outward), text(inward - outward)],
        inward > 0n ? percent(inward - outward, inward) : null,
      ])
    }
  }
  expect(statement.periods.map(({ from }) => from)).toEqual(bucketsOf(asked))
  const shown = each(asked.currency, statement.totals).map(({ currency }) => currency)
  expect(shown).toEqual(currenciesIn(asked, [...lines, ...found.excluded]))
}

/** Compares a cash flow over all accounts of a viewer with what the ledger adds up to. */
export async function compareCash(ledger: Ledger, asked: Asked): Promise<void> {
  const { periods, excluded } = await ok(getCashFlow, { as: asked.viewer, query: queryOf(asked) })
  for (const { rest, currency, from, ...sums } of expectedCash(ledger, asked)) {
    const period = periods.find((one) => one.from === from)
    const found = each(asked.currency, period ?? {}).find((one) => one.currency === currency)
    const texts = Object.fromEntries(
      Object.entries(sums).map(([name, minor]) => [name, textOf(minor, currency)]),
    )
    const effect = asked.currency === 'none' ? 'exchange' : 'currencyEffect'
    expect(found, `${from} ${currency}`).toMatchObject({
      ...texts,
      [effect]: textOf(rest, currency),
    })
  }
  compareExcluded(asked, excluded, countedLines(ledger, asked).excluded)
  expect(periods.map(({ from }) => from)).toEqual(bucketsOf(asked))
}

/**
 * Compares all reports over a random ledger with it, and tells over how many spans.
 * @param isTried which of the many spans and currencies
 */
export async function compareLedger(
  seed: number,
  transactions: number,
  isTried: (at: number) => boolean,
): Promise<number> {
  const ledger = await newLedger(seed, transactions)
  const end = addDays(ledger.first, ledger.days - 1)
  const cut = { from: addDays(ledger.first, 40), to: addDays(ledger.first, 400) }
  const whole = { from: ledger.first, to: end }
  const spans = [
    { ...whole, interval: 'month' as const },
    { ...cut, interval: 'day' as const },
    { ...whole, interval: 'year' as const },
    { ...cut, interval: 'week' as const },
    { ...cut, interval: 'quarter' as const },
    { ...cut, interval: undefined },
    { ...cut, interval: 'month' as const },
  ]
  const asked = spans.flatMap((span) =>
    ['EUR', 'none', 'USD'].flatMap((currency) =>
      [ledger.ada, ledger.ben].map((viewer) => ({ ...span, currency, viewer })),
    ),
  )
  const tried = asked.filter((_, at) => isTried(at))
  for (const one of tried) {
    await compareFlows(ledger, one)
    await compareCash(ledger, one)
  }
  return tried.length
}

import { beforeAll, describe, expect, it } from 'vitest'
import { updatePreferences } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import {
  getIncomeStatementChart,
  getNetWorthChart,
  getSpendingChart,
} from '../../../src/areas/insight/reports/charts/charts.routes.ts'
import {
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { createCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { getNetWorthHistory } from '../../../src/areas/insight/reports/reports.routes.ts'
import { parseXml } from '../../../src/domain/xml.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { book, refusal, tripsOf } from '../transactions/booking.ts'
import { bookHousehold } from './household.ts'

const MONTHS = { from: '2026-01-01', to: '2026-03-31', currency: 'EUR' }

type Asked = { from: string; to: string } & Record<string, string>

const asked = (as: Principal, query: Asked = MONTHS, headers = {}) =>
  call(getNetWorthChart, { as, query, headers })

/** The texts of an answer that is a chart: of its marks, of the chart itself, and that are seen. */
function textsOf({ status, text }: { status: number; text: string }) {
  expect(status, text).toBe(200)
  expect(parseXml(`<?xml version="1.0"?>${text}`, { maxDepth: 10 }).name).toBe('svg')
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, one = '']) => one)
  return {
    marks: found(/<title>([^<]*)<\/title>/g),
    title: found(/<title id[^>]*>([^<]*)</g)[0],
    description: found(/<desc[^>]*>([^<]*)</g)[0],
    seen: found(/<text[^>]*>([^<]*)</g),
  }
}

const drawn = async (as: Principal, query?: Asked) => textsOf(await asked(as, query))

/** Every amount with decimals. */
const AMOUNT = /\d\.\d\d/

let household: Awaited<ReturnType<typeof bookHousehold>>

beforeAll(async () => {
  household = await bookHousehold()
})

describe('a chart of the net worth', () => {
  it('has the texts of the history, with a mark for each value', async () => {
    const { me } = household
    const { points } = await ok(getNetWorthHistory, { as: me, query: MONTHS })
    const answer = await asked(me)
    expect(tripsOf(answer)).toBe(1)
    const { marks, title, description, seen } = textsOf(answer)
    expect(marks).toEqual([
      ...points.map(({ date, assets }) => `${date}: Assets ${assets}`),
      // A column of zero is not drawn.
      ...points.slice(0, 2).map((one) => `${one.date}: Liabilities ${one.liabilities}`),
      ...points.map(({ date, netWorth }) => `${date}: Net worth ${netWorth}`),
    ])
    expect(title).toBe('Net worth, 2026-01-01 to 2026-03-31')
    expect(description).toContain(
      'Net worth: largest 144626.63 (2026-02-28), smallest 133375.00 (2026-01-31), last 141281.98 (2026-03-31).',
    )
    expect(seen).toContain('2026-01-01 to 2026-03-31 · EUR · by month')
    expect(seen.slice(-3)).toEqual(['2026-01', '2026-02', '2026-03'])
    expect(seen).toContain('150000')
  })

  it('says how many accounts have no rate', async () => {
    const { me } = household
    const early = { from: '2026-01-02', to: '2026-01-12', currency: 'EUR', interval: 'day' }
    const { seen } = await drawn(me, early)
    expect(seen[1]).toBe('2026-01-02 to 2026-01-12 · EUR · by day · 2 accounts without a rate')
    const stranger = await newUser({ baseCurrency: 'EUR' })
    await newAccount(stranger, { currency: 'USD', openingBalance: '5', openingDate: '2026-01-01' })
    const one = await drawn(stranger, early)
    expect(one.seen[1]).toMatch(/· 1 account without a rate$/)
    expect(one.seen[2]).toBe('The net worth is zero.')
  })

  it('shows at most 120 points', async () => {
    const { me } = household
    const most = { from: '2016-04-10', to: '2026-03-31' }
    expect((await drawn(me, most)).marks.filter((one) => one.includes('Net worth'))).toHaveLength(
      120,
    )
    const refused = await asked(me, { ...most, from: '2016-03-31' })
    expect(refusal(refused)).toEqual([400, 'reports.tooManyPoints', 'interval'])
    expect(refused.text).toContain('more than 120 points')
  })

  it('has no amounts if the user prefers to hide them', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const account = await newAccount(me, { openingBalance: '1234.56', openingDate: '2026-01-01' })
    await book(me, account, { date: '2026-02-10', amount: '3.21' })
    const shown = await asked(me)
    expect(shown.text).toMatch(AMOUNT)
    await ok(updatePreferences, { as: me, json: { hideAmounts: true } })
    const hidden = await asked(me)
    const { marks, description, seen } = textsOf(hidden)
    expect([...marks, ...seen, description].join(' ')).not.toMatch(AMOUNT)
    expect(marks[0]).toBe('2026-01-31: Assets')
    expect(description).toContain('Net worth: largest (2026-01-31), smallest (2026-0')
    await ok(updatePreferences, { as: me, json: { hideAmounts: false } })
    expect((await asked(me)).text).toBe(shown.text)
  })

  it('is safe to open, and known by its ETag until a figure changes', async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingBalance: '10', openingDate: '2026-01-01' })
    const { headers } = await asked(me)
    expect([
      headers.get('Content-Type'),
      headers.get('Content-Security-Policy'),
      headers.get('X-Content-Type-Options'),
    ]).toEqual([
      'image/svg+xml; charset=utf-8',
      "default-src 'none'; style-src 'unsafe-inline'",
      'nosniff',
    ])
    const tag = headers.get('ETag') ?? ''
    const again = (query: Asked = MONTHS) => asked(me, query, { 'If-None-Match': tag })
    const unchanged = await again()
    expect([unchanged.status, unchanged.text, unchanged.headers.get('ETag')]).toEqual([
      304,
      '',
      tag,
    ])
    expect((await again({ ...MONTHS, theme: 'dark' })).status).toBe(200)
    await book(me, account, { date: '2026-02-10', amount: '1' })
    expect((await again()).status).toBe(200)
  })

  it('has the colors of the viewer unless others are asked for, and refuses what is no parameter', async () => {
    const { me } = household
    const textOf = async (theme: string) => (await asked(me, { ...MONTHS, theme })).text
    expect((await asked(me)).text).toContain('prefers-color-scheme')
    const [light, dark] = [await textOf('light'), await textOf('dark')]
    expect([light, dark].map((text) => text.includes('.background{fill:#ffffff}'))).toEqual([
      true,
      false,
    ])
    expect(`${light}${dark}`).not.toContain('prefers-color-scheme')
    const refused = async (query: Asked) => refusal(await asked(me, query))
    expect(await refused({ ...MONTHS, theme: 'pink' })).toEqual([400, 'request.invalid', 'theme'])
    expect(await refused({ ...MONTHS, format: 'png' })).toEqual([400, 'request.invalid', 'format'])
    expect(await refused({ from: '2026-02-02', to: '2026-02-01' })).toEqual([
      400,
      'request.invalid',
      'to',
    ])
  })

  it('shows a restricted token its accounts, and nobody those of others', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const opened = { openingDate: '2026-01-01' }
    const mine = await newAccount(me, { openingBalance: '5', ...opened })
    await newAccount(me, { openingBalance: '7', ...opened })
    const token = await giveToken(me, ['reports.read'], [mine.id])
    const march = { from: '2026-03-01', to: '2026-03-31' }
    expect((await drawn(token, march)).marks.at(-1)).toBe('2026-03-31: Net worth 5.00')
    expect((await drawn(await newUser(), march)).marks.at(-1)).toBe('2026-03-31: Net worth 0.00')
  })
})

describe('a chart of the income statement', () => {
  const chart = (as: Principal, query: Record<string, string>) =>
    call(getIncomeStatementChart, { as, query })

  it('has the sums of each month, with the texts of the report', async () => {
    const { me } = household
    const answer = await chart(me, MONTHS)
    expect(tripsOf(answer)).toBe(1)
    const { marks, title, description, seen } = textsOf(answer)
    const query = { ...MONTHS, interval: 'month' as const }
    const { periods } = await ok(getIncomeStatement, { as: me, query })
    const marksOf = (name: string, field: 'earned' | 'spent' | 'net') =>
      periods
        .filter((one) => field === 'net' || one[field] !== '0.00')
        .map((one) => `${one.from} to ${one.to}: ${name} ${one[field]}`)
    expect(marks).toEqual([
      ...marksOf('Earned', 'earned'),
      ...marksOf('Spent', 'spent'),
      ...marksOf('Net', 'net'),
    ])
    expect(marks).toContain('2026-02-01 to 2026-02-28: Net -1366.06')
    expect(title).toBe('Earned and spent, 2026-01-01 to 2026-03-31')
    expect(description).toContain(
      'Spent: largest 1366.06 (2026-02-01 to 2026-02-28), smallest 0.00 (2026-01-01 to 2026-01-31), last 38.04',
    )
    expect(seen.slice(-3)).toEqual(['2026-01', '2026-02', '2026-03'])
  })

  it('names days by themselves, and is narrowed down as the report is', async () => {
    const { me } = household
    const days = { from: '2026-03-01', to: '2026-03-31', interval: 'day', currency: 'EUR' }
    const { marks } = textsOf(await chart(me, { ...days, q: 'category:Food' }))
    expect(marks.filter((one) => !one.includes('Net'))).toEqual(['2026-03-20: Spent 38.04'])
    const empty = textsOf(await chart(await newUser(), days))
    expect(empty.seen).toContain('Nothing was earned or spent.')
  })

  it('is refused beyond 120 intervals, and has one currency', async () => {
    const { me } = household
    const refused = async (query: Record<string, string>) => refusal(await chart(me, query))
    const days = { from: '2026-01-01', interval: 'day' }
    expect((await chart(me, { ...days, to: '2026-04-30' })).status).toBe(200)
    expect(await refused({ ...days, to: '2026-05-01' })).toEqual([
      400,
      'reports.tooManyPoints',
      'interval',
    ])
    expect(await refused({ ...MONTHS, currency: 'none' })).toEqual([
      400,
      'request.invalid',
      'currency',
    ])
  })
})

describe('a chart of the spending', () => {
  const chart = (as: Principal, query: Record<string, string>) =>
    call(getSpendingChart, { as, query })

  it('has a bar for each category, with the texts of the report', async () => {
    const { me } = household
    const answer = await chart(me, MONTHS)
    expect(tripsOf(answer)).toBe(1)
    const { marks, title, description, seen } = textsOf(answer)
    const { rows, total } = await ok(getSpending, { as: me, query: MONTHS })
    const nameOf = ({ name, path }: (typeof rows)[number]) =>
      path === name ? `${name}` : `${name} (Living)`
    const expected = rows.flatMap((row) => [
      nameOf(row),
      ...(row.own === '0.00' ? [] : [`\u2068${nameOf(row)}\u2069: Own ${row.own}`]),
      `\u2068${nameOf(row)}\u2069: With subcategories ${row.total}`,
    ])
    expect(marks.toSorted()).toEqual(expected.toSorted())
    expect(title).toBe('Spent by category, 2026-01-01 to 2026-03-31')
    expect(description).toBe(
      'Spent by category in EUR, 1404.10 in all. Largest of 5: \u2068Living\u2069 1401.60. Smallest: \u2068Bank fees\u2069 2.50.',
    )
    expect(seen[1]).toBe(`2026-01-01 to 2026-03-31 · EUR · ${total.amount} in all`)
  })

  it('has one bar where there are no subcategories, and names what has no label', async () => {
    const { me } = household
    const { marks } = textsOf(await chart(me, { ...MONTHS, by: 'tag' }))
    expect(marks).toEqual(['Without a tag', '\u2068Without a tag\u2069: Spent 1404.10'])
    const earned = textsOf(await chart(me, { ...MONTHS, side: 'earned' }))
    expect(earned.marks).toEqual([
      'Salary',
      '\u2068Salary\u2069: Earned 3000.00',
      'Interest',
      '\u2068Interest\u2069: Earned 11.11',
    ])
    const none = textsOf(await chart(await newUser(), MONTHS))
    expect(none.seen.at(-1)).toBe('Nothing was spent.')
    expect(none.description).toBe('Spent by category in EUR, 0.00 in all.')
  })

  it('has the twenty largest rows, the others as one, and no amounts if they are hidden', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    const account = await newAccount(me, { openingDate: '2026-01-01' })
    for (let at = 1; at <= 23; at++) {
      const json = { kind: 'expense', name: `<b>${at}` } as const
      const { id: categoryId } = await ok(createCategory, { as: me, json })
      await book(me, account, { date: '2026-02-10', amount: `${at}.25`, categoryId })
    }
    const { marks } = textsOf(await chart(me, MONTHS))
    expect(marks).toHaveLength(42)
    expect(marks.slice(0, 2)).toEqual(['&lt;b&gt;23', '\u2068&lt;b&gt;23\u2069: Spent 23.25'])
    expect(marks.slice(-2)).toEqual(['Others', '\u2068Others\u2069: Spent 6.75'])
    await ok(updatePreferences, { as: me, json: { hideAmounts: true } })
    const hidden = textsOf(await chart(me, MONTHS))
    expect([...hidden.marks, ...hidden.seen, hidden.description].join(' ')).not.toMatch(AMOUNT)
    expect(hidden.marks.slice(-1)).toEqual(['\u2068Others\u2069: Spent'])
    expect(hidden.description).toBe(
      'Spent by category in EUR. Largest of 20: \u2068&lt;b&gt;23\u2069. Smallest: \u2068&lt;b&gt;4\u2069.',
    )
  })

  it('takes no interval and no limit, and has one currency', async () => {
    const { me } = household
    for (const [field, value] of Object.entries({
      interval: 'month',
      limit: '5',
      currency: 'none',
    })) {
      const refused = await chart(me, { ...MONTHS, [field]: value })
      expect(refusal(refused)).toEqual([400, 'request.invalid', field])
    }
  })
})

it('charts of reports are refused as the reports are', async () => {
  const { me } = household
  const cases = [
    [{ from: '2026-01-01' }, 'reports.spanInvalid', 'to'],
    [{ period: 'nextMonth' }, 'reports.spanInvalid', 'period'],
    [{ from: '1970-01-15', to: '2020-01-15' }, 'reports.tooManyPoints', 'to'],
    [{ accountIds: someId('acc') }, 'reports.unknownAccount', 'accountIds'],
    [{ q: 'nothing:1' }, 'search.unknownField', 'q'],
  ] as const
  for (const [query, code, field] of cases) {
    for (const route of [getIncomeStatementChart, getSpendingChart]) {
      expect(refusal(await call(route, { as: me, query }))).toEqual([400, code, field])
    }
  }
})

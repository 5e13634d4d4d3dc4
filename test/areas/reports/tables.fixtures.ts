import { expect } from 'vitest'
import {
  getCashFlow,
  getCashFlowCsv,
  getIncomeStatement,
  getIncomeStatementCsv,
  getSpending,
  getSpendingCsv,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { each } from './agreement.fixtures.ts'

type Query = Record<string, string>
type Line = Record<string, string>

/** Reads a table anew: RFC 4180, with CRLF behind each line. */
export function linesOf(csv: string): Line[] {
  expect(csv.endsWith('\r\n')).toBe(true)
  const records: string[][] = [[]]
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') {
      records.push([])
    }
  }
  const [names = [], ...rows] = records.slice(0, -1)
  return rows.map((cells) => {
    expect(cells.length).toBe(names.length)
    return Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
  })
}

/** Lines with these columns, in any order. */
const sorted = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).toSorted()

const pick = (line: Line, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, line[name] ?? '']))

const texts = (line: object) =>
  Object.fromEntries(Object.entries(line).map(([name, value]) => [name, String(value ?? '')]))

interface Remainder {
  from: string
  to: string
  excluded: object
  unconverted: { accountId: string }[]
  warnings: { code: string }[]
}

/** What stands below the rows of a table. */
function compareEnd(currency: string, answer: Remainder, lines: readonly Line[]): void {
  const of = (row: string) => lines.filter((line) => line['row'] === row)
  const { from, to } = answer
  expect(
    of('excluded').map((one) => pick(one, ['from', 'to', 'currency', 'earned', 'spent'])),
  ).toEqual(
    each(currency, answer.excluded).map(({ currency: code, earned, spent }) =>
      texts({ from, to, currency: code, earned, spent }),
    ),
  )
  const unconverted = ['key', 'currency', 'earned', 'spent', 'from', 'to']
  expect(of('unconverted').map((one) => pick(one, unconverted))).toEqual(
    answer.unconverted.map(({ accountId, ...one }) => texts({ key: accountId, ...one })),
  )
  expect(of('warning').map((one) => pick(one, ['key', 'currency', 'rateDate', 'days']))).toEqual(
    answer.warnings.map(({ code, ...one }) => texts({ key: code, ...one })),
  )
}

const textOfCsv = async (
  route: typeof getSpendingCsv | typeof getIncomeStatementCsv | typeof getCashFlowCsv,
  as: Principal,
  query: Query,
) => {
  const { text, headers, status } = await call(route, { as, query })
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8'])
  return linesOf(text)
}

const OF_ROW = ['key', 'name', 'path', 'from', 'currency', 'own', 'total', 'share']

/** The lines that the rows of an answer become. */
const rowLines = (
  currency: string,
  rows: readonly ({
    key: string
    name: string | null
    path: string | null
    periods: { from: string }[]
  } & object)[],
) =>
  rows.flatMap((row) =>
    each(currency, row).flatMap(({ currency: code, share }) =>
      row.periods.map((period) => {
        const sums = each(currency, period).find((one) => one.currency === code)
        return texts({
          ...{ key: row.key, name: row.name, path: row.path, from: period.from, currency: code },
          ...{ own: sums?.['own'], total: sums?.['total'], share },
        })
      }),
    ),
  )

/** Compares each table with the answer in JSON, field by field, and tells how many lines that were. */
export async function compareTables(as: Principal, query: Query, by: string): Promise<number> {
  const currency = query['currency'] ?? 'EUR'
  const statement = await ok(getIncomeStatement, { as, query })
  const lines = await textOfCsv(getIncomeStatementCsv, as, query)
  for (const side of ['earned', 'spent'] as const) {
    const rows = statement[side].map((row) => ({ ...row, key: row.categoryId ?? 'none' }))
    const found = lines.filter(({ row }) => row === side).map((line) => pick(line, OF_ROW))
    expect(sorted(found)).toEqual(sorted(rowLines(currency, rows)))
  }
  const sums = ['from', 'to', 'partial', 'currency', 'earned', 'spent', 'net', 'savingsRate']
  const { from, to, ratesAsOf } = statement
  const totals = [
    ...(query['interval'] === undefined ? [] : statement.periods),
    { ...statement.totals, from, to, partial: '' },
  ]
  const total = lines.filter(({ row }) => row === 'total')
  expect(total.map((line) => pick(line, sums))).toEqual(
    totals.flatMap((one) =>
      each(currency, one).map((figures) =>
        pick(texts({ ...one, ...figures, byCurrency: '' }), sums),
      ),
    ),
  )
  expect(total.at(-1)?.['ratesAsOf'] ?? '').toBe(total.length === 0 ? '' : (ratesAsOf ?? ''))
  compareEnd(currency, statement, lines)

  const asked = { ...query, by }
  const spending = await ok(getSpending, { as, query: asked as Query })
  const table = await textOfCsv(getSpendingCsv, as, asked)
  const rows = table.filter(({ row = '' }) => [by, 'none', 'other'].includes(row))
  expect(sorted(rows.map((line) => pick(line, OF_ROW)))).toEqual(
    sorted(rowLines(currency, spending.rows)),
  )
  for (const what of ['total', 'overlap'] as const) {
    const found = table.filter(({ row }) => row === what)
    expect(found.map((line) => [line['currency'], line['own']])).toEqual(
      each(currency, spending[what]).map((one) => [one.currency, one['amount']]),
    )
  }
  compareEnd(currency, spending, table)

  const flow = await ok(getCashFlow, { as, query })
  const cash = await textOfCsv(getCashFlowCsv, as, query)
  const figures = ['opening', 'in', 'out', 'otherAccounts', 'adjustments', 'closing']
  const names = ['from', 'to', 'partial', 'currency', ...figures, 'exchange', 'currencyEffect']
  expect(cash.filter(({ row }) => row === 'total').map((line) => pick(line, names))).toEqual(
    flow.periods.flatMap((one) =>
      each(currency, one).map((all) => pick(texts({ ...one, ...all, byCurrency: '' }), names)),
    ),
  )
  compareEnd(currency, flow, cash)
  return lines.length + table.length + cash.length
}

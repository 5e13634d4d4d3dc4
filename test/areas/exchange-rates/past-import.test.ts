import { afterAll, beforeAll, expect, it } from 'vitest'
import { getNetWorthHistory } from '../../../src/areas/insight/reports/reports.routes.ts'
import { getHomePage } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { ok } from '../../support/api.ts'
import { dailyFile, historyLines, historyZip } from '../../support/reference-rates.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { type Bank, DAILY, datesOf, HISTORY, NIGHT, openBank } from './bank.ts'

let bank: Bank

beforeAll(async () => {
  bank = await openBank()
})
afterAll(() => bank.close())

it('ten years that are imported into an empty service have their rates after one night', async () => {
  const columns = {
    USD: (date: string) => `1.${date.slice(2, 4)}`,
    JPY: () => '160',
    CHF: (date: string) => (date < '2020' ? '1.1' : '0.95'),
  }
  bank.files.set(DAILY, dailyFile())
  bank.files.set(HISTORY, historyZip(historyLines({ days: 7000, columns }).join('\n')))
  const me = await newUser({ baseCurrency: 'CHF' })
  const opening = { openingDate: '2026-11-01' }
  const spans = ['USD', 'JPY', 'EUR'].map(async (currency) => {
    const { id: accountId } = await newAccount(me, { currency, ...opening })
    const lines = Array.from(
      { length: 365 },
      (_, at) => `${addDays('2016-11-05', at * 10)},SHOP ${at},-1`,
    )
    const { id } = await uploaded(me, csv(lines), { accountId })
    expect((await committed(me, id)).counts).toMatchObject({ new: 365 })
  })
  await Promise.all(spans)
  const query = { from: '2016-11-30', to: '2026-10-31', interval: 'month' }
  const before = await ok(getNetWorthHistory, { as: me, query })
  expect(before.points.every(({ unconverted }) => unconverted === 3)).toBe(true)

  await bank.night()
  expect(bank.asked()).toEqual([DAILY, HISTORY])
  // The day of the first row is a Saturday.
  expect((await datesOf('USD'))[0]).toBe('2016-11-04')
  const { points, unconverted, warnings } = await ok(getNetWorthHistory, { as: me, query })
  expect([points.length, unconverted, warnings]).toEqual([120, [], []])
  // Three rows of one unit by the end of November 2016: -3 USD, -3 JPY and -3 EUR.
  expect(points[0]).toMatchObject({ date: '2016-11-30', netWorth: '-6.16' })
  const home = await ok(getHomePage, { as: me, query: { currency: 'CHF' } })
  expect(home.unconverted).toEqual([])
  await bank.night({ now: NIGHT + 60_000 })
  expect(bank.asked()).toEqual([DAILY])
})

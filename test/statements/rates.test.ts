import { afterAll, beforeAll, expect, it } from 'vitest'
import { getRateCoverage } from '../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { type Bank, DAILY, datesOf, HISTORY, openBank } from '../areas/exchange-rates/bank.ts'
import { ok, rows } from '../support/api.ts'
import { dailyFile, historyLines, historyZip, QUOTED } from '../support/reference-rates.ts'
import { rounds } from '../support/rounds.ts'
import { samplesOf } from '../support/samples.ts'
import { newAccount, type TestUser } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'
import { fill } from './volume.ts'

// All rates of a currency since 1999 for somebody who has an account in each of twelve, and an original amount in every transaction.

const CURRENCIES = QUOTED.slice(0, rounds(4, 12))
const DAYS = rounds(1000, 7000)

let me: TestUser
let bank: Bank

beforeAll(async () => {
  bank = await openBank()
  ;({ me } = await samplesOf())
  await fill(me.id)
  await rows("UPDATE transactions SET original_amount_minor = 100, original_currency = 'USD'")
  await rows('DELETE FROM system_exchange_rates')
  for (const currency of CURRENCIES) {
    await newAccount(me, { name: `In ${currency}`, currency, openingDate: '2000-03-01' })
  }
  const columns = Object.fromEntries(CURRENCIES.map((code) => [code, () => '1.25']))
  const lines = historyLines({ days: DAYS, columns })
  bank.files.set(DAILY, dailyFile())
  bank.files.set(
    HISTORY,
    historyZip([...lines, lines.at(-1)?.replace(/^[^,]+/, '1999-01-04')].join('\n')),
  )
})

let stopWatch = () => {}
afterAll(() => {
  stopWatch()
  bank.close()
})

it('lets no statement hold the database for long', async () => {
  stopWatch = startWatch()
  const before = slowness()
  attend('fetching')
  await bank.night()
  expect((await datesOf('USD')).length).toBeGreaterThan(DAYS - 500)
  attend('coverage')
  const { currencies } = await ok(getRateCoverage, { as: me })
  expect(currencies.length).toBeGreaterThanOrEqual(CURRENCIES.length)
  const slower = Math.max(before, slowness())
  showLongest()
  const tooLong = longestOfEach().filter(({ ms, most }) => ms > most * slower)
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)

import { afterEach, expect, it } from 'vitest'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { chooseRate, type StoredRate } from '../../../src/domain/exchange.ts'
import { ok, rows } from '../../support/api.ts'
import { randomFrom } from '../../support/random.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { addSystem, find, forgetSystemRates } from './rates.ts'

afterEach(forgetSystemRates)

const add = (as: TestUser, from: string, to: string, date: string, rate: string) =>
  ok(createExchangeRate, { as, json: { from, to, date, rate } })

it('finds the newest rate on or before the day, of every pair with the target or the base', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  await add(me, 'USD', 'EUR', '2026-01-01', '0.8')
  await add(me, 'USD', 'EUR', '2026-03-01', '0.9')
  await add(me, 'USD', 'EUR', '2026-03-02', '0.95')
  await add(me, 'EUR', 'USD', '2026-02-01', '1.1')
  await add(me, 'EUR', 'JPY', '2025-12-31', '160')
  await add(me, 'JPY', 'USD', '2026-01-15', '0.007')
  await add(me, 'GBP', 'EUR', '2026-03-02', '1.2')
  await add(me, 'CHF', 'EUR', '2026-01-01', '1.05')
  await add(me, 'USD', 'GBP', '2026-01-01', '0.75')
  const { found, cost } = await find(me, '2026-03-01', ['USD', 'GBP', 'EUR'], 'JPY')
  expect(found).toEqual([
    { from: 'EUR', to: 'JPY', date: '2025-12-31', rate: '160' },
    { from: 'EUR', to: 'USD', date: '2026-02-01', rate: '1.1' },
    { from: 'JPY', to: 'USD', date: '2026-01-15', rate: '0.007' },
    { from: 'USD', to: 'EUR', date: '2026-03-01', rate: '0.9' },
  ])
  expect(cost.trips).toBe(1)
})

it('feeds the choice of a rate: direct, inverse, over the base, or none', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  await add(me, 'CHF', 'USD', '2026-01-01', '1.25')
  await add(me, 'USD', 'GBP', '2026-01-01', '0.8')
  await add(me, 'JPY', 'EUR', '2026-01-01', '0.005')
  await add(me, 'EUR', 'USD', '2026-01-01', '1.2')
  const { found } = await find(me, '2026-01-01', ['CHF', 'GBP', 'JPY', 'SEK', 'USD'], 'USD')
  const pathOf = (from: string) => {
    const chosen = chooseRate(found, from, 'USD', 'EUR')
    return [chosen?.path, chosen?.rateText]
  }
  expect(pathOf('CHF')).toEqual(['direct', '1.25'])
  expect(pathOf('GBP')).toEqual(['inverse', '1.25'])
  expect(pathOf('JPY')).toEqual(['viaBase', '0.006'])
  expect(pathOf('SEK')).toEqual([undefined, undefined])
  expect(pathOf('USD')).toEqual(['same', '1'])
})

it('needs no currencies, and takes the base for the target', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  await add(me, 'USD', 'EUR', '2026-01-01', '0.9')
  expect((await find(me, '2026-01-01', [], 'EUR')).found).toEqual([])
  expect((await find(me, '2026-01-01', ['EUR'], 'EUR')).found).toEqual([])
  expect((await find(me, '2026-01-01', ['USD'], 'EUR')).found).toHaveLength(1)
  expect((await find(me, '2025-12-31', ['USD'], 'EUR')).found).toEqual([])
})

it("finds nothing of another user's", async () => {
  const [me, other] = [await newUser(), await newUser()]
  await add(other, 'USD', 'EUR', '2026-01-01', '0.9')
  expect((await find(me, '2026-01-01', ['USD', 'EUR'], 'EUR')).found).toEqual([])
})

it('takes the newer of an own rate and one of the system, and the own one of the same day', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  await addSystem('EUR', 'USD', '2026-01-01', '1.1')
  await addSystem('EUR', 'USD', '2026-01-03', '1.3')
  await add(me, 'EUR', 'USD', '2026-01-02', '2')
  await add(me, 'EUR', 'USD', '2026-01-03', '3')
  await addSystem('EUR', 'USD', '2026-01-04', '1.4')
  const on = async (day: string) =>
    (await find(me, day, ['EUR'], 'USD')).found.map(({ date, rate }) => [date.slice(-2), rate])
  expect(await on('2025-12-31')).toEqual([])
  expect(await on('2026-01-01')).toEqual([['01', '1.1']])
  expect(await on('2026-01-02')).toEqual([['02', '2']])
  expect(await on('2026-01-03')).toEqual([['03', '3']])
  expect(await on('2026-01-09')).toEqual([['04', '1.4']])
})

it('always finds what a look at every stored rate would choose', async () => {
  const codes = ['EUR', 'USD', 'JPY', 'CHF', 'KWD']
  const dates = ['2026-01-01', '2026-01-02', '2026-01-03']
  for (let seed = 1; seed <= 12; seed++) {
    const { pick, whole, chance } = randomFrom(seed)
    const me = await newUser({ baseCurrency: pick(['EUR', 'CHF', 'KWD']) })
    await rows('DELETE FROM system_exchange_rates')
    const stored = new Map<string, StoredRate & { own: boolean }>()
    for (let count = 0; count < 8; count++) {
      const [from, to, date, own] = [pick(codes), pick(codes), pick(dates), chance(0.5)]
      const rate = String(whole(1, 900))
      const key = [from, to, date, own].join()
      if (from !== to && !stored.has(key)) {
        stored.set(key, { from, to, date, rate, own })
        await (own ? add(me, from, to, date, rate) : addSystem(from, to, date, rate))
      }
    }
    const [profile] = await rows<{ base_currency: string }>(
      'SELECT base_currency FROM users WHERE id = ?',
      me.id,
    )
    const base = profile?.base_currency ?? ''
    for (const target of codes) {
      const { found } = await find(me, '2026-01-02', codes, target)
      const known = newestOf([...stored.values()].filter(({ date }) => date <= '2026-01-02'))
      for (const from of codes) {
        const [is, should] = [found, known].map((rates) => chooseRate(rates, from, target, base))
        expect(is, `seed ${seed}: ${from} to ${target}`).toEqual(should)
      }
    }
  }
})

/** Of each pair the newest, the own one first. */
function newestOf(rates: (StoredRate & { own: boolean })[]): StoredRate[] {
  const sorted = rates.toSorted((a, b) =>
    a.date === b.date ? Number(a.own) - Number(b.own) : a.date < b.date ? -1 : 1,
  )
  return [...new Map(sorted.map((rate) => [rate.from + rate.to, rate])).values()]
}

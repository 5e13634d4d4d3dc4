import type { z } from '@hono/zod-openapi'
import { describe, expect, it } from 'vitest'
import { listCategories } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  listExchangeRates,
  createExchangeRate,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import type { ExchangeRatesResponse } from '../../../src/areas/money/exchange-rates/exchange-rates.contract.ts'
import { pageOfRates } from '../../../src/areas/money/exchange-rates/exchange-rates.queries.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { type Answer, call, ok, rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { planOf } from '../../support/plans.ts'
import { newUser, type TestUser } from '../../support/world.ts'

const good = { from: 'EUR', to: 'USD', date: '2026-11-20', rate: '1.0842' }

const add = (as: TestUser, more: Partial<typeof good> = {}) =>
  ok(createExchangeRate, { as, json: { ...good, ...more } })

/** One rate a day, the newest on 2026-11-20. */
async function addDaily(as: TestUser, count: number) {
  const added: Awaited<ReturnType<typeof add>>[] = []
  for (let at = 0; at < count; at++) {
    added.push(await add(as, { date: addDays(good.date, -at) }))
  }
  return added
}

const tripsOf = (headers: Headers) =>
  Number(/(\d+) trips/.exec(headers.get('Server-Timing') ?? '')?.[1])

describe('adding a rate', () => {
  it('answers it as the list shows it', async () => {
    const me = await newUser()
    const added = await call(createExchangeRate, { as: me, json: good })
    expect(added.status).toBe(201)
    expect(added.body).toMatchObject({ ...good, source: 'user', version: 1 })
    expect(added.body.id).toMatch(/^rate_/)
    expect(added.headers.get('ETag')).toMatch(/^"1-/)
    expect(await ok(listExchangeRates, { as: me })).toEqual({
      exchangeRates: [added.body],
      count: 1,
      nextCursor: null,
    })
  })

  it.each([
    ['1.50', '1.5'],
    ['1.000', '1'],
    ['100', '100'],
    ['0.000000000001', '0.000000000001'],
    ['999999999999.999999999999', '999999999999.999999999999'],
    ['0.100000000000', '0.1'],
  ])('stores %s as %s, exactly', async (rate, shortest) => {
    const me = await newUser()
    expect((await add(me, { rate })).rate).toBe(shortest)
    const { exchangeRates } = await ok(listExchangeRates, { as: me })
    expect(exchangeRates.map((stored) => stored.rate)).toEqual([shortest])
  })

  it.each([
    '0',
    '0.0',
    '-1',
    '+1',
    '1.',
    '.5',
    '01',
    '1,5',
    '1e3',
    ' 1',
    '',
    'NaN',
    '1.0000000000001',
    '1.0000000000000',
    '1000000000000',
    '١',
  ])('refuses %j for a rate', async (rate) => {
    const me = await newUser()
    const refused = await call(createExchangeRate, { as: me, json: { ...good, rate } })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'exchange.malformedRate',
      'rate',
    ])
    expect((await ok(listExchangeRates, { as: me })).count).toBe(0)
  })

  it.each([
    ['a JSON number', { ...good, rate: 1.5 }, 'rate'],
    ['a rate of endless text', { ...good, rate: '1'.repeat(65) }, 'rate'],
    ['no rate', { ...good, rate: undefined }, 'rate'],
    ['an unknown currency', { ...good, from: 'ABC' }, 'from'],
    ['a currency in lower case', { ...good, to: 'usd' }, 'to'],
    ['a withdrawn currency', { ...good, to: 'HRK' }, 'to'],
    ['a day that does not exist', { ...good, date: '2023-02-29' }, 'date'],
    ['an instant for a date', { ...good, date: '2026-11-20T00:00:00Z' }, 'date'],
    ['a source', { ...good, source: 'system' }, 'source'],
  ])('refuses %s: 400 that names the field', async (_, body, field) => {
    const me = await newUser()
    const refused = await call(createExchangeRate, { as: me, raw: { body: JSON.stringify(body) } })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'request.invalid',
      field,
    ])
  })

  it('refuses a currency against itself', async () => {
    const me = await newUser()
    const refused = await call(createExchangeRate, { as: me, json: { ...good, to: 'EUR' } })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'exchangeRates.samePair',
      'to',
    ])
  })

  it('takes one rate for a pair and a day, in each direction and for each user', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await add(me)
    const refused = await call(createExchangeRate, { as: me, json: { ...good, rate: '2' } })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      409,
      'exchangeRates.taken',
      'date',
    ])
    await add(me, { from: 'USD', to: 'EUR' })
    await add(me, { date: '2026-11-21' })
    await add(me, { to: 'GBP' })
    await add(other)
    expect((await ok(listExchangeRates, { as: me })).count).toBe(4)
  })

  it('lets one of fifty win who add the same at the same moment', async () => {
    const me = await newUser()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call(createExchangeRate, { as: me, json: good })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49)
  })

  it('happens once for a repeated Idempotency-Key, also in parallel', async () => {
    const me = await newUser()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const send = () => call(createExchangeRate, { as: me, json: good, headers })
    const answers = await Promise.all(Array.from({ length: 10 }, send))
    const again = await send()
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([`201 ${again.text}`]),
    )
    const other = await call(createExchangeRate, {
      as: me,
      json: { ...good, rate: '1.5' },
      headers,
    })
    expect([other.status, other.error.code]).toEqual([409, 'idempotency.mismatch'])
    expect((await ok(listExchangeRates, { as: me })).count).toBe(1)
  })

  it('is logged, once for each', async () => {
    const me = await newUser()
    const { id } = await add(me)
    await call(createExchangeRate, { as: me, json: good })
    const log = await rows<{ changes: string }>(
      "SELECT type AS action, actor_id, owner_id, resource_id, content AS changes FROM log_entries WHERE actor_id = ? AND resource_type = 'exchangeRate'",
      me.id,
    )
    expect(log).toEqual([
      {
        action: 'exchangeRate.created',
        actor_id: me.id,
        owner_id: me.id,
        resource_id: id,
        changes: expect.any(String),
      },
    ])
    expect(JSON.parse(log[0]?.changes ?? '')).toMatchObject({ after: good })
  })

  it('costs one trip', async () => {
    const me = await newUser()
    const added = await call(createExchangeRate, { as: me, json: good })
    expect([added.status, tripsOf(added.headers)]).toEqual([201, 1])
  })

  it('needs a JSON body of a bearable size: 400, 415, 413', async () => {
    const me = await newUser()
    const statusOf = async (raw: { body: string; contentType?: string }) =>
      (await call(createExchangeRate, { as: me, raw })).status
    expect(await statusOf({ body: '[' })).toBe(400)
    expect(await statusOf({ body: JSON.stringify(good), contentType: 'text/plain' })).toBe(415)
    expect(await statusOf({ body: JSON.stringify({ rate: '1'.repeat(2 ** 20) }) })).toBe(413)
  })

  it('needs a caller (401) with the permission (403), whatever else is wrong', async () => {
    const me = await newUser()
    await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
    for (const body of [good, { ...good, rate: '0' }, {}]) {
      const raw = { body: JSON.stringify(body) }
      const anonymous = await call(createExchangeRate, { raw })
      expect([anonymous.status, anonymous.error.code]).toEqual([401, 'auth.required'])
      const forbidden = await call(createExchangeRate, { as: me, raw })
      expect([forbidden.status, forbidden.error.code]).toEqual([403, 'auth.forbidden'])
    }
  })
})

describe('the list', () => {
  it('gives each of 120 exactly once, newest date first, while others come in between', async () => {
    const me = await newUser()
    const daily = await addDaily(me, 120)
    const expected = daily.map(({ id }) => id)
    const seen: { id: string }[] = []
    const counts: number[] = []
    let cursor: string | null = ''
    for (let page = 1; cursor !== null; page++) {
      const query = { limit: 50, from: 'EUR', to: 'USD', ...(cursor === '' ? {} : { cursor }) }
      const answer: Answer<z.infer<typeof ExchangeRatesResponse>> = await call(listExchangeRates, {
        as: me,
        query,
      })
      expect(tripsOf(answer.headers)).toBe(1)
      seen.push(...answer.body.exchangeRates)
      counts.push(answer.body.count)
      cursor = answer.body.nextCursor
      // Of the same day as the last row, but of another pair; and one that sorts before all.
      await add(me, { to: 'GBP', date: answer.body.exchangeRates.at(-1)?.date ?? '' })
      await add(me, { date: addDays(good.date, page) })
    }
    expect(seen.map(({ id }) => id)).toEqual(expected)
    expect(counts).toEqual([120, 121, 122])
  })

  it('turns the page in the middle of a day', async () => {
    const me = await newUser()
    const pairs = ['AUD', 'CAD', 'CHF', 'GBP', 'JPY', 'NOK', 'SEK'] as const
    await Promise.all(pairs.flatMap((to) => [add(me, { to }), add(me, { to, date: '2026-11-19' })]))
    const whole = await ok(listExchangeRates, { as: me })
    const position = ({ date, id }: { date: string; id: string }) => `${date} ${id}`
    expect(whole.exchangeRates.map(position)).toEqual(
      whole.exchangeRates.map(position).toSorted().toReversed(),
    )
    const parts: typeof whole.exchangeRates = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: typeof whole = await ok(listExchangeRates, {
        as: me,
        query: { limit: 3, ...(cursor === '' ? {} : { cursor }) },
      })
      expect(page.count).toBe(14)
      parts.push(...page.exchangeRates)
      cursor = page.nextCursor
    }
    expect(parts).toEqual(whole.exchangeRates)
  })

  it('narrows to a currency on either side and to a span of days; count follows', async () => {
    const me = await newUser()
    await add(me, { from: 'EUR', to: 'USD', date: '2026-01-01' })
    await add(me, { from: 'EUR', to: 'USD', date: '2026-01-02' })
    await add(me, { from: 'EUR', to: 'GBP', date: '2026-01-03' })
    await add(me, { from: 'USD', to: 'EUR', date: '2026-01-04' })
    const daysFor = async (query: Record<string, string>) => {
      const { exchangeRates, count } = await ok(listExchangeRates, { as: me, query })
      expect(count).toBe(exchangeRates.length)
      return exchangeRates.map(({ date }) => Number(date.slice(-2)))
    }
    expect(await daysFor({})).toEqual([4, 3, 2, 1])
    expect(await daysFor({ from: 'EUR' })).toEqual([3, 2, 1])
    expect(await daysFor({ to: 'USD' })).toEqual([2, 1])
    expect(await daysFor({ from: 'EUR', to: 'GBP' })).toEqual([3])
    expect(await daysFor({ fromDate: '2026-01-02', toDate: '2026-01-03' })).toEqual([3, 2])
    const reversed = { fromDate: '2026-01-03', toDate: '2026-01-02' }
    expect((await call(listExchangeRates, { as: me, query: reversed })).status).toBe(400)
    expect(await daysFor({ from: 'EUR', to: 'USD', fromDate: '2026-01-02' })).toEqual([2])
  })

  it.each<Record<string, string | string[]>>([
    { from: 'ABC' },
    { from: ['EUR', 'USD'] },
    { to: 'eur' },
    { fromDate: '2026-02-30' },
    { toDate: 'today' },
    { source: 'transaction' },
    { limit: '0' },
    { limit: '201' },
    { limit: 'abc' },
    { limit: '1.5' },
    { limit: ['10', '10'] },
  ])('refuses %j: 400 that names the field', async (query) => {
    const me = await newUser()
    const refused = await call(listExchangeRates, { as: me, query })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      400,
      'request.invalid',
      Object.keys(query)[0],
    ])
  })

  it('refuses a cursor that was forged, borrowed or made for another filter or list', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await addDaily(me, 3)
    await addDaily(other, 3)
    const cursorFor = async (as: TestUser, query: Record<string, string> = {}) =>
      (await ok(listExchangeRates, { as, query: { limit: 1, ...query } })).nextCursor ?? ''
    const cursor = await cursorFor(me)
    const [payload = '', signature = ''] = cursor.split('.')
    for (const query of [
      { cursor: `${payload.slice(0, -1)}A.${signature}` },
      { cursor: `${payload}.${signature.slice(1)}` },
      { cursor: await cursorFor(other) },
      { cursor: await cursorFor(me, { from: 'EUR' }) },
      { cursor: await cursorFor(me, { fromDate: '2026-01-01' }), fromDate: '2026-01-02' },
      { cursor, toDate: '2026-11-20' },
    ]) {
      const refused = await call(listExchangeRates, { as: me, query })
      expect([refused.status, refused.error.code]).toEqual([400, 'request.invalidCursor'])
    }
    const elsewhere = await call(listCategories, { as: me, query: { cursor } })
    expect([elsewhere.status, elsewhere.error.code]).toEqual([400, 'request.invalidCursor'])
  })

  it("shows nothing of another user's", async () => {
    const [me, other] = [await newUser(), await newUser()]
    await add(other)
    const nothing = { exchangeRates: [], count: 0, nextCursor: null }
    expect(await ok(listExchangeRates, { as: me })).toEqual(nothing)
    expect(await ok(listExchangeRates, { as: me, query: { from: 'EUR' } })).toEqual(nothing)
  })

  it('needs a caller (401) with the permission (403), whatever is asked', async () => {
    const me = await newUser()
    await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
    for (const query of [{}, { from: 'ABC' }, { cursor: 'x' }]) {
      const anonymous = await call(listExchangeRates, { query })
      expect([anonymous.status, anonymous.error.code]).toEqual([401, 'auth.required'])
      const forbidden = await call(listExchangeRates, { as: me, query })
      expect([forbidden.status, forbidden.error.code]).toEqual([403, 'auth.forbidden'])
    }
  })

  it('is read from indexes in its order, however many rates there are', async () => {
    const me = await newUser()
    const ctx = await contextOf(me, 'exchangeRates.read')
    const page = { limit: 50, after: ['2026-11-20', '1', 'rate_1'] }
    const query = pageOfRates(ctx, {}, page) as unknown as {
      getQuery: () => { sql: string; params: unknown[] }
    }
    const { sql, params } = query.getQuery()
    expect((await planOf(sql, params)).filter((step) => /\br\b/.test(step))).toEqual([
      expect.stringContaining('SEARCH r USING INDEX exchange_rates_of_owner'),
      expect.stringContaining('SEARCH r USING INDEX system_exchange_rates_by_date'),
    ])
  })
})

import { afterEach, describe, expect, it } from 'vitest'
import {
  createExchangeRate,
  createExchangeRates,
  listExchangeRates,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { addSystem, forgetSystemRates } from './rates.ts'

afterEach(forgetSystemRates)

const one = (date: string, rate = '1.1', to = 'USD') => ({ from: 'EUR', to, date, rate })
const daily = (count: number) =>
  Array.from({ length: count }, (_, at) => one(addDays('2026-11-20', -at), `1.${at + 1}`))

const send = (as: Principal, rates: object[], more: object = {}) =>
  call(createExchangeRates, { as, raw: { body: JSON.stringify({ rates, ...more }) } })

const ownOf = async (as: Principal) =>
  (await ok(listExchangeRates, { as, query: { source: 'user', limit: 200 } })).exchangeRates

const logOf = ({ id }: TestUser) =>
  rows<{ type: string; resourceId: string; changes: string }>(
    `SELECT type, resource_id AS resourceId, version, content AS changes FROM log_entries
      WHERE owner_id = ? AND operation = 'createExchangeRates' ORDER BY number`,
    id,
  )

describe('adding many rates', () => {
  it('stores 500 in two trips with an event for each, and answers each in its place', async () => {
    const me = await newUser()
    const rates = daily(500)
    const answer = await send(me, rates)
    expect(answer.status, answer.text.slice(0, 200)).toBe(201)
    expect(costOf(answer.headers).trips).toBe(2)
    const { results, ...counts } = answer.body
    expect(counts).toEqual({ created: 500, replaced: 0, unchanged: 0 })
    expect(results.map(({ rate: { from, to, date, rate } }) => ({ from, to, date, rate }))).toEqual(
      rates.map(({ rate, ...rest }) => ({ ...rest, rate: rate.replace(/(\.\d*?)0+$/, '$1') })),
    )
    expect(new Set(results.map(({ rate }) => rate.id)).size).toBe(500)
    const list = await ok(listExchangeRates, { as: me, query: { source: 'user', limit: 200 } })
    expect(list.count).toBe(500)
    expect(list.exchangeRates).toEqual(results.slice(0, 200).map(({ rate }) => rate))
    expect((await logOf(me)).map(({ type, resourceId }) => [type, resourceId])).toEqual(
      results.map(({ rate }) => ['exchangeRate.created', rate.id]),
    )
  })

  it('stores none when one is there already, and says which', async () => {
    const me = await newUser()
    await ok(createExchangeRate, { as: me, json: one('2026-11-19', '9') })
    const refused = await send(me, daily(3))
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      409,
      'exchangeRates.taken',
      'rates.1.date',
    ])
    expect((await ownOf(me)).map(({ rate }) => rate)).toEqual(['9'])
    expect(await logOf(me)).toEqual([])
  })

  it('replaces what is there when told to, keeps what is the same, and logs both images', async () => {
    const me = await newUser()
    const old = await ok(createExchangeRate, { as: me, json: one('2026-11-19', '9') })
    const same = await ok(createExchangeRate, { as: me, json: one('2026-11-18', '1.3') })
    const answer = await send(me, daily(3), { replace: true })
    expect(answer.status).toBe(201)
    const { results, ...counts } = answer.body
    expect(counts).toEqual({ created: 1, replaced: 1, unchanged: 1 })
    expect(results.map(({ status }) => status)).toEqual(['created', 'replaced', 'unchanged'])
    expect(results[1]?.rate).toMatchObject({ id: old.id, rate: '1.2', version: 2 })
    expect(results[2]?.rate).toEqual(same)
    expect(await ownOf(me)).toEqual(results.map(({ rate }) => rate))
    const log = await logOf(me)
    expect(log.map(({ changes, ...told }) => ({ ...told, ...JSON.parse(changes) }))).toMatchObject([
      { type: 'exchangeRate.created', resourceId: results[0]?.rate.id, after: { rate: '1.1' } },
      {
        ...{ type: 'exchangeRate.updated', resourceId: old.id, version: 2 },
        ...{ before: { rate: '9' }, after: { rate: '1.2' } },
      },
    ])
  })

  it('takes no notice of rates of the system or of others', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await addSystem('EUR', 'USD', '2026-11-20', '7')
    await ok(createExchangeRate, { as: other, json: one('2026-11-20', '8') })
    expect((await send(me, daily(2), { replace: true })).body).toMatchObject({ created: 2 })
    expect((await ownOf(other)).map(({ rate }) => rate)).toEqual(['8'])
    expect(await rows('SELECT rate FROM system_exchange_rates')).toEqual([{ rate: '7' }])
  })

  it.each([
    ['none', [], 'request.invalid', 'rates'],
    ['501', daily(501), 'request.invalid', 'rates'],
    ['one twice', [...daily(2), one('2026-11-19', '5')], 'exchangeRates.repeated', 'rates.2.date'],
    ['a rate that is none', [one('2026-11-20', '0')], 'exchange.malformedRate', 'rates.0.rate'],
    [
      'a pair of one',
      [...daily(1), one('2026-11-01', '1', 'EUR')],
      'exchangeRates.samePair',
      'rates.1.to',
    ],
    ['a day that is none', [one('2026-02-30')], 'request.invalid', 'rates.0.date'],
    ['a currency that is none', [one('2026-02-03', '1', 'XXX')], 'request.invalid', 'rates.0.to'],
  ])('refuses %s', async (_, rates, code, field) => {
    const me = await newUser()
    const refused = await send(me, rates, { replace: true })
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([400, code, field])
    expect(await ownOf(me)).toEqual([])
  })

  it('loses to whoever is faster between its read and its commit, as a whole', async () => {
    const me = await newUser()
    const add = () => ok(createExchangeRate, { as: me, json: one('2026-11-19', '9') })
    const json = { rates: daily(3), replace: false }
    const late = await serviceWith({ meanwhile: add }).call<unknown>(createExchangeRates, {
      as: me,
      json,
    })
    expect([late.status, late.error.code]).toEqual([409, 'exchangeRates.taken'])
    const change = () => send(me, [one('2026-11-19', '5')], { replace: true })
    const later = await serviceWith({ meanwhile: change }).call<unknown>(createExchangeRates, {
      as: me,
      json: { ...json, replace: true },
    })
    expect([later.status, later.error.code]).toEqual([409, 'exchangeRates.changedMeanwhile'])
    expect((await ownOf(me)).map(({ rate }) => rate)).toEqual(['5'])
  })

  it('happens once for a repeated Idempotency-Key, also in parallel', async () => {
    const me = await newUser()
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const json = { rates: daily(5) }
    const again = () => call(createExchangeRates, { as: me, json, headers })
    const answers = await Promise.all([again(), again(), again()])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(await logOf(me)).toHaveLength(5)
  })
})

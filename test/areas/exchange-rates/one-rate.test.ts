import { afterEach, describe, expect, it } from 'vitest'
import {
  deleteExchangeRate,
  getExchangeRate,
  listExchangeRates,
  listExchangeRatesOfPair,
  createExchangeRate,
  updateExchangeRate,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { addSystem, forgetSystemRates } from './rates.ts'

afterEach(forgetSystemRates)

const good = { from: 'EUR', to: 'USD', date: '2026-11-20', rate: '1.0842' }
const add = (as: TestUser, more: Partial<typeof good> = {}) =>
  ok(createExchangeRate, { as, json: { ...good, ...more } })
const get = (as: TestUser, id: string, headers = {}) => call(getExchangeRate, { as, id, headers })

describe('one rate', () => {
  it('is seen by its owner alone; one of the system by everybody', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const added = await add(me)
    const seen = await get(me, added.id)
    expect([seen.status, seen.body, costOf(seen.headers).trips]).toEqual([200, added, 1])
    const etag = seen.headers.get('ETag') ?? ''
    expect((await get(me, added.id, { 'If-None-Match': etag })).status).toBe(304)
    const hidden = await get(other, added.id)
    expect([hidden.status, hidden.error.code]).toEqual([404, 'exchangeRates.notFound'])
    const system = await addSystem('EUR', 'USD', '2026-11-20', '1.08')
    expect((await get(other, system)).body).toMatchObject({ rate: '1.08', source: 'system' })
  })

  it('changes in what is sent, in its shortest form, and is logged with both images', async () => {
    const me = await newUser()
    const { id } = await add(me)
    const changed = await call(updateExchangeRate, { as: me, id, json: { rate: '1.090' } })
    expect(changed.body).toMatchObject({ ...good, rate: '1.09', version: 2 })
    expect(costOf(changed.headers).trips).toBe(2)
    expect((await get(me, id)).body).toEqual(changed.body)
    const whole = { from: 'GBP', to: 'EUR', date: '2026-11-19', rate: '1.2' }
    expect(await ok(updateExchangeRate, { as: me, id, json: whole })).toMatchObject(whole)
    const log = await rows<{ changes: string }>(
      "SELECT content AS changes FROM log_entries WHERE resource_id = ? AND type = 'exchangeRate.updated' ORDER BY number",
      id,
    )
    expect(log.map(({ changes }) => JSON.parse(changes))).toEqual([
      { before: { rate: '1.0842' }, after: { rate: '1.09' } },
      { before: { ...good, rate: '1.09' }, after: whole },
    ])
  })

  it.each([
    ['a rate that is none', { rate: '0' }, 400, 'exchange.malformedRate', 'rate'],
    ['a currency against itself', { to: 'EUR' }, 400, 'exchangeRates.samePair', 'to'],
    ['a withdrawn currency', { from: 'HRK' }, 400, 'request.invalid', 'from'],
    ['a source', { source: 'system' }, 400, 'request.invalid', 'source'],
    ['the place of another', { date: '2026-11-19' }, 409, 'exchangeRates.taken', 'date'],
  ])('refuses %s', async (_, json, status, code, field) => {
    const me = await newUser()
    const { id } = await add(me)
    await add(me, { date: '2026-11-19' })
    const raw = { body: JSON.stringify(json) }
    const answer = await call(updateExchangeRate, { as: me, id, raw })
    expect([answer.status, answer.error.code, answer.error.field]).toEqual([status, code, field])
    expect((await get(me, id)).body).toMatchObject({ ...good, version: 1 })
  })

  it('is deleted, once', async () => {
    const me = await newUser()
    const { id } = await add(me)
    const gone = await call(deleteExchangeRate, { as: me, id })
    expect([gone.status, costOf(gone.headers).trips]).toEqual([200, 2])
    expect((await call(deleteExchangeRate, { as: me, id })).status).toBe(404)
    expect((await ok(listExchangeRates, { as: me })).count).toBe(0)
    const [log] = await rows<{ changes: string }>(
      "SELECT content AS changes FROM log_entries WHERE resource_id = ? AND type = 'exchangeRate.deleted'",
      id,
    )
    expect(JSON.parse(log?.changes ?? '')).toMatchObject({ before: good })
  })

  it('of another user is like one that never was; one of the system cannot be changed here', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const { id } = await add(other)
    const system = await addSystem('EUR', 'USD', '2026-11-20', '1.08')
    const codes = async (rate: string) => [
      (await call(updateExchangeRate, { as: me, id: rate, json: { rate: '2' } })).error.code,
      (await call(deleteExchangeRate, { as: me, id: rate })).error.code,
    ]
    expect(await codes(id)).toEqual(['exchangeRates.notFound', 'exchangeRates.notFound'])
    expect(await codes(system)).toEqual(['exchangeRates.systemRate', 'exchangeRates.systemRate'])
    expect((await call(deleteExchangeRate, { as: me, id: system })).status).toBe(403)
    expect((await get(me, system)).body.rate).toBe('1.08')
    expect((await get(other, id)).body.rate).toBe(good.rate)
  })

  it('changes only as it was seen: 412 for another version, and one of two at a time', async () => {
    const me = await newUser()
    const { id } = await add(me)
    const etag = (await get(me, id)).headers.get('ETag') ?? ''
    const headers = { 'If-Match': etag }
    const put = (rate: string, more = {}) =>
      call(updateExchangeRate, { as: me, id, json: { rate }, headers: more })
    expect((await put('2', headers)).status).toBe(200)
    expect((await put('3', headers)).status).toBe(412)
    expect((await call(deleteExchangeRate, { as: me, id, headers })).status).toBe(412)
    const late = serviceWith({ meanwhile: () => put('4') })
    expect((await late.call(updateExchangeRate, { as: me, id, json: { rate: '5' } })).status).toBe(
      409,
    )
    const later = serviceWith({ meanwhile: () => put('6') })
    expect((await later.call(deleteExchangeRate, { as: me, id })).status).toBe(409)
    expect((await get(me, id)).body).toMatchObject({ rate: '6', version: 4 })
  })
})

describe('the series of a pair', () => {
  it('is newest first, and on a date own before system, page by page', async () => {
    const [me, other] = [await newUser(), await newUser()]
    for (const day of ['17', '18', '19', '20']) {
      await addSystem('EUR', 'USD', `2026-11-${day}`, `1.1${day}`)
    }
    await add(me, { date: '2026-11-18', rate: '2.18' })
    await add(me, { date: '2026-11-19', rate: '2.19' })
    await add(me, { to: 'GBP' })
    await add(me, { from: 'USD', to: 'EUR' })
    await add(other, { date: '2026-11-16' })
    const path = { from: 'EUR', to: 'USD' }
    const whole = ['1.120', '2.19', '1.119', '2.18', '1.118', '1.117']
    for (const limit of [1, 2, 3, 6]) {
      const seen: string[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query = { limit, ...(cursor === '' ? {} : { cursor }) }
        const answer: Awaited<ReturnType<typeof call<typeof listExchangeRatesOfPair>>> = await call(
          listExchangeRatesOfPair,
          { as: me, path, query },
        )
        expect([answer.body.count, costOf(answer.headers).trips]).toEqual([6, 1])
        seen.push(...answer.body.exchangeRates.map(({ rate }) => rate))
        cursor = answer.body.nextCursor
      }
      expect(seen).toEqual(whole)
    }
    const spanned = await ok(listExchangeRatesOfPair, {
      as: me,
      path,
      query: { fromDate: '2026-11-18', toDate: '2026-11-18' },
    })
    expect(spanned.exchangeRates.map(({ source }) => source)).toEqual(['user', 'system'])
  })

  it('is refused for what is no pair', async () => {
    const me = await newUser()
    const refusal = async (from: string, to: string) => {
      const { status, error } = await call(listExchangeRatesOfPair, { as: me, path: { from, to } })
      return [status, error.code, error.field]
    }
    expect(await refusal('EUR', 'EUR')).toEqual([400, 'exchangeRates.samePair', 'to'])
    expect(await refusal('eur', 'USD')).toEqual([400, 'request.invalid', 'from'])
    expect(await refusal('EUR', 'HRK')).toEqual([400, 'request.invalid', 'to'])
  })

  it('and the list narrow to a source', async () => {
    const me = await newUser()
    await addSystem('EUR', 'USD', '2026-11-20', '1.1')
    await add(me)
    const sources = async (query: Record<string, string>) => {
      const { exchangeRates, count } = await ok(listExchangeRates, { as: me, query })
      expect(count).toBe(exchangeRates.length)
      return exchangeRates.map(({ source }) => source)
    }
    expect(await sources({})).toEqual(['user', 'system'])
    expect(await sources({ source: 'user' })).toEqual(['user'])
    expect(await sources({ source: 'system', from: 'EUR' })).toEqual(['system'])
    expect(await sources({ source: 'system', from: 'USD' })).toEqual([])
  })
})

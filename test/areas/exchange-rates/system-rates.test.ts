import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it } from 'vitest'
import {
  getExchangeRate,
  listExchangeRates,
  createExchangeRate,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import {
  deleteSystemRate,
  listSystemRates,
  createSystemRates,
  refreshSystemRates,
} from '../../../src/areas/money/exchange-rates/system/system.routes.ts'
import { settingsOf } from '../../../src/env.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newAdmin, newUser } from '../../support/world.ts'
import { addSystem, forgetSystemRates } from './rates.ts'

afterEach(forgetSystemRates)

const good = { from: 'EUR', to: 'USD', date: '2026-11-20', rate: '1.0842' }
const post = (as: Principal, rates: object[], more: object = {}) =>
  call(createSystemRates, { as, raw: { body: JSON.stringify({ rates, ...more }) } })

describe('rates of the system', () => {
  it('are added by an administrator, and seen by everybody', async () => {
    const [admin, me] = [await newAdmin(), await newUser()]
    const answer = await post(admin, [good, { ...good, to: 'JPY', rate: '160.50' }])
    expect([answer.status, answer.body.created, costOf(answer.headers).trips]).toEqual([201, 2, 2])
    const [first, second] = answer.body.results
    expect(second?.rate).toMatchObject({ to: 'JPY', rate: '160.5', source: 'system', version: 1 })
    const seen = await ok(listExchangeRates, { as: me })
    expect(seen.exchangeRates).toContainEqual(first?.rate)
    const listed = await call(listSystemRates, { as: admin, query: { to: 'JPY' } })
    expect([listed.body.exchangeRates, listed.body.count]).toEqual([[second?.rate], 1])
    expect(costOf(listed.headers).trips).toBe(1)
    const own = await ok(createExchangeRate, { as: admin, json: good })
    expect((await ok(listSystemRates, { as: admin })).count).toBe(2)
    const log = await rows(
      "SELECT type, resource_id FROM log_entries WHERE actor_id = ? AND resource_type = 'exchangeRate' ORDER BY number",
      admin.id,
    )
    expect(log).toEqual([
      { type: 'systemRate.created', resource_id: first?.rate.id },
      { type: 'systemRate.created', resource_id: second?.rate.id },
      { type: 'exchangeRate.created', resource_id: own.id },
    ])
  })

  it('are taken once for a pair and a day, and replaced on demand', async () => {
    const admin = await newAdmin()
    await post(admin, [good])
    const refused = await post(admin, [{ ...good, to: 'JPY' }, good])
    expect([refused.status, refused.error.code, refused.error.field]).toEqual([
      409,
      'exchangeRates.taken',
      'rates.1.date',
    ])
    const replaced = await post(admin, [{ ...good, rate: '2' }], { replace: true })
    expect(replaced.body).toMatchObject({ replaced: 1 })
    expect(await rows('SELECT rate, version FROM system_exchange_rates')).toEqual([
      { rate: '2', version: 2 },
    ])
  })

  it('are deleted by an administrator, as they were seen', async () => {
    const admin = await newAdmin()
    const id = await addSystem('EUR', 'USD', '2026-11-20', '1.1')
    const etag = (await call(getExchangeRate, { as: admin, id })).headers.get('ETag') ?? ''
    await post(admin, [{ ...good, rate: '3' }], { replace: true })
    const stale = await call(deleteSystemRate, { as: admin, id, headers: { 'If-Match': etag } })
    expect(stale.status).toBe(412)
    const change = () => post(admin, [{ ...good, rate: '4' }], { replace: true })
    const late = serviceWith({ meanwhile: change })
    expect((await late.call(deleteSystemRate, { as: admin, id })).status).toBe(409)
    const gone = await call(deleteSystemRate, { as: admin, id })
    expect([gone.status, costOf(gone.headers).trips]).toEqual([200, 2])
    expect((await call(deleteSystemRate, { as: admin, id })).status).toBe(404)
    const log = await rows<{ changes: string }>(
      'SELECT type, version, content AS changes FROM log_entries WHERE resource_id = ? ORDER BY number',
      id,
    )
    const replaced = { before: { rate: '3' }, after: { rate: '4' } }
    expect(log.slice(1)).toEqual([
      { type: 'systemRate.updated', version: 3, changes: JSON.stringify(replaced) },
      { type: 'systemRate.deleted', version: null, changes: expect.stringContaining('"rate":"4"') },
    ])
  })

  it('are not deleted by the id of an own rate', async () => {
    const admin = await newAdmin()
    const { id } = await ok(createExchangeRate, { as: admin, json: good })
    expect((await call(deleteSystemRate, { as: admin, id })).status).toBe(404)
    expect((await call(getExchangeRate, { as: admin, id })).status).toBe(200)
  })

  it('are in the hands of administrators alone', async () => {
    const me = await newUser()
    const id = await addSystem('EUR', 'USD', '2026-11-20', '1.1')
    expect((await call(listSystemRates, { as: me })).status).toBe(403)
    expect((await post(me, [good])).status).toBe(403)
    expect((await call(deleteSystemRate, { as: me, id })).status).toBe(403)
    expect((await call(refreshSystemRates, { as: me })).status).toBe(403)
    expect((await call(listSystemRates, {})).status).toBe(401)
  })
})

describe('asking for a refresh', () => {
  it('stores a task in the same commit, and answers before it is done', async () => {
    const admin = await newAdmin()
    const answer = await call(refreshSystemRates, { as: admin })
    expect(answer.status).toBe(202)
    const tasks = await rows(
      "SELECT kind, payload FROM tasks WHERE created_by = ? AND kind = 'exchangeRates.fetch'",
      admin.id,
    )
    expect(tasks).toEqual([{ kind: 'exchangeRates.fetch', payload: '{}' }])
  })

  it('is a conflict where no source is configured', async () => {
    const admin = await newAdmin()
    const service = serviceWith({ env: { EXCHANGE_RATES_URL: '' } })
    const answer = await service.call<unknown>(refreshSystemRates, { as: admin })
    expect([answer.status, answer.error.code]).toEqual([409, 'exchangeRates.noSource'])
    expect(await rows('SELECT 1 FROM tasks WHERE created_by = ?', admin.id)).toEqual([])
  })

  it.each(['x', 'ftp://ecb.example/rates', 'https://'])('takes no source like %j', (address) => {
    expect(() => settingsOf({ ...env, EXCHANGE_RATES_URL: address })).toThrow('not configured')
  })
})

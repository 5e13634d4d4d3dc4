import { describe, expect, it } from 'vitest'
import {
  listCurrencies,
  getCurrency,
  getOwnCurrencies,
  changeBaseCurrency,
  setOwnCurrencies,
} from '../../../src/areas/money/currencies/currencies.routes.ts'
import { getProfile } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { CURRENCIES } from '../../../src/domain/currency.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'

const choose = (as: Principal, currencies: string[]) =>
  ok(setOwnCurrencies, { as, json: { currencies } })

const marks = ({ currencies }: { currencies: Record<string, unknown>[] }) =>
  currencies.map((one) => {
    const set = Object.entries(one).filter(([key, value]) => value === true && key !== 'active')
    return [one['code'], ...set.map(([key]) => key)].join(' ')
  })

describe('the list of currencies', () => {
  it('is that of ISO 4217, with the digits of each', async () => {
    const me = await newUser()
    const answer = await call(listCurrencies, { as: me })
    expect(answer.body.count).toBe(CURRENCIES.length)
    expect(answer.body.currencies).toEqual(
      CURRENCIES.map((one) => ({ ...one, succeededBy: one.succeededBy ?? null })),
    )
    expect(costOf(answer.headers).trips).toBe(1)
    const digits = new Map(
      answer.body.currencies.map(({ code, minorDigits }) => [code, minorDigits]),
    )
    expect(['JPY', 'KRW', 'EUR', 'HUF', 'KWD', 'CLF'].map((code) => digits.get(code))).toEqual([
      0, 0, 2, 2, 3, 4,
    ])
  })

  it('narrows to those that are used, or withdrawn', async () => {
    const me = await newUser()
    const codes = async (active: string) => {
      const { currencies } = await ok(listCurrencies, { as: me, query: { active } })
      expect(currencies.every((one) => String(one.active) === active)).toBe(true)
      return currencies.map(({ code }) => code)
    }
    const [active, withdrawn] = [await codes('true'), await codes('false')]
    expect(withdrawn).toContain('HRK')
    expect(active).toContain('EUR')
    expect([...active, ...withdrawn].toSorted()).toEqual(CURRENCIES.map(({ code }) => code))
    const refused = await call(listCurrencies, { as: me, query: { active: 'yes' } })
    expect([refused.status, refused.error.field]).toEqual([400, 'active'])
  })

  it('has one currency by its code, also a withdrawn one', async () => {
    const me = await newUser()
    const one = async (code: string) => await call(getCurrency, { as: me, path: { code } })
    expect((await one('KWD')).body).toEqual({
      code: 'KWD',
      name: 'Kuwaiti Dinar',
      symbol: 'KWD',
      minorDigits: 3,
      succeededBy: null,
      active: true,
    })
    expect((await one('HRK')).body.active).toBe(false)
    for (const code of ['XXX', 'eur', 'EURO', '€', '__proto__', 'x'.repeat(5000)]) {
      const answer = await one(code)
      expect([answer.status, answer.error.code], code).toEqual([404, 'currencies.notFound'])
    }
  })

  it('is for those who are signed in and permitted', async () => {
    const me = await newUser()
    await rows('DELETE FROM user_roles WHERE user_id = ?', me.id)
    for (const route of [listCurrencies, getOwnCurrencies]) {
      expect((await call(route, {})).status).toBe(401)
      expect((await call(route, { as: me })).status).toBe(403)
    }
    expect((await call(getCurrency, { as: me, path: { code: 'x' } })).status).toBe(403)
    const json = { currencies: ['EUR', 'EUR'] }
    expect((await call(setOwnCurrencies, { as: me, json })).status).toBe(403)
    expect((await call(changeBaseCurrency, { as: me, json: { currency: 'EUR' } })).status).toBe(403)
  })
})

describe('the own currencies', () => {
  it('are the chosen ones in order, then those of open accounts, and the base wherever it is', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    expect(marks(await ok(getOwnCurrencies, { as: me }))).toEqual(['EUR base'])
    await newAccount(me, { currency: 'USD' })
    await newAccount(me, { currency: 'CHF' })
    await newAccount(me, { currency: 'USD' })
    const closed = await newAccount(me, { currency: 'GBP' })
    await rows("UPDATE accounts SET status = 'closed' WHERE id = ?", closed.id)
    await newAccount(await newUser(), { currency: 'SEK' })
    expect(marks(await ok(getOwnCurrencies, { as: me }))).toEqual([
      'CHF inUse',
      'EUR base',
      'USD inUse',
    ])
    const after = await choose(me, ['JPY', 'USD'])
    expect(marks(after)).toEqual(['JPY chosen', 'USD chosen inUse', 'CHF inUse', 'EUR base'])
    expect(after).toMatchObject({ baseCurrency: 'EUR', count: 4, version: 2 })
    const { body, headers } = await call(getOwnCurrencies, { as: me })
    expect([body, costOf(headers).trips]).toEqual([after, 1])
    expect(marks(await choose(me, ['EUR']))[0]).toBe('EUR base chosen')
    expect(marks(await choose(me, []))).toEqual(['CHF inUse', 'EUR base', 'USD inUse'])
  })

  it('are another list for another user, and logged with both images', async () => {
    const [me, other] = [await newUser(), await newUser()]
    await choose(me, ['JPY'])
    await choose(me, ['KRW', 'JPY'])
    expect(marks(await ok(getOwnCurrencies, { as: other }))).toEqual(['EUR base'])
    const log = await rows<{ changes: string }>(
      "SELECT content AS changes FROM log_entries WHERE owner_id = ? AND type = 'currencies.chosen' ORDER BY number",
      me.id,
    )
    expect(log.map(({ changes }) => JSON.parse(changes))).toEqual([
      { before: { currencies: [] }, after: { currencies: ['JPY'] } },
      { before: { currencies: ['JPY'] }, after: { currencies: ['KRW', 'JPY'] } },
    ])
  })

  it.each([
    ['a withdrawn one', ['HRK'], 'request.invalid', 'currencies.0'],
    ['one that is none', ['EUR', 'XXX'], 'request.invalid', 'currencies.1'],
    ['one twice', ['EUR', 'USD', 'EUR'], 'currencies.repeated', 'currencies.2'],
    ['too many', Array.from({ length: 500 }, () => 'EUR'), 'request.invalid', 'currencies'],
  ])('refuse %s', async (_, currencies, code, field) => {
    const me = await newUser()
    const answer = await call(setOwnCurrencies, { as: me, json: { currencies } })
    expect([answer.status, answer.error.code, answer.error.field]).toEqual([400, code, field])
    expect((await ok(getOwnCurrencies, { as: me })).version).toBe(1)
  })

  it('change only as they were seen, and by one of two at the same moment', async () => {
    const me = await newUser()
    const first = (await call(getOwnCurrencies, { as: me })).headers.get('ETag') ?? ''
    const put = (code: string, headers = {}) =>
      call(setOwnCurrencies, { as: me, json: { currencies: [code] }, headers })
    expect((await put('JPY', { 'If-Match': first })).status).toBe(200)
    expect((await put('USD', { 'If-Match': first })).status).toBe(412)
    const service = serviceWith({ meanwhile: () => put('CHF') })
    const json = { currencies: ['GBP'] }
    const late = await service.call<{ code: string }>(setOwnCurrencies, { as: me, json })
    expect([late.status, late.error.code]).toEqual([409, 'request.conflict'])
    expect(marks(await ok(getOwnCurrencies, { as: me }))[0]).toBe('CHF chosen')
  })
})

describe('the base currency', () => {
  it('is another one at once, in the profile too, and no amount changes', async () => {
    const me = await newUser({ baseCurrency: 'EUR' })
    await newAccount(me, { currency: 'EUR', openingBalance: '12.30' })
    const before = await rows('SELECT * FROM account_balances')
    const { version } = await ok(getProfile, { as: me })
    const changed = await call(changeBaseCurrency, { as: me, json: { currency: 'KWD' } })
    expect(changed.status).toBe(200)
    expect(marks(changed.body)).toEqual(['EUR inUse', 'KWD base'])
    expect(costOf(changed.headers).trips).toBe(2)
    expect(await ok(getProfile, { as: me })).toMatchObject({
      baseCurrency: 'KWD',
      version: version + 1,
    })
    expect(await rows('SELECT * FROM account_balances')).toEqual(before)
    const log = await rows<{ changes: string }>(
      "SELECT content AS changes FROM log_entries WHERE owner_id = ? AND type = 'user.updated'",
      me.id,
    )
    expect(log).toEqual([
      { changes: '{"before":{"baseCurrency":"EUR"},"after":{"baseCurrency":"KWD"}}' },
    ])
  })

  it.each(['HRK', 'XXX', 'eur', ''])('cannot be %j', async (currency) => {
    const answer = await call(changeBaseCurrency, { as: await newUser(), json: { currency } })
    expect([answer.status, answer.error.field]).toEqual([400, 'currency'])
  })

  it('is changed by the first of two at the same moment, and once for an Idempotency-Key', async () => {
    const me = await newUser()
    const change = (currency: string, headers = {}) =>
      call(changeBaseCurrency, { as: me, json: { currency }, headers })
    const service = serviceWith({ meanwhile: () => change('CHF') })
    const json = { currency: 'GBP' }
    const late = await service.call<{ code: string }>(changeBaseCurrency, { as: me, json })
    expect([late.status, late.error.code]).toEqual([409, 'currencies.baseChanged'])
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await change('JPY', headers)
    await change('SEK')
    const again = await change('JPY', headers)
    expect([again.text, again.headers.get('Idempotency-Replayed')]).toEqual([first.text, 'true'])
    expect((await ok(getProfile, { as: me })).baseCurrency).toBe('SEK')
  })
})

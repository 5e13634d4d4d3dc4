import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  checkBalanceAssertions,
  deleteBalanceAssertion,
  getBalanceAssertion,
  listBalanceAssertions,
} from '../../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, refusal, tripsOf } from '../transactions/booking.ts'
import { dropTransaction } from '../trash/trashing.ts'
import { assert, assertionsOf, checkOf, tryToAssert } from './asserting.ts'

const DAY = { date: '2026-03-31', amount: '0' }

describe('stating what an account held', () => {
  it('answers with what was stated, and can be deleted', async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingBalance: '-20', openingDate: '2026-01-01' })
    const made = await assert(me, account, { ...DAY, amount: '-20.5', tolerance: '1', note: 'May' })
    expect(made).toMatchObject({
      ...{ accountId: account.id, date: '2026-03-31', when: 'endOfDay', of: 'balance' },
      ...{ currency: 'EUR', amount: '-20.50', tolerance: '1.00', source: 'user', note: 'May' },
      ...{ createdBy: me.id, version: 1 },
      result: { ok: true, actual: '-20.00', difference: '0.50' },
    })
    expect(await ok(getBalanceAssertion, { as: me, id: made.id })).toEqual(made)
    await ok(deleteBalanceAssertion, { as: me, id: made.id })
    const gone = [
      await call(getBalanceAssertion, { as: me, id: made.id }),
      await call(deleteBalanceAssertion, { as: me, id: made.id }),
    ]
    expect(gone.map(refusal)).toEqual([
      [404, 'assertions.notFound'],
      [404, 'assertions.notFound'],
    ])
    const told = await rows<{ type: string; accountId: string }>(
      'SELECT type, account_id AS accountId FROM log_entries WHERE resource_id = ? ORDER BY number',
      made.id,
    )
    expect(told).toEqual([
      { type: 'assertion.created', accountId: account.id },
      { type: 'assertion.deleted', accountId: account.id },
    ])
  })

  it('gives the first one again, and refuses another amount', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const first = await tryToAssert(me, account, DAY)
    const again = await tryToAssert(me, account, { ...DAY, note: 'Once more' })
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual(first.body)
    const taken = await tryToAssert(me, account, { ...DAY, amount: '1' })
    expect(refusal(taken)).toEqual([409, 'assertions.taken', 'amount'])
    const { id } = 'id' in first.body ? first.body : account
    expect(taken.error.error).toContain(`the balance assertion ${id} for this day`)
    expect(taken.headers.get('Location')).toBe(`/balance-assertion/${id}`)
    for (const other of [{ when: 'startOfDay' }, { of: 'cleared' }] as const) {
      expect((await tryToAssert(me, account, { ...DAY, amount: '1', ...other })).status).toBe(201)
    }
  })

  it('refuses two at once but one', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const both = await Promise.all(
      ['1', '2'].map((amount) => tryToAssert(me, account, { ...DAY, amount })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(await assertionsOf(me, account)).toHaveLength(1)
  })

  it.each([
    [{ date: '2999-01-01' }, [400, 'request.invalid', 'date']],
    [{ date: '2200-01-01' }, [400, 'assertions.dateInFuture', 'date']],
    [{ date: '1900-01-01', when: 'startOfDay' }, [400, 'calendar.outOfRange']],
    [{ amount: '1.234' }, [400, 'money.tooManyDigits', 'amount']],
    [{ amount: '99999999999999999999' }, [400, 'money.outOfRange', 'amount']],
    [{ tolerance: '-1' }, [400, 'money.negative', 'tolerance']],
    [{ tolerance: '0.001' }, [400, 'money.tooManyDigits', 'tolerance']],
  ] as const)('refuses %o', async (wrong, expected) => {
    const me = await newUser()
    const account = await newAccount(me)
    expect(refusal(await tryToAssert(me, account, { ...DAY, ...wrong }))).toEqual(expected)
    expect(await assertionsOf(me, account)).toEqual([])
  })

  it('keeps the currency of the account', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await assert(me, account, DAY)
    const refused = await call(updateAccount, { as: me, id: account.id, json: { currency: 'JPY' } })
    expect(refusal(refused)).toEqual([409, 'accounts.currencyFixed', 'currency'])
  })
})

describe('what others see', () => {
  it('who sees the account reads, who may book on it states, and nobody else learns of it', async () => {
    const [me, viewer] = [await newUser(), await newUser()]
    const [writer, stranger] = [await newUser(), await newUser()]
    const account = await newAccount(me)
    await share(me, account, viewer)
    await share(me, account, writer, { permission: 'write' })
    const { id } = await assert(writer, account, DAY)
    expect(await assertionsOf(viewer, account)).toMatchObject([{ id, createdBy: writer.id }])
    expect(refusal(await tryToAssert(viewer, account, { ...DAY, of: 'cleared' }))).toEqual([
      ...[403, 'auth.rightNeeded'],
    ])
    expect(refusal(await call(deleteBalanceAssertion, { as: viewer, id }))).toEqual([
      ...[403, 'auth.rightNeeded'],
    ])
    expect(refusal(await tryToAssert(stranger, account, DAY))).toEqual([
      ...[400, 'assertions.unknownAccount', 'accountId'],
    ])
    expect((await call(getBalanceAssertion, { as: stranger, id })).status).toBe(404)
    expect(await assertionsOf(stranger, account)).toEqual([])
    const json = { accountId: account.id }
    expect(refusal(await call(checkBalanceAssertions, { as: stranger, json }))).toEqual([
      ...[400, 'assertions.unknownAccount', 'accountId'],
    ])
    expect(await ok(checkBalanceAssertions, { as: stranger, json: {} })).toEqual({
      ...{ accounts: [], count: 0 },
    })
    const { token } = await ok(createAccessToken, {
      as: me,
      json: {
        ...{ name: 'Other', scopes: ['balanceAssertions.read'] },
        ...{ accountIds: [(await newAccount(me)).id] },
      },
    })
    const other = { accessToken: token }
    expect((await call(getBalanceAssertion, { as: other, id })).status).toBe(404)
    expect((await call(deleteBalanceAssertion, { as: writer, id })).status).toBe(200)
  })

  it('does not tell whether it holds where a private row is in the sum', async () => {
    const [me, viewer] = [await newUser(), await newUser()]
    const account = await newAccount(me)
    await share(me, account, viewer, { permission: 'write' })
    await book(me, account, { date: '2026-03-10', amount: '7', private: true })
    const before = await assert(me, account, { ...DAY, date: '2026-03-10', when: 'startOfDay' })
    const balance = await assert(me, account, DAY)
    const cleared = await assert(me, account, { ...DAY, of: 'cleared' })
    expect([before, balance, cleared].map(({ result }) => result.ok)).toEqual([true, false, true])
    const seen = await assertionsOf(viewer, account)
    const results = new Map(seen.map(({ id, result }) => [id, result]))
    expect([before, balance, cleared].map(({ id }) => results.get(id))).toEqual([
      before.result,
      { ok: null, actual: null, difference: null },
      cleared.result,
    ])
    for (const isOk of [true, false]) {
      const ids = (await assertionsOf(viewer, account, { ok: isOk })).map(({ id }) => id)
      expect(ids).not.toContain(balance.id)
    }
    const own = await assert(viewer, account, { ...DAY, date: '2026-03-30' })
    expect(own.result).toEqual({ ok: null, actual: null, difference: null })
    expect(await checkOf(viewer, account)).toMatchObject({ failed: 0, firstFailing: null })
    expect(await checkOf(me, account)).toMatchObject({ failed: 2 })
  })
})

describe('the list', () => {
  it('is read in pages by account and days, in one trip', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const days = ['2026-01-31', '2026-02-28', '2026-03-31']
    for (const date of days) {
      await assert(me, one, { date, amount: date === '2026-02-28' ? '5' : '0' })
    }
    await assert(me, two, { date: '2026-02-28', amount: '0' })
    const query = { from: '2026-02-01', through: '2026-03-01' }
    expect(await ok(listBalanceAssertions, { as: me, query })).toMatchObject({ count: 2 })
    const first = await call(listBalanceAssertions, {
      ...{ as: me, query: { accountId: one.id, limit: 2 } },
    })
    expect(tripsOf(first)).toBe(1)
    const { nextCursor, count, balanceAssertions } = first.body
    expect([count, balanceAssertions.map(({ date }) => date)]).toEqual([
      3,
      ['2026-03-31', '2026-02-28'],
    ])
    const rest = await ok(listBalanceAssertions, {
      ...{ as: me, query: { accountId: one.id, limit: 2, cursor: nextCursor ?? '' } },
    })
    expect(rest.balanceAssertions.map(({ date }) => date)).toEqual(['2026-01-31'])
    const wrong = await ok(listBalanceAssertions, { as: me, query: { ok: 'false' } })
    expect(wrong).toMatchObject({ count: 1, balanceAssertions: [{ date: '2026-02-28' }] })
  })
})

/** Suspects are newer than what they break; a fast machine does both in one millisecond. */
function untilNextInstant(): void {
  const now = Date.now()
  while (Date.now() === now) {
    // Less than a millisecond.
  }
}

describe('suspects', () => {
  it('are what moved the sum: days, statuses and rows that came from elsewhere', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const moved = await book(me, account, { date: '2026-04-02', amount: '1', status: 'cleared' })
    const cleared = await book(me, account, { date: '2026-03-02', amount: '2' })
    const come = await book(me, other, { date: '2026-03-03', amount: '4', status: 'cleared' })
    await assert(me, account, { ...DAY, of: 'cleared' })
    untilNextInstant()
    expect((await change(me, moved, { date: '2026-03-31' })).status).toBe(200)
    expect((await change(me, cleared, { status: 'cleared' })).status).toBe(200)
    expect((await change(me, come, { accountId: account.id })).status).toBe(200)
    const pending = await book(me, account, { date: '2026-03-04', status: 'uncleared' })
    const checked = await checkOf(me, account)
    expect(checked.suspects.map(({ id, moved: what }) => [id, what])).toEqual([
      [come.id, '-4.00'],
      [cleared.id, '-2.00'],
      [moved.id, '-1.00'],
    ])
    expect(checked.suspects.map(({ id }) => id)).not.toContain(pending.id)
    expect(checked).toMatchObject({ lastOk: null, explained: true })
  })

  it('do not explain what left the books', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const row = await book(me, account, { date: '2026-03-02', amount: '2' })
    await assert(me, account, { ...DAY, amount: '-2' })
    await dropTransaction(me, row)
    expect(await checkOf(me, account)).toMatchObject({ failed: 1, suspects: [], explained: false })
  })

  it('leave out what is private to others', async () => {
    const [me, viewer] = [await newUser(), await newUser()]
    const account = await newAccount(me)
    await share(me, account, viewer, { permission: 'write' })
    await assert(me, account, DAY)
    untilNextInstant()
    await book(viewer, account, { date: '2026-03-02', amount: '2', private: true })
    const checked = await checkOf(viewer, account)
    expect(checked).toMatchObject({ failed: 1, suspects: [{ moved: '-2.00' }], explained: true })
  })
})

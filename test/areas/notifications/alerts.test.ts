import { describe, expect, it } from 'vitest'
import {
  getAccountAlert,
  setAccountAlert,
} from '../../../src/areas/money/accounts/alerts/alerts.routes.ts'
import { deleteAccount, updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { deleteShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { share } from '../sharing/sharing.ts'
import { balanceOf, book, change, refusal } from '../transactions/booking.ts'
import { alertOf, alertsRead, listed, news, setAlert } from './notifications.fixtures.ts'

const OPENED = { openingBalance: '120.00', openingDate: '2026-01-01' }

const listeners = ({ id }: { id: string }) =>
  rows("SELECT reader FROM log_listeners WHERE owner_id = ? AND reader = 'accounts.alerts'", id)

async function couple(permission: 'view' | 'write' = 'view') {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner, OPENED)
  const given = await share(owner, account, friend, { permission })
  return { owner, friend, account, given }
}

describe('an alert for a low balance', () => {
  it('tells once when the balance falls below its limit, and again after it was at or above it', async () => {
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    await setAlert(me, account, { below: '100.00' })
    const shown = []
    for (const [kind, amount] of [
      ['expense', '15.00'],
      ['expense', '10.00'],
      ['expense', '20.00'],
      ['income', '30.00'],
      ['expense', '5.01'],
    ] as const) {
      await book(me, account, { kind, amount })
      shown.push([await balanceOf(me, account), ...(await news(me))])
    }
    expect(shown).toEqual([
      ['105.00'],
      ['95.00', 'account.balanceLow'],
      ['75.00'],
      ['105.00'],
      ['99.99', 'account.balanceLow'],
    ])
  })

  it('tells nothing of a balance that was low before, and follows a new limit', async () => {
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    await setAlert(me, account, { below: '200.00' })
    await book(me, account, { amount: '1.00' })
    expect(await news(me)).toEqual([])
    await setAlert(me, account, { below: '100.00' })
    await book(me, account, { amount: '19.00' })
    expect(await news(me)).toEqual([])
    await book(me, account, { amount: '0.01' })
    expect(await news(me)).toEqual(['account.balanceLow'])
    expect(await listed(me)).toMatchObject([
      { resourceType: 'account', resourceId: account.id, accountId: account.id, facts: {} },
    ])
  })

  it('can have a limit below zero', async () => {
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    await setAlert(me, account, { below: '-100.00' })
    await book(me, account, { amount: '220.00' })
    expect(await news(me)).toEqual([])
    await book(me, account, { amount: '0.01' })
    expect(await news(me)).toEqual(['account.balanceLow'])
  })

  it('follows transfers, edits, deletions and opening balances', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me, OPENED), await newAccount(me, OPENED)]
    await setAlert(me, account, { below: '100.00' })
    const move = { fromAccountId: account.id, toAccountId: other.id, date: '2026-02-01' }
    const moved = await ok(createTransfer, { as: me, json: { ...move, amount: '50.00' } })
    expect(await news(me)).toEqual(['account.balanceLow'])
    await ok(createTransfer, {
      as: me,
      json: { ...move, fromAccountId: other.id, toAccountId: account.id, amount: '50.00' },
    })
    const booked = await book(me, account, { amount: '10.00' })
    expect(await news(me)).toEqual([])
    expect((await change(me, booked, { amount: '40.00' })).status).toBe(200)
    expect(await news(me)).toEqual(['account.balanceLow'])
    expect(moved.id).toMatch(/^trf_/)
    await ok(updateAccount, { as: me, id: account.id, json: { openingBalance: '200.00' } })
    expect(await news(me)).toEqual([])
    await ok(updateAccount, { as: me, id: account.id, json: { openingBalance: '139.99' } })
    expect(await news(me)).toEqual(['account.balanceLow'])
  })
})

describe('an alert for large expenses', () => {
  it('tells of each expense of more than its limit once, whoever books it and however', async () => {
    const { owner, friend, account } = await couple('write')
    await setAlert(owner, account, { above: '50.00' })
    await book(owner, account, { amount: '50.00' })
    await book(owner, account, { amount: '500.00', kind: 'income' })
    expect(await news(owner)).toEqual([])
    const first = await book(friend, account, { amount: '50.01' })
    expect(await news(owner)).toEqual(['transaction.large'])
    expect(await listed(owner)).toMatchObject([
      { resourceType: 'transaction', resourceId: first.id, accountId: account.id, facts: {} },
    ])
    const line = { kind: 'expense', accountId: account.id, date: '2026-02-01' } as const
    await ok(createTransactions, {
      as: owner,
      json: { transactions: ['60.00', '40.00', '70.00'].map((amount) => ({ ...line, amount })) },
    })
    expect(await news(owner)).toEqual(['transaction.large', 'transaction.large'])
  })

  it('tells of one that is private no longer', async () => {
    const { owner, friend, account } = await couple()
    await setAlert(friend, account, { above: '50.00' })
    const gift = await book(owner, account, { amount: '80.00', private: true })
    expect(await news(friend)).toEqual([])
    await change(owner, gift, { private: false })
    expect(await news(friend)).toEqual(['transaction.large'])
  })

  it('tells of one that becomes large, and not again when it is changed', async () => {
    const me = await newUser()
    const account = await newAccount(me, OPENED)
    const old = await book(me, account, { amount: '80.00' })
    await setAlert(me, account, { above: '50.00' })
    await change(me, old, { note: 'as it was' })
    const small = await book(me, account, { amount: '10.00' })
    expect(await news(me)).toEqual([])
    await change(me, small, { amount: '90.00' })
    expect(await news(me)).toEqual(['transaction.large'])
    for (const amount of ['100.00', '10.00', '90.00']) {
      await change(me, small, { amount })
    }
    expect(await news(me)).toEqual([])
  })
})

describe('an alert', () => {
  it('is shown to whoever set it alone, and ends with both limits', async () => {
    const { owner, friend, account } = await couple()
    const limits = { below: '100.00', above: '500.00' }
    const shown = { accountId: account.id, currency: 'EUR', ...limits }
    expect(await setAlert(friend, account, limits)).toEqual(shown)
    expect(await alertOf(friend, account)).toEqual(shown)
    expect(await alertOf(owner, account)).toEqual({ ...shown, below: null, above: null })
    expect(await listeners(owner)).toHaveLength(1)
    expect(await listeners(friend)).toEqual([])
    await book(owner, account, { amount: '30.00' })
    expect([await news(owner), await news(friend)]).toEqual([[], ['account.balanceLow']])
    expect(await setAlert(friend, account)).toMatchObject({ below: null, above: null })
    expect(await listeners(owner)).toEqual([])
  })

  it('tells nothing of an account that is not shared any more, nor of what was told before', async () => {
    const { owner, friend, account, given } = await couple()
    await setAlert(friend, account, { below: '100.00', above: '50.00' })
    await book(owner, account, { amount: '60.00' })
    await alertsRead()
    expect((await listed(friend)).map(({ kind }) => kind).toSorted()).toEqual([
      'account.balanceLow',
      'transaction.large',
    ])
    await ok(deleteShare, { as: owner, id: given.id })
    expect(await listed(friend)).toEqual([])
    await book(owner, account, { amount: '60.00', kind: 'income' })
    await book(owner, account, { amount: '61.00' })
    expect(await news(friend)).toEqual([])
    expect(await rows('SELECT 1 FROM notifications WHERE user_id = ?', friend.id)).toHaveLength(2)
  })

  it('works through a group, until the share ends by itself', async () => {
    const [owner, member] = [await newUser(), await newUser()]
    const account = await newAccount(owner, OPENED)
    const groupId = await storeGroup([
      [owner, 'owner'],
      [member, 'viewer'],
    ])
    const shareId = await storeShare(account.id, { groupId })
    await setAlert(member, account, { below: '100.00' })
    await book(owner, account, { amount: '30.00' })
    expect(await news(member)).toEqual(['account.balanceLow'])
    await rows('UPDATE shares SET expires_at = 1 WHERE id = ?', shareId)
    await book(owner, account, { amount: '30.00', kind: 'income' })
    await book(owner, account, { amount: '30.00' })
    expect([await news(member), await listed(member)]).toEqual([[], []])
  })

  it('says nothing of private transactions of others, beside the balance that everybody sees', async () => {
    const { owner, friend, account } = await couple()
    await setAlert(friend, account, { below: '100.00', above: '10.00' })
    await setAlert(owner, account, { above: '10.00' })
    await book(owner, account, { amount: '15.00', private: true })
    expect([await news(owner), await news(friend)]).toEqual([['transaction.large'], []])
    await book(owner, account, { amount: '9.00', private: true })
    expect(await news(friend)).toEqual(['account.balanceLow'])
    const told = await book(owner, account, { amount: '11.00' })
    expect(await news(friend)).toEqual(['transaction.large'])
    await change(owner, told, { private: true })
    expect((await listed(friend)).map(({ kind }) => kind)).toEqual(['account.balanceLow'])
  })

  it('goes with its account, and with the currency that its amounts are in', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    await setAlert(me, account, { below: '1.00' })
    await ok(updateAccount, { as: me, id: account.id, json: { currency: 'USD' } })
    expect(await alertOf(me, account)).toMatchObject({ currency: 'USD', below: null })
    await setAlert(me, account, { below: '1.00' })
    await ok(deleteAccount, { as: me, id: account.id })
    expect((await call(setAccountAlert, { as: me, id: account.id, json: NONE })).status).toBe(404)
  })

  it('comes back with its account out of a backup, and tells again once the balance was higher', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const account = await newAccount(me, OPENED)
    const limits = { below: '100.00', above: '50.00' }
    await setAlert(me, account, limits)
    await setAlert(other, await newAccount(other), limits)
    await book(me, account, { amount: '40.00' })
    const heir = await newUser()
    expect((await restored(heir, (await backedUp(me)).archive)).state).toBe('done')
    const [twin] = await rows<{ id: string }>('SELECT id FROM accounts WHERE owner_id = ?', heir.id)
    const found = { id: twin?.id ?? '' }
    expect(await alertOf(heir, found)).toMatchObject(limits)
    expect(await listeners(heir)).toHaveLength(1)
    await book(heir, found, { amount: '1.00' })
    expect(await news(heir)).toEqual([])
    await book(heir, found, { amount: '30.00', kind: 'income' })
    await alertsRead()
    await book(heir, found, { amount: '55.00' })
    expect((await news(heir)).toSorted()).toEqual(['account.balanceLow', 'transaction.large'])
  })

  it.each([
    ['more decimals', { below: '1.001', above: null }, [400, 'money.tooManyDigits', 'below']],
    ['a negative amount above', { below: null, above: '-1' }, [400, 'request.invalid', 'above']],
    ['one limit alone', { below: '1' }, [400, 'request.invalid', 'above']],
  ])('is refused with %s', async (_, json, refused) => {
    const me = await newUser()
    const account = await newAccount(me)
    const answer = await call(setAccountAlert, { as: me, id: account.id, json: json as never })
    expect(refusal(answer)).toEqual(refused)
  })

  it('is for nobody who does not see the account', async () => {
    const [me, other] = [await newUser(), await newUser()]
    const account = await newAccount(me)
    const answer = await call(setAccountAlert, { as: other, id: account.id, json: NONE })
    expect(refusal(answer)).toEqual([404, 'accounts.notFound'])
    const read = await call(getAccountAlert, { as: other, id: account.id })
    expect(refusal(read)).toEqual([404, 'accounts.notFound'])
  })
})

const NONE = { below: null, above: null }

import { describe, expect, it } from 'vitest'
import { createExchangeRate } from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import {
  getGroupSummary,
  listGroupAccounts,
  leaveGroup,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { newHousehold } from './groups.ts'

const accountsOf = async (as: Principal, id: string) =>
  (await ok(listGroupAccounts, { as, id })).accounts.map((account) => [
    account.id,
    account.permission,
  ])

const opening = (openingBalance: string) => ({ openingBalance, openingDate: '2026-01-01' })

describe('what is shared with a group', () => {
  it('is listed to each member with its right, and is nothing else', async () => {
    const { id, owner, member, viewer } = await newHousehold()
    const mine = await newAccount(owner)
    const theirs = await newAccount(member)
    await newAccount(viewer)
    await storeShare(mine.id, { groupId: id }, 'manage')
    await storeShare(theirs.id, { groupId: id }, 'write')
    expect(new Map((await accountsOf(member, id)) as [string, string][])).toEqual(
      new Map([
        [mine.id, 'manage'],
        [theirs.id, 'owner'],
      ]),
    )
    expect((await accountsOf(viewer, id)).map(([, right]) => right)).toEqual(['view', 'view'])
    const listed = await call(listGroupAccounts, { as: viewer, id })
    expect([listed.body.count, tripsOf(listed)]).toEqual([2, 1])
  })

  it('is nothing for whoever is not in it, and for a token for some accounts', async () => {
    const { id, owner, member } = await newHousehold()
    const account = await newAccount(owner)
    await storeShare(account.id, { groupId: id })
    const token = await giveToken(owner, ['groups.read'], [account.id])
    const stranger = await newUser()
    await ok(leaveGroup, { as: member, id })
    for (const as of [stranger, member, token]) {
      for (const route of [listGroupAccounts, getGroupSummary]) {
        expect(refusal(await call(route, { as, id }))).toEqual([404, 'groups.notFound'])
      }
    }
  })

  it('ends with its time, and rests while the group is suspended, also for the account’s owner', async () => {
    const { id, owner, viewer } = await newHousehold()
    const [past, future] = [await newAccount(owner), await newAccount(owner)]
    await storeShare(past.id, { groupId: id }, 'view', 1)
    await storeShare(future.id, { groupId: id }, 'view', 9e15)
    for (const as of [owner, viewer]) {
      expect((await accountsOf(as, id)).map(([one]) => one)).toEqual([future.id])
    }
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', id)
    for (const as of [owner, viewer]) {
      expect(await accountsOf(as, id)).toEqual([])
      expect(await ok(getGroupSummary, { as, id })).toMatchObject({
        accountCount: 0,
        totalsByCurrency: [],
      })
    }
  })
})

describe('the summary of a group', () => {
  it('sums up what is shared with it only, per currency and in its own, by the caller’s rates', async () => {
    const { id, owner, member, viewer } = await newHousehold()
    const euro = await newAccount(owner, opening('100'))
    const dollars = await newAccount(member, { currency: 'USD', ...opening('10') })
    const card = await newAccount(member, { type: 'creditCard', ...opening('-30') })
    const far = await newAccount(member, { currency: 'PYG', type: 'otherAsset', ...opening('5') })
    const own = await newAccount(viewer, opening('7000'))
    for (const account of [euro, dollars, card, far]) {
      await storeShare(account.id, { groupId: id })
    }
    const rate = { from: 'USD', to: 'EUR', date: '2026-01-01', rate: '0.5' }
    await ok(createExchangeRate, { as: viewer, json: rate })
    const summary = await call(getGroupSummary, { as: viewer, id })
    expect([summary.status, tripsOf(summary)]).toEqual([200, 1])
    expect(summary.body).toMatchObject({
      currency: 'EUR',
      accountCount: 4,
      totals: {
        assets: '105.00',
        liabilities: '-30.00',
        netWorth: '75.00',
        budget: '75.00',
        offBudget: '0.00',
      },
      unconverted: [{ accountId: far.id, currency: 'PYG' }],
      ratesAsOf: '2026-01-01',
    })
    expect(summary.body.totalsByCurrency.map((one) => [one.currency, one.netWorth])).toEqual([
      ['EUR', '70.00'],
      ['PYG', '5'],
      ['USD', '10.00'],
    ])
    expect(summary.text).not.toContain(own.id)
    const inDollars = await ok(getGroupSummary, { as: viewer, id, query: { currency: 'USD' } })
    expect(inDollars.totals?.netWorth).toBe('150.00')
    const wrong = await call(getGroupSummary, { as: viewer, id, query: { currency: 'XXY' } })
    expect(refusal(wrong)).toEqual([400, 'request.invalid', 'currency'])
    // What counts in the receiver's own totals is another question.
    expect(await rows('SELECT 1 FROM account_choices WHERE user_id = ?', viewer.id)).toEqual([])
  })

  it('leaves closed accounts out, as the home page does', async () => {
    const { id, owner } = await newHousehold()
    const account = await newAccount(owner, opening('100'))
    await storeShare(account.id, { groupId: id })
    await rows("UPDATE accounts SET status = 'closed' WHERE id = ?", account.id)
    const summary = await ok(getGroupSummary, { as: owner, id })
    expect([summary.accountCount, summary.totals?.netWorth]).toEqual([0, '0.00'])
  })
})

import { updateProfile } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  createExchangeRate,
  deleteExchangeRate,
  updateExchangeRate,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import {
  createSystemRates,
  deleteSystemRate,
} from '../../../src/areas/money/exchange-rates/system/system.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  updateGroup,
  updateAnyGroup,
  leaveGroup,
  transferGroupOwner,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import {
  acceptShare,
  deleteShare,
  listReceivedShares,
  updateShare,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { join, newGroup } from '../groups/groups.ts'
import { share } from '../sharing/sharing.ts'
import { book, newCategory } from '../transactions/booking.ts'
import { newBudget } from './budgets.fixtures.ts'
import type { Row } from './checkpoint-scenes.fixtures.ts'
import { newCouple, shareWith, takeBack } from './household.fixtures.ts'
import { DAY, limit } from './watch-of-bookings.fixtures.ts'

const rate = (as: TestUser, wanted: { rate: string; date?: string; to?: string; from?: string }) =>
  ok(createExchangeRate, { as, json: { from: 'USD', to: 'EUR', date: '2026-11-01', ...wanted } })

let days = 0

/** Rates of the system between the euro and a currency, on a day of their own for each scene, as they are everybody's. */
async function ofSystem(currency: string, first?: string) {
  const { me, budget } = await limit({ currency, spent: '100.00' })
  const admin = await newAdmin()
  const date = `2026-10-${String(++days).padStart(2, '0')}`
  const send = (value: string) =>
    ok(createSystemRates, {
      as: admin,
      json: { replace: true, rates: [{ from: currency, to: 'EUR', date, rate: value }] },
    })
  const stored = first === undefined ? undefined : await send(first)
  const id = stored?.results[0]?.rate.id ?? ''
  const remove = () => ok(deleteSystemRate, { as: admin, id })
  return { me, budget, send, remove }
}

/** A group of Ada with Ben, and its budget of an account in dollars. */
async function ofGroup(currency: string, spent: string) {
  const ada = await newUser({ baseCurrency: 'EUR' })
  const group = await newGroup(ada)
  const ben = await join(group.id, ada, 'admin', await newUser({ baseCurrency: 'EUR' }))
  return { ada, ben, group, ...(await limit({ groupId: group.id, currency, spent }, ada)) }
}

/** Ben's budget over everything, and an account of Ada with 90.00 spent that the group of both shares. */
async function ofMember() {
  const { ada, ben, group, account } = await ofGroup('EUR', '90.00')
  const own = await newAccount(ben, { openingDate: '2026-01-01' })
  await book(ben, own, { amount: '1.00', date: DAY })
  const budget = await newBudget(ben, { mode: 'limit', policy: 'none', thresholds: [80] })
  const everything = { name: 'All', amount: '100.00', scope: { kind: 'everything' as const } }
  await ok(createBudgetLine, { as: ben, id: budget.id, json: everything })
  const { shares } = await ok(listReceivedShares, { as: ben })
  const include = (includeInTotals: boolean) =>
    ok(acceptShare, { as: ben, id: shares[0]?.id ?? '', json: { includeInTotals } })
  return { ada, me: ben, group, account, budget, own, include }
}

/** The same for what surrounds budgets: categories, rates, groups and shares. */
export const SURROUNDED: Row[] = [
  [
    'categories_update',
    'another parent',
    async () => {
      const { me, budget, line, spend } = await limit()
      const other = await newCategory(me)
      await spend('40.00', { categoryId: other.id })
      const json = { parentId: line.categoryId }
      return { me, budget, change: () => ok(updateCategory, { as: me, id: other.id, json }) }
    },
  ],
  [
    'categories_update',
    'a category of a member that is excluded no more',
    async () => {
      const couple = await newCouple()
      const { ada, ben, card, budget, essen } = couple
      const exclude = (excludeFromBudget: boolean) =>
        ok(updateCategory, { as: ben, id: essen.id, json: { excludeFromBudget } })
      await exclude(true)
      await book(ben, card, { amount: '500.00', date: DAY, categoryId: essen.id })
      return { me: ada, budget, change: () => exclude(false) }
    },
  ],
  [
    'exchange_rates_insert',
    'a rate',
    async () => {
      const { me, budget } = await limit({ currency: 'USD', spent: '100.00' })
      return { me, budget, change: () => rate(me, { rate: '0.9' }) }
    },
  ],
  [
    'exchange_rates_insert',
    'a rate of the owner of the group',
    async () => {
      const { ada, budget } = await ofGroup('USD', '100.00')
      return { me: ada, budget, change: () => rate(ada, { rate: '0.9' }) }
    },
  ],
  [
    'exchange_rates_update',
    'another rate',
    async () => {
      const { me, budget } = await limit({ currency: 'USD', spent: '100.00' })
      const { id } = await rate(me, { rate: '0.5' })
      const json = { rate: '0.9' }
      return { me, budget, change: () => ok(updateExchangeRate, { as: me, id, json }) }
    },
  ],
  [
    'exchange_rates_delete',
    'a rate that is deleted',
    async () => {
      const { me, budget } = await limit({ currency: 'USD', spent: '100.00' })
      await rate(me, { rate: '0.9' })
      const { id } = await rate(me, { rate: '0.5', date: '2026-11-02' })
      return { me, budget, change: () => ok(deleteExchangeRate, { as: me, id }) }
    },
  ],
  [
    'system_exchange_rates_insert',
    'a rate of the system',
    async () => {
      // Each is lower than the day before, or there is none.
      const { me, budget, send } = await ofSystem(days === 0 ? 'CHF' : 'NOK')
      return { me, budget, change: () => send('0.9') }
    },
  ],
  [
    'system_exchange_rates_update',
    'another rate of the system',
    async () => {
      const { me, budget, send } = await ofSystem('GBP', '0.5')
      return { me, budget, change: () => send('0.9') }
    },
  ],
  [
    'system_exchange_rates_delete',
    'a rate of the system that is deleted',
    async () => {
      await (await ofSystem('SEK', '0.9')).send('0.9')
      const { me, budget, remove } = await ofSystem('SEK', '0.5')
      return { me, budget, change: remove }
    },
  ],
  [
    'users_base',
    'another base currency',
    async () => {
      const { me, budget } = await limit({ currency: 'USD', spent: '100.00' })
      await rate(me, { to: 'JPY', rate: '150' })
      await rate(me, { from: 'JPY', rate: '0.006' })
      const json = { baseCurrency: 'JPY' }
      return { me, budget, change: () => ok(updateProfile, { as: me, json }) }
    },
  ],
  [
    'groups_update',
    'another base currency of the group',
    async () => {
      const { ada, budget, group } = await ofGroup('USD', '100.00')
      await rate(ada, { to: 'JPY', rate: '150' })
      await rate(ada, { from: 'JPY', rate: '0.006' })
      const json = { baseCurrency: 'JPY' }
      return { me: ada, budget, change: () => ok(updateGroup, { as: ada, id: group.id, json }) }
    },
  ],
  [
    'groups_update',
    'a group that is suspended no more',
    async () => {
      const { ada, budget, group } = await ofGroup('EUR', '90.00')
      const admin = await newAdmin()
      const suspend = (suspended: boolean) =>
        ok(updateAnyGroup, { as: admin, id: group.id, json: { suspended } })
      await suspend(true)
      return { me: ada, budget, change: () => suspend(false) }
    },
  ],
  [
    'group_members_update',
    'another owner of the group',
    async () => {
      const { ada, ben, budget, group } = await ofGroup('USD', '100.00')
      await rate(ben, { rate: '0.9' })
      const json = { userId: ben.id }
      const hand = () => ok(transferGroupOwner, { as: ada, id: group.id, json })
      return { me: ada, budget, change: hand }
    },
  ],
  [
    'group_members_insert',
    'somebody who joins a group again',
    async () => {
      const { ada, me, group, budget, include } = await ofMember()
      await include(true)
      await ok(leaveGroup, { as: me, id: group.id })
      return { me, budget, change: () => join(group.id, ada, 'member', me) }
    },
  ],
  [
    'group_members_delete',
    'somebody who leaves a group with refunds',
    async () => {
      const { ada, me, group, account, budget, own, include } = await ofMember()
      await include(true)
      const { id: categoryId } = await newCategory(ada)
      await book(ada, account, { kind: 'income', date: DAY, amount: '130.00', categoryId })
      await book(me, own, { date: DAY, amount: '89.00' })
      return { me, budget, change: () => ok(leaveGroup, { as: me, id: group.id }) }
    },
  ],
  [
    'shares_insert',
    'an account that is shared with the group',
    async () => {
      const { ada, group, budget, line } = await ofGroup('EUR', '50.00')
      const other = await newAccount(ada, { openingDate: '2026-01-01' })
      await book(ada, other, { date: DAY, amount: '40.00', categoryId: line.categoryId })
      return { me: ada, budget, change: () => shareWith(ada, other, group.id) }
    },
  ],
  [
    'shares_update',
    'a share that does not expire any more',
    async () => {
      const { ada, group, budget, line } = await ofGroup('EUR', '50.00')
      const other = await newAccount(ada, { openingDate: '2026-01-01' })
      await shareWith(ada, other, group.id)
      await book(ada, other, { date: DAY, amount: '40.00', categoryId: line.categoryId })
      await rows('UPDATE shares SET expires_at = 1 WHERE account_id = ?', other.id)
      const [share] = await rows<{ id: string }>(
        'SELECT id FROM shares WHERE account_id = ?',
        other.id,
      )
      const json = { expiresAt: null }
      return {
        me: ada,
        budget,
        change: () => ok(updateShare, { as: ada, id: share?.id ?? '', json }),
      }
    },
  ],
  [
    'budget_shares_insert',
    'the first share, which hides a private refund',
    async () => {
      const { me, budget, spend } = await limit({ spent: '90.00' })
      await spend('40.00', { kind: 'income', private: true })
      const friend = await newUser()
      return { me, budget, change: () => share(me, budget, friend, { resourceType: 'budget' }) }
    },
  ],
  [
    'budget_shares_delete',
    'the end of the last share, after which a private expense counts',
    async () => {
      const { me, budget, spend } = await limit({ spent: '50.00' })
      await spend('40.00', { private: true })
      const { id } = await share(me, budget, await newUser(), { resourceType: 'budget' })
      return { me, budget, change: () => ok(deleteShare, { as: me, id }) }
    },
  ],
  [
    'shares_delete',
    'an account with refunds that is not shared any more',
    async () => {
      const { ada, group, budget, line } = await ofGroup('EUR', '90.00')
      const other = await newAccount(ada, { openingDate: '2026-01-01' })
      await shareWith(ada, other, group.id)
      const { categoryId } = line
      await book(ada, other, { kind: 'income', date: DAY, amount: '40.00', categoryId })
      return { me: ada, budget, change: () => takeBack(ada, other) }
    },
  ],
  [
    'accounts_update',
    'an account that is on budget again',
    async () => {
      const { me, account, budget } = await limit({ spent: '90.00' })
      const set = (onBudget: boolean) =>
        ok(updateAccount, { as: me, id: account.id, json: { onBudget } })
      await set(false)
      return { me, budget, change: () => set(true) }
    },
  ],
  [
    'account_choices_insert',
    'a received account that counts in totals',
    async () => {
      const { me, budget, include } = await ofMember()
      return { me, budget, change: () => include(true) }
    },
  ],
  [
    'account_choices_update',
    'a received account that counts in totals again',
    async () => {
      const { me, budget, include } = await ofMember()
      await include(false)
      return { me, budget, change: () => include(true) }
    },
  ],
]

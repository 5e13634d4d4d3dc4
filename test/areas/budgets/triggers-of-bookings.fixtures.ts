import { updateProfile } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { updateCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import {
  deleteExchangeRate,
  updateExchangeRate,
} from '../../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import {
  createSystemRates,
  deleteSystemRate,
} from '../../../src/areas/money/exchange-rates/system/system.routes.ts'
import { mergePayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { updateGroup, transferGroupOwner } from '../../../src/areas/sharing/groups/groups.routes.ts'
import { ok } from '../../support/api.ts'
import { newAdmin, type TestUser } from '../../support/world.ts'
import { book, change, newCategory } from '../transactions/booking.ts'
import { newLine } from './budgets.fixtures.ts'
import { OLD, envelopes, limits, rate, ofGroup, type Row } from './checkpoint-scenes.fixtures.ts'

let days = 0

/** A rate of the system, in a currency of its own for each scene. */
const ofSystem = async (
  currency: string,
  scene: (as: TestUser, all: Sent) => Promise<() => Promise<unknown>>,
) => {
  const { me, budget } = await envelopes({ currency })
  const admin = await newAdmin()
  // A day of its own for each run, as these rates are everybody's.
  const date = `2025-02-${String(++days).padStart(2, '0')}`
  const sent = (value: string, replace = false) =>
    ok(createSystemRates, {
      as: admin,
      json: { replace, rates: [{ from: currency, to: 'EUR', date, rate: value }] },
    })
  return { me, budget, change: await scene(admin, sent) }
}

type Sent = (value: string, replace?: boolean) => Promise<{ results: { rate: { id: string } }[] }>

/** For each trigger that ends checkpoints as something is booked, labelled or exchanged, changes of what it looks after. */
export const BOOKED: Row[] = [
  [
    'entries_insert',
    'a booking',
    async () => {
      const { me, account, budget, food } = await envelopes()
      const json = { date: OLD, categoryId: food.categoryId }
      return { me, budget, change: () => book(me, account, json) }
    },
  ],
  [
    'entries_delete',
    'a booking that is deleted',
    async () => {
      const { me, budget, spent } = await envelopes()
      return { me, budget, change: () => ok(deleteTransaction, { as: me, id: spent.id }) }
    },
  ],
  [
    'entries_update',
    'another category',
    async () => {
      const { me, budget, spent } = await envelopes()
      const { categoryId } = await newLine(me, budget, 'Fun')
      return { me, budget, change: () => change(me, spent, { categoryId }) }
    },
  ],
  [
    'transactions_private',
    'a booking that becomes private',
    async () => {
      const { me, budget, spent } = await ofGroup('EUR')
      return { me, budget, change: () => change(me, spent, { private: true }) }
    },
  ],
  [
    'categories_update',
    'another parent',
    async () => {
      const { me, account, budget, food } = await envelopes()
      const below = await newCategory(me)
      await book(me, account, { date: OLD, categoryId: below.id })
      const json = { parentId: food.categoryId }
      return { me, budget, change: () => ok(updateCategory, { as: me, id: below.id, json }) }
    },
  ],
  [
    'categories_update',
    'a category that is excluded',
    async () => {
      const { me, budget, food } = await envelopes()
      const json = { excludeFromBudget: true }
      return { me, budget, change: () => ok(updateCategory, { as: me, id: food.categoryId, json }) }
    },
  ],
  [
    'exchange_rates_insert',
    'a rate',
    async () => {
      const { me, budget } = await envelopes({ currency: 'USD' })
      return { me, budget, change: () => rate(me) }
    },
  ],
  [
    'exchange_rates_insert',
    'a rate of the owner of the group',
    async () => {
      const { ada, me, budget } = await ofGroup()
      return { me, budget, change: () => rate(ada) }
    },
  ],
  [
    'exchange_rates_update',
    'another rate',
    async () => {
      const { me, budget } = await envelopes({ currency: 'USD' })
      const { id } = await rate(me)
      const json = { rate: '0.75' }
      return { me, budget, change: () => ok(updateExchangeRate, { as: me, id, json }) }
    },
  ],
  [
    'exchange_rates_update',
    'an earlier date of a rate',
    async () => {
      const { me, budget } = await envelopes({ currency: 'USD' })
      const { id } = await rate(me, { date: '2026-10-01' })
      const json = { date: '2025-02-01' }
      return { me, budget, change: () => ok(updateExchangeRate, { as: me, id, json }) }
    },
  ],
  [
    'exchange_rates_delete',
    'a rate that is deleted',
    async () => {
      const { me, budget } = await envelopes({ currency: 'USD' })
      const { id } = await rate(me)
      return { me, budget, change: () => ok(deleteExchangeRate, { as: me, id }) }
    },
  ],
  [
    'system_exchange_rates_insert',
    'a rate of the system',
    () => ofSystem('CHF', async (_, send) => () => send(`0.${90 + days}`)),
  ],
  [
    'system_exchange_rates_update',
    'another rate of the system',
    () =>
      ofSystem('GBP', async (_, send) => {
        await send('0.9', true)
        return () => send('1.2', true)
      }),
  ],
  [
    'system_exchange_rates_delete',
    'a rate of the system that is deleted',
    () =>
      ofSystem('SEK', async (admin, send) => {
        const [first] = (await send('0.1', true)).results
        return () => ok(deleteSystemRate, { as: admin, id: first?.rate.id ?? '' })
      }),
  ],
  [
    'users_base',
    'another base currency',
    async () => {
      const { me, budget } = await envelopes({ currency: 'USD' })
      await rate(me, { to: 'JPY', rate: '150' })
      await rate(me, { from: 'JPY', rate: '0.006' })
      const json = { baseCurrency: 'JPY' }
      return { me, budget, change: () => ok(updateProfile, { as: me, json }) }
    },
  ],
  [
    'groups_base',
    'another base currency of the group',
    async () => {
      const { ada, me, budget, group } = await ofGroup()
      await rate(ada, { to: 'JPY', rate: '150' })
      await rate(ada, { from: 'JPY', rate: '0.006' })
      const json = { baseCurrency: 'JPY' }
      return { me, budget, change: () => ok(updateGroup, { as: ada, id: group.id, json }) }
    },
  ],
  [
    'group_members_update',
    'another owner of the group',
    async () => {
      const { ada, ben, me, budget, group } = await ofGroup()
      await rate(ada)
      const json = { userId: ben.id }
      return { me, budget, change: () => ok(transferGroupOwner, { as: ada, id: group.id, json }) }
    },
  ],
  [
    'transaction_tags_insert',
    'a tag',
    async () => {
      const { me, account, budget, first, labelled } = await limits('tag')
      const spent = await book(me, account, { date: OLD })
      return { me, budget, change: () => change(me, spent, labelled(first)) }
    },
  ],
  [
    'transaction_tags_delete',
    'a tag that is taken off',
    async () => {
      const { me, account, budget, first, labelled } = await limits('tag')
      const spent = await book(me, account, { date: OLD, ...labelled(first) })
      return { me, budget, change: () => change(me, spent, { tagIds: [] }) }
    },
  ],
  [
    'transaction_tags_update',
    'a tag that another one is merged into',
    async () => {
      const { me, account, budget, first, second, labelled } = await limits('tag')
      await book(me, account, { date: OLD, ...labelled(second) })
      const json = { tagId: second.id }
      return { me, budget, change: () => ok(mergeTag, { as: me, id: first.id, json }) }
    },
  ],
  [
    'transaction_payees_insert',
    'a payee',
    async () => {
      const { me, account, budget, first, labelled } = await limits('payee')
      const spent = await book(me, account, { date: OLD })
      return { me, budget, change: () => change(me, spent, labelled(first)) }
    },
  ],
  [
    'transaction_payees_delete',
    'a payee that is taken off',
    async () => {
      const { me, account, budget, first, labelled } = await limits('payee')
      const spent = await book(me, account, { date: OLD, ...labelled(first) })
      return { me, budget, change: () => change(me, spent, { payeeId: null }) }
    },
  ],
  [
    'transaction_payees_update',
    'a payee that another one is merged into',
    async () => {
      const { me, account, budget, first, second, labelled } = await limits('payee')
      await book(me, account, { date: OLD, ...labelled(second) })
      const json = { payeeIds: [second.id] }
      return { me, budget, change: () => ok(mergePayees, { as: me, id: first.id, json }) }
    },
  ],
]

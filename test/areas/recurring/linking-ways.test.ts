import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  deleteRecurring,
  getRecurring,
  listRecurringMatches,
  postOccurrences,
  updateOccurrence,
  updateRecurring,
} from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { linkJob } from '../../../src/areas/planning/recurring/recurring.jobs.ts'
import { contextWith } from '../../support/service.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  matchTransfer,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, csv, ofx, settled, uploaded } from '../imports/importing.ts'
import { share } from '../sharing/sharing.ts'
import { refusal } from '../transactions/booking.ts'
import {
  gym,
  linked,
  linksOf,
  matchesOf,
  OPENED,
  paid,
  waitingGym,
  waitingItem,
} from './linking.fixtures.ts'
import { type ItemWanted, newItem, settle, statesOf, today } from './recurring.fixtures.ts'

beforeEach(() => today('2026-03-20'))
afterEach(() => void vi.useRealTimers())

describe('a file', () => {
  const lines = [
    ...['2025-11-27,FIT AND CO,-50.00', '2025-12-30,FIT AND CO,-51.20', '2026-01-02,Shop,-50.00'],
    ...['2026-01-28,FIT AND CO 3,-49.00', '2026-02-27,Somebody,-50.00', '2026-03-01,FIT,-47.50'],
    ...['2026-03-27,FIT AND CO,-53.00', '2026-03-28,FIT AND CO,-50.00'],
  ]
  const files = {
    csv: csv(lines),
    ofx: ofx(
      lines.map((line, at) => {
        const [date = '', name = '', amount = ''] = line.split(',')
        return { id: `${at}`, date, name, amount }
      }),
    ),
  }
  const imported = async (me: TestUser, account: { id: string }, format: 'csv' | 'ofx') => {
    const { id } = await uploaded(me, files[format], { accountId: account.id })
    await settled(me, id)
    expect((await committed(me, id)).state).toBe('done')
  }
  const create = (me: TestUser, account: { id: string }, payeeId: string) =>
    waitingItem(me, account, {
      ...{ from: '2025-11-01', transaction: { payeeId } },
      schedule: { unit: 'month', anchor: '2025-11-28' },
    })
  const daysOf = async (me: TestUser, item: { id: string }) => {
    const links = Object.entries(await linksOf(me, item))
    return Promise.all(
      links.map(async ([nominalDate, [id = '']]) => [
        nominalDate,
        (await ok(getTransaction, { as: me, id })).date,
      ]),
    )
  }

  it.each(['csv', 'ofx'] as const)(
    'of %s links the same rows before the item and after it',
    async (format) => {
      const [before, after] = [await gym(), await gym()]
      await imported(before.me, before.account, format)
      const one = await create(before.me, before.account, before.payeeId)
      const two = await create(after.me, after.account, after.payeeId)
      // The import alone has its rows linked.
      await linked(after.me)
      await imported(after.me, after.account, format)
      await linked(before.me)
      await linked(after.me)
      const expected = [
        ...[
          ['2025-11-28', '2025-11-27'],
          ['2025-12-28', '2025-12-30'],
          ['2026-01-28', '2026-01-28'],
        ],
        ['2026-03-28', '2026-03-28'],
      ]
      expect(await daysOf(before.me, one)).toEqual(expected)
      expect(await daysOf(after.me, two)).toEqual(expected)
      const scores = async ({ me }: { me: TestUser }) =>
        (await matchesOf(me)).map(([nominalDate, , score]) => [nominalDate, score])
      expect(await scores(before)).toEqual([
        ['2026-02-28', 67],
        ['2026-02-28', 57],
      ])
      expect(await scores(after)).toEqual(await scores(before))
    },
  )
})

describe('others', () => {
  it('see the matches of items that they see', async () => {
    const { me, account } = await gym()
    const [receiver, stranger] = [await newUser(), await newUser()]
    await share(me, account, receiver)
    await waitingItem(me, account)
    await waitingItem(me, await newAccount(me, OPENED), { name: 'Not shared' })
    const transaction = { accountId: null, currency: 'EUR' }
    await waitingItem(me, account, { name: 'Any account', amountIs: 'exact', transaction })
    const row = await paid(me, account, '2026-03-28', '51.00')
    await linked(me)
    const query = { to: '2026-04-01' }
    expect(await matchesOf(receiver, query)).toEqual([['2026-03-28', row.id, 66]])
    expect(await matchesOf(stranger, query)).toEqual([])
  })

  it('link no rows to items of somebody else', async () => {
    const [{ me, account, payeeId }, other] = [await gym(), await gym()]
    const item = await waitingItem(me, account, { transaction: { payeeId } })
    await paid(other.me, other.account, '2026-03-28', '50.00', { description: 'Fit and Co' })
    const query = { from: '2026-03-01', to: '2027-03-03' }
    expect(refusal(await call(listRecurringMatches, { as: me, query }))).toEqual([
      400,
      'ledger.window',
      'from',
    ])
    await linked(me)
    await linked(other.me)
    expect(await linksOf(me, item)).toEqual({})
  })

  it('record rows on a shared account, which are linked in the name of its owner', async () => {
    const { me, account, payeeId } = await gym()
    const receiver = await newUser()
    await share(me, account, receiver, { permission: 'write' })
    const item = await waitingItem(me, account, { transaction: { payeeId } })
    const row = await paid(receiver, account, '2026-03-28', '50.00', { description: 'Fit and Co' })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
    expect(
      await rows(
        "SELECT actor_id, owner_id FROM log_entries WHERE type = 'recurring.settled' AND resource_id = ?",
        item.id,
      ),
    ).toEqual([{ actor_id: me.id, owner_id: me.id }])
  })
})

describe('listening', () => {
  const listens = async ({ id }: TestUser) =>
    (
      await rows(
        "SELECT 1 FROM log_listeners WHERE owner_id = ? AND reader = 'recurring.links'",
        id,
      )
    ).length === 1

  it('begins and ends with the items that wait for transactions', async () => {
    const { me, account } = await gym()
    await newItem(me, account)
    expect(await listens(me)).toBe(false)
    const { id } = await waitingItem(me, account)
    expect(await listens(me)).toBe(true)
    const change = async (json: object) => {
      await ok(updateRecurring, { as: me, id, json })
      return listens(me)
    }
    expect(await change({ active: false })).toBe(false)
    expect(await change({ active: true, mode: 'ask' })).toBe(true)
    expect(await change({ mode: 'post' })).toBe(false)
    expect(await change({ mode: 'expect' })).toBe(true)
    await ok(deleteRecurring, { as: me, id })
    expect(await listens(me)).toBe(false)
    await ok(restoreFromTrash, { as: me, path: { kind: 'recurring', id } })
    expect(await listens(me)).toBe(true)
    // As an archive brings it back.
    await rows('DELETE FROM log_listeners WHERE owner_id = ?', me.id)
    await rows('UPDATE recurring SET next_at = 0 WHERE id = ?', id)
    await settle(me)
    expect(await listens(me)).toBe(true)
  })
})

describe('a price', () => {
  const PRICES = ['9.99', '9.99', '9.99', '10.99', '10.99', '10.99', '12.99', '10.99']
  const told = ({ id }: TestUser) =>
    rows<{ kind: string; facts: string }>(
      "SELECT kind, json(facts) AS facts FROM notifications WHERE user_id = ? AND kind = 'recurring.priceChanged'",
      id,
    )

  it.each(['one by one', 'together'])('follows what is paid twice in a row, %s', async (how) => {
    const { me, account } = await gym()
    const item = await newItem(me, account, {
      ...{ name: 'Films', mode: 'ask', from: '2026-01-01' },
      transaction: { amount: '9.99' } as NonNullable<ItemWanted['transaction']>,
    })
    const amounts = []
    for (const [at, amount] of PRICES.entries()) {
      const nominalDate = `2026-${String(at + 1).padStart(2, '0')}-15`
      const posted = { recurringId: item.id, nominalDate, changes: { amount } }
      await ok(postOccurrences, { as: me, json: { items: [posted] } })
      if (how === 'one by one' || at === PRICES.length - 1) {
        await linked(me)
      }
      amounts.push((await ok(getRecurring, { as: me, id: item.id })).transaction.amount)
    }
    expect(amounts).toEqual(
      how === 'one by one'
        ? [...Array<string>(4).fill('9.99'), ...Array<string>(4).fill('10.99')]
        : [...Array<string>(7).fill('9.99'), '10.99'],
    )
    const facts = (await told(me)).map((one) => JSON.parse(one.facts) as object)
    expect(facts).toEqual([
      { nominalDate: how === 'one by one' ? '2026-05-15' : '2026-08-15', percent: '+10.01' },
    ])
  })

  it('follows rows that are linked, and no amount of one occurrence alone', async () => {
    const { me, account, payeeId, item } = await waitingGym()
    await paid(me, account, '2026-03-28', '52.00', { payeeId })
    await paid(me, account, '2026-04-28', '52.00', { payeeId })
    await linked(me)
    expect(await ok(getRecurring, { as: me, id: item.id })).toMatchObject({
      ...{ transaction: { amount: '52.00' }, version: 2 },
    })
    for (const month of ['05', '06']) {
      const path = { id: item.id, date: `2026-${month}-28` }
      await ok(updateOccurrence, { as: me, path, json: { changes: { amount: '80' } } })
      await paid(me, account, `2026-${month}-28`, '80.00', { payeeId })
    }
    await linked(me)
    expect(Object.keys(await linksOf(me, item))).toHaveLength(4)
    expect((await ok(getRecurring, { as: me, id: item.id })).transaction.amount).toBe('52.00')
  })
})

describe('a link', () => {
  it('is made once by tasks that run at the same time, and not to what was booked meanwhile', async () => {
    const { me, account, payeeId, item } = await waitingGym({ mode: 'ask' })
    const months = ['03', '04', '05', '06']
    for (const month of months) {
      await paid(me, account, `2026-${month}-28`, '50.00', { payeeId })
    }
    const payload = { ownerId: me.id, from: '', to: '2200-12-31' }
    const link = () => linkJob.run(contextWith({ now: Date.now() }), payload, [])
    const posted = { recurringId: item.id, nominalDate: '2026-04-28' }
    await Promise.all([
      ...[link(), link(), link()],
      call(postOccurrences, { as: me, json: { items: [posted] } }),
    ])
    const links = Object.values(await linksOf(me, item))
    expect(links.map((ids) => ids.length)).toEqual([1, 1, 1, 1])
    const settled = await rows(
      "SELECT 1 FROM log_entries WHERE type = 'recurring.settled' AND resource_id = ?",
      item.id,
    )
    expect(settled).toHaveLength(months.length)
  })

  it('goes over when duplicates are merged', async () => {
    const { me, account, payeeId, item } = await waitingGym()
    const drop = await paid(me, account, '2026-03-28', '50.00', { payeeId })
    await linked(me)
    const keep = await paid(me, account, '2026-03-29', '50.00')
    const json = { keepId: keep.id, dropId: drop.id }
    await ok(mergeDuplicate, { as: me, json })
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [keep.id] })
  })

  it('follows its transaction into the trash and back', async () => {
    const { me, account, payeeId, item } = await waitingGym()
    const row = await paid(me, account, '2026-03-28', '50.00', { payeeId })
    await linked(me)
    await ok(deleteTransaction, { as: me, id: row.id })
    expect(await statesOf(me, item, { to: '2026-04-01' })).toEqual(['2026-03-28 upcoming'])
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: row.id } })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
  })

  it('is made when a transaction comes back from the trash', async () => {
    const { me, account, payeeId } = await gym()
    const row = await paid(me, account, '2026-03-28', '50.00', { payeeId })
    await ok(deleteTransaction, { as: me, id: row.id })
    const item = await waitingItem(me, account, { transaction: { payeeId } })
    await linked(me)
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: row.id } })
    await linked(me)
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
  })

  it('stays while its transaction is a side of a transfer', async () => {
    const { me, account, payeeId } = await gym()
    const savings = await newAccount(me, OPENED)
    const item = await waitingItem(me, account, { transaction: { payeeId } })
    const row = await paid(me, account, '2026-03-28', '50.00', { payeeId })
    const arrived = await paid(me, savings, '2026-03-28', '50.00', { kind: 'income' })
    await linked(me)
    const json = { fromTransactionId: row.id, toTransactionId: arrived.id }
    const transfer = await ok(matchTransfer, { as: me, json })
    const [leg = ''] = Object.values(await linksOf(me, item))[0] ?? []
    expect(leg).toBe(`txn_${transfer.id.slice(4)}-1`)
    await ok(unmatchTransfer, { as: me, id: transfer.id })
    expect(await linksOf(me, item)).toEqual({ '2026-03-28': [row.id] })
  })
})

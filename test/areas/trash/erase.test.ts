import { describe, expect, it } from 'vitest'
import {
  createAccount,
  getAccountByID,
  getAccountDetails,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import {
  emptyTrash,
  eraseFromTrash,
  restoreFromTrash,
} from '../../../src/areas/money/trash/trash.routes.ts'
import { eraseTrashJob } from '../../../src/areas/money/trash/trash.jobs.ts'
import { call, ok, rows } from '../../support/api.ts'
import { overheardDatabase, scansIn } from '../../support/plans.ts'
import { contextWith, databaseWith, serviceWith } from '../../support/service.ts'
import { eventsOfAll } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { balanceOf, close, newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import {
  bringBack,
  DAY,
  dropAccount,
  dropTransaction,
  dropTransfer,
  erase,
  idsIn,
  newBooks,
  purgeNow,
  stored,
  tokenFor,
  trashOf,
  work,
} from './trashing.ts'

/** How many rows anywhere mention an account. */
const tracesOf = async ({ id }: { id: string }) => {
  const tables = [
    'entries',
    'unbooked_entries',
    'account_balances',
    'account_periods',
    'flow_periods',
  ]
  const counts = await Promise.all([
    ...tables.map((table) => rows(`SELECT 1 FROM ${table} WHERE account_id = ?`, id)),
    rows('SELECT 1 FROM accounts WHERE id = ?', id),
  ])
  return counts.flat().length
}

const logged = async (action: string, ownerId: string) =>
  (
    await rows<{ changes: string | null }>(
      'SELECT content AS changes FROM log_entries WHERE type = ? AND owner_id = ? ORDER BY number',
      action,
      ownerId,
    )
  ).map(({ changes }) => JSON.parse(changes ?? 'null'))

describe('erasing', () => {
  it('a transaction or a transfer leaves nothing of it but the log', async () => {
    const { me, one, two, spend, move } = await newBooks()
    const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const before = await stored(me)
    const [expense, moved] = [await spend({ tagIds: [tagId] }), await move(two)]
    await dropTransaction(me, expense)
    await dropTransfer(me, moved)
    const answer = await erase(me, 'transaction', expense.id)
    expect([answer.status, tripsOf(answer)]).toEqual([200, 2])
    expect((await erase(me, 'transfer', moved.id)).status).toBe(200)
    expect(refusal(await erase(me, 'transfer', moved.id))).toEqual([404, 'trash.notFound'])
    expect(refusal(await bringBack(me, 'transfer', moved.id))).toEqual([404, 'trash.notFound'])
    expect(await stored(me)).toEqual(before)
    const spent = { kind: 'expense', date: '2026-03-02', amountMinor: -500, tagIds: [tagId] }
    const sent = { kind: 'transfer', date: '2026-03-01', amountMinor: -1000 }
    const status = 'uncleared'
    const erased = (await eventsOfAll(me)).filter(({ type }) => type === 'transaction.erased')
    expect(erased.map(({ id, accountId, content }) => [id, accountId, content])).toEqual([
      [expense.id, one.id, { before: { ...spent, status } }],
      [moved.from.id, one.id, { before: { ...sent, status, counterAccountId: two.id } }],
      [
        moved.to.id,
        two.id,
        { before: { ...sent, amountMinor: 1000, status, counterAccountId: one.id } },
      ],
    ])
    expect(await differencesOf(me)).toEqual([])
  })

  it('is only of what is in the trash', async () => {
    const { me, one, spend } = await newBooks()
    const expense = await spend()
    expect(refusal(await erase(me, 'transaction', expense.id))).toEqual([404, 'trash.notFound'])
    expect(refusal(await erase(me, 'account', one.id))).toEqual([404, 'trash.notFound'])
  })

  it('loses against a restore that came in between', async () => {
    const { me, one, spend } = await newBooks()
    const expense = await spend()
    await dropTransaction(me, expense)
    const lost = async (kind: 'account' | 'transaction', id: string) => {
      const service = serviceWith({ meanwhile: () => bringBack(me, kind, id) })
      return refusal(await service.call(eraseFromTrash, { as: me, path: { kind, id } }))
    }
    expect(await lost('transaction', expense.id)).toEqual([409, 'trash.changedMeanwhile'])
    await dropAccount(me, one)
    expect(await lost('account', one.id)).toEqual([409, 'trash.changedMeanwhile'])
    expect(await balanceOf(me, one)).toBe('95.00')
  })
})

describe('erasing an account', () => {
  it('frees it of all that is booked on it, and of its trash, in steps', async () => {
    const { me, one, two, spend, move } = await newBooks()
    await spend()
    await move(two)
    await dropTransaction(me, await spend())
    await dropTransfer(me, await move(two))
    await dropAccount(me, one)
    const answer = await erase(me, 'account', one.id)
    expect([answer.status, tripsOf(answer)]).toEqual([202, 2])
    expect(await idsIn(me)).toEqual([])
    expect(await trashOf(me)).toMatchObject({ count: 0 })
    expect(await ok(getAccountHistory, { as: me, query: { accountId: one.id } })).toEqual([])
    const json = { name: one.name, type: 'cash', currency: 'EUR' } as const
    await ok(createAccount, { as: me, json })
    await work(me.id)
    expect(await tracesOf(one)).toBe(0)
    expect(await logged('trash.erased', me.id)).toEqual([
      // What is kept of it goes first, then what is booked, what is in the trash, and the account last.
      { accountId: one.id },
      { accountId: one.id, transactions: 3 },
      { accountId: one.id, transactions: 2 },
      { accountId: one.id },
    ])
    expect(await balanceOf(me, two)).toBe('10.00')
    expect(await differencesOf(me)).toEqual([])
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('leaves every balance of the others, with an adjustment in the place of each transfer', async () => {
    const { me, one, two, yen, move } = await newBooks()
    const food = await newCategory(me)
    const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Trip' } })
    const out = await move(two, {
      status: 'cleared',
      description: 'Rent',
      note: 'x',
      tagIds: [tagId],
    })
    const back = await move(one, {
      fromAccountId: two.id,
      amount: '4',
      fee: { amount: '1', categoryId: food.id },
    })
    const far = await move(yen, { toAmount: '1600', date: '2026-03-05' })
    const none = await move(two, { status: 'void', amount: '3' })
    await rows('UPDATE transactions SET private = 1 WHERE id = ?', out.id)
    const register = async () =>
      Promise.all(
        [two, yen].map(async ({ id }) => {
          const { transactions } = await ok(getAccountDetails, { as: me, id })
          return transactions.map(
            ({ date, signedAmount, runningBalance, status, description }) => ({
              ...{ date, signedAmount, runningBalance, status, description },
            }),
          )
        }),
      )
    const balances = () =>
      rows(
        'SELECT * FROM account_balances WHERE account_id IN (?, ?) ORDER BY account_id',
        two.id,
        yen.id,
      )
    const periods = () =>
      rows(
        'SELECT * FROM account_periods WHERE account_id IN (?, ?) ORDER BY 1, 2, 3',
        two.id,
        yen.id,
      )
    const before = [await register(), await balances(), await periods()]
    await close(two)
    await dropAccount(me, one)
    await erase(me, 'account', one.id)
    await work(me.id)
    expect([await register(), await balances(), await periods()]).toEqual(before)
    const idOf = ({ id }: { id: string }) => `txn_${id.slice(4)}`
    const after = (transfer: { id: string }) => ok(getTransaction, { as: me, id: idOf(transfer) })
    expect(await after(out)).toMatchObject({
      kind: 'adjustment',
      accountId: two.id,
      signedAmount: '10.00',
      status: 'cleared',
      description: 'Rent',
      note: 'x',
      private: true,
      tagIds: [tagId],
      splits: [],
      createdAt: out.createdAt,
    })
    expect(await after(back)).toMatchObject({ signedAmount: '-4.00', splits: [], categoryId: null })
    expect(await after(far)).toMatchObject({ signedAmount: '1600', currency: 'JPY', rate: null })
    expect(await after(none)).toMatchObject({ status: 'void', signedAmount: '3.00' })
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps the external id of a leg that stays', async () => {
    const { me, one, two, move } = await newBooks()
    const moved = await move(two)
    // As an import would have it: on both legs.
    const lines = await rows<Record<string, unknown>>(
      'SELECT * FROM entries WHERE transaction_id = ?',
      moved.id,
    )
    await rows('DELETE FROM entries WHERE transaction_id = ?', moved.id)
    for (const line of lines) {
      const values = Object.values({ ...line, external_id: `bank-${String(line['line'])}` })
      await rows(`INSERT INTO entries VALUES (${values.map(() => '?').join(', ')})`, ...values)
    }
    await dropAccount(me, one)
    await erase(me, 'account', one.id)
    await work(me.id)
    const kept = await ok(getTransaction, { as: me, id: `txn_${moved.id.slice(4)}` })
    expect(kept).toMatchObject({ externalId: 'bank-2', signedAmount: '10.00' })
  })

  it('takes the rows with it that a transfer took the place of', async () => {
    const { me, one, two, spend } = await newBooks()
    const [out, into] = [
      await spend({ amount: '7' }),
      await spend({ kind: 'income', accountId: two.id, amount: '7', externalId: 'bank-7' }),
    ]
    const json = { fromTransactionId: out.id, toTransactionId: into.id }
    const matched = await ok(matchTransfer, { as: me, json })
    const before = await stored(me)
    await dropTransfer(me, matched)
    await bringBack(me, 'transfer', matched.id)
    expect(await stored(me)).toEqual(before)
    await dropAccount(me, one)
    await erase(me, 'account', one.id)
    await work(me.id)
    expect(await rows('SELECT id, kind FROM transactions WHERE owner_id = ?', me.id)).toEqual([
      { id: `txn_${matched.id.slice(4)}`, kind: 'adjustment' },
    ])
    expect([await tracesOf(one), await balanceOf(me, two)]).toEqual([0, '7.00'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('reads no table whole', async () => {
    const { me, one, two, move, spend } = await newBooks()
    await move(two)
    await dropTransaction(me, await spend())
    await dropAccount(me, one)
    await erase(me, 'account', one.id)
    const { database, heard } = overheardDatabase()
    await eraseTrashJob.run(
      contextWith({ database: database.withSession('first-primary') }),
      { ownerId: me.id, before: Date.now() },
      [],
    )
    expect(await tracesOf(one)).toBe(0)
    expect(await scansIn(heard)).toEqual([])
  })

  it('works for two that had moved money between each other', async () => {
    const { me, one, two, yen, move } = await newBooks()
    await move(two)
    await move(yen, { toAmount: '9' })
    await dropAccount(me, one)
    await dropAccount(me, two)
    await erase(me, 'account', one.id)
    await erase(me, 'account', two.id)
    await Promise.all([work(me.id), work(me.id)])
    await work(me.id)
    expect([await tracesOf(one), await tracesOf(two)]).toEqual([0, 0])
    expect(await balanceOf(me, yen)).toBe('9')
    expect(await differencesOf(me)).toEqual([])
  })

  it('goes on after it was killed at any moment', async () => {
    const { me, one, two } = await newBooks()
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)`
    await rows(
      `${numbers} INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
       SELECT printf('trf_%s%05d', ?1, i), ?2, 'transfer', '2026-04-01', 'user', ?2, 0, 0 FROM n`,
      one.id.slice(4, 25),
      me.id,
    )
    for (const [line, account, sign, counter] of [
      [1, one.id, -1, two.id],
      [2, two.id, 1, one.id],
    ] as const) {
      await rows(
        `${numbers} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
           counter_account_id, flow_minor)
         SELECT printf('trf_%s%05d', ?1, i), ?2, ?3, ?4, 'account', '2026-04-01', ?5, 'EUR', 'cleared', ?6, ?5 FROM n`,
        one.id.slice(4, 25),
        line,
        me.id,
        account,
        sign,
        counter,
      )
    }
    await dropAccount(me, one)
    await erase(me, 'account', one.id)
    for (let dies = 1; (await tracesOf(one)) > 0; dies++) {
      expect(dies).toBeLessThan(20)
      const database = databaseWith((trip, run) =>
        trip > dies ? Promise.reject(new Error('killed')) : run(),
      ).withSession('first-primary')
      await eraseTrashJob
        .run(contextWith({ database }), { ownerId: me.id, before: 0 }, [])
        .catch(() => undefined)
      expect(await balanceOf(me, two)).toBe('6.00')
      expect(await differencesOf(me)).toEqual([])
    }
    expect(await ok(getAccountByID, { as: me, id: two.id })).toMatchObject({
      balance: '6.00',
      transactionCount: 600,
    })
  })
})

it('leaves to another task what a hundred commits do not', async () => {
  const { me } = await newBooks()
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)
     INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget, include_in_net_worth,
       opening_date, created_at, updated_at, deleted_at, erased_at)
     SELECT 'acc_' || ?1 || i, ?1, '', '', 'cash', 'EUR', 1, 1, '2026-01-01', 0, 0, 1, 1 FROM n`,
    me.id,
  )
  const left = () => rows('SELECT 1 FROM accounts WHERE owner_id = ? AND erased_at = 1', me.id)
  await work(me.id)
  expect(await left()).toHaveLength(1)
  const next = await rows<{ payload: string }>(
    "SELECT payload FROM tasks WHERE kind = 'trash.erase' AND instr(payload, ?)",
    me.id,
  )
  expect(next.map(({ payload }) => JSON.parse(payload))).toEqual([{ ownerId: me.id, before: 0 }])
  await work(me.id)
  expect(await left()).toEqual([])
})

describe('emptying', () => {
  it('takes a little at once, and leaves accounts to a task', async () => {
    const { me, one, two, spend } = await newBooks()
    const [gone, kept] = [await spend(), await spend({ accountId: two.id })]
    await dropTransaction(me, gone)
    const once = await call(emptyTrash, { as: me })
    expect([once.status, tripsOf(once)]).toEqual([200, 2])
    expect(await rows('SELECT 1 FROM transactions WHERE id = ?', gone.id)).toEqual([])
    await dropTransaction(me, kept)
    await dropAccount(me, one)
    expect((await call(emptyTrash, { as: me })).status).toBe(202)
    expect(await idsIn(me)).toEqual([])
    await work(me.id)
    expect(await tracesOf(one)).toBe(0)
    expect(await differencesOf(me)).toEqual([])
  })

  it('leaves what is restored meanwhile, and what others have', async () => {
    const [{ me, one, spend }, other] = [await newBooks(), await newBooks()]
    const [expense, theirs] = [await spend(), await other.spend()]
    await dropTransaction(me, expense)
    await dropTransaction(other.me, theirs)
    const service = serviceWith({ meanwhile: () => bringBack(me, 'transaction', expense.id) })
    await service.call(emptyTrash, { as: me })
    expect(await balanceOf(me, one)).toBe('95.00')
    expect(await idsIn(other.me)).toEqual([theirs.id])
  })

  it('is not for a token that sees some accounts only', async () => {
    const { me, one } = await newBooks()
    const token = await tokenFor(me, [one])
    expect(refusal(await call(emptyTrash, { as: token }))).toEqual([403, 'trash.tokenIsRestricted'])
  })
})

describe('the nightly purge', () => {
  it('erases what was deleted 30 days ago, and nothing that is younger', async () => {
    const { me, one, two, yen, spend, move } = await newBooks()
    await move(two)
    const [old, young] = [await spend({ accountId: two.id }), await spend({ accountId: two.id })]
    await dropTransaction(me, old)
    await dropAccount(me, one)
    const age = (table: string, id: string, days: number) =>
      rows(`UPDATE ${table} SET deleted_at = ? WHERE id = ?`, Date.now() - days * DAY, id)
    await dropAccount(me, yen)
    await age('transactions', old.id, 30.01)
    await age('accounts', one.id, 29.9)
    await dropTransaction(me, young)
    await purgeNow()
    expect((await idsIn(me)).toSorted()).toEqual([young.id, yen.id, one.id].toSorted())
    await age('accounts', one.id, 30.01)
    await age('accounts', yen.id, 30.01)
    await purgeNow()
    expect(await idsIn(me)).toEqual([young.id])
    const [begun] = await rows<{ facts: string }>(
      "SELECT facts FROM log_entries WHERE type = 'trash.purgeBegun' ORDER BY number DESC LIMIT 1",
    )
    expect(JSON.parse(begun?.facts ?? '{}')).toEqual({ accounts: 2 })
    expect(await tracesOf(one)).toBe(0)
    expect(await balanceOf(me, two)).toBe('10.00')
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: young.id } })
    expect(await differencesOf(me)).toEqual([])
  })

  it('is held up by no account that cannot be erased, and fails once the others are gone', async () => {
    const { me, two } = await newBooks()
    await rows(`CREATE TRIGGER held BEFORE DELETE ON accounts WHEN OLD.id = '${two.id}'
      BEGIN SELECT RAISE(ABORT, 'held'); END`)
    const next = await newBooks()
    for (const account of [two, next.one]) {
      await rows('UPDATE accounts SET deleted_at = 1 WHERE id = ?', account.id)
    }
    await expect(purgeNow()).rejects.toMatchObject({ code: 'service.failed' })
    expect(await tracesOf(next.one)).toBe(0)
    expect(await tracesOf(two)).toBeGreaterThan(0)
    expect(await differencesOf(me)).toEqual([])
    await rows('DROP TRIGGER held')
    await purgeNow()
    expect(await tracesOf(two)).toBe(0)
  })
})

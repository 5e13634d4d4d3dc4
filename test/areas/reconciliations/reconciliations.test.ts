import { describe, expect, it } from 'vitest'
import { reopenAccount, closeAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  abandonReconciliation,
  getReconciliation,
  listReconciliationRows,
  listReconciliations,
} from '../../../src/areas/money/reconciliations/reconciliations.routes.ts'
import {
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  createTransfer,
  matchTransfer,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { lock } from '../period-locks/locking.ts'
import { share } from '../sharing/sharing.ts'
import { book, change, newCategory, refusal, tripsOf } from '../transactions/booking.ts'
import { bringBack, dropTransaction, erase } from '../trash/trashing.ts'
import {
  finish,
  look,
  rowsOf,
  sessionsOf,
  start,
  type Starting,
  tick,
  tryToStart,
  undo,
} from './reconciling.ts'

const STATEMENT = { statementDate: '2026-03-31', closingBalance: '-10' }
const CLEARED = { date: '2026-03-05', amount: '10', status: 'cleared' } as const

/** An account with a cleared row of -10.00, and a session that has it ticked. */
async function newSession(me: TestUser, wanted: Partial<Starting> = {}) {
  const account = await newAccount(me)
  const row = await book(me, account, CLEARED)
  return { account, row, session: await start(me, account, { ...STATEMENT, ...wanted }) }
}

const statusOf = async (me: TestUser, { id }: { id: string }) =>
  (await ok(getTransaction, { as: me, id })).status

describe('starting', () => {
  it.each([
    [{ statementDate: '2200-01-01' }, [400, 'reconciliations.dateInFuture', 'statementDate']],
    [{ closingBalance: '1.234' }, [400, 'money.tooManyDigits', 'closingBalance']],
    [{ closingBalance: '99999999999999999999' }, [400, 'money.outOfRange', 'closingBalance']],
    [{ prefill: 'import' }, [400, 'reconciliations.importNeeded', 'importId']],
    [{ importId: 'imp_x' }, [400, 'reconciliations.unknownImport', 'importId']],
    [{ attachmentId: 'att_x' }, [400, 'reconciliations.unknownFile', 'attachmentId']],
  ] as const)('refuses %o', async (wrong, expected) => {
    const me = await newUser()
    const account = await newAccount(me)
    expect(refusal(await tryToStart(me, account, { ...STATEMENT, ...wrong }))).toEqual(expected)
    expect(await sessionsOf(me, account)).toEqual([])
  })

  it('refuses a second session, earlier statements, and closed accounts', async () => {
    const me = await newUser()
    const { account, session } = await newSession(me)
    expect(refusal(await tryToStart(me, account, STATEMENT))).toEqual([
      ...[409, 'reconciliations.open', 'accountId'],
    ])
    await finish(me, session)
    const early = { ...STATEMENT, statementDate: '2026-03-30' }
    expect(refusal(await tryToStart(me, account, early))).toEqual([
      ...[400, 'reconciliations.dateBeforeLast', 'statementDate'],
    ])
    const next = await start(me, account, STATEMENT)
    expect(refusal(await tick(me, next, { statementDate: '2026-03-01' }))).toEqual([
      ...[400, 'reconciliations.dateBeforeLast', 'statementDate'],
    ])
    const other = await newAccount(me)
    const before = await start(me, other, { ...STATEMENT, closingBalance: '0' })
    await ok(closeAccount, { as: me, id: other.id, json: {} })
    expect(refusal(await finish(me, before))).toEqual([409, 'reconciliations.accountClosed'])
    await rows('DELETE FROM reconciliations WHERE id = ?', before.id)
    expect(refusal(await tryToStart(me, other, STATEMENT))).toEqual([
      ...[409, 'reconciliations.accountClosed'],
    ])
    await ok(reopenAccount, { as: me, id: other.id })
    const both = await Promise.all([1, 2].map(() => tryToStart(me, other, STATEMENT)))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
  })

  it('ticks what is cleared, or nothing', async () => {
    const me = await newUser()
    const { session } = await newSession(me, { prefill: 'none' })
    expect(session).toMatchObject({ difference: '-10.00', rows: { ticked: 0, unticked: 1 } })
  })
})

describe('ticking', () => {
  it('is for rows on offer, by id and by filter, and costs two trips', async () => {
    const me = await newUser()
    const { account, row, session } = await newSession(me)
    const [pending, voided, late, far] = [
      await book(me, account, { ...CLEARED, status: 'pending' }),
      await book(me, account, { ...CLEARED, status: 'void' }),
      await book(me, account, { ...CLEARED, date: '2026-05-01' }),
      await book(me, account, { ...CLEARED, date: '2026-05-02' }),
    ]
    const other = await book(me, await newAccount(me), CLEARED)
    const theirs = await newSession(await newUser())
    for (const [{ id }, status, code] of [
      [pending, 409, 'pending'],
      [voided, 409, 'rowNotOnOffer'],
      [far, 409, 'rowNotOnOffer'],
      [other, 409, 'rowNotOnOffer'],
      [theirs.row, 400, 'unknownTransaction'],
      [{ id: 'txn_x' }, 400, 'unknownTransaction'],
    ] as const) {
      expect(refusal(await tick(me, session, { tick: [row.id, id] }))).toEqual([
        ...[status, `reconciliations.${code}`, 'tick.1'],
      ])
    }
    const ticked = await tick(me, session, { tick: [late.id] })
    expect(tripsOf(ticked)).toBe(2)
    expect(ticked.body).toMatchObject({ difference: '10.00', rows: { ticked: 2, unticked: 1 } })
    const shop = { ...CLEARED, description: 'Shop', status: 'uncleared' } as const
    await book(me, account, { ...shop, amount: '1' })
    await book(me, account, { ...shop, amount: '2', date: '2026-04-01' })
    const found = await tick(me, session, { untick: [late.id], tickWhere: { text: 'shop' } })
    expect(found.body).toMatchObject({ difference: '1.00', rows: { ticked: 2 } })
    expect(found.body.version).toBe(3)
    const condition = { field: 'text', op: 'word', value: 'sho' }
    const none = await tick(me, session, { untick: [late.id], tickWhere: { condition } })
    expect(none.body).toMatchObject({ rows: { ticked: 2 } })
    const wrong = { condition: { ...condition, op: 'is' } }
    expect(refusal(await tick(me, session, { tickWhere: wrong }))).toEqual([
      ...[400, 'conditions.invalid', 'tickWhere.condition.op'],
    ])
    const stale = await call(abandonReconciliation, {
      ...{ as: me, id: session.id, headers: { 'If-Match': '"1"' } },
    })
    expect(stale.status).toBe(412)
  })

  it('follows what becomes of rows', async () => {
    const me = await newUser()
    const { account, row, session } = await newSession(me)
    const ticks = async () => (await look(me, session)).rows.ticked
    await change(me, row, { status: 'void' })
    expect(await ticks()).toBe(0)
    await change(me, row, { status: 'cleared' })
    expect(await ticks()).toBe(1)
    const twin = await book(me, account, { ...CLEARED, status: 'uncleared' })
    await ok(mergeDuplicate, { as: me, json: { keepId: twin.id, dropId: row.id } })
    expect((await rowsOf(me, session, { ticked: true })).map((one) => one.transaction.id)).toEqual([
      twin.id,
    ])
    const savings = await newAccount(me)
    const arrived = await book(me, savings, { ...CLEARED, kind: 'income' })
    const { id } = await ok(matchTransfer, {
      ...{ as: me, json: { fromTransactionId: twin.id, toTransactionId: arrived.id } },
    })
    expect(await look(me, session)).toMatchObject({ difference: '0.00', rows: { ticked: 1 } })
    await ok(unmatchTransfer, { as: me, id })
    expect(await look(me, session)).toMatchObject({ difference: '0.00', rows: { ticked: 1 } })
    await dropTransaction(me, twin)
    expect(await ticks()).toBe(0)
    await bringBack(me, 'transaction', twin.id)
    expect(await ticks()).toBe(1)
    await dropTransaction(me, twin)
    await erase(me, 'transaction', twin.id)
    const left = await rows(
      'SELECT * FROM reconciliation_rows WHERE reconciliation_id = ?',
      session.id,
    )
    expect(left).toEqual([])
  })
})

it('a finished session follows the row that takes the place of another on another day', async () => {
  const me = await newUser()
  const { account, row, session } = await newSession(me)
  expect((await finish(me, session)).status).toBe(200)
  const driftNow = async () => {
    const { drift, driftSum } = await look(me, session)
    return [drift, driftSum]
  }
  const twin = await book(me, account, { ...CLEARED, date: '2026-03-29', status: 'uncleared' })
  const merge = { keepId: twin.id, dropId: row.id, force: true }
  await ok(mergeDuplicate, { as: me, json: merge })
  expect(await driftNow()).toEqual([[], '0.00'])
  // What moves money, or the row itself to another day, still is one.
  await ok(updateTransaction, { as: me, id: twin.id, json: { date: '2026-03-28', force: true } })
  expect(await driftNow()).toMatchObject([[{ id: twin.id, now: { date: '2026-03-28' } }], '0.00'])
})

describe('finishing', () => {
  it('reconciles one side of a transfer, and a split whole', async () => {
    const me = await newUser()
    const [one, two] = [await newAccount(me), await newAccount(me)]
    const sides = { fromAccountId: one.id, toAccountId: two.id, date: '2026-03-05' }
    const { from, to } = await ok(createTransfer, { as: me, json: { ...sides, amount: '4' } })
    const category = await newCategory(me)
    const split = await book(me, one, {
      ...CLEARED,
      splits: [{ amount: '7', categoryId: category.id }, { amount: '3' }],
    })
    const session = await start(me, one, { ...STATEMENT, closingBalance: '-14' })
    await tick(me, session, { tickWhere: { from: '2026-03-01' } })
    expect((await finish(me, session)).body).toMatchObject({ rows: { ticked: 2 } })
    expect(await statusOf(me, split)).toBe('reconciled')
    const legs = await Promise.all([from, to].map((side) => statusOf(me, side)))
    expect(legs[0]).toBe('reconciled')
    expect(legs[1]).not.toBe('reconciled')
    expect((await undo(me, session)).body.kept).toEqual([])
    expect(await statusOf(me, split)).toBe('cleared')
  })

  it('books a difference with a category as an expense or an income', async () => {
    const me = await newUser()
    const category = await newCategory(me)
    const { session } = await newSession(me, { closingBalance: '-11' })
    const finished = await finish(me, session, { adjust: true, categoryId: category.id })
    const id = finished.body.adjustmentId ?? ''
    expect(await ok(getTransaction, { as: me, id })).toMatchObject({
      ...{ kind: 'expense', amount: '1.00', categoryId: category.id, status: 'reconciled' },
    })
    const more = await newSession(me, { closingBalance: '-8' })
    const given = await finish(me, more.session, { adjust: true, categoryId: category.id })
    expect(await ok(getTransaction, { as: me, id: given.body.adjustmentId ?? '' })).toMatchObject({
      kind: 'income',
      amount: '2.00',
    })
    const wrong = await newCategory(me, 'income')
    const third = await newSession(me, { closingBalance: '-11' })
    const refused = await finish(me, third.session, { adjust: true, categoryId: wrong.id })
    expect(refusal(refused).slice(0, 2)).toEqual([400, 'transactions.categoryKind'])
    const unknown = await finish(me, third.session, { adjust: true, categoryId: 'cat_x' })
    expect(refusal(unknown).slice(0, 2)).toEqual([400, 'transactions.unknownCategory'])
  })

  it('is free in a locked period, but for the adjustment', async () => {
    const me = await newUser()
    const { account, row, session } = await newSession(me, { closingBalance: '-11' })
    await lock(me, { accountId: account.id, through: '2026-03-31' })
    const refused = await finish(me, session, { adjust: true })
    expect(refusal(refused)).toEqual([409, 'locks.periodLocked', 'adjust'])
    const forced = await finish(me, session, { adjust: true, force: true })
    expect(forced.status).toBe(200)
    const undone = await undo(me, session)
    expect(undone.body).toMatchObject({
      ...{ kept: [{ id: forced.body.adjustmentId, reason: 'locked' }], difference: '0.00' },
    })
    expect(await statusOf(me, row)).toBe('cleared')
    expect((await finish(me, session)).status).toBe(200)
  })

  it('takes late rows, and states the balance of the day of the last', async () => {
    const me = await newUser()
    const { account, session } = await newSession(me, { closingBalance: '-13' })
    const late = await book(me, account, { date: '2026-04-02', amount: '3', status: 'uncleared' })
    await tick(me, session, { tick: [late.id] })
    expect((await finish(me, session)).status).toBe(200)
    const stated = await rows(
      `SELECT date, amount_minor AS minor FROM balance_assertions WHERE account_id = ?`,
      account.id,
    )
    expect(stated).toEqual([{ date: '2026-04-02', minor: -1300 }])
    expect(await sessionsOf(me, account)).toMatchObject([{ state: 'finished' }])
  })
})

describe('undoing', () => {
  it('is for the last finished one, back to the one before, and abandoning keeps it as undone', async () => {
    const me = await newUser()
    const { account, row, session } = await newSession(me)
    expect(refusal(await undo(me, session))).toEqual([409, 'reconciliations.notFinished'])
    await finish(me, session)
    expect(refusal(await finish(me, session))).toEqual([409, 'reconciliations.notOpen'])
    expect(refusal(await tick(me, session, { note: 'x' }))).toEqual([
      409,
      'reconciliations.notOpen',
    ])
    const later = await start(me, account, { ...STATEMENT, statementDate: '2026-04-30' })
    await finish(me, later)
    expect(refusal(await undo(me, session))).toEqual([409, 'reconciliations.notLast'])
    expect((await undo(me, later)).status).toBe(200)
    expect(refusal(await undo(me, session))).toEqual([409, 'reconciliations.open'])
    await ok(abandonReconciliation, { as: me, id: later.id })
    expect(await look(me, later)).toMatchObject({ state: 'undone', difference: '0.00' })
    const gone = await call(abandonReconciliation, { as: me, id: later.id })
    expect(refusal(gone)).toEqual([409, 'reconciliations.notOpen'])
    expect((await undo(me, session)).body).toMatchObject({ state: 'open', rows: { ticked: 1 } })
    expect(await statusOf(me, row)).toBe('cleared')
    const never = await newSession(me)
    await ok(abandonReconciliation, { as: me, id: never.session.id })
    expect((await call(getReconciliation, { as: me, id: never.session.id })).status).toBe(404)
  })

  it('lists what stays and why', async () => {
    const me = await newUser()
    const { account, row, session } = await newSession(me, { closingBalance: '-61' })
    const amounts = ['20', '30']
    const [second, third] = await Promise.all(
      amounts.map((amount) => book(me, account, { ...CLEARED, amount })),
    )
    await tick(me, session, { tickWhere: { from: '2026-03-01' } })
    const finished = await finish(me, session, { adjust: true })
    const adjustment = { id: finished.body.adjustmentId ?? '' }
    await change(me, row, { status: 'cleared', force: true })
    await dropTransaction(me, second ?? row)
    await change(me, adjustment, { note: 'Mine', force: true })
    const { body } = await undo(me, session)
    expect(body.kept.toSorted((one, two) => (one.reason < two.reason ? -1 : 1))).toEqual([
      { id: adjustment.id, reason: 'changed' },
      { id: second?.id, reason: 'gone' },
      { id: row.id, reason: 'notReconciled' },
    ])
    expect(await statusOf(me, third ?? row)).toBe('cleared')
  })
})

describe('drift', () => {
  it('names what was deleted, moved and taken back, and shows it in the next session', async () => {
    const me = await newUser()
    const { account, row, session } = await newSession(me, { closingBalance: '-30' })
    const more = await book(me, account, { ...CLEARED, amount: '20' })
    await tick(me, session, { tick: [more.id] })
    await finish(me, session)
    expect(await look(me, session)).toMatchObject({ drift: [], driftSum: '0.00' })
    await dropTransaction(me, row)
    await change(me, more, { status: 'uncleared', force: true })
    const next = await start(me, account, { ...STATEMENT, statementDate: '2026-04-30' })
    for (const one of [session, next]) {
      const { drift, driftSum } = await look(me, one)
      expect(driftSum).toBe('30.00')
      expect(drift.map(({ id, now }) => [id, now?.status])).toEqual([
        [row.id, undefined],
        [more.id, 'uncleared'],
      ])
    }
    expect(next.openingDifference).toBe('30.00')
  })
})

describe('what others see', () => {
  it('who sees the account reads, who may book on it reconciles', async () => {
    const [me, viewer, writer, stranger] = await Promise.all([1, 2, 3, 4].map(() => newUser()))
    if (!me || !viewer || !writer || !stranger) {
      throw new Error('there are four')
    }
    const account = await newAccount(me)
    await book(me, account, CLEARED)
    await share(me, account, viewer)
    await share(me, account, writer, { permission: 'write' })
    expect(refusal(await tryToStart(viewer, account, STATEMENT))).toEqual([403, 'auth.rightNeeded'])
    expect(refusal(await tryToStart(stranger, account, STATEMENT))).toEqual([
      ...[400, 'reconciliations.unknownAccount', 'accountId'],
    ])
    const session = await start(writer, account, STATEMENT)
    expect(await look(viewer, session)).toEqual(await look(me, session))
    for (const refused of [
      await tick(viewer, session, { note: 'x' }),
      await finish(viewer, session),
      await call(abandonReconciliation, { as: viewer, id: session.id }),
    ]) {
      expect(refusal(refused)).toEqual([403, 'auth.rightNeeded'])
    }
    for (const hidden of [
      await call(getReconciliation, { as: stranger, id: session.id }),
      await call(listReconciliationRows, { as: stranger, id: session.id }),
      await finish(stranger, session),
      await undo(stranger, session),
      await tick(stranger, session, {}),
    ]) {
      expect(refusal(hidden)).toEqual([404, 'reconciliations.notFound'])
    }
    expect(await sessionsOf(stranger, account)).toEqual([])
    expect((await finish(writer, session)).status).toBe(200)
  })

  it('sums tell nothing of private rows', async () => {
    const [me, writer] = [await newUser(), await newUser()]
    const { account, row, session } = await newSession(me, { closingBalance: '-17' })
    await share(me, account, writer, { permission: 'write' })
    const hidden = await book(me, account, { ...CLEARED, amount: '7', private: true })
    const before = await look(writer, session)
    expect(before).toMatchObject({ difference: '-7.00', rows: { ticked: 1, unticked: 0 } })
    const tried = await tick(writer, session, { tick: [hidden.id] })
    expect(refusal(tried)).toEqual([400, 'reconciliations.unknownTransaction', 'tick.0'])
    const swept = await tick(writer, session, { tickWhere: { from: '2026-01-01' } })
    expect(swept.body).toMatchObject({ difference: '-7.00', rows: { ticked: 1 } })
    await tick(me, session, { tick: [hidden.id] })
    const missing = `txn_${'0'.repeat(26)}`
    for (const [untick, field] of [
      [[hidden.id], 'untick.0'],
      [[row.id, missing], 'untick.1'],
    ] as const) {
      expect(refusal(await tick(writer, session, { untick: [...untick] }))).toEqual([
        ...[400, 'reconciliations.unknownTransaction', field],
      ])
    }
    expect(await look(me, session)).toMatchObject({ difference: '0.00', rows: { ticked: 2 } })
    const nothing = {
      ...{ reconciledBalance: null, openingDifference: null, clearedBalance: null },
      ...{ difference: null, rows: { ticked: 1, unticked: 0 } },
    }
    expect(await look(writer, session)).toMatchObject(nothing)
    expect((await rowsOf(writer, session)).map(({ transaction }) => transaction.id)).toEqual([
      row.id,
    ])
    expect(refusal(await finish(writer, session))).toEqual([403, 'reconciliations.hiddenRows'])
    expect((await finish(me, session)).status).toBe(200)
    expect(await look(writer, session)).toMatchObject({ ...nothing, driftSum: null })
    expect(refusal(await undo(writer, session))).toEqual([403, 'reconciliations.hiddenRows'])
    const next = await start(writer, account, { ...STATEMENT, statementDate: '2026-04-30' })
    expect(next).toMatchObject({ difference: null, openingBalance: '-17.00' })
  })
})

describe('lists', () => {
  it('are read in pages, each in one trip', async () => {
    const me = await newUser()
    const { account, session } = await newSession(me)
    await book(me, account, { ...CLEARED, date: '2026-03-06', amount: '1' })
    await book(me, account, { ...CLEARED, date: '2026-03-07', amount: '2' })
    await tick(me, session, { tickWhere: { from: '2026-03-07' } })
    const first = await call(listReconciliationRows, {
      as: me,
      id: session.id,
      query: { limit: 2 },
    })
    expect([tripsOf(first), first.body.count]).toEqual([1, 3])
    const second = await ok(listReconciliationRows, {
      ...{ as: me, id: session.id, query: { limit: 2, cursor: first.body.nextCursor ?? '' } },
    })
    const shown = [...first.body.rows, ...second.rows]
    expect(shown.map(({ ticked, tickedTotal }) => [ticked, tickedTotal])).toEqual([
      [true, '-10.00'],
      [false, '-10.00'],
      [true, '-12.00'],
    ])
    await rows('UPDATE reconciliations SET closing_minor = -1200 WHERE id = ?', session.id)
    await finish(me, session)
    await start(me, account, { ...STATEMENT, statementDate: '2026-04-30' })
    const page = await call(listReconciliations, {
      ...{ as: me, query: { accountId: account.id, limit: 1 } },
    })
    expect([tripsOf(page), page.body.count]).toEqual([1, 2])
    expect(page.body.reconciliations).toMatchObject([{ state: 'open', rows: { ticked: 1 } }])
    const rest = await ok(listReconciliations, {
      ...{ as: me, query: { accountId: account.id, cursor: page.body.nextCursor ?? '' } },
    })
    expect(rest.reconciliations).toMatchObject([{ id: session.id, state: 'finished' }])
    const query = { state: 'finished' } as const
    expect((await ok(listReconciliations, { as: me, query })).count).toBe(1)
    expect(await rowsOf(me, session)).toHaveLength(2)
  })
})

import { describe, expect, it } from 'vitest'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { assertionsOf } from '../balance-assertions/asserting.ts'
import { book, change, refusal } from '../transactions/booking.ts'
import { idsIn } from '../trash/trashing.ts'
import { finish, look, MARCH, newMarch, rowsOf, start, tick, undo } from './reconciling.ts'

// Examples 1 and 5 to 7; the finder has the others, and races have example 12.

describe('a month', () => {
  it('is compared, finished and undone as examples 1, 6 and 7 have it', async () => {
    const me = await newUser()
    const { everyday, rent, salary, coffee, shop, later } = await newMarch(me)
    const march = await start(me, everyday, MARCH)
    expect(march).toMatchObject({
      ...{ state: 'open', openingBalance: '1000.00', reconciledBalance: '1000.00' },
      ...{ openingDifference: '0.00', clearedBalance: '2152.80', difference: '-3.00' },
      ...{ rows: { ticked: 3, unticked: 1 }, drift: [], driftSum: '0.00', version: 1 },
    })
    expect(await look(me, march)).toEqual(march)
    const shown = (await rowsOf(me, march)).map(({ transaction, ticked, tickedTotal }) => [
      ...[transaction.id, ticked, tickedTotal],
    ])
    expect(shown).toEqual([
      [rent.id, true, '-600.00'],
      [salary.id, true, '1200.00'],
      [coffee.id, false, '1200.00'],
      [shop.id, true, '1152.80'],
    ])
    expect((await rowsOf(me, march, { later: 10 })).at(-1)?.transaction.id).toBe(later.id)

    expect(refusal(await finish(me, march))).toEqual([409, 'reconciliations.difference', 'adjust'])
    const ticked = await tick(me, march, { tick: [coffee.id] })
    expect(ticked.body).toMatchObject({ difference: '0.00', rows: { ticked: 4, unticked: 0 } })
    const finished = await finish(me, march)
    expect(finished.body).toMatchObject({
      ...{ state: 'finished', reconciledBalance: '1000.00', clearedBalance: '2149.80' },
      ...{ difference: '0.00', rows: { ticked: 4, unticked: 0 }, adjustmentId: null, version: 3 },
    })
    expect(await look(me, march)).toEqual(finished.body)
    for (const [row, status] of [
      ...[rent, salary, coffee, shop].map((one) => [one, 'reconciled'] as const),
      [later, 'cleared'] as const,
    ]) {
      expect(await ok(getTransaction, { as: me, id: row.id })).toMatchObject({ status })
    }
    const account = await ok(getAccountByID, { as: me, id: everyday.id })
    expect(account).toMatchObject({
      ...{ balance: '2137.80', clearedBalance: '2137.80', reconciledBalance: '2149.80' },
      lastReconciledAt: finished.body.finishedAt,
    })
    const [asserted] = await assertionsOf(me, everyday, { from: '2026-03-31' })
    expect(asserted).toMatchObject({
      ...{ date: '2026-03-31', of: 'reconciled', when: 'endOfDay', amount: '2149.80' },
      ...{ source: 'reconciliation', result: { ok: true } },
    })
    const [history] = await ok(getAccountHistory, { as: me, query: { accountId: everyday.id } })
    expect(history).toMatchObject({
      ...{ type: 'reconciled', date: '2026-03-31', change: '0.00', balanceAfter: '2137.80' },
    })

    // Example 6.
    expect((await change(me, shop, { amount: '57.20', force: true })).status).toBe(200)
    const april = await start(me, everyday, {
      ...{ statementDate: '2026-04-30', closingBalance: '2137.80' },
    })
    expect(april).toMatchObject({
      ...{ openingBalance: '2149.80', reconciledBalance: '2139.80', openingDifference: '-10.00' },
    })
    for (const session of [march, april]) {
      expect(await look(me, session)).toMatchObject({
        drift: [
          {
            id: shop.id,
            was: { amount: '-47.20', date: '2026-03-31', status: 'reconciled' },
            now: { amount: '-57.20', date: '2026-03-31', status: 'reconciled' },
            actorId: me.id,
          },
        ],
        driftSum: '-10.00',
      })
    }

    // Example 7.
    expect(refusal(await undo(me, march))).toEqual([409, 'reconciliations.open'])
    await rows('DELETE FROM reconciliations WHERE id = ?', april.id)
    const undone = await undo(me, march)
    expect(undone.body).toMatchObject({
      ...{ state: 'open', finishedAt: null, reconciledBalance: '942.80' },
      ...{ clearedBalance: '2139.80', difference: '10.00', rows: { ticked: 3, unticked: 0 } },
      kept: [{ id: shop.id, reason: 'changed' }],
    })
    const { kept: _, ...open } = undone.body
    expect(await look(me, march)).toEqual(open)
    const statuses = await Promise.all(
      [rent, salary, coffee, shop].map(
        async ({ id }) => (await ok(getTransaction, { as: me, id })).status,
      ),
    )
    expect(statuses).toEqual(['cleared', 'cleared', 'uncleared', 'reconciled'])
    expect(await ok(getAccountByID, { as: me, id: everyday.id })).toMatchObject({
      reconciledBalance: '942.80',
    })
    expect(await assertionsOf(me, everyday, { from: '2026-03-31' })).toEqual([])
  })
})

describe('a difference', () => {
  it('is booked, and taken back, as example 5 has it', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const row = await book(me, account, { date: '2026-03-05', amount: '10', status: 'cleared' })
    const session = await start(me, account, {
      ...{ statementDate: '2026-03-31', closingBalance: '-11.40' },
    })
    expect(session.difference).toBe('-1.40')
    const finished = await finish(me, session, {
      ...{ adjust: true, description: 'Rounding of the bank' },
    })
    const id = finished.body.adjustmentId ?? ''
    expect(finished.body).toMatchObject({ difference: '0.00', rows: { ticked: 2 } })
    expect(await ok(getTransaction, { as: me, id })).toMatchObject({
      ...{ kind: 'adjustment', signedAmount: '-1.40', date: '2026-03-31', status: 'reconciled' },
      description: 'Rounding of the bank',
    })
    const undone = await undo(me, session)
    expect(undone.body).toMatchObject({ difference: '-1.40', kept: [], adjustmentId: null })
    expect((await call(getTransaction, { as: me, id })).status).toBe(404)
    expect(await idsIn(me)).toEqual([id])
    expect(await ok(getTransaction, { as: me, id: row.id })).toMatchObject({ status: 'cleared' })
  })
})

import { describe, expect, it } from 'vitest'
import { listChanges, undoChange } from '../../../src/areas/events/changes/changes.routes.ts'
import { createTag, deleteTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import { setAllocation } from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { moveMoney } from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newBudget, newLine } from '../budgets/budgets.fixtures.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { finish, newMarch, start } from '../reconciliations/reconciling.ts'
import { book, change, expenseOn, refusal, tripsOf } from '../transactions/booking.ts'
import { createAll, times } from '../transactions/bulk.ts'
import { newHalves } from '../transfers/matched.ts'
import { lastChange, undo } from './undoing.ts'

describe('the list of changes', () => {
  it('has own changes of the last 30 days, newest first, in pages', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const one = await book(me, account)
    await change(me, one, { note: 'n' })
    await createAll(
      me,
      times(3, () => expenseOn(account)),
    )
    const answer = await call(listChanges, { as: me })
    expect(tripsOf(answer)).toBe(1)
    const { changes, count } = answer.body
    expect(
      changes.slice(0, 3).map((one) => [one.operation, one.count, one.types, one.undo]),
    ).toEqual([
      ['createTransactions', 3, ['transaction.created'], 'possible'],
      ['updateTransaction', 1, ['transaction.updated'], 'possible'],
      ['createTransaction', 1, ['transaction.created'], 'possible'],
    ])
    expect(changes.find(({ operation }) => operation === 'createAccount')?.undo).toBe('no')
    expect(count).toBe(changes.length)
    const paged = []
    let cursor: string | null = null
    do {
      const query: Record<string, string> = { limit: '2', ...(cursor ? { cursor } : {}) }
      const page = await ok(listChanges, { as: me, query })
      paged.push(...page.changes)
      cursor = page.nextCursor
    } while (cursor)
    expect(paged).toEqual(changes)
    const later = serviceWith({ ahead: 31 * 24 * 60 * 60 * 1000 }).call
    const [last] = changes
    expect(refusal(await later(undoChange, { as: me, id: last?.id ?? '', json: {} }))[0]).not.toBe(
      200,
    )
  })

  it('ends a page early where changes are large', async () => {
    const me = await newUser()
    await book(me, await newAccount(me))
    const [last] = await rows<{ number: number; event: number; at: number }>(
      `SELECT number, first_event + event_count - 1 AS event, at FROM log_commits ORDER BY number DESC LIMIT 1`,
    )
    const { number = 0, event = 0, at = 0 } = last ?? {}
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3)
        INSERT INTO log_commits (number, id, at, operation, actor_type, actor_id, type, owner_id, request_id, first_event, event_count)
        SELECT ?1 + 1 + i, 'log_' || i, ?2, 'updateTransactions', 'user', ?3, 'transaction.updated', ?3, 'r', ?4 + 1 + i * 12000, 12000 FROM n`,
      ...[number, at, me.id, event],
    )
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 47999)
        INSERT INTO log_events (number, commit_number, resource_id)
        SELECT ?2 + 1 + i, ?1 + 1 + i / 12000, 'txn_' || printf('%026d', i) FROM n`,
      ...[number, event],
    )
    const first = await ok(listChanges, { as: me })
    expect(first.changes.map(({ count, undo: way }) => [count, way])).toEqual([
      ...[
        [12_000, 'no'],
        [12_000, 'no'],
        [12_000, 'no'],
      ],
    ])
    const { changes } = await ok(listChanges, { as: me, query: { cursor: first.nextCursor ?? '' } })
    expect(changes.map(({ operation }) => operation).slice(0, 2)).toEqual([
      ...['updateTransactions', 'createTransaction'],
    ])
  })

  it('has no change with an id that is none, is of an event, or of nobody', async () => {
    const me = await newUser()
    await book(me, await newAccount(me), { payeeName: 'New', createMissing: true })
    const { id } = await lastChange(me)
    expect(refusal(await undo(me, 'log_none'))[0]).toBe(400)
    const other = id.replace(/.$/, (end) => (end === '1' ? '2' : '1'))
    for (const none of [`${id}-2`, other]) {
      expect([400, 404]).toContain(refusal(await undo(me, none))[0])
    }
  })
})

describe('a change that another operation reverses', () => {
  const insteadOf = async (as: Principal) => {
    const { id, undo: way } = await lastChange(as)
    const answer = await undo(as, id)
    return [way, ...refusal(answer), answer.error.error.includes(way)]
  }
  const refused = (operation: string) => [operation, 409, 'changes.notReversible', true]

  it('names that operation', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const tag = await ok(createTag, { as: me, json: { name: 'T' } })
    const other = await ok(createTag, { as: me, json: { name: 'U' } })
    const third = await ok(createTag, { as: me, json: { name: 'V' } })
    await book(me, account, { tagIds: [tag.id, third.id] })
    await ok(deleteTag, { as: me, id: tag.id })
    expect(await insteadOf(me)).toEqual(refused('restoreFromTrash'))
    await ok(mergeTag, { as: me, id: third.id, json: { tagId: other.id } })
    expect((await insteadOf(me)).slice(0, 3)).toEqual(['no', 409, 'changes.notReversible'])

    const halves = await newHalves()
    const sides = {
      fromTransactionId: (await halves.out()).id,
      toTransactionId: (await halves.into()).id,
    }
    await ok(matchTransfer, { as: halves.me, json: sides })
    expect(await insteadOf(halves.me)).toEqual(refused('unmatchTransfer'))

    const budget = await newBudget(me, { mode: 'envelope' })
    const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
    const path = { id: budget.id, period: '2026-01-01' }
    await ok(setAllocation, {
      as: me,
      path: { ...path, lineId: food.id },
      json: { assigned: '50' },
    })
    await ok(moveMoney, { as: me, path, json: { from: food.id, to: fun.id, amount: '1' } })
    expect(await insteadOf(me)).toEqual(refused('undoMovement'))

    const income = await book(me, account, { kind: 'income' })
    const json = {
      kind: 'refundOf' as const,
      transactionId: (await book(me, account)).id,
      amount: '5',
    }
    await ok(createTransactionLink, { as: me, id: income.id, json })
    expect((await insteadOf(me))[0]).toBe('no')
  })

  it('is a reconciliation', async () => {
    const me = await newUser()
    const { everyday } = await newMarch(me)
    const session = await start(me, everyday, {
      statementDate: '2026-03-31',
      closingBalance: '1000',
    })
    await finish(me, session, { adjust: true } as never)
    expect(await insteadOf(me)).toEqual(refused('undoReconciliation'))
  })

  it('is an import, whose rows are no change of the user', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const file = csv(['2026-11-20,Shop,-12.30', '2026-11-21,Shop,-1.00'])
    const { id } = await uploaded(me, file, { accountId: account.id })
    await committed(me, id)
    const commits = await rows<{ id: string }>(
      `SELECT DISTINCT c.id FROM log_commits c JOIN log_events e ON e.commit_number = c.number
        WHERE ifnull(e.type, c.type) IN ('import.committed', 'import.booked', 'transaction.created') AND c.owner_id = ?`,
      me.id,
    )
    expect(commits.length).toBeGreaterThan(1)
    const { changes } = await ok(listChanges, { as: me })
    const ways = commits.map((one) => changes.find((other) => other.id === one.id)?.undo)
    expect(new Set(ways.map((way) => way ?? 'revertImport'))).toEqual(new Set(['revertImport']))
  })
})

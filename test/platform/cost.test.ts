import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { createTransaction } from '../../src/areas/money/transactions/transactions.routes.ts'
import { read } from '../../src/platform/database/database.ts'
import { db } from '../../src/platform/database/statements.ts'
import { dueTasks } from '../../src/platform/work/task-rows.ts'
import { newKind, storeTask } from '../areas/queue-tasks/tasks.ts'
import { call, rows } from '../support/api.ts'
import { costOf } from '../support/samples.ts'
import { contextWith } from '../support/service.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'
import { waitingItem } from '../areas/recurring/linking.fixtures.ts'
import { expenseOn } from '../areas/transactions/booking.ts'

it('looks at what is due alone, however much was done before', async () => {
  await storeTask({ kind: newKind() })
  await rows(
    `INSERT INTO tasks (id, kind, payload, state, attempts, max_attempts, created_at, next_attempt_at)
      SELECT 'tsk_old_' || value, 'test.old', '{}', 'succeeded', 1, 5, 0, 0
      FROM json_each(?)`,
    JSON.stringify(Array.from({ length: 2000 }, (_, at) => at)),
  )
  const ctx = contextWith()
  const [due] = await read(ctx, dueTasks(ctx.now))
  expect(due.length).toBeGreaterThan(0)
  expect(ctx.cost.rowsRead).toBeLessThan(200)
  await rows("DELETE FROM tasks WHERE kind = 'test.old'")
})

it('reads and writes the same rows for a booking, however many others listen to the log', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const book = async () => {
    const { headers } = await call(createTransaction, { as: me, json: expenseOn(account) })
    const { trips, rowsRead, rowsWritten } = costOf(headers)
    return { trips, rowsRead, rowsWritten }
  }
  await book()
  const alone = await book()
  const others = Array.from({ length: 100 }, () => crypto.randomUUID())
  await rows(
    "INSERT INTO log_listeners (owner_id, reader, cursor) SELECT value, 'test.cost', 0 FROM json_each(?)",
    JSON.stringify(others),
  )
  expect(await book()).toEqual(alone)
  await rows("DELETE FROM log_listeners WHERE reader = 'test.cost'")
})

it('reads and writes the same rows for a booking, whoever has items that wait for transactions', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const [account, waiting] = [await newAccount(me), await newAccount(other)]
  const book = async (as: TestUser, on: { id: string }) => {
    const { headers } = await call(createTransaction, { as, json: expenseOn(on) })
    const { trips, rowsRead, rowsWritten } = costOf(headers)
    return { trips, rowsRead, rowsWritten }
  }
  for (const of of [[me, account] as const, [other, waiting] as const]) {
    await book(...of)
  }
  const [alone, before] = [await book(me, account), await book(other, waiting)]
  await waitingItem(other, waiting)
  expect(await book(me, account)).toEqual(alone)
  const { trips, rowsWritten } = await book(other, waiting)
  expect([trips, rowsWritten]).toEqual([before.trips, before.rowsWritten])
})

it('is told by D1 how long statements take', async () => {
  const ctx = contextWith()
  const counting =
    db.all(sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
    SELECT max(i) FROM n`)
  await read(ctx, counting)
  const once = ctx.cost.databaseMs
  expect(once).toBeGreaterThan(3)
  await read(ctx, counting, counting)
  expect(ctx.cost.databaseMs).toBeGreaterThan(once + 3)
})

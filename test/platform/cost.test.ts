import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { read } from '../../src/platform/database.ts'
import { db } from '../../src/platform/statements.ts'
import { dueTasks } from '../../src/platform/task-rows.ts'
import { newKind, storeTask } from '../areas/queue-tasks/tasks.ts'
import { rows } from '../support/api.ts'
import { contextWith } from '../support/service.ts'

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

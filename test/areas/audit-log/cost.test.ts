import { beforeAll, beforeEach, expect, it } from 'vitest'
import {
  eventsOfUnsealed,
  unsealedCommits,
} from '../../../src/areas/insight/audit-log/chain/chain.queries.ts'
import { read } from '../../../src/platform/database/database.ts'
import { contextOf, emptyLog, fill, openScratch, run } from './scratch.ts'

beforeAll(openScratch)

beforeEach(emptyLog)

it('looks at no more than it seals, also where the database has learned a log of a few rows', async () => {
  await fill({ count: 3 })
  await run('ANALYZE')
  await fill({ count: 400, items: 20, content: JSON.stringify('x'.repeat(400_000)) })
  const ctx = contextOf()
  const [taken, events] = await read(ctx, unsealedCommits(), eventsOfUnsealed())
  expect([taken.length, events.length]).toEqual([13, 3 * 2 + 10 * 21])
  expect(ctx.cost.rowsRead).toBeLessThan(6 * events.length)
})

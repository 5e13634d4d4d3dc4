import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition, ConditionOp } from '../../src/domain/conditions/conditions.ts'
import type { OperationEntry } from '../../src/http/registry.ts'
import { rows } from '../support/api.ts'
import { listQueriesOf } from '../support/list-queries.ts'
import { inOrder } from '../support/operations.ts'
import { type Sample, type Samples, samplesOf, sendSample } from '../support/samples.ts'
import type { TestUser } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'
import { fill } from './volume.ts'

let me: TestUser
let samples: Samples
let stopWatch = () => {}

beforeAll(async () => {
  ;({ me, samples } = await samplesOf())
  await fill(me.id)
  stopWatch = startWatch()
})

afterAll(() => stopWatch())

async function ask(operation: OperationEntry, sample: Sample): Promise<void> {
  attend([operation.operationId, sample.query].join(' '))
  const response = await sendSample(me, operation, sample)
  expect(response.status, operation.operationId).toBeLessThan(500)
  await response.arrayBuffer()
}

/** Conditions for which each line must be looked at. */
async function slowConditions(): Promise<Condition[]> {
  const idsOf = async (table: string, most: number) =>
    (
      await rows<{ id: string }>(
        `SELECT id FROM ${table} WHERE owner_id = ? ORDER BY id LIMIT ${most}`,
        me.id,
      )
    ).map(({ id }) => id)
  const [categoryIds, payeeIds] = [await idsOf('categories', 20), await idsOf('payees', 50)]
  const text = (op: ConditionOp, value: string): Condition => ({ field: 'text', op, value })
  const category: Condition = { field: 'categoryId', op: 'is', value: categoryIds[0] }
  return [
    ...[text('contains', 'o'), text('contains', 'bought'), text('word', 'bought')],
    ...[text('like', '*ought*'), text('like', '*o*u*g*h*t*s*h*o*p*')],
    { all: [text('contains', 'bought'), { not: category }] },
    { all: [text('contains', 'bought'), { not: text('contains', 'shop 77') }] },
    { field: 'note', op: 'isEmpty' },
    { field: 'payeeRaw', op: 'contains', value: 'shop' },
    { field: 'isSplit', op: 'is', value: true },
    { not: category },
    { field: 'payeeId', op: 'oneOf', value: payeeIds },
    { any: categoryIds.map((value): Condition => ({ field: 'categoryId', op: 'within', value })) },
    { any: Array.from({ length: 20 }, (_, at) => text('contains', `nowhere ${at}`)) },
  ]
}

it('lets no statement of an operation hold the database for long, however much there is', async () => {
  const before = slowness()
  const searches = (await slowConditions()).flatMap((condition) => {
    const query = `?${new URLSearchParams({ condition: JSON.stringify(condition) }).toString()}`
    return [query, `${query}&totals=true`]
  })
  for (const operation of inOrder(samples)) {
    const sample = samples[operation.operationId] ?? {}
    await ask(operation, sample)
    const queries = operation.method === 'get' ? listQueriesOf(operation, samples) : []
    for (const query of [
      ...queries,
      ...(operation.operationId === 'listTransactions' ? searches : []),
    ]) {
      await ask(operation, { ...sample, query })
    }
  }
  showLongest()
  const slower = Math.max(before, slowness())
  const tooLong = longestOfEach().filter(({ isBatch, ms, most }) => !isBatch && ms > slower * most)
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)

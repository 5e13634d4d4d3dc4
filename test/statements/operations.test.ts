import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OperationEntry } from '../../src/http/registry.ts'
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

const TEN_YEARS = '?from=2016-04-01&to=2026-03-31'
const ONE_YEAR = '?from=2025-04-01&to=2026-03-31'

/** Reports over much: what they read most of, by operation. */
const REPORTS: Record<string, string[]> = {
  getIncomeStatement: [
    ...[`${TEN_YEARS}&interval=month`, `${TEN_YEARS}&currency=none`, `${ONE_YEAR}&interval=week`],
    `${TEN_YEARS}&currency=none&q=bought`,
  ],
  getSpending: [
    ...[`${TEN_YEARS}&interval=month&limit=500`, `${TEN_YEARS}&by=account&interval=month`],
    ...['payee', 'tag', 'member'].map((by) => `${ONE_YEAR}&by=${by}`),
    `${TEN_YEARS}&by=payee&currency=none`,
  ],
  getCashFlow: [`${TEN_YEARS}&interval=month`, `${TEN_YEARS}&interval=year&currency=none`],
}

it('lets no statement of an operation hold the database for long, however much there is', async () => {
  const before = slowness()
  for (const operation of inOrder(samples)) {
    const sample = samples[operation.operationId] ?? {}
    await ask(operation, sample)
    const queries = operation.method === 'get' ? listQueriesOf(operation, samples) : []
    for (const query of [...queries, ...(REPORTS[operation.operationId] ?? [])]) {
      await ask(operation, { ...sample, query })
    }
  }
  showLongest()
  const slower = Math.max(before, slowness())
  const tooLong = longestOfEach().filter(({ isBatch, ms, most }) => !isBatch && ms > slower * most)
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)

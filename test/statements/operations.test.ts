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

it('lets no statement of an operation hold the database for long, however much there is', async () => {
  const before = slowness()
  for (const operation of inOrder(samples)) {
    const sample = samples[operation.operationId] ?? {}
    await ask(operation, sample)
    const queries = operation.method === 'get' ? listQueriesOf(operation, samples) : []
    for (const query of queries) {
      await ask(operation, { ...sample, query })
    }
  }
  showLongest()
  const slower = Math.max(before, slowness())
  const tooLong = longestOfEach().filter(({ isBatch, ms, most }) => !isBatch && ms > slower * most)
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)

import { expect, it } from 'vitest'
import '../../src/app.ts'
import { allOperations } from '../../src/http/registry.ts'
import { costOf, samplesOf, sendSample } from '../support/samples.ts'

/** Legs of a journey to an identity provider and back: test/areas/identity-providers/sign-in counts them. */
const LEGS = ['authorizeWithProvider', 'returnFromProvider', 'exchangeProviderCode']

it('costs one trip to the database for a read, and at most two for a write', async () => {
  const { me, samples } = await samplesOf()
  const costs: [string, number, number][] = []
  const order = Object.keys(samples)
  const operations = allOperations()
    .filter(({ operationId }) => !LEGS.includes(operationId))
    .toSorted((a, b) => order.indexOf(a.operationId) - order.indexOf(b.operationId))
  for (const operation of operations) {
    const sample = samples[operation.operationId]
    expect(sample, `a sample of ${operation.operationId}`).toBeDefined()
    const response = await sendSample(me, operation, sample ?? {})
    const failed = response.status < 300 ? '' : await response.text()
    expect(failed, operation.operationId).toBe('')
    costs.push([
      operation.operationId,
      operation.method === 'get' ? 1 : 2,
      costOf(response.headers).trips,
    ])
  }
  const tooDear = costs.filter(([, budget, trips]) => !(trips <= budget))
  expect(tooDear).toEqual([])
  const offline = costs.filter(([, , trips]) => trips === 0).map(([operationId]) => operationId)
  expect(offline).toEqual(['getHealth', 'getVersion', 'getJwks'])
  expect(costs.length).toBe(order.length)
})

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { fetchRaw } from '../support/api.ts'
import { badRequestsOf, faultsOfBad } from '../support/bad-requests.ts'
import { refuseLeaks } from '../support/canaries.ts'
import { faultsOf, operationOf } from '../support/described.ts'
import { serveOverHttp } from '../support/over-http.ts'
import { inOrder, operations } from '../support/operations.ts'
import type { Running } from '../support/running.ts'
import { sendSample } from '../support/samples.ts'
import { newSampledUser, type SampledUser } from '../support/sampled-user.ts'

// Every operation, asked over HTTP on the release bundle: once well and once badly, against openapi.json. All that can
// be wrong with a request is sent in process: test/sweeps/refusals.test.ts and foreign-ids.test.ts.

/** In development builds only. */
const ABSENT = ['getAPIReference']

const isPresent = ({ operationId }: { operationId: string }) => !ABSENT.includes(operationId)
const present = operations.filter(isPresent)

let service: Running
let sampled: SampledUser

beforeAll(async () => {
  service = await serveOverHttp()
  sampled = await newSampledUser()
})

afterAll(() => service?.stop())

afterEach(refuseLeaks)

/** One bad request of an operation, another kind at the next operation; none where nothing can be wrong with it. */
function oneBadRequestOf({ operationId }: { operationId: string }, at: number) {
  const operation = operationOf(operationId)
  const all = badRequestsOf(operation, sampled.sampleOf(operation), sampled.senderOf(operation))
  const certain = all.filter(({ status }) => status !== undefined)
  const bad = certain.length > 0 ? certain[at % certain.length] : all[0]
  return bad ? [{ operation, bad }] : []
}

it('refuses what is wrong in any operation, as openapi.json says', async () => {
  const found: string[] = []
  for (const { operation, bad } of present.flatMap(oneBadRequestOf)) {
    found.push(...(await faultsOfBad(operation, bad)))
  }
  expect(found).toEqual([])
})

// After what is refused, as it spends the samples.
it('answers what it is asked well, as openapi.json says', async () => {
  const { me, samples } = sampled
  const found: string[] = []
  for (const { operationId } of inOrder(samples).filter(isPresent)) {
    const operation = operationOf(operationId)
    const response = await sendSample(me, operation, samples[operationId] ?? {})
    const refused = response.status >= 400 ? [`${operationId} is refused`] : []
    found.push(...refused, ...(await faultsOf(operation, response)))
  }
  expect(found).toEqual([])
})

it.each(ABSENT)('has no %s', async (operationId) => {
  const headers = { Authorization: `Bearer ${sampled.me.accessToken}` }
  expect((await fetchRaw(operationOf(operationId).path, { headers })).status).toBe(404)
})

import { expect, it } from 'vitest'
import { badRequestsOf, faultsOfBad } from '../support/bad-requests.ts'
import { faultsOf, operationOf } from '../support/described.ts'
import { operations } from '../support/operations.ts'
import { unspentSamples } from '../support/unspent-samples.ts'

// The sample of every operation, spoilt in one thing after the other: who asks, each part of its path, each
// parameter of its query and each field of its body. test/system/operations.test.ts sends one of each over HTTP.

it('refuses what is wrong in any operation, in the words of its description', async () => {
  const { sampleOf, senderOf } = await unspentSamples()
  const found: string[] = []
  for (const { operationId } of operations) {
    const operation = operationOf(operationId)
    const bad = badRequestsOf(operation, sampleOf(operation), senderOf(operation))
    const faults = await Promise.all(bad.map((one) => faultsOfBad(operation, one)))
    found.push(...faults.flat())
  }
  expect(found).toEqual([])
})

// How an answer is held against its description: by the same check in all sweeps.

const error = { error: 'No.', code: 'area.reason', requestId: 'req_x' }

it.each([
  ['an undeclared status', Response.json(error, { status: 418 }), 'the status'],
  ['a failure', Response.json(error, { status: 500 }), 'the status'],
  ['another type', new Response('{}', { status: 200 }), 'the type is text/plain'],
  ['a missing field', Response.json({ accounts: [] }), '$ has no count'],
  ['a surplus field', Response.json({ accounts: [], count: 0, more: 1 }), '$ has more'],
  ['a wrong value', Response.json({ accounts: [], count: '0' }), '$.count is string'],
  ['a wrong item', Response.json({ accounts: [1], count: 1 }), '$.accounts[0] is number'],
  ['a number in an error', Response.json({ ...error, code: 1 }, { status: 401 }), '$.code is'],
  ['an error without its code', Response.json({ error: 'No.' }, { status: 401 }), '$ has no code'],
])('would tell %s', async (_, response, fault) => {
  const found = await faultsOf(operationOf('getUserAccounts'), response)
  expect(found[0]).toContain(fault)
})

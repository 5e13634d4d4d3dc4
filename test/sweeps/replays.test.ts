import { isDeepStrictEqual } from 'node:util'
import { expect, it } from 'vitest'
import { operationOf } from '../support/described.ts'
import { inOrder, isWhole } from '../support/operations.ts'
import { samplesOf, sendSample } from '../support/samples.ts'

// What an operation answers under an Idempotency-Key, it answers again.

/** After these the session is over. */
const ENDING = ['logout', 'logoutAll']

it('gives the same answer to each POST that is sent once more with its key', async () => {
  const { me, samples } = await samplesOf()
  const differing: string[] = []
  let sentTwice = 0
  for (const operation of inOrder(samples).filter(({ method }) => method !== 'get')) {
    const { operationId } = operation
    if (ENDING.includes(operationId)) {
      continue
    }
    const takesKey = operationOf(operationId).parameters.some(
      ({ name }) => name === 'Idempotency-Key',
    )
    if (!takesKey) {
      // Later samples need what it does.
      await (await sendSample(me, operation, samples[operationId] ?? {})).text()
      continue
    }
    sentTwice += 1
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const send = async () => {
      const answer = await sendSample(me, operation, { ...samples[operationId], headers })
      return { status: answer.status, body: await answer.text() }
    }
    const first = await send()
    const second = await send()
    if (first.status >= 300 || !isDeepStrictEqual(first, second)) {
      differing.push(`${operationId}: ${JSON.stringify([first, second])}`)
    }
  }
  expect(differing).toEqual([])
  expect(sentTwice).toBeGreaterThan(isWhole ? 50 : 0)
})

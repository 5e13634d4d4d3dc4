import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { openQueue } from '../../src/hosts/node/queue.ts'

/** As long as it takes, also on a busy machine. */
const WAIT = { timeout: 60_000, interval: 5 }

const messages = (...bodies: string[]) => bodies.map((body) => ({ body }))

it('hands on what was sent, once, ten at a time, one batch after the other', async () => {
  const batches: string[][] = []
  let isBusy = false
  const { binding, stop } = openQueue(async (batch) => {
    expect(isBusy).toBe(false)
    isBusy = true
    batches.push(batch.messages.map(({ body }) => body))
    await pause(2)
    isBusy = false
  })
  const bodies = Array.from({ length: 25 }, (_, at) => `tsk_${at}`)
  await binding.sendBatch(messages(...bodies, 'tsk_0', 'tsk_1'))
  expect(batches, 'the sender is answered first').toEqual([])
  await vi.waitFor(() => expect(batches.flat()).toEqual(bodies), WAIT)
  await binding.sendBatch(messages('tsk_late'))
  await vi.waitFor(() => expect(batches.flat()).toEqual([...bodies, 'tsk_late']), WAIT)
  expect(Math.max(...batches.map(({ length }) => length))).toBe(10)
  await stop()
})

it('goes on after a batch that failed', async () => {
  const seen: string[] = []
  const { binding, stop } = openQueue(async ({ messages: [first] }) => {
    seen.push(first?.body ?? '')
    throw new Error('the database is busy')
  })
  await binding.sendBatch(messages('a'))
  await vi.waitFor(() => expect(seen).toEqual(['a']), WAIT)
  await binding.sendBatch(messages('b'))
  await vi.waitFor(() => expect(seen).toEqual(['a', 'b']), WAIT)
  await stop()
})

it('finishes the batch that it is doing when it stops, and begins no other', async () => {
  const done: string[] = []
  const { binding, stop } = openQueue(async ({ messages: batch }) => {
    await pause(20)
    done.push(...batch.map(({ body }) => body))
  })
  await binding.sendBatch(messages(...Array.from({ length: 11 }, (_, at) => String(at))))
  await pause(5)
  await stop()
  expect(done).toHaveLength(10)
  await binding.sendBatch(messages('late'))
  await pause(30)
  expect(done).toHaveLength(10)
})

import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { openQueue } from '../../src/hosts/node/queue.ts'

/** As long as it takes, also on a busy machine. */
const WAIT = { timeout: 60_000, interval: 5 }

const messages = (...bodies: string[]) => bodies.map((body) => ({ body }))

it('hands on what was sent, once, and does not wait for the batch before', async () => {
  const batches: string[][] = []
  const { promise: first, resolve: endFirst } = Promise.withResolvers<void>()
  const { binding, stop } = openQueue(async (batch) => {
    batches.push(batch.messages.map(({ body }) => body))
    await (batches.length === 1 ? first : undefined)
  })
  const bodies = Array.from({ length: 25 }, (_, at) => `tsk_${at}`)
  await binding.sendBatch(messages(...bodies, 'tsk_0', 'tsk_1'))
  expect(batches, 'the sender is answered first').toEqual([])
  await vi.waitFor(() => expect(batches).toEqual([bodies]), WAIT)
  await binding.sendBatch(messages('tsk_late'))
  await vi.waitFor(() => expect(batches).toEqual([bodies, ['tsk_late']]), WAIT)
  endFirst()
  await stop()
})

it('delivers a message again after the delay that was asked for, and counts its deliveries', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'Date'], now: 0 })
  const deliveries: [number, number][] = []
  const { binding, stop } = openQueue(async ({ messages: [message] }) => {
    deliveries.push([Date.now(), message?.attempts ?? 0])
    message?.retry({ delaySeconds: 4 ** message.attempts })
  })
  await binding.sendBatch(messages('tsk_1'))
  await vi.advanceTimersByTimeAsync(21_000)
  await stop()
  await vi.advanceTimersByTimeAsync(600_000)
  vi.useRealTimers()
  expect(deliveries.map(([, attempts]) => attempts)).toEqual([1, 2, 3])
  expect(deliveries.map(([at]) => Math.floor(at / 1000))).toEqual([0, 4, 20])
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

it('finishes what it has handed on when it stops, and hands on nothing else', async () => {
  const done: string[] = []
  const { binding, stop } = openQueue(async ({ messages: batch }) => {
    await pause(20)
    done.push(...batch.map(({ body }) => body))
  })
  await binding.sendBatch(messages('first', 'second'))
  await pause(5)
  await stop()
  expect(done).toEqual(['first', 'second'])
  await binding.sendBatch(messages('late'))
  await pause(30)
  expect(done).toHaveLength(2)
})

import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { systemPorts } from '../../src/platform/context.ts'
import { commit } from '../../src/platform/database/database.ts'
import { consume } from '../../src/platform/work/tasks.ts'
import { rows } from '../support/api.ts'
import { testDone } from '../support/events.ts'
import { contextWith } from '../support/service.ts'
import { effectsOf, finishing, newKind, workOf } from '../areas/queue-tasks/tasks.ts'

const now = Date.now()

/** Stores a task that is due so much later, and gives what the queue was told. */
async function storeDue(kind: string, later: number): Promise<string[]> {
  const rung: string[] = []
  await commit(contextWith({ now, ring: (messages) => rung.push(...messages) }), {
    changes: [testDone(kind)],
    tasks: [{ kind, payload: {}, dueAt: now + later }],
    result: undefined,
  })
  return rung
}

/** What becomes of a message about a task when it is delivered so much later. */
async function delivered(kind: string, id: string, later: number): Promise<string> {
  let outcome = 'nothing'
  const message = {
    ...{ id, body: id, attempts: 1, ack: () => (outcome = 'done') },
    retry: ({ delaySeconds = 0 } = {}) => (outcome = `again in ${delaySeconds} s`),
  }
  const batch = { queue: 'coffer-tasks', messages: [message] }
  await consume(workOf(kind, finishing(kind)), batch as unknown as MessageBatch<string>, env, {
    ...systemPorts,
    now: () => now + later,
  })
  return outcome
}

it('a task that is due within ten seconds is told to the queue, which holds it back', async () => {
  const kind = newKind()
  const [id = ''] = await storeDue(kind, 5400)
  expect(await delivered(kind, id, 0)).toBe('again in 6 s')
  expect(await effectsOf(kind)).toBe(0)
  expect(await delivered(kind, id, 6000)).toBe('done')
  expect(await effectsOf(kind)).toBe(1)
})

it('one that is due later waits for the clock', async () => {
  const kind = newKind()
  expect(await storeDue(kind, 10_001)).toEqual([])
  const [task] = await rows<{ id: string }>('SELECT id FROM tasks WHERE kind = ?', kind)
  expect(await delivered(kind, task?.id ?? '', 0)).toBe('done')
  expect(await effectsOf(kind)).toBe(0)
})

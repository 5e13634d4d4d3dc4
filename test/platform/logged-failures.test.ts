import { env } from 'cloudflare:workers'
import { createMessageBatch } from 'cloudflare:test'
import { afterEach, expect, it, vi } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import { commit } from '../../src/platform/database/database.ts'
import { logFailure } from '../../src/platform/logger.ts'
import { ring } from '../../src/platform/work/task-queue.ts'
import { consume, tick, type Work } from '../../src/platform/work/tasks.ts'
import { rows } from '../support/api.ts'
import { testDone } from '../support/events.ts'
import { contextWith } from '../support/service.ts'

// What the log says of failures outside of requests.

afterEach(() => vi.restoreAllMocks())

type Line = Record<string, unknown>

function logged(): () => Line[] {
  const spy = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  return () =>
    spy.mock.calls
      .map(([line]) => JSON.parse(String(line)) as Line)
      .filter(({ level }) => level === 'error')
}

const broken = () => Promise.reject(new Error('the machine is broken'))

async function taskThat(run: () => Promise<unknown>): Promise<{ id: string; work: Work }> {
  const kind = `test.${crypto.randomUUID()}`
  await commit(contextWith(), {
    changes: [testDone(kind)],
    tasks: [{ kind, payload: {} }],
    result: undefined,
  })
  const [task] = await rows<{ id: string }>('SELECT id FROM tasks WHERE kind = ?', kind)
  return { id: task?.id ?? '', work: { jobs: [{ kind, run }], schedule: {} } }
}

const deliver = (work: Work, body: string) =>
  consume(
    work,
    createMessageBatch<string>('coffer-tasks', [
      { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body },
    ]),
    env,
  )

it('names the task that failed, its attempt, the cause and where it was thrown', async () => {
  const { id, work } = await taskThat(broken)
  const lines = logged()
  await deliver(work, id)
  expect(lines()).toEqual([
    {
      ...{ level: 'error', event: 'task', id, kind: work.jobs[0]?.kind, attempt: 1 },
      ...{ state: 'failed', code: 'service.failed', cause: 'the machine is broken' },
      stack: expect.stringContaining('logged-failures') as string,
    },
  ])
})

it('names the cause of an error of the service', async () => {
  const cause = new Error('no such table')
  const { id, work } = await taskThat(() =>
    Promise.reject(new AppError('internal', 'service.failed', 'It failed.', { cause })),
  )
  const lines = logged()
  await deliver(work, id)
  expect(lines()).toMatchObject([{ id, code: 'service.failed', cause: 'no such table' }])
})

it('says only the code of a refusal, whose sentence may quote somebody', async () => {
  const { id, work } = await taskThat(() =>
    Promise.reject(new AppError('conflict', 'test.refused', 'There is a category “Secret”.')),
  )
  const lines = logged()
  await deliver(work, id)
  expect(lines()).toMatchObject([{ id, attempt: 1, state: 'failed', code: 'test.refused' }])
  expect(JSON.stringify(lines())).not.toContain('Secret')
})

it('names the sweep that failed, and why', async () => {
  const lines = logged()
  await tick({ jobs: [], schedule: {}, sweeps: [broken] }, '*/5 * * * *', env)
  expect(lines()).toEqual([
    {
      ...{ level: 'error', event: 'sweep.failed', sweep: 'broken', code: 'service.failed' },
      cause: 'the machine is broken',
      stack: expect.any(String) as string,
    },
  ])
})

it('says that the queue could not be told', async () => {
  const lines = logged()
  await ring({ sendBatch: broken } as unknown as Queue, ['tsk_x'])
  expect(lines()).toMatchObject([{ event: 'queue.notRung', cause: 'the machine is broken' }])
})

it('says of a failed request where its error comes from, whatever it was wrapped in', () => {
  const lines = logged()
  logFailure('req_x', new AppError('internal', 'service.failed', 'It failed.'))
  expect(lines()).toMatchObject([{ event: 'failure', requestId: 'req_x', cause: 'It failed.' }])
})

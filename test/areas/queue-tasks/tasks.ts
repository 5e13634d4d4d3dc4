import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { systemPorts } from '../../../src/platform/context.ts'
import { commit } from '../../../src/platform/database/database.ts'
import type { NewTask } from '../../../src/platform/work/task-rows.ts'
import { consume, type Work } from '../../../src/platform/work/tasks.ts'
import { rows } from '../../support/api.ts'
import { testDone, testEvents } from '../../support/events.ts'
import { contextWith } from '../../support/service.ts'
import type { TestUser } from '../../support/world.ts'
import type { Job } from '../../../src/platform/work/payloads.ts'

/** A kind of its own for every test, so that no test does the work of another. */
export const newKind = (): string => `test.${crypto.randomUUID()}`

/** Stores a task that the user asked for, or nobody; gives its id. */
export async function storeTask(
  task: Partial<NewTask> & { kind: string },
  user?: TestUser,
  now = Date.now(),
): Promise<string> {
  const caller = user && { userId: user.id, sessionId: null, tokenHash: null }
  await commit(contextWith({ now, ...(caller && { caller }) }), {
    changes: [testDone(task.kind)],
    tasks: [{ payload: {}, ...task }],
    result: undefined,
  })
  const [stored] = await rows<{ id: string }>(
    'SELECT id FROM tasks WHERE kind = ? ORDER BY rowid DESC',
    task.kind,
  )
  return stored?.id ?? ''
}

/** The work of one job, which does this in every step. */
export function workOf(kind: string, run: Job['run']): Work {
  return { jobs: [{ kind, run }], schedule: {} }
}

/** Finishes the task, and notes the run in the log under the kind. */
export const finishing =
  (kind: string): Job['run'] =>
  (ctx, _payload, finish) =>
    commit(ctx, {
      changes: [{ statements: finish, events: [testEvents.worked({ id: kind })] }],
      result: undefined,
    })

export const effectsOf = async (kind: string): Promise<number> =>
  (await rows("SELECT 1 FROM log_entries WHERE resource_id = ? AND type = 'test.worked'", kind))
    .length

/** Lets the queue deliver a task, so much later. Where the queue itself has taken it before, waits until that is done. */
export async function deliver(work: Work, id: string, later = 0): Promise<void> {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: id }
  await consume(work, createMessageBatch('coffer-tasks', [message]), env, {
    ...systemPorts,
    now: () => Date.now() + later,
  })
  for (let tries = 0; tries < 300 && (await isAtWork(id, Date.now() + later)); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Whether somebody is at a task; kinds of tests are done by their tests alone. */
const isAtWork = async (id: string, now: number): Promise<boolean> =>
  (
    await rows(
      "SELECT 1 FROM tasks WHERE id = ? AND kind NOT LIKE 'test.%' AND state = 'running' AND next_attempt_at > ?",
      id,
      now,
    )
  ).length > 0

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { startHost } from '../../src/hosts/node/host.ts'
import { storedSecrets } from '../../src/hosts/node/secrets.ts'
import { withData } from '../kills/machine.ts'
import { temporaryFolder } from '../support/running.ts'

const root = temporaryFolder()
afterAll(() => root.remove())

const options = {
  data: join(root.path, 'data'),
  migrations: inProject('migrations'),
  variables: { REGISTRATION: 'open', PASSWORD_COST: '1' },
}

const tasks = () =>
  withData(options.data, (ask) =>
    ask<{ id: string; state: string; attempts: number }>(
      "SELECT id, state, attempts FROM tasks WHERE id LIKE 'tsk_lease%' ORDER BY id",
    ),
  )

/** The calls of a run up to its lease: what is due, the task, the lease. */
const CALLS_TO_LEASE = 3

/** Runs a process on the data folder that takes the task, and is killed before it does anything else. */
async function killAtWork(): Promise<void> {
  const { data, variables } = options
  const machine = {
    ...{ data, kind: 'archives.expire' },
    variables: { ...variables, ...storedSecrets(data), CORS_ORIGINS: '' },
  }
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      `--import=${inProject('test/support/modules.ts')}`,
      inProject('test/kills/process.ts'),
      JSON.stringify({ machine, now: Date.now(), at: CALLS_TO_LEASE + 1 }),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL')
}

it('end with their process: the next one does its task at once, and once', async () => {
  const first = await startHost(options)
  await first.stop()
  withData(options.data, (ask) => ask("DELETE FROM tasks WHERE state IN ('queued', 'running')"))
  withData(options.data, (ask) =>
    ask(`INSERT INTO tasks (id, kind, payload, max_attempts, created_at, next_attempt_at)
      VALUES ('tsk_lease', 'archives.expire', '{}', 5, 0, 0)`),
  )
  await killAtWork()
  expect(tasks()).toEqual([{ id: 'tsk_lease', state: 'running', attempts: 1 }])
  const next = await startHost(options)
  await vi.waitFor(
    () => expect(tasks()).toEqual([{ id: 'tsk_lease', state: 'succeeded', attempts: 2 }]),
    { timeout: 60_000, interval: 20 },
  )
  await next.stop()
})

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { killableOnWorkerd } from '../support/killable.ts'
import { DEAF_MAIL_SERVER } from '../support/releases.ts'
import { randomFrom } from '../support/random.ts'
import { isProof, rounds, SEED } from '../support/rounds.ts'

// A release at work, killed over and over. Its queue lives in memory, so every kill loses what it holds.

const KILLS = rounds(2, 10)
const TASKS = rounds(200, 1000)
const AT_ONCE = 16

let host: Awaited<ReturnType<typeof killableOnWorkerd>>
/** Where the service is; nothing while it is down. */
let url: string | undefined

beforeAll(async () => {
  host = await killableOnWorkerd({
    ...DEAF_MAIL_SERVER.variables,
    LOGIN_LIMIT_CLIENT: '1000000',
  })
})

afterAll(async () => {
  await kill()
  host.remove()
})

/** Starts the service, whose clock ticks all the time; gives where it is. */
const start = async (sql?: string) => (url = await host.start(sql))

async function kill(): Promise<void> {
  url = undefined
  await host.kill()
}

const isUp = (at: string) => url === at

const countOf = (condition: string) =>
  host.stored<{ count: number }>(`SELECT count(*) AS count FROM ${condition}`, true)[0]?.count ?? 0

/** Asks for a mail to an address that nobody has: a task that does nothing but note that it was done. */
async function ask(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/auth/password/forgot`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `nobody-${crypto.randomUUID()}@coffer.test` }),
      signal: AbortSignal.timeout(60_000),
    })
    await answer.text()
    return answer.ok
  } catch {
    return false
  }
}

/** Asks so often, many at once, while the service is up; gives how often the answer was heard. */
async function askOften(url: string, times: number): Promise<number> {
  let left = times
  const heard = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      let count = 0
      while (left > 0 && isUp(url)) {
        left -= 1
        count += (await ask(url)) ? 1 : 0
      }
      return count
    }),
  )
  return heard.reduce((sum, count) => sum + count, 0)
}

const open = `tasks WHERE state IN ('queued', 'running')`

const running = () => countOf("tasks WHERE state = 'running'")

/** Resolves when the service has done so many tasks more and is at another, or nothing is left to do. */
async function whenDone(more: number): Promise<void> {
  const done = () => countOf("tasks WHERE state = 'succeeded'")
  const enough = done() + more
  while ((done() < enough || running() === 0) && countOf(open) > 0) {
    await wait(2)
  }
}

/** Resolves when all that is left to do waits for its time. */
async function whenNothingIsDue(): Promise<void> {
  const due = () =>
    countOf(
      `tasks WHERE state = 'running' OR state = 'queued' AND next_attempt_at <= ${Date.now()}`,
    )
  while (due() > 0) {
    await wait(20)
  }
}

/** Half of the tasks, for which nobody has found the time yet: the queue has forgotten them all. */
async function makeBacklog(): Promise<number> {
  const url = await start(
    `CREATE TRIGGER later AFTER INSERT ON tasks BEGIN
      UPDATE tasks SET next_attempt_at = 4000000000000 WHERE id = NEW.id; END`,
  )
  const heard = await askOften(url, TASKS / 2)
  await kill()
  host.stored('DROP TRIGGER later')
  host.stored('UPDATE tasks SET next_attempt_at = created_at')
  return heard
}

it('does every task once, and loses none, however often it is killed at work', async () => {
  let heard = await makeBacklog()
  expect(countOf(open)).toBe(TASKS / 2)
  let undone = 0
  const random = randomFrom(SEED)
  for (let round = 0; round < KILLS; round++) {
    const url = await start()
    const asking = askOften(url, TASKS / 2 / KILLS)
    await whenDone(random.whole(1, (TASKS / KILLS) * 0.3))
    await kill()
    heard += await asking
    undone += countOf(open)
    // The time of a lease goes by.
    host.stored(`UPDATE tasks SET next_attempt_at = 0 WHERE state = 'running'`)
  }
  const url = await start()
  while (heard < TASKS) {
    heard += await askOften(url, TASKS - heard)
  }
  await host.tick('17 3 * * *')
  for (;;) {
    await whenNothingIsDue()
    await kill()
    if (countOf(open) === 0) {
      break
    }
    host.stored(`UPDATE tasks SET next_attempt_at = 0 WHERE state = 'running'`)
    await start()
  }

  const asked = countOf(`log_entries WHERE type = 'password.resetRequested'`)
  expect(heard).toBe(TASKS)
  expect(asked).toBeGreaterThanOrEqual(heard)
  const kind = `kind = 'auth.mailToNobody'`
  expect(
    host.stored(`SELECT state, count(*) AS count FROM tasks WHERE ${kind} GROUP BY state`),
  ).toEqual([{ state: 'succeeded', count: asked }])
  const notOnce = host.stored(
    `SELECT t.id, count(done.id) AS times FROM tasks t
        LEFT JOIN log_entries done ON done.resource_id = t.dedupe_key AND done.type = 'mail.dropped'
        WHERE t.${kind} GROUP BY t.id HAVING times <> 1`,
  )
  expect(notOnce).toEqual([])
  expect(countOf(`log_entries WHERE type = 'mail.dropped'`)).toBe(asked)
  if (isProof) {
    expect(undone, 'it was killed at work').toBeGreaterThan(0)
  }

  const others = host.stored<{ kind: string; state: string }>(
    `SELECT kind, state FROM tasks WHERE NOT ${kind}`,
  )
  expect(others.map((task) => task.kind)).toContain('platform.purge')
  expect(others.filter(({ state }) => state !== 'succeeded')).toEqual([])
})

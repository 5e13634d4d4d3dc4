import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, inject, it } from 'vitest'
import { databaseFile } from '../../src/hosts/node/data-folder.ts'
import { randomFrom } from '../support/random.ts'
import { DEAF_MAIL_SERVER } from '../support/releases.ts'
import { rounds, SEED } from '../support/rounds.ts'
import { type NodeProcess, runNode, temporaryFolder } from '../support/running.ts'

// The release for Node, killed over and over while eight clients write.

const KILLS = rounds(2, 20)
const WRITERS = 8

const root = temporaryFolder()
let service: NodeProcess
afterAll(async () => {
  await service.stop()
  root.remove()
})

const start = async () => {
  service = await runNode(inject('nodeRelease'), root.path, {
    ...DEAF_MAIL_SERVER.variables,
    REGISTRATION: 'open',
    PASSWORD_COST: '4',
    USER_LIMIT_DATABASE_MS: '1000000',
  })
}

async function post(path: string, body: object, token = '', key = ''): Promise<Response> {
  return fetch(service.url + path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === '' ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(20_000),
  })
}

const answerTo = async (path: string, body: object, token = '') =>
  (await (await post(path, body, token)).json()) as Record<'id' | 'accessToken', string>

/** One client: what it was told is stored, and what it never heard of. */
interface Writer {
  token: string
  accountId: string
  /** The cents of a booking by its key: all that were asked for. */
  asked: Map<string, number>
  acknowledged: Set<string>
}

let serial = 0

async function newWriter(): Promise<Writer> {
  const email = `writer-${++serial}@coffer.test`
  const registration = { email, password: 'only for this one test', name: 'Ada' }
  const { accessToken: token } = await answerTo('/auth/register', registration)
  const account = { name: 'Everyday', type: 'checking', currency: 'EUR' }
  const { id: accountId } = await answerTo('/account', account, token)
  return { token, accountId, asked: new Map(), acknowledged: new Set() }
}

/** Asks for a booking until somebody answers; the key makes a repeat harmless. */
async function book({ token, accountId, asked, acknowledged }: Writer, key: string): Promise<void> {
  const cents = asked.get(key) ?? 0
  const booking = {
    ...{ kind: 'expense', accountId, date: '2026-01-05', amount: (cents / 100).toFixed(2) },
    ...{ description: key, payeeRaw: `Shop ${cents % 7}` },
  }
  const answer = await post('/transaction', booking, token, key).catch(() => undefined)
  if (answer) {
    expect(answer.status, await answer.clone().text()).toBe(201)
    acknowledged.add(key)
  }
}

/** Asks for a mail to an address that nobody has: a task that does nothing but note that it was done. */
const askForMail = () =>
  post('/auth/password/forgot', { email: `nobody-${++serial}@coffer.test` }).catch(() => undefined)

/** Writes until the service is killed; says so whenever it has sent a booking. */
async function write(writer: Writer, isOver: () => boolean, sent: () => void): Promise<void> {
  while (!isOver()) {
    const key = `booking-${++serial}`
    writer.asked.set(key, 1 + (serial % 997))
    const booked = book(writer, key)
    sent()
    await booked
    await askForMail()
  }
}

/** How many bookings all of them together have acknowledged, when the service is killed: at least and at most. */
const [LEAST, MOST] = [30, 90]

const NIGHTLY = "tasks WHERE dedupe_key LIKE '% 20__-__-__'"
const OPEN = "tasks WHERE state IN ('queued', 'running') AND kind <> 'mail.send'"

/** What the service's database answers, whether it runs or not. */
function ask(sql: string, readOnly = false): Record<string, unknown>[] {
  const database = new DatabaseSync(databaseFile(root.path), { readOnly, timeout: 10_000 })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}

const is = (condition: string) => ask(`SELECT 1 FROM ${condition} LIMIT 1`, true).length > 0

/** Lets the time of all leases go by, and the clock tick, until the work of the night is begun and nothing is left to do. */
async function finishTasks(): Promise<void> {
  for (;;) {
    await service.stop()
    ask("UPDATE tasks SET next_attempt_at = 0 WHERE state IN ('queued', 'running')")
    if (is(NIGHTLY) && !is(OPEN)) {
      return
    }
    const due = `${OPEN} AND (state = 'running' OR next_attempt_at <= ${Date.now()})`
    await start()
    while (!is(NIGHTLY) || is(due)) {
      await pause(20)
    }
  }
}

it('loses no write that it has acknowledged, and does everything once, however often it is killed', async () => {
  await start()
  const writers = await Promise.all(Array.from({ length: WRITERS }, newWriter))
  let inDoubt = 0
  const random = randomFrom(SEED)
  for (let round = 0; round < KILLS; round++) {
    let isOver = false
    const known = () => writers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    const enough = known() + random.whole(LEAST, MOST)
    // With that many acknowledged, and at least one more on its way.
    const writing = await new Promise<Promise<void>[]>((resolve) => {
      const all = writers.map((writer) =>
        write(
          writer,
          () => isOver,
          () => known() >= enough && resolve(all),
        ),
      )
    })
    isOver = true
    const ended = once(service.child, 'exit')
    service.child.kill('SIGKILL')
    await Promise.all([ended, ...writing])
    inDoubt += writers.flatMap(({ asked, acknowledged }) =>
      [...asked.keys()].filter((key) => !acknowledged.has(key)),
    ).length
    await start()
    // Whoever heard nothing asks again.
    for (const writer of writers) {
      for (const key of [...writer.asked.keys()].filter((one) => !writer.acknowledged.has(one))) {
        await book(writer, key)
      }
    }
  }
  expect(inDoubt, 'it was killed at work').toBeGreaterThan(0)
  await finishTasks()

  const database = new DatabaseSync(databaseFile(root.path), { readOnly: true })
  const all = (sql: string) => database.prepare(sql).all() as Record<string, unknown>[]
  const bookings = writers.flatMap(({ accountId, asked }) =>
    [...asked].map(([key, cents]) => `${accountId} ${key} ${-cents}`),
  )
  const stored = all(
    `SELECT e.account_id || ' ' || t.description || ' ' || e.amount_minor AS booking
        FROM transactions t JOIN entries e ON e.transaction_id = t.id WHERE e.side = 'account'`,
  )
  expect(stored.map(({ booking }) => booking).toSorted()).toEqual(bookings.toSorted())
  for (const { accountId, asked } of writers) {
    const [balance] = all(
      `SELECT balance_minor FROM account_balances WHERE account_id = '${accountId}'`,
    )
    expect(balance?.['balance_minor']).toBe(
      -[...asked.values()].reduce((sum, cents) => sum + cents, 0),
    )
  }
  expect(all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  expect(all('PRAGMA foreign_key_check')).toEqual([])
  const nightly = all(`SELECT kind, state FROM ${NIGHTLY}`)
  expect(nightly.length).toBeGreaterThan(5)
  expect(nightly.filter(({ state }) => state !== 'succeeded')).toEqual([])
  expect(all(`SELECT kind, state FROM ${OPEN}`)).toEqual([])
  const mails = all(
    `SELECT t.id, t.state, count(done.id) AS times FROM tasks t
        LEFT JOIN log_entries done ON done.resource_id = t.dedupe_key AND done.type = 'mail.dropped'
        WHERE t.kind = 'auth.mailToNobody' GROUP BY t.id`,
  )
  expect(mails.length).toBeGreaterThan(10)
  expect(mails.filter(({ state, times }) => state !== 'succeeded' || times !== 1)).toEqual([])
  const [log] = all('SELECT count(*) AS written FROM log_commits')
  const [chain] = all('SELECT max(number) AS sealed FROM log_seals')
  database.close()
  expect(Number(chain?.['sealed'])).toBeGreaterThan(Number(log?.['written']) / 2)
})

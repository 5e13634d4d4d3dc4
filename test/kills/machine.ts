import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Bindings } from '../../src/env.ts'
import { databaseFile, filesFolder } from '../../src/hosts/node/data-folder.ts'
import { openDatabase, type SqliteDatabase } from '../../src/hosts/node/database.ts'
import { openFiles, removeUnfinished } from '../../src/hosts/node/files.ts'
import { type Ports, systemPorts } from '../../src/platform/context.ts'
import { work } from '../../src/areas/index.ts'
import { consume, tick, type Work } from '../../src/platform/work/tasks.ts'

// A service at work on a data folder of its own, which ends at one of its calls. A call is a batch of the database, one of
// the bucket, or a mail.

/** How it goes wrong at a call: the machine dies before it or behind it, or only this call fails, so or so. */
export const FAULTS = ['killed', 'killedAfter', 'failed', 'answerLost'] as const

export type Fault = (typeof FAULTS)[number]

/** Stands around every call of a machine. */
export type Around = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

/** Counts calls, and has one of them go wrong. */
export function faultAt(at: number, fault: Fault): { around: Around; calls: () => number } {
  let calls = 0
  const around: Around = async (call) => {
    calls += 1
    const isDead = calls > at && fault.startsWith('killed')
    if (isDead || (calls === at && (fault === 'killed' || fault === 'failed'))) {
      throw new Error('the machine is gone')
    }
    const answer = await call()
    if (calls === at) {
      throw new Error('the machine is gone')
    }
    return answer
  }
  return { around, calls: () => calls }
}

export const calm: Around = (call) => call()

export interface Machine {
  data: string
  /** The kind of task that it does, or one of the two below. */
  kind: string
  /** The environment of the service. */
  variables: Record<string, string>
  around: Around
}

/** What each tick of the clock does without a task. */
export const SWEEPS = 'the sweeps'
export const READERS = 'the readers'

function workOf(kind: string): Work {
  const { jobs, sweeps = [], readers = [] } = work
  return {
    ...{ jobs, schedule: {} },
    ...(kind === SWEEPS ? { sweeps } : {}),
    ...(kind === READERS ? { readers } : {}),
  }
}

const CRON = '*/5 * * * *'
const MOST_ROUNDS = 12
export const MINUTE = 60_000
export const DAY = 24 * 60 * MINUTE

/** Later than any lease of a killed run and than any wait for another try. */
const LATER = 5 * 60 * MINUTE

/** What was sent so far, a line of JSON for each mail. */
export const mailsFile = (data: string): string => join(data, 'mails')

export function sentMails(data: string): string[] {
  return readFileSync(mailsFile(data), 'utf8').split('\n').filter(Boolean)
}

/** A session of the database each of whose trips may go wrong. */
function databaseOver(database: SqliteDatabase, around: Around): D1Database {
  const { binding } = database
  const withSession = (): D1DatabaseSession =>
    ({
      prepare: (sql: string) => binding.prepare(sql),
      getBookmark: () => null,
      batch: (statements: D1PreparedStatement[]) => around(() => binding.batch(statements)),
    }) as unknown as D1DatabaseSession
  return { withSession } as unknown as D1Database
}

/** A bucket each of whose calls may go wrong, also those of an upload. */
function filesOver<Target extends object>(target: Target, around: Around): Target {
  return new Proxy(target, {
    get: (_, name) => {
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function'
        ? async (...args: unknown[]) => {
            const found: unknown = await around(async () => Reflect.apply(member, target, args))
            return name === 'createMultipartUpload' ? filesOver(found as object, around) : found
          }
        : member
    },
  })
}

type Tick = (now: number) => Promise<void>

/**
 * Starts a machine, and stops it when it was used. A tick does what is due at a time, then what the queue was told
 * meanwhile.
 */
export async function whileRunning<Answer>(
  machine: Machine,
  use: (tick: Tick, database: SqliteDatabase) => Promise<Answer>,
): Promise<Answer> {
  const { data } = machine
  await removeUnfinished(filesFolder(data))
  const database = openDatabase(databaseFile(data))
  try {
    return await use((now) => tickOn(machine, database, now), database)
  } finally {
    database.close()
  }
}

async function tickOn(
  { data, kind, variables, around }: Machine,
  database: SqliteDatabase,
  now: number,
): Promise<void> {
  const toDo = workOf(kind)
  const messages: string[] = []
  const bindings = {
    ...variables,
    MAIL: {
      send: ({ to, subject }: { to: string; subject: string }) =>
        around(async () => appendFileSync(mailsFile(data), `${JSON.stringify({ to, subject })}\n`)),
    },
    MAIL_FROM: 'coffer@coffer.test',
    DB: databaseOver(database, around),
    FILES: filesOver(openFiles(filesFolder(data)), around),
    TASKS: {
      sendBatch: async (some: Iterable<{ body: string }>) =>
        void messages.push(...Array.from(some, ({ body }) => body)),
    },
  } as unknown as Bindings
  const ports: Ports = { ...systemPorts, now: () => now }
  await tick(toDo, CRON, bindings, ports)
  while (messages.length > 0) {
    const batch = messages.splice(0, 10).map((body) => ({ body, ack: () => {}, retry: () => {} }))
    await consume(
      toDo,
      { queue: 'coffer-tasks', messages: batch } as unknown as MessageBatch<string>,
      bindings,
      ports,
    )
  }
}

/** Does what is due at a time on a machine that is started for it. */
export const workOnce = (machine: Machine, now: number): Promise<void> =>
  whileRunning(machine, (tickAt) => tickAt(now))

/** Lets time go by, and the clock tick, until nothing is left to do; gives when that was. */
export const workToTheEnd = (machine: Machine, from: number): Promise<number> =>
  whileRunning(machine, async (tickAt, { binding }) => {
    let now = from
    for (let round = 0; round < MOST_ROUNDS; round++) {
      now += LATER
      await tickAt(now)
      const left = binding.prepare(
        "SELECT 1 FROM tasks WHERE state IN ('queued', 'running') LIMIT 1",
      )
      if ((await left.all()).results.length === 0) {
        return now
      }
    }
    throw new Error(`after ${MOST_ROUNDS} rounds there is work left`)
  })

/** Runs SQL, and gives the rows. */
export type Ask = <Row>(sql: string, ...values: SQLInputValue[]) => Row[]

/** Asks the database of a data folder, until the answer is there. Opening it reads the whole schema: ask all at once. */
export function withData<Answer>(data: string, use: (ask: Ask) => Answer): Answer {
  const database = new DatabaseSync(databaseFile(data))
  const statements = new Map<string, StatementSync>()
  const ask: Ask = <Row>(sql: string, ...values: SQLInputValue[]) => {
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    return statement.all(...values) as Row[]
  }
  let answer: Answer | undefined
  try {
    answer = use(ask)
    return answer instanceof Promise ? (answer.finally(() => database.close()) as Answer) : answer
  } finally {
    if (!(answer instanceof Promise)) {
      database.close()
    }
  }
}

/** A data folder with all that another one has. */
export function copyData(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true })
  cpSync(from, to, { recursive: true })
}

import '../../src/hosts/node/globals.ts'
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MIGRATIONS } from '../../scripts/lib/project.ts'
// Registers the hooks of the ledger.
import '../../src/areas/index.ts'
import type { Bindings } from '../../src/env.ts'
import { databaseFile, filesFolder } from '../../src/hosts/node/data-folder.ts'
import { openDatabase, type SqliteDatabase } from '../../src/hosts/node/database.ts'
import { openFiles } from '../../src/hosts/node/files.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'
import { openQueue } from '../../src/hosts/node/queue.ts'
import { testBindings } from './bindings.ts'

// What `cloudflare:workers` and `cloudflare:test` are to the tests on plain Node (vitest.config.ts): the bindings of
// the Node host, on databases that all files of one worker share, and the few helpers that the tests use.

const folder = mkdtempSync(join(tmpdir(), 'coffer-test-'))
const databases = mkdtempSync(join(tmpdir(), 'coffer-databases-'))

/** A database that can become another one. Its statements stay prepared: preparing them anew would take longer than many a file. */
interface Scratch extends SqliteDatabase {
  file: string
  become: (file: string) => void
}

/** The place in a SQLite file of a number that differs with its content: SQLite forgets what it has read where it does. */
const CHANGE_COUNTER = 24
let contents = 0

/** @param name of its file */
function openScratch(name: string): Scratch {
  const file = join(databases, name)
  const database = openDatabase(file, { isScratch: true })
  return {
    ...{ ...database, file },
    become: (other) => {
      // The end of this query lets go of the file.
      database.exec('PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema')
      copyFileSync(other, file)
      const counter = Buffer.alloc(4)
      counter.writeUInt32BE(++contents * 1000)
      const opened = openSync(file, 'r+')
      writeSync(opened, counter, 0, counter.length, CHANGE_COUNTER)
      closeSync(opened)
      database.exec('PRAGMA locking_mode = EXCLUSIVE')
    },
  }
}

const main = openScratch('main.sqlite')
const scratch = openDatabase(':memory:')

/** Does nothing by itself: a test runs a task when it wants it done, so nothing happens beside it. */
const queue = openQueue(async () => undefined)

export const env = {
  ...(await testBindings()),
  CORS_ORIGINS: '',
  CLIENT_IP_HEADER: '',
  TEST_MIGRATIONS: readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => ({ name, queries: [] })),
  DB: main.binding,
  SCRATCH: scratch.binding,
  FILES: openFiles(folder),
  TASKS: queue.binding,
} as unknown as Bindings & Cloudflare.Env

/** What tasks get in place of `env`, as they do on the host. */
export const envOfTasks = (): Bindings => ({ ...env, DB: main.background })

/** A file with what the migrations bring: to apply them takes a hundred times as long as a copy. */
let migrated: string | undefined

/** Leaves nothing in `env.DB` but what the migrations bring, and empties the bucket. */
export async function openFreshDatabase(): Promise<void> {
  if (migrated === undefined) {
    await applyMigrations(main, MIGRATIONS)
    migrated = join(databases, 'migrated.sqlite')
    copyFileSync(main.file, migrated)
  } else {
    main.become(migrated)
  }
  await emptyBucket()
}

let copy: Scratch | undefined

/** Another database, and what brings all of `env.DB` into it. */
export function copyOfDatabase(): { binding: D1Database; update: () => void } {
  const { binding, become } = (copy ??= openScratch('copy.sqlite'))
  return { binding, update: () => become(main.file) }
}

/** Keeps the database and the files as they are, and gives what puts them back. */
export function keepAll(): () => Promise<void> {
  const kept = mkdtempSync(join(tmpdir(), 'coffer-kept-'))
  const [database, files] = [join(kept, 'database.sqlite'), join(kept, 'files')]
  copyFileSync(main.file, database)
  cpSync(folder, files, { recursive: true })
  return async () => {
    main.become(database)
    await emptyBucket()
    cpSync(files, folder, { recursive: true })
  }
}

async function emptyBucket(): Promise<void> {
  const { objects, truncated } = await env.FILES.list()
  await env.FILES.delete(objects.map(({ key }) => key))
  if (truncated) {
    await emptyBucket()
  }
}

export async function applyD1Migrations(binding: D1Database): Promise<void> {
  if (binding !== scratch.binding) {
    throw new Error('applyD1Migrations: not the database for that')
  }
  await applyMigrations(scratch, MIGRATIONS)
}

const pending = new WeakMap<object, Promise<unknown>[]>()

export function createExecutionContext(): ExecutionContext {
  const promises: Promise<unknown>[] = []
  const context = {
    waitUntil: (promise: Promise<unknown>) => promises.push(promise),
    passThroughOnException: () => undefined,
    props: {},
  }
  pending.set(context, promises)
  return context as unknown as ExecutionContext
}

export async function waitOnExecutionContext(context: ExecutionContext): Promise<void> {
  await Promise.allSettled(pending.get(context) ?? [])
}

interface Outcome {
  explicitAcks: string[]
  retryMessages: { msgId: string }[]
}

const outcomes = new WeakMap<object, Outcome>()

export function createMessageBatch(
  name: string,
  messages: readonly { id?: string; body: string }[],
): MessageBatch<string> {
  const outcome: Outcome = { explicitAcks: [], retryMessages: [] }
  const batch = {
    queue: name,
    messages: messages.map(({ id = crypto.randomUUID(), body }) => ({
      id,
      body,
      ack: () => outcome.explicitAcks.push(id),
      retry: () => outcome.retryMessages.push({ msgId: id }),
    })),
  } as unknown as MessageBatch<string>
  outcomes.set(batch, outcome)
  return batch
}

export const getQueueResult = async (batch: MessageBatch<string>): Promise<Outcome | undefined> =>
  outcomes.get(batch)

/** Stores the database and the files as they are as a data folder, such as a service on Node has. */
export function saveData(data: string): void {
  mkdirSync(data, { recursive: true })
  main.exec(`VACUUM INTO '${databaseFile(data)}'`)
  cpSync(folder, filesFolder(data), { recursive: true })
}

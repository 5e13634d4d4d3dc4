import '../../src/hosts/node/globals.ts'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
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
// the Node host, on databases in memory that all files of one worker share, and the few helpers that the tests use.

const folder = mkdtempSync(join(tmpdir(), 'coffer-test-'))

const databases = new WeakMap<D1Database, SqliteDatabase>()

function openInMemory(image?: Uint8Array): D1Database {
  const database = openDatabase(':memory:', { image })
  databases.set(database.binding, database)
  return database.binding
}

let current: D1Database

/** Modules keep it from one file to the next; the database behind it is another one then. */
const main = {
  prepare: (sql: string) => current.prepare(sql),
  batch: (statements: D1PreparedStatement[]) => current.batch(statements),
  withSession: () => main as unknown as D1DatabaseSession,
  getBookmark: () => null,
}

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
  DB: main,
  SCRATCH: openInMemory(),
  FILES: openFiles(folder),
  TASKS: queue.binding,
} as unknown as Bindings & Cloudflare.Env

/** What tasks get in place of `env`, as they do on the host. */
export const envOfTasks = (): Bindings => ({
  ...env,
  DB: databases.get(current)?.background ?? current,
})

/** Puts another database behind `env.DB`, with nothing in it but what the migrations bring, and empties the bucket. */
export async function openFreshDatabase(): Promise<void> {
  current = openInMemory((migrated ??= await migratedImage()))
  await emptyBucket()
}

/** Kept by the worker: migrating takes a hundred times as long as a copy. */
let migrated: Uint8Array | undefined

async function migratedImage(): Promise<Uint8Array> {
  const database = openDatabase(':memory:')
  await applyMigrations(database, MIGRATIONS)
  const image = imageOf(database)
  database.close()
  return image
}

function imageOf(database: SqliteDatabase): Uint8Array {
  const file = join(folder, 'image.sqlite')
  database.exec(`VACUUM INTO '${file}'`)
  const image = readFileSync(file)
  rmSync(file)
  return image
}

/** Another database with what is behind `env.DB` now. */
export function copyOfDatabase(): { binding: D1Database; close: () => void } {
  const database = databases.get(current)
  if (!database) {
    throw new Error('copyOfDatabase: there is no database yet')
  }
  return openDatabase(':memory:', { image: imageOf(database) })
}

/** Keeps the database and the files as they are, and gives what puts them back. */
export function keepAll(): () => Promise<void> {
  const database = databases.get(current)
  if (!database) {
    throw new Error('keepAll: there is no database yet')
  }
  const image = imageOf(database)
  const files = mkdtempSync(join(tmpdir(), 'coffer-kept-'))
  cpSync(folder, files, { recursive: true })
  return async () => {
    current = openInMemory(image)
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
  const database = databases.get(binding)
  if (!database) {
    throw new Error('applyD1Migrations: not a database of this host')
  }
  await applyMigrations(database, MIGRATIONS)
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
  databases.get(current)?.exec(`VACUUM INTO '${databaseFile(data)}'`)
  cpSync(folder, filesFolder(data), { recursive: true })
}

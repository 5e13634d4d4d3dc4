import './dev-globals.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { work } from '../../src/areas/index.ts'
import type { Bindings } from '../../src/env.ts'
import { bindingsOf } from '../../src/hosts/node/data-folder.ts'
import { openDatabase } from '../../src/hosts/node/database.ts'
import { openFiles } from '../../src/hosts/node/files.ts'
import { applyMigrations } from '../../src/hosts/node/migrations.ts'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import type { Ports } from '../../src/platform/context.ts'
import { printTo } from '../../src/platform/logger.ts'
import { NEWS } from '../../src/platform/work/reader-rows.ts'
import { consume } from '../../src/platform/work/tasks.ts'
import { chanceFrom } from '../demo/random.ts'
import { MIGRATIONS } from './project.ts'

/** A request to the service. */
export interface Call {
  method: string
  path: string
  token?: string
  /** Text is sent as it is, and everything else as JSON. */
  body?: unknown
}

/** The service within this process, on a database in memory, with neither clock nor queue: only what is called here runs. */
export interface MemoryService {
  /**
   * Sends a request and waits for the work after its answer.
   * @throws Error if the answer is a refusal, or the service logs an error
   */
  send: <Body>(call: Call) => Promise<Body>
  /**
   * Runs the stored tasks and those that they store. Readers do not run.
   * @throws Error if a task fails
   */
  runTasks: () => Promise<void>
  close: () => void
}

const NOON = Date.parse('2026-06-15T12:00:00Z')
const SEED = 1

/** No variables of the environment are read, so that the service is the same on every machine. */
const SETTINGS = { PASSWORD_COST: '1', USER_LIMIT_DATABASE_MS: '1000000' }

/**
 * Opens a service that runs the same code in every run: its clocks move only with requests, so that no pause depends on how fast the
 * machine is, and random bytes follow from a seed.
 */
export async function openMemoryService(): Promise<MemoryService> {
  const folder = mkdtempSync(join(tmpdir(), 'coffer-memory-'))
  const database = openDatabase(':memory:')
  await applyMigrations(database, MIGRATIONS)

  let now = NOON
  const ports: Ports = { now: () => now, random: chanceFrom(SEED).bytes }
  performance.now = () => now

  const queue: string[] = []
  const sendBatch = async (messages: Iterable<{ body: string }>) => {
    queue.push(...[...messages].map(({ body }) => body).filter((body) => body !== NEWS))
  }
  const env = {
    ...bindingsOf(SETTINGS, await freshSecrets()),
    DB: database.binding,
    FILES: openFiles(folder),
    TASKS: { sendBatch },
  } as unknown as Bindings

  const logged: string[] = []
  printTo((line) => void logged.push(line))
  const requireNoError = () => {
    const error = logged.splice(0).find((line) => line.includes('"level":"error"'))
    if (error !== undefined) {
      throw new Error(`The service logged an error: ${error}`)
    }
  }

  const app = createApp(ports)
  return {
    send: async ({ method, path, token, body }) => {
      now += 1000
      const pending: Promise<unknown>[] = []
      const context = {
        waitUntil: (promise: Promise<unknown>) => void pending.push(promise),
        passThroughOnException: ignore,
        props: {},
      }
      const isText = typeof body === 'string'
      const request = new Request(`http://coffer.test${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
          ...(body === undefined || isText ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
      })
      const response = await app.fetch(request, env, context)
      const text = await response.text()
      await Promise.all(pending)
      if (!response.ok) {
        throw new Error(`${method} ${path} answered ${response.status} ${text}`)
      }
      requireNoError()
      return JSON.parse(text)
    },
    runTasks: async () => {
      while (queue.length > 0) {
        const messages = queue.splice(0).map((body) => ({ body, attempts: 1, retry, ack: ignore }))
        const batch = { queue: 'coffer-tasks', messages } as unknown as MessageBatch<string>
        await consume(work, batch, env, ports)
        requireNoError()
      }
    },
    close: () => {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

const ignore = () => undefined

const retry = () => {
  throw new Error('A task was not done.')
}

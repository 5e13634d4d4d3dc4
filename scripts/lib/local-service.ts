import './workers-globals.ts'
import { newId } from '../../src/domain/ids.ts'
import { type Bindings, settingsOf } from '../../src/env.ts'
import { type Context, systemPorts } from '../../src/platform/context.ts'
import { lockData } from './data-lock.ts'
import { ensureDevVars, readDevVars } from './dev-vars.ts'
import { applyMigrations } from './migrations.ts'
import { dataFolder } from './project.ts'
import { startRuntime } from './runtime.ts'

/** The service's own code in this process, on the local database. */
export interface LocalService {
  env: Bindings
  /**
   * A context for use cases: of the system, unless `given` says who acts and when. A caller with a
   * `profile` is believed without a session.
   */
  makeContext: (given?: Partial<Context>) => Context
}

/**
 * Runs `work` on the local database, migrated, then closes it. The development build's secrets and
 * settings hold.
 */
export async function withLocalService<Result>(
  work: (service: LocalService) => Promise<Result>,
): Promise<Result> {
  lockData(dataFolder())
  await ensureDevVars()
  const runtime = await startRuntime({ script: BATCHES, data: dataFolder(), environment: 'dev' })
  try {
    const database = databaseOver(runtime.url)
    await applyMigrations(database)
    return await work(serviceOn(database))
  } finally {
    await runtime.stop()
  }
}

function serviceOn(database: D1DatabaseSession): LocalService {
  const env = {
    ...readDevVars(),
    CORS_ORIGINS: '',
    CLIENT_IP_HEADER: '',
    DB: { ...database, withSession: () => database },
    TASKS: { send: () => Promise.resolve(), sendBatch: () => Promise.resolve() },
  } as unknown as Bindings

  const makeContext = (given: Partial<Context> = {}): Context => {
    const ports = given.ports ?? systemPorts
    const now = given.now ?? ports.now()
    return {
      settings: settingsOf(env),
      database,
      files: env.FILES,
      queue: env.TASKS,
      ports,
      now,
      requestId: newId('req', now, ports.random(10)),
      operation: 'script',
      access: 'system',
      client: { ip: null, userAgent: null },
      cost: { trips: 0, rowsRead: 0, rowsWritten: 0 },
      ring: () => undefined,
      ...given,
    }
  }
  return { env, makeContext }
}

/** Runs whole batches: Miniflare's own proxy would take a round trip for every prepare and bind. */
const BATCHES = `export default {
  async fetch(request, { DB }) {
    const statements = await request.json()
    try {
      return Response.json(await DB.batch(
        statements.map(({ sql, values }) => DB.prepare(sql).bind(...values))))
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  }
}`

/** As much of D1 as the two doors use. */
function databaseOver(url: string): D1DatabaseSession {
  const prepare = (sql: string, values: unknown[] = []) => ({
    sql,
    values,
    bind: (...bound: unknown[]) => prepare(sql, bound),
  })
  const batch = async (statements: unknown[]) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(statements) })
    if (!response.ok) {
      throw new Error(await response.text())
    }
    return response.json()
  }
  return { prepare, batch, getBookmark: () => null } as unknown as D1DatabaseSession
}

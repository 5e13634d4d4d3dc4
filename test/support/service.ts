import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { createApp } from '../../src/app.ts'
import { type Bindings, settingsOf } from '../../src/env.ts'
import { type Context, systemPorts } from '../../src/platform/context.ts'
import type { Answer, Principal } from './api.ts'

/** In what a service differs from the one that `call` talks to. */
interface Variation {
  /** Milliseconds that its clock is ahead. */
  ahead?: number
  env?: Partial<Bindings>
  /** Runs once the request has read and before it commits. */
  meanwhile?: () => Promise<unknown>
}

/** A route as `defineRoute` makes it, as far as a request needs it. */
interface Route {
  method: string
  path: string
  responses: Record<number, unknown>
}

interface Options {
  as?: Principal | undefined
  json?: unknown
  id?: string
  headers?: Record<string, string>
}

export interface Service {
  fetch: (request: Request) => Promise<Response>
  /** Fails the test on a status that the route does not declare. */
  call: <Body>(route: Route, options?: Options) => Promise<Answer<Body>>
}

/** Another instance of the whole service on the same database. */
export function serviceWith({ ahead = 0, env: changed, meanwhile }: Variation): Service {
  const app = createApp({ ...systemPorts, now: () => Date.now() + ahead })
  const bindings: Bindings = {
    ...env,
    ...changed,
    ...(meanwhile ? { DB: interrupted(env.DB, meanwhile) } : {}),
  }
  const fetch = async (request: Request) => {
    const executionCtx = createExecutionContext()
    const response = await app.fetch(request, bindings, executionCtx)
    await waitOnExecutionContext(executionCtx)
    return response
  }
  return {
    fetch,
    call: async (route, options = {}) => {
      const { status, headers, ...response } = await read(await fetch(requestOf(route, options)))
      expect(route.responses[status], `${status} ${response.text}`).toBeDefined()
      return { status, headers, ...response }
    },
  }
}

async function read(response: Response) {
  const text = await response.text()
  const body = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, headers: response.headers, body, error: body, text }
}

function requestOf({ method, path }: Route, { as, json, id, headers }: Options): Request {
  return new Request(`http://coffer.test${path.replace('{id}', encodeURIComponent(id ?? ''))}`, {
    method: method.toUpperCase(),
    headers: {
      ...(as ? { Authorization: `Bearer ${as.accessToken}` } : {}),
      ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
}

/** The real database, with something happening between the two trips of a command. */
function interrupted(database: D1Database, meanwhile: () => Promise<unknown>): D1Database {
  const withSession = (start: string): D1DatabaseSession => {
    const session = database.withSession(start)
    let trips = 0
    return {
      prepare: (sql) => session.prepare(sql),
      getBookmark: () => session.getBookmark(),
      batch: async <Row>(statements: D1PreparedStatement[]) => {
        trips += 1
        if (trips === 2) {
          await meanwhile()
        }
        return session.batch<Row>(statements)
      },
    }
  }
  return { withSession } as D1Database
}

/** The context of a request or task, for tests of what lies below the routes. */
export function contextWith(changed: Partial<Context> = {}): Context {
  return {
    settings: settingsOf(env),
    database: env.DB.withSession('first-primary'),
    ports: systemPorts,
    now: Date.now(),
    requestId: `req_${crypto.randomUUID()}`,
    operation: 'test',
    access: 'system',
    client: { ip: null, userAgent: null },
    cost: { trips: 0, rowsRead: 0, rowsWritten: 0 },
    ring: () => undefined,
    ...changed,
  }
}

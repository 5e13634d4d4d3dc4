import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import { createApp } from '../../src/app.ts'
import { type Bindings, type Mailer, settingsOf } from '../../src/env.ts'
import type { AppEnv } from '../../src/http/env.ts'
import { gate } from '../../src/http/gate.ts'
import { type Context, noCost } from '../../src/platform/context.ts'
import { type Answer, type AnyOptions, type AnyRoute, callOver } from './api.ts'
import { watched } from './canaries.ts'
import { testPorts } from './ports.ts'

/** In what a service differs from the one that `call` talks to. */
interface Variation {
  /** Milliseconds that its clock is ahead. */
  ahead?: number
  env?: Partial<Bindings>
  /** How it sends mail, where that is not what its bindings say. */
  mailer?: Mailer
  /** Runs once the request has read and before it commits. */
  meanwhile?: () => Promise<unknown>
  /** Stands around every trip to the database; the first of a request is 1. */
  aroundTrips?: AroundTrip
  /** Routes of the test itself. */
  routes?: (app: OpenAPIHono<AppEnv>) => void
}

/** The gate of a route of a test. */
export const testGate = (
  route: Pick<Parameters<typeof gate>[0], 'method' | 'path'> & Partial<Parameters<typeof gate>[0]>,
): MiddlewareHandler<AppEnv> =>
  gate({ access: 'public', entry: { operationId: 'test' }, ifMatch: 'ignored', ...route })

type AroundTrip = (
  trip: number,
  run: () => Promise<D1Result[]>,
  statements: number,
) => Promise<D1Result[]>

export interface Service {
  fetch: (request: Request) => Promise<Response>
  /** Checked like every `call`; what goes in and comes out has the types that the test says. */
  call: <Body>(route: AnyRoute, options?: AnyOptions) => Promise<Answer<Body>>
}

/** Another instance of the whole service on the same database. */
export function serviceWith(variation: Variation): Service {
  const { ahead = 0, meanwhile, aroundTrips = interruption(meanwhile) } = variation
  const app = variation.routes ? newApp(ahead) : appAt(ahead)
  variation.routes?.(app)
  const bindings: Bindings = {
    ...env,
    ...variation.env,
    ...(aroundTrips ? { DB: databaseWith(aroundTrips) } : {}),
  }
  if (variation.mailer) {
    settingsOf(bindings).mailer = variation.mailer
  }
  const serve = async (request: Request) => {
    const executionCtx = createExecutionContext()
    const response = await app.fetch(request, bindings, executionCtx)
    await waitOnExecutionContext(executionCtx)
    return response
  }
  return {
    fetch: (request) => watched(request, undefined, serve),
    call: (route, options = {}) => callOver(serve, route, options),
  }
}

const newApp = (ahead: number) => createApp({ ...testPorts, now: () => Date.now() + ahead })

const apps = new Map<number, ReturnType<typeof newApp>>()

/** Kept, as making one takes longer than most requests; it holds nothing of those that it has answered. */
function appAt(ahead: number): ReturnType<typeof newApp> {
  const app = apps.get(ahead) ?? newApp(ahead)
  apps.set(ahead, app)
  return app
}

const interruption = (meanwhile: Variation['meanwhile']): AroundTrip | undefined =>
  meanwhile &&
  (async (trip, run) => {
    if (trip === 2) {
      await meanwhile()
    }
    return run()
  })

/** The real database on a line that the test has its hands on. */
export function databaseWith(aroundTrips: AroundTrip): D1Database {
  const withSession = (start: string): D1DatabaseSession => {
    const session = env.DB.withSession(start)
    let trips = 0
    return {
      prepare: (sql) => session.prepare(sql),
      getBookmark: () => session.getBookmark(),
      batch: async <Row>(statements: D1PreparedStatement[]) => {
        trips += 1
        const run = () => session.batch(statements)
        const results = await aroundTrips(trips, run, statements.length)
        return results as D1Result<Row>[]
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
    files: env.FILES,
    queue: env.TASKS,
    ports: testPorts,
    now: Date.now(),
    requestId: `req_${crypto.randomUUID()}`,
    operation: 'test',
    access: 'system',
    client: { ip: null, userAgent: null },
    cost: noCost(),
    ring: () => undefined,
    ...changed,
  }
}

type AroundCall = (call: number, run: () => Promise<unknown>) => Promise<unknown>

/** The real bucket on a line that the test has its hands on; calls of an upload count, too. */
export function filesWith(aroundCalls: AroundCall): R2Bucket {
  let calls = 0
  const held = <Held extends object>(target: Held): Held =>
    new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') {
          return member
        }
        return async (...args: unknown[]) => {
          calls += 1
          const found = await aroundCalls(calls, async () => Reflect.apply(member, target, args))
          return name === 'createMultipartUpload' ? held(found as R2MultipartUpload) : found
        }
      },
    })
  return held(env.FILES)
}

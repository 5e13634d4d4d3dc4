import type { OpenAPIHono } from '@hono/zod-openapi'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { areas } from './areas/index.ts'
import { newId } from './domain/ids.ts'
import { DEV_BUILD, settingsOf } from './env.ts'
import type { AppEnv } from './http/env.ts'
import { onError, onNotFound } from './http/errors.ts'
import { newArea } from './http/route.ts'
import { swagger } from './http/swagger.ts'
import { type Ports, systemPorts } from './platform/context.ts'
import { logRequest } from './platform/logger.ts'

/** The whole service as one Hono app: middleware in the order it runs, then every area. */
export function createApp(ports: Ports = systemPorts): OpenAPIHono<AppEnv> {
  const app = newArea()
  app.onError(onError)
  app.notFound(onNotFound)

  app.use(async (c, next) => {
    const startedAt = ports.now()
    const id = newId('req', startedAt, ports.random(10))
    const cost = { trips: 0, rowsRead: 0, rowsWritten: 0 }
    c.set('request', { id, startedAt, cost, ports })
    await next()
    const ms = ports.now() - startedAt
    const { ctx } = c.var
    c.header('X-Request-Id', id)
    if (DEV_BUILD) {
      const { trips, rowsRead, rowsWritten } = cost
      c.header(
        'Server-Timing',
        `total;dur=${ms}, d1;desc="${trips} trips, ${rowsRead} read, ${rowsWritten} written"`,
      )
    }
    logRequest({
      requestId: id,
      operation: ctx?.operation ?? 'none',
      actorId: ctx?.caller?.userId ?? null,
      status: c.res.status,
      ms,
      ...cost,
    })
  })
  app.use(secureHeaders())
  app.use(async (c, next) => {
    await next()
    c.header('Cache-Control', 'no-store')
    if (!c.res.headers.has('Content-Security-Policy')) {
      c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    }
  })
  app.use((c, next) => {
    const { corsOrigins } = settingsOf(c.env)
    return corsOrigins.length === 0
      ? next()
      : cors({
          origin: corsOrigins,
          exposeHeaders: ['ETag', 'Link', 'Retry-After', 'X-D1-Bookmark', 'X-Request-Id'],
        })(c, next)
  })

  for (const area of areas) {
    app.route('/', area)
  }
  swagger(app)
  return app
}

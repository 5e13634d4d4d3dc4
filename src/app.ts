import type { OpenAPIHono } from '@hono/zod-openapi'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { appsOf } from './areas/area.ts'
import { areas, unseenIn, work } from './areas/index.ts'
import { newId } from './domain/ids.ts'
import { DEV_BUILD, settingsOf } from './env.ts'
import type { AppEnv } from './http/env.ts'
import { onError, onNotFound } from './http/errors.ts'
import { frontPage } from './http/front-page.ts'
import { newApp } from './http/route.ts'
import { swagger } from './http/swagger.ts'
import { noCost, type Ports, systemPorts } from './platform/context.ts'
import { logRequest } from './platform/logger.ts'
import { warnOfUnboundMail } from './platform/outbound/mail.ts'
import { typesWanted } from './platform/work/readers.ts'

/** True if a page comes from the machine itself, whatever its port, as it does in development. */
const isLocal = (origin: string) =>
  /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/.test(origin)

/** The whole service as one Hono app: middleware in the order it runs, then every area. */
export function createApp(ports: Ports = systemPorts): OpenAPIHono<AppEnv> {
  const app = newApp()
  const wanted = typesWanted(work.readers ?? [])
  app.onError(onError)
  app.notFound(onNotFound)

  app.use(async (c, next) => {
    const startedAt = ports.now()
    const id = newId('req', startedAt, ports.random(10))
    const cost = noCost()
    c.set('request', { id, startedAt, cost, ports, unseenIn, wanted })
    // Set ahead of the answer, which is made with them: adding one to a made answer copies it.
    c.header('X-Request-Id', id)
    c.header('Cache-Control', 'no-store')
    await next()
    const ms = ports.now() - startedAt
    const { ctx } = c.var
    if (DEV_BUILD) {
      const { trips, rowsRead, rowsWritten, databaseMs } = cost
      const d1 = `${trips} trips, ${rowsRead} read, ${rowsWritten} written`
      c.res.headers.set('Server-Timing', `total;dur=${ms}, d1;dur=${databaseMs};desc="${d1}"`)
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
  app.use(
    secureHeaders({
      overwrite: false,
      // One year, which is what lists of preloaded hosts ask for.
      strictTransportSecurity: 'max-age=31536000; includeSubDomains',
      contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      // Meant for pages of browsers long gone.
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
      originAgentCluster: false,
    }),
  )
  app.use((c, next) => {
    const settings = settingsOf(c.env)
    const { corsOrigins } = settings
    warnOfUnboundMail(settings)
    const origin = c.req.header('Origin') ?? ''
    const origins = DEV_BUILD && isLocal(origin) ? [...corsOrigins, origin] : corsOrigins
    return origins.length === 0
      ? next()
      : cors({
          origin: origins,
          exposeHeaders: [
            'Accept-Ranges',
            'Content-Disposition',
            'Content-Range',
            'ETag',
            'Idempotency-Replayed',
            'Link',
            'Retry-After',
            'X-D1-Bookmark',
            'X-Request-Id',
          ],
        })(c, next)
  })

  for (const area of appsOf(areas)) {
    app.route('/', area)
  }
  frontPage(app)
  swagger(app)
  return app
}

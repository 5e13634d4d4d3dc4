import { SwaggerUI } from '@hono/swagger-ui'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from './env.ts'
import { describe } from './openapi.ts'
import { PAGES } from './registry.ts'

const page = (body: string, head = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Coffer</title>${head}</head><body>${body}</body></html>`

/**
 * The browser page and the document behind it. They are no operations of the interface's description.
 * A release build has neither: the bundler drops what `__DEV_BUILD__` guards.
 */
export function swagger(app: OpenAPIHono<AppEnv>): void {
  if (__DEV_BUILD__) {
    description(app)
  } else {
    app.get(PAGES.document, (c) => c.body('', 200, { 'Content-Type': 'application/json' }))
    app.get(PAGES.reader, (c) =>
      c.html(page('<p>This build carries no interface description.</p>')),
    )
  }
}

function description(app: OpenAPIHono<AppEnv>): void {
  let document: string | undefined
  app.get(PAGES.document, (c) => {
    document ??= JSON.stringify(describe(app))
    return c.body(document, 200, { 'Content-Type': 'application/json' })
  })
  app.get(PAGES.reader, (c) => {
    // The page of the library starts itself by an inline script and carries its icons as data.
    c.header(
      'Content-Security-Policy',
      "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
    )
    return c.html(
      page(
        SwaggerUI({
          baseUrl: '/swagger/assets',
          url: PAGES.document,
          persistAuthorization: true,
          tryItOutEnabled: true,
          docExpansion: 'none',
        }),
        // Else the browser asks for /favicon.ico and complains that there is none.
        '<link rel="icon" href="data:,">',
      ),
    )
  })
}

import { SwaggerUI } from '@hono/swagger-ui'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from './env.ts'
import { page } from './front-page.ts'
import { describe, describeForSwaggerUi } from './openapi.ts'
import { DESCRIPTION, PAGES } from './registry.ts'

/** The document that Swagger UI renders in place of the real one, in development builds. */
const RENDERED = '/swagger/rendered.json'

/**
 * The browser page and the document behind it. They are no operations of the interface's description.
 * A release build has neither: the bundler drops what `__DEV_BUILD__` guards.
 */
export function swagger(app: OpenAPIHono<AppEnv>): void {
  if (__DEV_BUILD__) {
    description(app)
  } else {
    // Nothing is no JSON, so the answer has no type.
    app.get(PAGES.document, (c) => c.body(null, 200))
    app.get(PAGES.reader, (c) =>
      c.html(page('<p>This build carries no interface description.</p>')),
    )
  }
}

/** Parameters stand side by side, and answers scroll: the filters of a list, or errors with their examples, fill pages otherwise. */
const STYLE = `.swagger-ui .info{margin:1.5rem 0}
.swagger-ui .parameters-container thead{display:none}
.swagger-ui .parameters-container tbody{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.25rem 1.5rem}
.swagger-ui .parameters-container tr,.swagger-ui .parameters-container td{display:block;padding:0}
.swagger-ui .parameters-container td.parameters-col_description{width:auto;margin:0}
.swagger-ui .parameters-container td p{margin:0;font-size:.75rem;line-height:1.3}
.swagger-ui .parameters-container td input,.swagger-ui .parameters-container td select{max-width:100%;margin:.25rem 0}
.swagger-ui .parameter__name{font-size:.875rem;padding:.5rem 0 0}
.swagger-ui .parameter__type,.swagger-ui .parameter__in{display:inline;margin-right:.5rem;padding:0}
.swagger-ui .responses-inner>div>.responses-table,.swagger-ui .responses-inner>.responses-table{display:block;max-height:32rem;overflow:auto}`

function description(app: OpenAPIHono<AppEnv>): void {
  serveDocument(app, PAGES.document, describe)
  serveDocument(app, DESCRIPTION, describe)
  serveDocument(app, RENDERED, describeForSwaggerUi)
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
          url: RENDERED,
          deepLinking: true,
          filter: true,
          persistAuthorization: true,
          tryItOutEnabled: true,
          docExpansion: 'none',
          // The schemas stand with their operations. All of them at the end take longer than the rest of the page.
          defaultModelsExpandDepth: -1,
        }),
        `<style>${STYLE}</style>`,
      ),
    )
  })
}

/** Made when it is first asked for, once per process. */
function serveDocument(
  app: OpenAPIHono<AppEnv>,
  path: string,
  make: (app: OpenAPIHono<AppEnv>) => object,
): void {
  let document: string | undefined
  app.get(path, (c) => {
    document ??= JSON.stringify(make(app))
    return c.body(document, 200, { 'Content-Type': 'application/json' })
  })
}

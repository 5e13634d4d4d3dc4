import type { OpenAPIHono } from '@hono/zod-openapi'
import pkg from '../../package.json' with { type: 'json' }
import { sha256Text } from '../platform/secrets/crypto.ts'
import type { AppEnv } from './env.ts'
import { DESCRIPTION, PAGES } from './registry.ts'

/** A page of HTML. Its icon is empty: else the browser asks for /favicon.ico and complains that there is none. */
export const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Coffer</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`

const STYLE =
  'body{max-width:38rem;margin:0 auto;padding:2rem 1.25rem;font:1.0625rem/1.6 system-ui,sans-serif}li{padding:.25rem 0}'
const STYLE_HASH = Buffer.from(sha256Text(STYLE), 'base64url').toString('base64')

/** Tells whoever opens the address of the service in a browser what it is. */
export function frontPage(app: OpenAPIHono<AppEnv>): void {
  const links = [
    ...(__DEV_BUILD__ ? [[PAGES.reader, 'Swagger UI', 'tries out operations in the browser']] : []),
    [DESCRIPTION, 'API description', 'describes all operations as OpenAPI 3.1'],
    ['/health/ready', 'Health', 'tells whether the service is ready'],
    ['/version', 'Version', 'tells the version as JSON'],
  ]
  const items = links.map(
    ([href, name, about]) => `<li><a href="${href}">${name}</a> ${about}.</li>`,
  )
  const html = page(
    `<main><h1>Coffer</h1><p>A finance service that programs use over HTTP. Version ${pkg.version}${__DEV_BUILD__ ? ', development build' : ''}.</p><ul>${items.join('')}</ul><p>The documentation is in the folder <code>docs</code> of the source code. Start with <code>README.md</code>.</p></main>`,
    `<meta name="color-scheme" content="light dark"><style>${STYLE}</style>`,
  )
  app.get(PAGES.front, (c) => {
    c.header(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    return c.html(html)
  })
}

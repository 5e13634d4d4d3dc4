import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from './env.ts'

/** The version of the interface, which is not that of the build. */
export const INTERFACE_VERSION = '1.0'

const bearer = (description: string) =>
  ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }) as const

/** Builds the OpenAPI 3.1 document. It takes tens of milliseconds: once per isolate, never per request. */
export function describe(app: OpenAPIHono<AppEnv>): object {
  const { securitySchemes } = app.openAPIRegistry.definitions.reduce(
    (seen, definition) => ({
      securitySchemes: seen.securitySchemes || definition.type === 'component',
    }),
    { securitySchemes: false },
  )
  if (!securitySchemes) {
    const register = app.openAPIRegistry.registerComponent.bind(app.openAPIRegistry)
    register('securitySchemes', 'BearerAuth', bearer('The access token of POST /auth/v2/login'))
    register('securitySchemes', 'Bearer', bearer('The same token; one operation names it so'))
  }
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Coffer',
      version: INTERFACE_VERSION,
      description:
        'The backend that a person or a household trusts with its money. Amounts are decimal strings with exactly the minor digits of their currency; dates are calendar dates; stamps are RFC 3339 UTC.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/', description: 'This service' }],
  })
}

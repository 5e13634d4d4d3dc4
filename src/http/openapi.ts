import type { OpenAPIHono } from '@hono/zod-openapi'
import { type DescribedOperation, type Document, operationsOf } from './description/document.ts'
import { tellErrors } from './description/error-answers.ts'
import { addErrorCodes } from './description/error-codes.ts'
import { BODY_EXAMPLES, NOTHING_TO_NAME, PATH_EXAMPLES } from './description/examples.ts'
import { addHeaders } from './description/headers.ts'
import { refineSchemas } from './description/schemas.ts'
import { shareParts } from './description/sharing.ts'
import tags from './description/tags.json' with { type: 'json' }
import { TEXTS } from './description/texts.ts'
import type { AppEnv } from './env.ts'

/** The version of the interface, which is not that of the build. */
export const INTERFACE_VERSION = '1.0'

const bearer = (description: string) =>
  ({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description }) as const

/** Builds the OpenAPI 3.1 document. It takes tens of milliseconds: once per isolate, never per request. */
export function describe(app: OpenAPIHono<AppEnv>): Document {
  const document = draft(app, '3.1.0')
  finish(document)
  return document
}

/**
 * Describes the interface as OpenAPI 3.0.3, which Swagger UI renders several times as fast. Swagger UI has one token
 * box, and sends the token wherever the service asks for one.
 */
export function describeForSwaggerUi(app: OpenAPIHono<AppEnv>): Document {
  const document = draft(app, '3.0.3')
  finish(document)
  delete document.components.securitySchemes?.['Bearer']
  for (const operation of operationsOf(document)) {
    if (operation['x-access'] !== 'public') {
      operation.security = [{ BearerAuth: [] }]
    }
  }
  document.info.description += TO_SIGN_IN
  document.paths = { [LOGIN]: {}, ...document.paths }
  return document
}

const LOGIN = '/auth/v2/login'
/** Its body is filled in with a login of the demo data, which development builds load. */
const TO_SIGN_IN = `

To try operations, execute **POST ${LOGIN}**, the first under Authentication, and copy its \`accessToken\` into **Authorize**.`

/** Drafts the description from the code, with examples of everything, before it is made fit to read. */
export function draft(app: OpenAPIHono<AppEnv>, version: '3.1.0' | '3.0.3'): Document {
  register(app)
  const config = {
    openapi: version,
    info: {
      title: 'Coffer',
      version: INTERFACE_VERSION,
      description:
        'An API for personal and household finance. Amounts are decimal strings with exactly the minor digits of their currency, dates are calendar dates, and timestamps are RFC 3339 in UTC.',
      license: {
        name: 'MIT',
        ...(version === '3.1.0'
          ? { identifier: 'MIT' }
          : { url: 'https://spdx.org/licenses/MIT.html' }),
      },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags,
  }
  const made =
    version === '3.1.0' ? app.getOpenAPI31Document(config) : app.getOpenAPIDocument(config)
  // A copy: the library hands out parts of its own registry.
  return JSON.parse(JSON.stringify(made)) as Document
}

function register(app: OpenAPIHono<AppEnv>): void {
  const { definitions } = app.openAPIRegistry
  if (!definitions.some(({ type }) => type === 'component')) {
    const component = app.openAPIRegistry.registerComponent.bind(app.openAPIRegistry)
    component('securitySchemes', 'BearerAuth', bearer('The access token of POST /auth/v2/login.'))
    component(
      'securitySchemes',
      'Bearer',
      bearer('Same as BearerAuth; one operation uses this name.'),
    )
  }
}

function finish(document: Document): void {
  // There are none, and an empty list stops some tools.
  delete document.webhooks
  for (const operation of operationsOf(document)) {
    tell(operation)
    leaveOpen(operation)
  }
  addErrorCodes(document)
  tellErrors(document)
  refineSchemas(document)
  addHeaders(document)
  shareParts(document)
}

function tell(operation: DescribedOperation): void {
  const { operationId, requestBody } = operation
  const description = TEXTS[operationId]
  if (description !== undefined) {
    operation.description = description
  }
  const json = requestBody?.content['application/json']
  if (json) {
    json.example = BODY_EXAMPLES[operationId]
  }
  tellPath(operation)
}

function tellPath({ operationId, parameters = [] }: DescribedOperation): void {
  const values = PATH_EXAMPLES[operationId] ?? {}
  for (const parameter of parameters) {
    if ('in' in parameter && parameter.in === 'path' && parameter.schema) {
      const { name, schema } = parameter
      schema.example = values[name] ?? schema.example
      if (NOTHING_TO_NAME.includes(operationId)) {
        delete schema.example
      }
    }
  }
}

/** Swagger UI fills in every example of a parameter, and who only wants to see the list is refused for a cursor that is none. */
function leaveOpen({ parameters = [] }: DescribedOperation): void {
  for (const parameter of parameters) {
    if ('in' in parameter && !parameter.required) {
      delete parameter.example
      delete parameter.schema?.example
    }
  }
}

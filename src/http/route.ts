import { createRoute, OpenAPIHono, type RouteConfig, type RouteHandler, z } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import type { AppError, Issue } from '../domain/errors.ts'
import { isAdminOnly } from '../domain/permissions.ts'
import { jsonBody, noBody } from './body.ts'
import type { AppEnv } from './env.ts'
import { once } from './fields.ts'
import { type Access, gate, type IfMatch } from './gate.ts'
import { issuesOf, reversedSpans, tellsIssues } from './issues.ts'
import { requestErrors } from './request.errors.ts'
import { register } from './registry.ts'

/** A Hono app that tells what is wrong with a request in the one shape of errors. */
export const newApp = (): OpenAPIHono<AppEnv> =>
  new OpenAPIHono<AppEnv>({
    defaultHook: (result) => {
      if (!result.success) {
        throw invalid(issuesOf(result.error.issues, result.target, 'data' in result && result.data))
      }
      const reversed = reversedSpans(result.data)
      if (reversed.length > 0) {
        throw invalid(reversed)
      }
    },
  })

/** A route with its handler, as `operation` makes it. */
export type Operation = RouteConfig & { handler: unknown }

/** The Hono app of an area: a literal path is matched before one with a parameter, whatever the order they are given in. */
export function appOf(operations: Operation[]): OpenAPIHono<AppEnv> {
  const app = newApp()
  const bySpecificity = operations.toSorted(
    (a, b) => compare(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
  )
  for (const { handler, ...route } of bySpecificity) {
    // Each handler was checked against its route where both were written down.
    app.openapi(route, handler as Parameters<typeof app.openapi>[1])
  }
  return app
}

/** In the order in which the description lists them. */
const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Sorts a parameter after any literal. */
function compare(one: string, other: string): number {
  const [a, b] = [one.replaceAll('{', '~'), other.replaceAll('{', '~')]
  return Number(a > b) - Number(a < b)
}

function invalid(issues: Issue[]): AppError {
  const [{ message, field } = { message: 'The request is not valid.', field: undefined }] = issues
  return requestErrors.invalid({ message }, { issues, ...(field === undefined ? {} : { field }) })
}

/** Errors on the routes of administrators hold nothing but texts. */
const AdminErrorResponse = z
  .object({
    error: z
      .string()
      .openapi({ description: 'A sentence for people.', example: 'Sign in to do this.' }),
    code: z
      .string()
      .openapi({ description: 'Stable identifier, `area.reason`.', example: 'auth.required' }),
    requestId: z
      .string()
      .openapi({ description: 'Names this request in the log.', example: 'req_01k9…' }),
    field: z
      .string()
      .optional()
      .openapi({ description: 'Dotted path of the request field at fault.', example: 'amount' }),
  })
  .openapi('AdminErrorResponse')

const issueSchema = z
  .object({
    field: AdminErrorResponse.shape.field,
    code: z.string().openapi({
      description:
        'required, type, format, choice, range, length, repeated, combination or unknown; or an `area.reason`.',
      example: 'required',
    }),
    message: z
      .string()
      .openapi({ description: 'A sentence for people.', example: 'accountId is required.' }),
  })
  .openapi('RequestIssue')

const ErrorResponse = z
  .object({
    ...AdminErrorResponse.shape,
    issues: z
      .array(issueSchema)
      .optional()
      .openapi({
        description:
          'All problems found in the request, at most 50. `error`, `code` and `field` describe the first.',
        example: [{ field: 'accountId', code: 'required', message: 'accountId is required.' }],
      }),
  })
  .openapi('ErrorResponse')

const MEANING = {
  400: 'The request is not valid',
  401: 'The access token is missing or not valid, or its session has ended',
  403: 'The caller lacks the required permission',
  404: 'Not found, or not visible to the caller',
  409: 'The request conflicts with stored data',
  412: 'If-Match names another version; load the resource again',
  413: 'The body is too large',
  415: 'The media type of the body is not supported',
  416: 'The range is not within the file; see Content-Range',
  429: 'Too many attempts or requests; see Retry-After',
  500: 'The service failed',
  503: 'The database or file storage is busy; see Retry-After',
} as const

type ErrorStatus = keyof typeof MEANING

type Config = Omit<RouteConfig, 'middleware' | 'security' | 'path' | 'operationId' | 'summary'> & {
  operationId: string
  summary: string
  tags: [string]
  /**
   * Says that a PUT, PATCH or DELETE addresses something that has a version. The description documents `If-Match` and
   * 412, and the operation fails unless its use case calls `requireVersion`. Without it these methods refuse the header.
   */
  versioned?: true
  /**
   * Says that a GET commits something, such as a line of the log. It then always reads from the primary of the database;
   * without it, its commits fail.
   */
  writes?: true
  /** Errors of this operation besides those that its shape implies. */
  errors?: ErrorStatus[]
  /** Documented security where the interface is odd; what is enforced is `access` alone. */
  documentedSecurity?: Record<string, string[]>[]
}

/** Of operations without parameters: one that is not known is a mistake there, too. */
const NO_QUERY = z.strictObject({})

/**
 * The only way to make an operation. `access` installs the gate, ahead of all validation, and is what the documents and
 * the sweeps read; the shape of the request adds the errors it can cause.
 */
export function operation<const Path extends string, const Route extends Config>(
  access: Access,
  config: Route & { path: Path },
  handler: RouteHandler<Route & { path: Path }, AppEnv>,
) {
  const { errors = [], documentedSecurity, versioned: _, writes, ...rest } = config
  const { method, operationId, summary, path } = config
  register({ method, path, operationId, summary, area: config.tags[0], access })
  const body = config.request?.body?.content['application/json']
  const middleware: MiddlewareHandler<AppEnv>[] = [
    gate({ method, path, access, writes, operation: operationId, ifMatch: ifMatchOf(config) }),
    ...(body ? [jsonBody({ isOptional: once(() => isOptionalBody(method, body)) })] : []),
    ...(config.request?.body || method === 'get' ? [] : [noBody(inQueryOf(config))]),
  ]
  // What follows from the route for its description, which a release does not have.
  const described = __DEV_BUILD__ && {
    security: documentedSecurity ?? (access === 'public' ? [] : [{ BearerAuth: [] }]),
    'x-access': access,
    parameters: headersOf(config),
    responses: {
      ...(isVersionedRead(config)
        ? { 304: { description: 'The ETag still matches If-None-Match' } }
        : {}),
      ...errorResponses(path, [...impliedErrors(access, config), ...errors]),
      ...config.responses,
    },
  }
  const request = { query: NO_QUERY, ...rest.request }
  const complete = { ...rest, request, ...described, middleware }
  // A handler is typed by the answers that the area declared: every error is thrown.
  const route = createRoute(complete as unknown as Route & { path: Path })
  return Object.assign(route, { handler })
}

/**
 * Whether a request can leave out its body: where no field of it is required. A PUT or PATCH without a body would change
 * nothing, so it is refused as a mistake.
 */
const isOptionalBody = (method: string, body: object): boolean =>
  (method === 'post' || method === 'delete') &&
  'schema' in body &&
  body.schema instanceof z.ZodObject &&
  Object.values(body.schema.shape).every((field) => z.safeParse(field, undefined).success)

const inQueryOf = ({ request }: Config): string[] =>
  request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : []

function ifMatchOf({ method, versioned }: Config): IfMatch {
  if (versioned) {
    return 'compared'
  }
  return ['put', 'patch', 'delete'].includes(method) ? 'refused' : 'ignored'
}

const STATUSES_OF_IF_MATCH = {
  compared: [400, 409, 412],
  refused: [400, 409],
  ignored: [],
} as const

function impliedErrors(access: Access, route: Config & { path: string }): ErrorStatus[] {
  const { method, request, path } = route
  return [
    400,
    ...(access === 'public' ? [] : ([401, 403, 429] as const)),
    ...(request?.body ? ([413, 415] as const) : []),
    ...(access !== 'public' && /\{\w*[iI]d\}/.test(path) ? ([404] as const) : []),
    ...(method === 'post' ? ([409] as const) : []),
    // A repeat of what the caller does not see any more.
    ...(method === 'post' && access !== 'public' && !isAdminOnly(access) ? ([404] as const) : []),
    ...STATUSES_OF_IF_MATCH[ifMatchOf(route)],
    500,
    503,
  ]
}

function errorResponses(path: string, statuses: ErrorStatus[]): Record<never, never> {
  const schema = tellsIssues(path) ? ErrorResponse : AdminErrorResponse
  const entries = [...new Set(statuses)]
    .toSorted((a, b) => a - b)
    .map((status) => [status, json(schema, MEANING[status])])
  return Object.fromEntries(entries)
}

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema: { type: 'string' as const },
  example,
})

function headersOf(route: Config) {
  if (route.method === 'post') {
    return [
      header(
        'Idempotency-Key',
        'Makes retries safe: the same key and body get the same answer for 24 hours, while the caller can see the resource',
        'b3c1f6de-5d0a-4a55-9b57-6f2f7d4a9d21',
      ),
    ]
  }
  const etag = '"3-q8Yx0dTn2bWc4RkA"'
  if (route.method === 'get') {
    return isVersionedRead(route) || 304 in route.responses
      ? [header('If-None-Match', 'Answers 304 if the ETag is still this one', etag)]
      : []
  }
  return ifMatchOf(route) === 'compared'
    ? [
        header(
          'If-Match',
          'Answers 412 unless this ETag names the current version; `"3"` stands for version 3, `*` for any',
          etag,
        ),
      ]
    : []
}

/** A single resource answers an ETag: its schema has a `version`. */
function isVersionedRead({ method, responses }: Config): boolean {
  const ok = responses[200]
  const media = ok && 'content' in ok ? ok.content?.['application/json'] : undefined
  const schema = media && 'schema' in media ? media.schema : undefined
  return method === 'get' && schema instanceof z.ZodObject && 'version' in schema.shape
}

/** A required JSON body. */
export const jsonRequest = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } } as const,
})

/** A JSON answer. */
export const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

import { type RouteConfig, z } from '@hono/zod-openapi'
import { isAdminOnly } from '../domain/permissions.ts'
import type { IfMatch } from './gate.ts'
import { tellsIssues } from './issues.ts'
import type { Access } from './registry.ts'

// The errors and headers in the description of an operation that follow from its shape.

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
  410: 'No longer there; start anew',
  412: 'If-Match names another version; load the resource again',
  413: 'The body is too large',
  415: 'The media type of the body is not supported',
  416: 'The range is not within the file; see Content-Range',
  429: 'Too many attempts or requests; see Retry-After',
  500: 'The service failed',
  503: 'The database or file storage is busy; see Retry-After',
} as const

export type ErrorStatus = keyof typeof MEANING

/** The shape of an operation, from which the rest follows. */
interface Shape extends Pick<RouteConfig, 'method' | 'path' | 'request' | 'responses'> {
  access: Access
  versioned?: true
  tagged?: true
  /** Errors besides those that follow. */
  errors?: ErrorStatus[]
  /** Documented security where the interface is odd. */
  documentedSecurity?: Record<string, string[]>[]
}

/** Returns the parts of an operation's description that follow from its shape. */
export const describedBy = (shape: Shape) => ({
  security: shape.documentedSecurity ?? (shape.access === 'public' ? [] : [{ BearerAuth: [] }]),
  'x-access': shape.access,
  parameters: headersOf(shape),
  responses: {
    ...(isVersionedRead(shape)
      ? { 304: { description: 'The ETag still matches If-None-Match' } }
      : {}),
    ...errorResponses(shape.path, [...impliedErrors(shape), ...(shape.errors ?? [])]),
    ...shape.responses,
  },
})

export function ifMatchOf({ method, versioned }: Pick<Shape, 'method' | 'versioned'>): IfMatch {
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

function impliedErrors(route: Shape): ErrorStatus[] {
  const { access, method, request, path } = route
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
    .map((status) => [
      status,
      { description: MEANING[status], content: { 'application/json': { schema } } },
    ])
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

function headersOf(route: Shape) {
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

/** A single resource answers an ETag: its schema has a `version`, or the declaration says so. */
function isVersionedRead({
  method,
  responses,
  tagged,
}: Pick<Shape, 'method' | 'responses' | 'tagged'>): boolean {
  const ok = responses[200]
  const media = ok && 'content' in ok ? ok.content?.['application/json'] : undefined
  const schema = media && 'schema' in media ? media.schema : undefined
  const isVersioned = schema instanceof z.ZodObject && 'version' in schema.shape
  return method === 'get' && (isVersioned || tagged === true)
}

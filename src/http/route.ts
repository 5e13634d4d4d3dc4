import { createRoute, OpenAPIHono, type RouteConfig, type RouteHandler, z } from '@hono/zod-openapi'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import type { AppError, Issue } from '../domain/errors.ts'
import type { Context, SignedIn } from '../platform/context.ts'
import { respond } from './answer.ts'
import { jsonBody, noBody } from './body.ts'
import type { AppEnv } from './env.ts'
import { once } from './fields.ts'
import { gate } from './gate.ts'
import { describedBy, type ErrorStatus, ifMatchOf } from './implied.ts'
import { issuesOf, reversedSpans } from './issues.ts'
import { requestErrors } from './request.errors.ts'
import { type OperationEntry, registerOperation, type Access } from './registry.ts'

type Hook = NonNullable<OpenAPIHono<AppEnv>['defaultHook']>

/** Tells what is wrong with a request in the one shape of errors. */
const refuseInvalid: Hook = (result) => {
  if (!result.success) {
    throw invalid(issuesOf(result.error.issues, result.target, 'data' in result && result.data))
  }
}

const refuseInvalidAndReversed: Hook = (result, c) => {
  refuseInvalid(result, c)
  const reversed = reversedSpans(result.success && result.data)
  if (reversed.length > 0) {
    throw invalid(reversed)
  }
}

export const newApp = (): OpenAPIHono<AppEnv> =>
  new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalidAndReversed })

/** An operation, as `operation` makes it. */
export type Operation = RouteConfig & { handler: unknown; entry: OperationEntry }

/**
 * Gives operations the names of their constants.
 * @param tag the tag of those that declare none
 */
export function nameOperations(module: Record<string, Operation>, tag: string): void {
  for (const [operationId, { entry, tags = [tag] }] of Object.entries(module)) {
    Object.assign(entry, { operationId, area: tags[0] })
  }
}

/** The Hono app of an area: a literal path is matched before one with a parameter, whatever the order they are given in. */
export function appOf(operations: Operation[]): OpenAPIHono<AppEnv> {
  const app = newApp()
  const bySpecificity = operations.toSorted(
    (a, b) => compare(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method),
  )
  for (const { handler, entry, ...route } of bySpecificity) {
    const { operationId, summary, area } = entry
    // Where a period can be named in place of days, the area checks its span itself.
    const hook = inQueryOf(route.request).includes('period') ? refuseInvalid : undefined
    // In the order in which the description has them. Each handler was checked against its route where both were written down.
    app.openapi(
      { operationId, summary, tags: [area], ...route },
      handler as Parameters<typeof app.openapi>[1],
      hook,
    )
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

/** Method and path: `GET /account/{id}`. */
type On = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

type Request = NonNullable<RouteConfig['request']>
type Responses = RouteConfig['responses']

/** The declaration of an operation by its area. Its `operationId` is the name of its constant, and its tag that of its area. */
interface Declaration<A extends Access, O extends On, Q extends Request, R extends Responses> {
  /** Installs the gate, ahead of all validation, and is what the documents and the sweeps read. */
  access: A
  on: O
  summary: string
  /** The tag, if it differs from that of the area. */
  tag?: string
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
  /** Says that a GET answers an ETag of its body, where no version tells whether something has changed. */
  tagged?: true
  request?: Q
  responses: R
  /** Errors of this operation besides those that its shape implies. */
  errors?: ErrorStatus[]
  /** Documented security where the interface is odd; what is enforced is `access` alone. */
  documentedSecurity?: Record<string, string[]>[]
}

/** The route of a declaration, as Hono types its handler. */
type Route<O extends On, Q extends Request, R extends Responses> = {
  method: O extends `${infer Method} ${string}` ? Lowercase<Method> & RouteConfig['method'] : never
  path: O extends `${string} ${infer Path}` ? Path : never
  request: Q
  responses: R
}

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** The content of a valid request. */
interface ValidRequest<Q extends Request> {
  params: OutputOf<Q['params']>
  query: OutputOf<Q['query']>
  body: Q extends { body: { content: { 'application/json': { schema: infer Schema } } } }
    ? OutputOf<Schema>
    : undefined
  /** The request as it came, for a body that is a file. */
  c: HonoContext<AppEnv>
}

const SUCCESSES = [200, 201, 202] as const
type Success = (typeof SUCCESSES)[number]

type JsonOf<Response> = Response extends {
  content: { 'application/json': { schema: infer Schema extends z.ZodType } }
}
  ? z.input<Schema>
  : never

/** The bodies that an operation answers with. */
type BodyOf<R extends Responses> = JsonOf<R[Success & keyof R]>

/** A gate stands before what is not public. */
type CallerOf<A extends Access> = A extends 'public' ? Context : SignedIn

/** The whole of an ordinary operation: runs a use case, and presents its result. */
interface Ordinary<A extends Access, Q extends Request, R extends Responses, Result> {
  run: (ctx: CallerOf<A>, asked: ValidRequest<Q>) => Promise<Result>
  present: (result: Result, ctx: CallerOf<A>, asked: ValidRequest<Q>) => BodyOf<R>
  /** Returns the status of the answer, for an operation that declares several. */
  status?: (result: Result) => Success
}

/** An operation with the types of its route. */
type TypedOperation<O extends On, Q extends Request, R extends Responses> = Route<O, Q, R> & {
  handler: unknown
  entry: OperationEntry
  getRoutingPath: () => string
}

/** The query of operations without parameters: an unknown parameter is a mistake there, too. */
const NO_QUERY = z.strictObject({})

/** The only way to make an operation. What its shape implies, as errors and headers, is added. */
export function operation<
  const A extends Access,
  const O extends On,
  const R extends Responses,
  Result,
  const Q extends Request = Record<never, never>,
>(declaration: Declaration<A, O, Q, R> & Ordinary<A, Q, R, Result>): TypedOperation<O, Q, R>
/** @param handler answers in its own way, as with a file */
export function operation<
  const A extends Access,
  const O extends On,
  const R extends Responses,
  const Q extends Request = Record<never, never>,
>(
  declaration: Declaration<A, O, Q, R>,
  handler: RouteHandler<Route<O, Q, R>, AppEnv>,
): TypedOperation<O, Q, R>
export function operation(declaration: AnyDeclaration, handler?: unknown): unknown {
  const { access, on, summary, tag, writes, request, responses } = declaration
  const [method, path] = on.split(' ') as [string, string]
  const route = { ...declaration, method: method.toLowerCase() as Method, path }
  const entry = { method: route.method, path, operationId: '', summary, area: '', access }
  registerOperation(entry)
  const body = request?.body?.content['application/json']
  const middleware: MiddlewareHandler<AppEnv>[] = [
    gate({ ...{ method: route.method, path, access, writes }, entry, ifMatch: ifMatchOf(route) }),
    ...(body ? [jsonBody({ isOptional: once(() => isOptionalBody(route.method, body)) })] : []),
    ...(request?.body || route.method === 'get' ? [] : [noBody(inQueryOf(request))]),
  ]
  const complete = createRoute({
    ...{ method: route.method, path, summary, middleware },
    ...(tag === undefined ? {} : { tags: [tag] }),
    request: { query: NO_QUERY, ...request },
    responses,
    // The description that follows from the route, which a release does not contain.
    ...(__DEV_BUILD__ && describedBy(route)),
  })
  return Object.assign(complete, { handler: handler ?? ordinaryHandler(declaration), entry })
}

/** A declaration of either kind, whatever its types: as methods, they do for all. */
interface AnyDeclaration extends Declaration<Access, On, Request, Responses> {
  run?(ctx: Context, asked: unknown): Promise<unknown>
  present?(result: unknown, ctx: Context, asked: unknown): unknown
  status?(result: unknown): Success
}

type Method = RouteConfig['method']

/** The handler of an ordinary operation, which sees to Idempotency-Key, ETag and If-None-Match on the way. */
const ordinaryHandler =
  (declaration: AnyDeclaration) =>
  (c: HonoContext<AppEnv>): Promise<Response> => {
    const only = SUCCESSES.find((one) => one in declaration.responses) ?? 200
    const valid = (target: 'param' | 'query' | 'json'): unknown => c.req.valid(target as never)
    const said = { params: valid('param'), query: valid('query'), body: valid('json') }
    const asked = { ...said, c } as ValidRequest<Request>
    const ctx = c.var.ctx as SignedIn
    return respond(c, {
      status: (result) => declaration.status?.(result) ?? only,
      present: (result) => declaration.present?.(result, ctx, asked) as object,
      run: async () => declaration.run?.(ctx, asked),
      tagged: declaration.tagged,
    })
  }

/**
 * True if a request can leave out its body, because no field of it is required. A PUT or PATCH without a body would
 * change nothing, so it is refused as a mistake.
 */
const isOptionalBody = (method: string, body: object): boolean =>
  (method === 'post' || method === 'delete') &&
  'schema' in body &&
  body.schema instanceof z.ZodObject &&
  Object.values(body.schema.shape).every((field) => z.safeParse(field, undefined).success)

const inQueryOf = (request: Request | undefined): string[] =>
  request?.query instanceof z.ZodObject ? Object.keys(request.query.shape) : []

/** A required JSON body. */
export const jsonRequest = <Schema extends z.ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } } as const,
})

/** A JSON answer. */
export const json = <Schema extends z.ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

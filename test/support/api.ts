import type { RouteConfig, z } from '@hono/zod-openapi'
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { watched } from './canaries.ts'
import { serve } from './in-process.ts'

/** An operation as `operation` makes it. */
type Route = RouteConfig & { getRoutingPath: () => string }

type JsonOf<Response> = Response extends {
  content: { 'application/json': { schema: infer Schema extends z.ZodType } }
}
  ? z.infer<Schema>
  : undefined

type Success = 200 | 201 | 202 | 204
type BodyOf<R extends Route> = JsonOf<R['responses'][Success & keyof R['responses']]>

type InputOf<R extends Route> = R extends {
  request: { body: { content: { 'application/json': { schema: infer Schema extends z.ZodType } } } }
}
  ? z.input<Schema>
  : never

export interface ErrorBody {
  error: string
  code: string
  requestId: string
  field?: string
  issues?: { field?: string; code: string; message: string }[]
}

/** Whoever holds an access token. */
export interface Principal {
  accessToken: string
}

/** What a request needs of a route. */
export interface AnyRoute {
  method: string
  path: string
  responses: Route['responses']
}

/** What a request of any route can have. */
export interface AnyOptions {
  as?: Principal | undefined
  json?: unknown
  /** Sent as it is: for requests that the types would refuse. */
  raw?: { body: BodyInit; contentType?: string }
  id?: string
  /** The parameters of its path, where it has others than an id. */
  path?: Record<string, string>
  query?: Record<string, string | number | string[]>
  headers?: Record<string, string>
}

interface Options<R extends Route> extends AnyOptions {
  json?: InputOf<R>
}

export interface Answer<Body> {
  status: number
  body: Body
  error: ErrorBody
  headers: Headers
  text: string
}

/**
 * Calls an operation by its route object, over the whole app. Every answer is checked against the
 * route: an undeclared status, a surplus field or a missing one fails the test that met it.
 */
export async function call<const R extends Route>(
  route: R,
  options: Options<R> = {},
): Promise<Answer<BodyOf<R>>> {
  return callOver(serve, route, options)
}

/** `call` of another instance of the service. */
export async function callOver<Body>(
  serve: (request: Request) => Promise<Response>,
  route: AnyRoute,
  options: AnyOptions,
): Promise<Answer<Body>> {
  const response = await watched(requestOf(route, options), bodyOf(options), serve)
  const text = new TextDecoder().decode(await response.arrayBuffer())
  const declared = route.responses[response.status]
  const where = `${route.method.toUpperCase()} ${route.path} answered ${response.status} ${text.slice(0, 500)}`
  if (declared === undefined) {
    expect.fail(`${where}, which it does not declare`)
  }
  const isJson = (response.headers.get('Content-Type') ?? '').startsWith('application/json')
  const body = isJson && text !== '' ? JSON.parse(text) : undefined
  const schema = schemaOf(declared)
  if (schema && isJson) {
    const strict = schema.safeParse(body)
    // An assertion costs more than a request, so those that would hold are not made.
    if (strict.error || JSON.stringify(strict.data) !== text) {
      expect(strict.error, where).toBeUndefined()
      expect(strict.data, `${where}, with fields that it does not declare`).toEqual(body)
    }
  }
  return { status: response.status, body, error: body, headers: response.headers, text }
}

/** `call` that must succeed: the parsed body of a 2xx. */
export async function ok<const R extends Route>(
  route: R,
  options: Options<R> = {},
): Promise<BodyOf<R>> {
  const answer = await call(route, options)
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

/** A request outside of any route object: unknown paths, wrong methods, static pages. */
export const fetchRaw = (path: string, init?: RequestInit): Promise<Response> =>
  watched(new Request(`http://coffer.test${path}`, init), init?.body, serve)

const bodyOf = ({ raw, json }: AnyOptions) =>
  raw?.body ?? (json === undefined ? undefined : JSON.stringify(json))

function requestOf(route: AnyRoute, options: AnyOptions): Request {
  const given: Record<string, string> = { id: options.id ?? 'missing', ...options.path }
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(given[name] ?? 'missing'),
  )
  const url = new URL(`http://coffer.test${path}`)
  for (const [name, value] of Object.entries(options.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      url.searchParams.append(name, String(one))
    }
  }
  const headers = new Headers(options.headers)
  if (options.as) {
    headers.set('Authorization', `Bearer ${options.as.accessToken}`)
  }
  const body = bodyOf(options)
  if (body !== undefined) {
    headers.set('Content-Type', options.raw?.contentType ?? 'application/json')
  }
  return new Request(url, {
    method: route.method.toUpperCase(),
    headers,
    redirect: 'manual',
    // A stream as a body needs it, elsewhere than in a Worker.
    ...(body === undefined ? {} : { body, duplex: 'half' }),
  })
}

function schemaOf(response: Route['responses'][number] | undefined): z.ZodType | undefined {
  const media =
    response && 'content' in response ? response.content?.['application/json'] : undefined
  return media && 'schema' in media ? (media.schema as z.ZodType) : undefined
}

/** Rows of the database itself, for what no operation shows. */
export async function rows<Row>(sql: string, ...values: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all<Row>()
  return results
}

import type { Context as HonoContext, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Context, SignedIn } from '../platform/context.ts'
import { etagOf, isKnown } from './conditional.ts'
import type { AppEnv } from './env.ts'
import { keyErrors } from './request.errors.ts'

type Present<Result, Body> = (result: Result, ctx: SignedIn) => Body

/** The status of every success, or how the result tells it. */
type StatusOf<Result, Status> = Status | ((result: Result) => Status)

/**
 * The whole of an ordinary handler: runs a use case as the caller, presents its result, and sees to
 * Idempotency-Key, ETag and If-None-Match on the way.
 */
export function answer<Result, const Body extends object, Status extends ContentfulStatusCode>(
  c: HonoContext<AppEnv>,
  status: StatusOf<Result, Status>,
  present: Present<Result, Body>,
  run: (ctx: SignedIn) => Promise<Result>,
): Promise<TypedResponse<Body, Status, 'json'>> {
  const { ctx } = c.var
  if (!ctx?.caller) {
    throw new Error('answer is for routes that need a permission')
  }
  const signedIn = ctx as SignedIn
  return respond(
    c,
    signedIn,
    status,
    (result) => present(result, signedIn),
    () => run(signedIn),
  )
}

/** `answer` for what leaves nothing to tell: 204, without a body and its headers. */
export async function answerNothing(
  c: HonoContext<AppEnv>,
  run: (ctx: SignedIn) => Promise<void>,
): Promise<TypedResponse<Record<never, never>, 204, string>> {
  const { ctx } = c.var
  if (!ctx?.caller) {
    throw new Error('answerNothing is for routes that need a permission')
  }
  await run(ctx as SignedIn)
  return c.body(null, 204) as unknown as TypedResponse<Record<never, never>, 204, string>
}

/** `answer` for public routes: nobody is signed in. */
export function answerAnyone<
  Result,
  const Body extends object,
  Status extends ContentfulStatusCode,
>(
  c: HonoContext<AppEnv>,
  status: Status,
  present: (result: Result) => Body,
  run: (ctx: Context) => Promise<Result>,
): Promise<TypedResponse<Body, Status, 'json'>> {
  const { ctx } = c.var
  if (!ctx) {
    throw new Error('this route has no gate')
  }
  return respond(c, ctx, status, present, () => run(ctx))
}

async function respond<Result, const Body extends object, Status extends ContentfulStatusCode>(
  c: HonoContext<AppEnv>,
  ctx: Context,
  status: StatusOf<Result, Status>,
  present: (result: Result) => Body,
  run: () => Promise<Result>,
): Promise<TypedResponse<Body, Status, 'json'>> {
  const statusOf = (result: Result) => (typeof status === 'function' ? status(result) : status)
  const key = c.req.method === 'POST' ? idempotencyKey(c) : undefined
  if (key !== undefined) {
    ctx.repeatable = {
      key,
      body: `${askedOf(c)}\n${c.var.bodyText ?? ''}`,
      answer: (result) => ({
        status: statusOf(result as Result),
        body: JSON.stringify(present(result as Result)),
      }),
    }
  }
  const result = await run()
  const body = present(result)
  const version = 'version' in body ? body.version : undefined
  const response = sendJson(c, statusOf(result), JSON.stringify(body), version)
  // The text is exactly `body`; the type says so for the route's check of its declared answers.
  return response as unknown as TypedResponse<Body, Status, 'json'>
}

/** Path and query in one spelling, without the host: a proxy may name it differently the next time. */
function askedOf(c: HonoContext<AppEnv>): string {
  const { searchParams } = new URL(c.req.url)
  return `${c.req.path}?${searchParams.toString()}`
}

/** Sends JSON text; a single resource, which has a `version`, gets an ETag. */
export function sendJson(
  c: HonoContext<AppEnv>,
  status: ContentfulStatusCode,
  text: string,
  version: unknown,
): Response {
  if (typeof version === 'number') {
    const etag = etagOf(text, version)
    c.header('ETag', etag)
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD'
    if (reads && isKnown(c.req.header('If-None-Match'), etag)) {
      return c.body(null, 304)
    }
  }
  return c.body(text, status, { 'Content-Type': 'application/json' })
}

function idempotencyKey(c: HonoContext<AppEnv>): string | undefined {
  const key = c.req.header('Idempotency-Key')
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw keyErrors.malformedKey({ field: 'Idempotency-Key' })
  }
  return key
}

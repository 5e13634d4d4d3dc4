import type { Context as HonoContext, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { SignedIn } from '../platform/context.ts'
import { etagOf, isKnown } from './conditional.ts'
import type { AppEnv } from './env.ts'
import { keyErrors } from './request.errors.ts'

/** Answers with nothing to tell: 204, without a body and its headers. */
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

/** How an operation is answered. */
interface Answering<Result> {
  status: (result: Result) => ContentfulStatusCode
  present: (result: Result) => object
  run: () => Promise<Result>
}

/** Runs a use case, presents its result, and sees to Idempotency-Key, ETag and If-None-Match on the way. */
export async function respond<Result>(
  c: HonoContext<AppEnv>,
  { status, present, run }: Answering<Result>,
): Promise<Response> {
  const { ctx } = c.var
  if (!ctx) {
    throw new Error('this route has no gate')
  }
  const key = c.req.method === 'POST' ? idempotencyKey(c) : undefined
  if (key !== undefined) {
    ctx.repeatable = {
      key,
      body: `${askedOf(c)}\n${c.var.bodyText ?? ''}`,
      answer: (result) => ({
        status: status(result as Result),
        body: JSON.stringify(present(result as Result)),
      }),
    }
  }
  const result = await run()
  const body = present(result)
  const version = 'version' in body ? body.version : undefined
  return sendJson(c, status(result), JSON.stringify(body), version)
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

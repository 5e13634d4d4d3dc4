import type { Context as HonoContext, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { SignedIn } from '../platform/context.ts'
import { sha256Text } from '../platform/secrets/crypto.ts'
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

/** The parts of an operation's answer: its status, its body, and the use case. */
interface Answering<Result> {
  status: (result: Result) => ContentfulStatusCode
  present: (result: Result) => object
  run: () => Promise<Result>
  /** True if the answer has an ETag although it has no version. */
  tagged?: boolean | undefined
}

/** Runs a use case, presents its result, and sees to Idempotency-Key, ETag and If-None-Match on the way. */
export async function respond<Result>(
  c: HonoContext<AppEnv>,
  { status, present, run, tagged }: Answering<Result>,
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
  const text = JSON.stringify(body)
  return tagged && isTold(c, tagOf(text))
    ? c.body(null, 304)
    : sendJson(c, status(result), text, version)
}

/** Sets the ETag of an answer, and tells whether the caller has it already. */
export function isTold(c: HonoContext<AppEnv>, etag: string): boolean {
  c.header('ETag', etag)
  const reads = c.req.method === 'GET' || c.req.method === 'HEAD'
  return reads && isKnown(c.req.header('If-None-Match'), etag)
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
    if (isTold(c, etagOf(text, version))) {
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

/**
 * The strong ETag of an answer that has a `version`: `"<version>-<digest of the body>"`. The digest
 * makes it strong where the body holds more than the version counts (an account's balance); If-Match
 * looks at the version only, which is what a write changes.
 */
export const etagOf = (body: string, version: number): string =>
  versionTag(version, sha256Text(body))

export const versionTag = (version: number, digest: string): string =>
  `"${version}-${digest.slice(0, 16)}"`

/** The ETag of an answer without a version. */
export const tagOf = (body: string): string => `"${sha256Text(body).slice(0, 16)}"`

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim())

/**
 * The versions that an If-Match names, or `*` for any. It compares strongly (RFC 9110, 13.1.1), so a weak tag names
 * none, like a tag that is not of this service. `"3"` stands for version 3 of what only lists show.
 */
export function versionsIn(ifMatch: string): number[] | '*' {
  if (ifMatch.trim() === '*') {
    return '*'
  }
  const versions = tagsIn(ifMatch).map((tag) => /^"(\d{1,15})(-[\w-]+)?"$/.exec(tag)?.[1])
  return versions.filter((text) => text !== undefined).map(Number)
}

const TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`
const TAGS = new RegExp(String.raw`^\s*(?:\*|${TAG}(?:\s*,\s*${TAG})*)\s*$`)

/** True if a header is `*` or a list of entity tags (RFC 9110, 8.8.3). Other headers never match anything. */
export const isTagList = (header: string): boolean => TAGS.test(header)

/** True if the caller already has this very answer. It compares weakly: proxies that compress weaken tags. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  tagsIn(ifNoneMatch).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

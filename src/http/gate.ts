import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { type Settings, settingsOf } from '../env.ts'
import type { Caller, Context, Precondition } from '../platform/context.ts'
import { accessErrors } from '../platform/database/refusals.ts'
import { mustHaveCompared } from '../platform/database/database.ts'
import { holderOf } from '../platform/secrets/owned-tokens.ts'
import { ring } from '../platform/work/task-queue.ts'
import { verifyAccessToken } from '../platform/secrets/tokens.ts'
import { isTagList, versionsIn } from './answer.ts'
import type { AppEnv } from './env.ts'
import { requestErrors } from './request.errors.ts'
import type { Access } from './registry.ts'

/** Says what an operation does with `If-Match`: PUT, PATCH and DELETE compare or refuse it, the others ignore it. */
export type IfMatch = 'compared' | 'refused' | 'ignored'

/** The facts about its route that the gate uses. */
interface Guarded extends SessionRoute {
  /** Has the name of the operation once all areas are listed. */
  entry: { operationId: string }
  ifMatch: IfMatch
}

/**
 * Stands in front of everything else on a route: an anonymous caller gets 401 before anything in the
 * request is looked at. The token is verified here, without the database; session and permission are
 * checked by the first unit of work.
 */
export const gate =
  ({ entry, ifMatch, ...route }: Guarded): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const { access } = route
    const caller = access === 'public' ? undefined : await callerOf(c)
    const header = c.req.header('If-Match')
    const { id, startedAt, cost, ports, unseenIn, wanted } = c.var.request
    const settings = settingsOf(c.env)
    const start = sessionStart(route, settings, c.req.header('X-D1-Bookmark'))
    const ctx: Context = {
      settings,
      database: c.env.DB.withSession(start),
      ...(start === PRIMARY ? {} : { toPrimary: () => c.env.DB.withSession(PRIMARY) }),
      isReadOnly: isReadOnly(route),
      files: c.env.FILES,
      queue: c.env.TASKS,
      ports,
      now: startedAt,
      requestId: id,
      operation: entry.operationId,
      access,
      unseenIn,
      wanted,
      ...(caller ? { caller } : {}),
      client: {
        ip: addressOf(c, settings),
        userAgent: c.req.header('User-Agent')?.slice(0, 300) ?? null,
      },
      ...(ifMatch === 'compared' ? { precondition: preconditionOf(header) } : {}),
      cost,
      ring: (messages) => c.executionCtx.waitUntil(ring(c.env.TASKS, messages)),
    }
    c.set('ctx', ctx)
    if (ifMatch === 'compared' && header !== undefined && !isTagList(header)) {
      throw requestErrors.invalidIfMatch({ field: 'If-Match' })
    }
    if (ifMatch === 'refused' && header !== undefined) {
      // A caller who sends the header relies on a comparison, so ignoring it is worse than refusing.
      throw requestErrors.noVersion({ field: 'If-Match' })
    }
    await next()
    if (c.res.ok) {
      mustHaveCompared(ctx)
    }
    const bookmark = ctx.database.getBookmark()
    if (bookmark !== null) {
      c.res.headers.set('X-D1-Bookmark', bookmark)
    }
  }

const preconditionOf = (header: string | undefined): Precondition => ({
  ifMatch: header === undefined ? undefined : versionsIn(header),
  isCompared: false,
})

async function callerOf(c: HonoContext<AppEnv>): Promise<Caller> {
  const header = c.req.header('Authorization') ?? ''
  // Another scheme is no token (RFC 6750, 3.1).
  if (!/^Bearer( |$)/i.test(header)) {
    throw accessErrors.required()
  }
  const [, token] = /^Bearer ([\w.~+/=-]+)$/i.exec(header) ?? []
  if (token === undefined) {
    throw accessErrors.tokenInvalid()
  }
  return holderOf(token) ?? (await signedInBy(c, token))
}

async function signedInBy(c: HonoContext<AppEnv>, token: string): Promise<Caller> {
  const { jwtKeys } = settingsOf(c.env)
  const claims = await verifyAccessToken({ jwtKeys, now: c.var.request.startedAt }, token)
  if (claims === 'expired') {
    throw accessErrors.tokenExpired()
  }
  if (!claims) {
    throw accessErrors.tokenInvalid()
  }
  return { ...claims, tokenHash: null }
}

/** Returns the address that the trusted proxy states, else the one that the host sees. No other header is trusted. */
function addressOf(c: HonoContext<AppEnv>, { clientIpHeader }: Settings): string | null {
  const given = c.executionCtx.props as { remoteAddress?: string } | undefined
  return (clientIpHeader === '' ? given?.remoteAddress : c.req.header(clientIpHeader)) ?? null
}

// The start of a request's database session (ADR 0062).

/** The parts of a route that decide the start of the session. */
interface SessionRoute {
  method: string
  /** OpenAPI form: `/account/{id}`. */
  path: string
  access: Access
  /** True if a GET commits something. */
  writes?: boolean | undefined
}

/** True if an operation commits nothing. */
export const isReadOnly = ({ method, writes = false }: SessionRoute): boolean =>
  method === 'get' && !writes

/**
 * True if an operation may answer from slightly old data. This applies to reads of signed-in users, but not to
 * sessions, credentials and the work of administrators.
 */
const mayLag = (route: SessionRoute): boolean =>
  isReadOnly(route) && route.access !== 'public' && !/^\/(?:auth|admin)(?:\/|$)/.test(route.path)

const PRIMARY = 'first-primary'
/** Any instance: the nearest, however far behind it is. */
const ANYWHERE = 'first-unconstrained'

const LONGEST_BOOKMARK = 200

/** Loosely, as the form is not documented: numbers in hexadecimal. */
const isBookmark = (text: string) =>
  text.length <= LONGEST_BOOKMARK && /^[\da-f]+(?:-[\da-f]+)+$/.test(text)

/**
 * Returns the argument of `withSession`. A caller who sends a bookmark wants to see at least its state. If the
 * bookmark is malformed, only the primary is certain to have that state.
 */
export function sessionStart(
  route: SessionRoute,
  { readReplicas }: Pick<Settings, 'readReplicas'>,
  bookmark: string | undefined,
): string {
  if (!readReplicas || !mayLag(route)) {
    return PRIMARY
  }
  if (bookmark === undefined) {
    return ANYWHERE
  }
  return isBookmark(bookmark) ? bookmark : PRIMARY
}

import type { Settings } from '../env.ts'
import { newId, risingRandom } from '../domain/ids.ts'
import type { Statement } from './database/statements.ts'
import type { Permission, SystemRole } from '../domain/permissions.ts'
import type { Scope } from '../domain/scopes.ts'

/** The inputs that may differ between production and tests: time and chance. */
export interface Ports {
  now: () => number
  random: (bytes: number) => Uint8Array
  /** Returns the core of the next id, where that is given, as it is for ids of examples. */
  nextCore?: () => string | undefined
}

/** Asking for random bytes takes longer than copying them, and many ids need few each. No byte is handed out twice. */
const drawn = new Uint8Array(4096)
let used = drawn.length

function drawRandom(bytes: number): Uint8Array {
  if (bytes > drawn.length) {
    return crypto.getRandomValues(new Uint8Array(bytes))
  }
  if (used + bytes > drawn.length) {
    crypto.getRandomValues(drawn)
    used = 0
  }
  const from = used
  used += bytes
  const taken = drawn.slice(from, used)
  drawn.fill(0, from, used)
  return taken
}

export const systemPorts: Ports = { now: () => Date.now(), random: drawRandom }

/** The cost of a request for the database so far. */
export interface Cost {
  trips: number
  rowsRead: number
  rowsWritten: number
  /** Milliseconds that its statements took. */
  databaseMs: number
  /** Milliseconds that the work of the process counts as. */
  workMs: number
}

export const noCost = (): Cost => ({
  trips: 0,
  rowsRead: 0,
  rowsWritten: 0,
  databaseMs: 0,
  workMs: 0,
})

/** The signed-in user as the session check found it. */
export interface Profile {
  id: string
  email: string
  name: string
  baseCurrency: string
  locale: string
  timeZone: string
  emailVerified: boolean
  mfaEnabled: boolean
  version: number
  createdAt: number
  updatedAt: number
  roles: { id: string; name: string; system: SystemRole | null }[]
  /** The permissions of its roles. In the caller's profile, they are limited by the token's scopes. */
  permissions: Permission[]
}

/** The personal access token that a request came with, as the database knows it. */
export interface TokenFacts {
  id: string
  name: string
  scopes: Scope[]
  /** The accounts it is restricted to; null for all that its owner sees. */
  accountIds: string[] | null
  expiresAt: number | null
  /** Permissions of its owner that no token has. The token does not act by these, but may grant them with a role. */
  sessionOnly: Permission[]
}

/**
 * The caller that the credential claims: the id of a session or the hash of a personal access token, never both.
 * `profile` is set once the database confirmed it, and for a token also `token`.
 */
export interface Caller {
  userId: string
  sessionId: string | null
  tokenHash: string | null
  profile?: Profile
  token?: TokenFacts
}

/** The request for repeatability that the caller sent with a POST. */
export interface Repeatable {
  key: string
  /** The content of the request, with the body as it came: for the fingerprint. */
  body: string
  /** Turns the result of the commit into the answer to store with it. */
  answer: (result: unknown) => { status: number; body: string }
}

/** The task that is being done, and the run that holds its lease. */
export interface RunningTask {
  id: string
  attempt: number
  /** The user who requested it. */
  createdBy: string | null
}

/** The demand of the caller of a `versioned` operation with `If-Match`, and a note if the use case has checked it. */
export interface Precondition {
  /** The versions that the header names, or `*` for any; undefined when the caller sent none. */
  readonly ifMatch: number[] | '*' | undefined
  /** `requireVersion` sets it. Nothing can be committed before that, whether the caller sent the header or not. */
  isCompared: boolean
}

/**
 * Everything a use case may know about its request: plain data and the ports, nothing of HTTP. Made
 * once per request or task. The units of work of platform/database/database.ts fill in `caller.profile` and the cost; `repeatable` is
 * set by the http layer, and taken away by a use case whose answer must not be kept.
 */
export interface Context {
  readonly settings: Settings
  /** The database session of the two units of work; `moveToPrimary` replaces it. */
  database: D1DatabaseSession
  /** Starts a session at the primary. It is there while `database` may be answered by a replica, which lags. */
  toPrimary?: () => D1DatabaseSession
  /** True if nothing may be committed: the data may come from a replica, or would if the operator allowed it. */
  readonly isReadOnly?: boolean
  /** The bucket for files. */
  readonly files: R2Bucket
  /** The queue that `ring` notifies. */
  readonly queue: Queue
  readonly ports: Ports
  /** Milliseconds since 1970 UTC; one instant for the whole request. */
  readonly now: number
  readonly requestId: string
  readonly operation: string
  /** The permission the route asks for; `public` routes and system tasks need none. */
  readonly access: Permission | 'public' | 'system'
  readonly caller?: Caller
  readonly task?: RunningTask
  readonly client: { ip: string | null; userAgent: string | null }
  /** Present when the route is `versioned`. */
  readonly precondition?: Precondition
  repeatable?: Repeatable
  /**
   * Makes the query that finds a row when an answer names something that the caller does not see any more; undefined
   * when there is nothing to ask. The areas know that, so the application hands it in.
   */
  readonly unseenIn?: (ctx: SignedIn, answer: string) => Statement<unknown[]> | undefined
  /** The types of events that some reader wants; the application hands them in. */
  readonly wanted?: ReadonlySet<string>
  readonly cost: Cost
  /** Tells the queue of tasks that were stored, by their ids, or of news for readers; losing the call loses nothing. */
  readonly ring: (messages: string[]) => void
}

/** The context of a route that needs a permission: there is a caller. */
export type SignedIn = Context & { readonly caller: Caller }

export function profileOf(ctx: SignedIn): Profile {
  if (!ctx.caller.profile) {
    throw new Error('profileOf: no unit of work has run yet, so nobody has checked the session')
  }
  return ctx.caller.profile
}

/**
 * Returns the permissions that the caller may grant. Scopes do not limit permissions that no scope can grant: there
 * the owner's permissions count.
 */
export const permissionsToGrant = (ctx: SignedIn): Permission[] => [
  ...profileOf(ctx).permissions,
  ...(ctx.caller.token?.sessionOnly ?? []),
]

/** The session that a request came with: what a `sessionOnly` permission guards has one. */
export function sessionIdOf({ caller }: SignedIn): string {
  if (caller.sessionId === null) {
    throw new Error('sessionIdOf: this request came with a personal access token')
  }
  return caller.sessionId
}

/** The last random bits of ids by their milliseconds, of the newest few: requests overlap. */
const lastRandom = new Map<number, Uint8Array>()
const MILLISECONDS_KEPT = 100

/** A fresh prefixed id, sortable by the time of the request, and in it by the order in which this process makes them. */
export function freshId(ctx: Context, prefix: string): string {
  const given = ctx.ports.nextCore?.()
  if (given !== undefined) {
    return `${prefix}_${given}`
  }
  const random = risingRandom(lastRandom.get(ctx.now), ctx.ports.random(10))
  lastRandom.delete(ctx.now)
  lastRandom.set(ctx.now, random)
  if (lastRandom.size > MILLISECONDS_KEPT) {
    lastRandom.delete(lastRandom.keys().next().value ?? 0)
  }
  return newId(prefix, ctx.now, random)
}

/** Many fresh ids, in their order. */
export const freshIds = (ctx: Context, prefix: string, count: number): string[] =>
  Array.from({ length: count }, () => freshId(ctx, prefix))

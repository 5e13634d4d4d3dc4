import { PERMISSION_PREMISE, SESSION_PREMISE } from '../../../drizzle/schema/system.ts'
import {
  isAdminOnly,
  isSessionOnly,
  type Permission,
  permissionsOfRole,
} from '../../domain/permissions.ts'
import { permissionsOfScopes, type Scope, scopesGranting } from '../../domain/scopes.ts'
import type { Caller, Context, Profile, SignedIn } from '../context.ts'
import { Memory } from './memory.ts'
import { accessErrors, forbidden } from './refusals.ts'

// Plain SQL, as it rides in front of every request.

/** The columns of a `ProfileRow`; a user `u` is in scope. */
export const PROFILE_COLUMNS = `u.id AS user_id, u.email, u.name, u.base_currency, u.locale, u.time_zone,
  u.email_verified_at, u.mfa_enabled_at, u.created_at, u.updated_at, u.version,
  (SELECT json_group_array(json_object('id', r.id, 'name', r.name, 'system', r.system, 'stored', (
      SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = r.id)))
    FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = u.id) AS roles`

export interface ProfileRow {
  user_id: string
  email: string
  name: string
  base_currency: string
  locale: string
  time_zone: string
  email_verified_at: number | null
  mfa_enabled_at: number | null
  created_at: number
  updated_at: number
  version: number
  /** JSON; `stored` holds the permissions of a role that is not a system role. */
  roles: string
}

/** One way to prove who one is: where it stands, and when it is good. A user `u` is in scope of both. */
interface Credential {
  from: string
  /** ?1 names the credential, ?2 the user it claims to be of, ?3 is now. */
  isGood: string
}

const SESSION: Credential = {
  from: 'sessions s JOIN users u ON u.id = s.user_id',
  isGood: `s.id = ?1 AND s.user_id = ?2 AND s.revoked_at IS NULL AND s.idle_expires_at > ?3
    AND s.absolute_expires_at > ?3 AND u.status = 'active'`,
}

const TOKEN: Credential = {
  from: 'personal_access_tokens t JOIN users u ON u.id = t.user_id',
  isGood: `t.token_hash = ?1 AND t.user_id = ?2 AND (t.expires_at IS NULL OR t.expires_at > ?3)
    AND u.status = 'active'`,
}

const selectCaller = ({ from, isGood }: Credential, more = '') =>
  `SELECT ${PROFILE_COLUMNS}${more} FROM ${from} WHERE ${isGood}`

const SESSION_SQL = selectCaller(SESSION)
const TOKEN_SQL = selectCaller(
  TOKEN,
  ', t.id AS token_id, t.name AS token_name, t.scopes, t.account_ids, t.expires_at',
)

/** ?4 is 1 for what administrators alone may do, ?5 the permission, ?6 JSON of the scopes that grant it. */
const guardAccess = ({ from, isGood }: Credential, within: string) =>
  `INSERT INTO write_guard (premise)
  SELECT CASE WHEN EXISTS (SELECT 1 FROM ${from} WHERE ${isGood})
    THEN ${PERMISSION_PREMISE} ELSE ${SESSION_PREMISE} END
  WHERE NOT EXISTS (SELECT 1 FROM ${from}
    JOIN user_roles ur ON ur.user_id = u.id JOIN roles r ON r.id = ur.role_id
    WHERE ${isGood} AND ${within} AND (r.system = 'admin' OR (r.system = 'user' AND ?4 = 0)
      OR EXISTS (SELECT 1 FROM role_permissions p WHERE p.role_id = r.id AND p.permission = ?5)))`

const SESSION_GUARD_SQL = guardAccess(SESSION, 'TRUE')
const TOKEN_GUARD_SQL = guardAccess(
  TOKEN,
  `EXISTS (SELECT 1 FROM json_each(t.scopes) held JOIN json_each(?6) granting ON granting.value = held.value)`,
)

/** Fetches the caller; no row means that the credential is dead. Rides in front of the first read. */
export const callerStatement = ({ database, now }: Context, caller: Caller): D1PreparedStatement =>
  caller.tokenHash === null
    ? database.prepare(SESSION_SQL).bind(caller.sessionId, caller.userId, now)
    : database.prepare(TOKEN_SQL).bind(caller.tokenHash, caller.userId, now)

/** Re-asserts credential and permission inside a commit; breaks `access_session` or `access_permission`. */
export function accessGuard(
  { database, now }: Context,
  caller: Caller,
  permission: Permission,
): D1PreparedStatement {
  const adminOnly = isAdminOnly(permission) ? 1 : 0
  if (caller.tokenHash === null) {
    const values = [caller.sessionId, caller.userId, now, adminOnly, permission]
    return database.prepare(SESSION_GUARD_SQL).bind(...values)
  }
  const granting = JSON.stringify(scopesGranting(permission))
  const values = [caller.tokenHash, caller.userId, now, adminOnly, permission, granting]
  return database.prepare(TOKEN_GUARD_SQL).bind(...values)
}

export const isGuarded = (access: Context['access']): access is Permission =>
  access !== 'public' && access !== 'system'

/** The caller, as long as no unit of work has checked the credential. */
export const uncheckedCaller = ({ caller }: Context): Caller | undefined =>
  caller && !caller.profile ? caller : undefined

/**
 * True if a read must begin with the guard. Otherwise all its queries would run for anyone who invents a token of
 * another user.
 */
export const mustGuard = (ctx: Context, caller: Caller): boolean =>
  isGuarded(ctx.access) && !isTrusted(ctx, caller)

/** The guard that stands first in a read, where one must. */
export const guardOfRead = (ctx: Context, caller: Caller): D1PreparedStatement[] =>
  isGuarded(ctx.access) && mustGuard(ctx, caller) ? [accessGuard(ctx, caller, ctx.access)] : []

/** The precision of `lastUsedAt` of a personal access token. */
const MARK_EVERY_MS = 10 * 60 * 1000

/** When this isolate last marked a token that was good as used: so that most of its reads stay reads. */
const marked = new Memory<number>(1000)

function wasMarked(now: number, tokenHash: string): boolean {
  const last = marked.get(tokenHash) ?? 0
  return last <= now && now - last < MARK_EVERY_MS
}

/**
 * Notes that a personal access token is in use, in the batch that checks it; none when that was noted just now.
 * A token that is not good is not there to be marked, or marks itself in vain.
 */
export function markOfUse(ctx: Context, caller: Caller): D1PreparedStatement[] {
  if (!isMarkDue(ctx, caller)) {
    return []
  }
  return [
    ctx.database
      .prepare('UPDATE personal_access_tokens SET last_used_at = ?2 WHERE token_hash = ?1')
      .bind(caller.tokenHash, ctx.now),
  ]
}

/** True if `markOfUse` has something to note. */
export const isMarkDue = ({ now }: Context, { tokenHash }: Caller): boolean =>
  tokenHash !== null && !wasMarked(now, tokenHash)

/** Sessions that this isolate found dead, while what they have signed is good for some minutes more. */
const dead = new Memory<true>(1000)

/**
 * True if a credential may count as its user's before this request has checked it. A personal access token must have
 * been valid just now, because anybody can write one that claims to be somebody's; a session is proved by our
 * signature.
 */
export function isTrusted({ now }: Context, { profile, sessionId, tokenHash }: Caller): boolean {
  return (
    profile !== undefined ||
    (tokenHash === null ? !dead.get(sessionId ?? '') : wasMarked(now, tokenHash))
  )
}

/** To be called once the batch with these marks has shown that the token is good. */
export function rememberMark(
  { now }: Context,
  { tokenHash }: Caller,
  marks: D1PreparedStatement[],
): void {
  if (tokenHash !== null && marks.length > 0) {
    marked.set(tokenHash, now)
  }
}

/** To be called once a batch has shown that the credential is not good. */
export function distrust({ sessionId, tokenHash }: Caller): void {
  if (tokenHash === null) {
    dead.set(sessionId ?? '', true)
  } else {
    marked.forget(tokenHash)
  }
}

/**
 * Lets the caller in whom `callerStatement` has found.
 * @throws AppError unauthenticated, forbidden
 */
export function admit(ctx: SignedIn, row: ProfileRow | undefined): void {
  if (!row) {
    // A replica may only not have heard of a new session yet.
    if (!ctx.toPrimary) {
      distrust(ctx.caller)
    }
    throw accessErrors.tokenInvalid()
  }
  const known = callerFrom(ctx.caller, row)
  if (isGuarded(ctx.access) && !known.profile.permissions.includes(ctx.access)) {
    throw forbidden(ctx.access)
  }
  Object.assign(ctx.caller, known)
}

interface TokenRow extends ProfileRow {
  token_id: string
  token_name: string
  scopes: string
  account_ids: string | null
  expires_at: number | null
}

/** Reads the caller from the row of `callerStatement`. */
function callerFrom(
  caller: Caller,
  row: ProfileRow | TokenRow,
): Pick<Required<Caller>, 'profile'> & Pick<Caller, 'token'> {
  const profile = profileFrom(row)
  if (caller.tokenHash === null || !('token_id' in row)) {
    return { profile }
  }
  const scopes = JSON.parse(row.scopes) as Scope[]
  const allowed = permissionsOfScopes(scopes)
  return {
    profile: {
      ...profile,
      permissions: profile.permissions.filter((one) => allowed.includes(one)),
    },
    token: {
      id: row.token_id,
      name: row.token_name,
      scopes,
      accountIds: row.account_ids === null ? null : (JSON.parse(row.account_ids) as string[]),
      expiresAt: row.expires_at,
      sessionOnly: profile.permissions.filter(isSessionOnly),
    },
  }
}

/**
 * The context of a task in the name of an owner, whose profile was read.
 * @param tokenHash of a token for some accounts that asked for the task, which acts on these alone
 */
export function asOwner(ctx: Context, row: ProfileRow, tokenHash?: string): SignedIn {
  const profile = profileFrom(row)
  const caller = { userId: profile.id, sessionId: null, tokenHash: tokenHash ?? null, profile }
  return { ...ctx, caller }
}

export function profileFrom(row: ProfileRow): Profile {
  const roles = JSON.parse(row.roles) as (Profile['roles'][number] & { stored: string[] })[]
  const permissions = roles.flatMap(({ system, stored }) => permissionsOfRole(system, stored))
  return {
    id: row.user_id,
    email: row.email,
    name: row.name,
    baseCurrency: row.base_currency,
    locale: row.locale,
    timeZone: row.time_zone,
    emailVerified: row.email_verified_at !== null,
    mfaEnabled: row.mfa_enabled_at !== null,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    roles: roles.map(({ id, name, system }) => ({ id, name, system })),
    permissions: [...new Set(permissions)],
  }
}

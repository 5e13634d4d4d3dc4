import { and, desc, eq, lt, or, type SQL, sql } from 'drizzle-orm'
import { roles, users } from '../../../../drizzle/schema/system.ts'
import { foldKey } from '../../../domain/text.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import type { Refusal } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, nothing, type Statement } from '../../../platform/database/statements.ts'
import { addressHolds } from '../addresses/addresses.public.ts'
import { grantRoles, revokeRolesBut } from '../auth/auth.public.ts'
import { callerHoldsRoles, mustNotBeStronger } from '../roles/roles.public.ts'
import { settingOf } from '../settings/settings.public.ts'
import { userErrors } from './user-administration.errors.ts'
import type { GrantedRole, UserStatus } from './user-administration.rules.ts'

/** JSON of a role `r`. */
const ROLE = sql.raw(`json_object('id', r.id, 'name', r.name, 'system', r.system, 'stored', (
  SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = r.id))`)

/** All but the hash of the password: what is not fetched cannot slip out. */
const columns = {
  id: users.id,
  email: users.email,
  name: users.name,
  status: users.status,
  hasPassword: sql`${users.passwordHash} IS NOT NULL`.mapWith(Boolean).as('has_password'),
  passwordNeedsMfa: users.passwordNeedsMfa,
  emailVerifiedAt: users.emailVerifiedAt,
  mfaEnabledAt: users.mfaEnabledAt,
  deletionDueAt: users.deletionDueAt,
  baseCurrency: users.baseCurrency,
  locale: users.locale,
  timeZone: users.timeZone,
  version: users.version,
  createdAt: users.createdAt,
  updatedAt: users.updatedAt,
  roles: sql`(SELECT json_group_array(json(role)) FROM (SELECT ${ROLE} AS role
      FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = users.id
      ORDER BY r.system IS NULL, r.name_key))`
    .mapWith((json: string) => JSON.parse(json) as GrantedRole[])
    .as('roles'),
  lastUsedAt: sql<
    number | null
  >`(SELECT max(s.last_used_at) FROM sessions s WHERE s.user_id = users.id)`.as('last_used_at'),
}

export type UserRow = Awaited<ReturnType<typeof userById>>[number]

/** True for users who are persons: an erasure may leave a row without a person in it. */
const IS_SOMEBODY = sql`(${users.status} <> 'deleted' OR ${users.deletionDueAt} IS NOT NULL)`

const isUser = (id: string) => and(eq(users.id, id), IS_SOMEBODY)

export const userById = (id: string) => db.select(columns).from(users).where(isUser(id))

/** With the days in which its deletion could be taken back. */
export const userToDelete = (ctx: SignedIn, id: string) => {
  const graceDays = sql<number>`${settingOf(ctx, 'deletionGraceDays')}`.as('grace_days')
  return db
    .select({ ...columns, graceDays })
    .from(users)
    .where(isUser(id))
}

export interface UserFilter {
  search?: string | undefined
  status?: UserStatus | undefined
  roleId?: string | undefined
}

const holds = (roleId: string) =>
  sql`EXISTS (SELECT 1 FROM user_roles ur WHERE ur.user_id = users.id AND ur.role_id = ${roleId})`

const matches = ({ search, status, roleId }: UserFilter) =>
  and(
    IS_SOMEBODY,
    status === undefined ? undefined : eq(users.status, status),
    roleId === undefined ? undefined : holds(roleId),
    search === undefined
      ? undefined
      : or(addressHolds('users', search), sql`instr(${users.nameKey}, ${foldKey(search)}) > 0`),
  )

/** Newest first; one row more than the page, which tells whether there is a next one. */
export function pageOfUsers(filter: UserFilter, page: PageRequest) {
  const [afterId] = page.after ?? []
  return db
    .select(columns)
    .from(users)
    .where(and(matches(filter), afterId === undefined ? undefined : lt(users.id, afterId)))
    .orderBy(desc(users.id))
    .limit(page.limit + 1)
}

export const countOfUsers = (filter: UserFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(users)
    .where(matches(filter))

const grantable = (condition: SQL) =>
  db
    .select({
      id: roles.id,
      name: roles.name,
      system: roles.system,
      stored:
        sql`(SELECT json_group_array(p.permission) FROM role_permissions p WHERE p.role_id = roles.id)`
          .mapWith((json: string) => JSON.parse(json) as string[])
          .as('stored'),
    })
    .from(roles)
    .where(condition)
    .orderBy(sql`${roles.system} IS NULL`, roles.nameKey)

/** The role that everybody has who registers. */
export const roleOfEverybody = () => grantable(eq(roles.system, 'user'))

export const rolesByIds = (ids: string[]): Statement<GrantedRole[]> =>
  ids.length === 0 ? nothing() : grantable(sql`${roles.id} IN (${listed(ids)})`)

const listed = (ids: string[]) => sql`SELECT value FROM json_each(${JSON.stringify(ids)})`

export const replaceRoles = (userId: string, roleIds: string[]): Statement[] => [
  revokeRolesBut(userId, roleIds),
  ...grantKnownRoles(userId, roleIds),
]

/** Refuses when a role was deleted meanwhile. */
export const grantKnownRoles = (userId: string, roleIds: string[]): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM json_each(${JSON.stringify(roleIds)}) wanted
      WHERE NOT EXISTS (SELECT 1 FROM roles r WHERE r.id = wanted.value))`,
    () => userErrors.unknownRole({ field: 'roleIds' }),
  ),
  grantRoles(userId, roleIds),
]

/** Belongs in front of what it protects. Refuses when the user may do what the caller may not. */
export const userMustNotBeStronger = (ctx: SignedIn, userId: string): Statement =>
  mustNotBeStronger(ctx, sql`SELECT ${userId}`)

/** Belongs in front of what it protects. Refuses when the roles permit what the caller may not. */
export const mustHoldRoles = (ctx: SignedIn, roleIds: string[]): Statement =>
  callerHoldsRoles(ctx, listed(roleIds))

/** Administrators in office: they can sign in, and are not on their way out. */
const IN_OFFICE = sql.raw(`SELECT u.id FROM users u
  JOIN user_roles ur ON ur.user_id = u.id JOIN roles r ON r.id = ur.role_id
  WHERE r.system = 'admin' AND u.status = 'active' AND u.deletion_due_at IS NULL`)

/** @param userId the id, or a column of it other than `u.id` */
export const isLastAdministrator = (userId: string | SQL): SQL =>
  sql`(${userId} IN (${IN_OFFICE}) AND NOT EXISTS (${IN_OFFICE} AND u.id <> ${userId}))`

/**
 * Refuses when the user is the last administrator in office. Belongs in front of whatever takes a
 * user out of office: disabling, deleting, demoting.
 */
export const mustLeaveAnAdministrator = (userId: string, lastAdministrator: Refusal): Statement =>
  refuseIf(isLastAdministrator(userId), lastAdministrator)

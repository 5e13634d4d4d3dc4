import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'

export const users = sqliteTable(
  'users',
  {
    id: id(),
    email: text('email').notNull(),
    /** The address folded for comparison; what uniqueness and sign-in go by. */
    emailKey: text('email_key').notNull().unique(),
    name: text('name').notNull(),
    /** The name folded for comparison; what a search goes by. */
    nameKey: text('name_key').notNull().default(''),
    /** PHC string; null for a user who signs in through an identity provider only. */
    passwordHash: text('password_hash'),
    /** When the user last chose another one; a rehash of the same is no change. */
    passwordChangedAt: instant('password_changed_at'),
    /** Fewer characters than a password needs alone: the second factor stays on until there is a longer one. */
    passwordNeedsMfa: flag('password_needs_mfa').notNull().default(false),
    baseCurrency: text('base_currency').notNull(),
    locale: text('locale').notNull(),
    timeZone: text('time_zone').notNull(),
    /** Only an active user signs in. `deleted`: by an administrator, and waiting to be erased. */
    status: text('status', { enum: ['active', 'disabled', 'deleted'] })
      .notNull()
      .default('active'),
    emailVerifiedAt: instant('email_verified_at'),
    mfaEnabledAt: instant('mfa_enabled_at'),
    /** When all that the user owns is erased; set on active users, too, who asked for it themselves. */
    deletionDueAt: instant('deletion_due_at'),
    /** Counts the changes of what rules and usual categories say of bookings; kept by triggers. */
    ruleSet: integer('rule_set').notNull().default(0),
    ...stamps,
  },
  (table) => [
    index('users_to_erase')
      .on(table.deletionDueAt)
      .where(sql`deletion_due_at IS NOT NULL`),
  ],
)

/** The preferences that a user chose; the rest is as the catalogue in code says. */
export const userPreferences = sqliteTable('user_preferences', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id),
  /** JSON object by preference. */
  chosen: text('chosen').notNull(),
  ...stamps,
})

/** The settings of administrators; the rest is as the environment or the code says. */
export const settings = sqliteTable('settings', {
  key: text('key').primaryKey(),
  /** JSON. */
  value: text('value').notNull(),
  updatedAt: instant('updated_at').notNull(),
})

/** A signed-in device: also the family of its refresh tokens. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: id(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at').notNull(),
    idleExpiresAt: instant('idle_expires_at').notNull(),
    absoluteExpiresAt: instant('absolute_expires_at').notNull(),
    revokedAt: instant('revoked_at'),
    ip: text('ip'),
    userAgent: text('user_agent'),
  },
  (table) => [index('sessions_of_user').on(table.userId)],
)

export const roles = sqliteTable('roles', {
  id: id(),
  name: text('name').notNull(),
  nameKey: text('name_key').notNull().unique(),
  description: text('description').notNull().default(''),
  /** Set on system roles, whose permissions come from the catalogue in code. */
  system: text('system', { enum: ['admin', 'user'] }).unique(),
  ...stamps,
})

export const rolePermissions = sqliteTable(
  'role_permissions',
  {
    roleId: text('role_id')
      .notNull()
      .references(() => roles.id),
    permission: text('permission').notNull(),
  },
  (table) => [primaryKey({ columns: [table.roleId, table.permission] })],
)

export const userRoles = sqliteTable(
  'user_roles',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id),
    roleId: text('role_id')
      .notNull()
      .references(() => roles.id),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.roleId] }),
    index('user_roles_of_role').on(table.roleId),
  ],
)

/** Answers already given, by hashed Idempotency-Key; sealed so that a dump of them is useless. */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    keyHash: text('key_hash').primaryKey(),
    fingerprint: text('fingerprint').notNull(),
    status: integer('status').notNull(),
    sealedAnswer: text('sealed_answer').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('idempotency_keys_by_expiry').on(table.expiresAt)],
)

/** Fixed windows of tries, by hashed subject. */
export const rateLimits = sqliteTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    tries: integer('tries').notNull(),
    windowEndsAt: instant('window_ends_at').notNull(),
  },
  (table) => [index('rate_limits_by_end').on(table.windowEndsAt)],
)

export const tasks = sqliteTable(
  'tasks',
  {
    id: id(),
    kind: text('kind').notNull(),
    payload: text('payload').notNull(),
    /** The part of the payload that may be shown. */
    summary: text('summary').notNull().default(''),
    state: text('state', {
      enum: ['queued', 'running', 'succeeded', 'failed', 'cancelled', 'dead'],
    })
      .notNull()
      .default('queued'),
    /** Percent; null of work that does not tell. */
    progress: integer('progress'),
    /** True if the requesting user may cancel it. */
    cancellable: flag('cancellable').notNull().default(false),
    cancelRequestedAt: instant('cancel_requested_at'),
    attempts: integer('attempts').notNull().default(0),
    maxAttempts: integer('max_attempts').notNull(),
    /** Makes a scheduled task unique per kind and period. */
    dedupeKey: text('dedupe_key').unique(),
    error: text('error'),
    createdBy: text('created_by'),
    createdAt: instant('created_at').notNull(),
    nextAttemptAt: instant('next_attempt_at').notNull(),
    leaseUntil: instant('lease_until'),
    startedAt: instant('started_at'),
    /** When it ended, in whatever way. */
    finishedAt: instant('finished_at'),
  },
  (table) => [
    index('tasks_due')
      .on(table.nextAttemptAt)
      .where(sql`state IN ('queued', 'running')`),
    index('tasks_of_user')
      .on(table.createdBy, table.id)
      .where(sql`created_by IS NOT NULL`),
    index('tasks_by_kind').on(table.kind, table.state),
  ],
)

/** The progress of each reader of the log. */
export const logReaders = sqliteTable('log_readers', {
  name: text('name').primaryKey(),
  /** The number of the last event that it is done with. */
  cursor: integer('cursor').notNull(),
  /** The number of times that the event after the cursor has failed. */
  failures: integer('failures').notNull().default(0),
  /** When it is tried again; not before. */
  nextAttemptAt: instant('next_attempt_at').notNull().default(0),
  /** Code of the last failure; null when nothing has failed since. */
  error: text('error'),
  /** The number of events that it has left out because they failed each time. */
  skipped: integer('skipped').notNull().default(0),
})

/** Owners whose events go to a reader that is for listeners alone, while they have a row. */
export const logListeners = sqliteTable(
  'log_listeners',
  {
    ownerId: text('owner_id').notNull(),
    /** The name of the reader. */
    reader: text('reader').notNull(),
    /** The owner gets the events after this number. */
    cursor: integer('cursor').notNull(),
    /** The number of times that the next event has failed. */
    failures: integer('failures').notNull().default(0),
    /** Set while the owner is behind the reader and goes on alone: when it does, at the earliest. */
    nextAttemptAt: instant('next_attempt_at'),
    /** Code of the last failure; null when nothing has failed since. */
    error: text('error'),
  },
  (table) => [
    primaryKey({ columns: [table.ownerId, table.reader] }),
    index('log_listeners_behind')
      .on(table.reader, table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
  ],
)

/** The values that the access guard inserts when the session is dead, or lacks the permission. */
export const SESSION_PREMISE = -1
export const PERMISSION_PREMISE = -2

/** The most premises of a batch. */
export const MOST_PREMISES = 48

const mayNotBe = (name: string, premise: number) => check(name, sql.raw(`premise <> ${premise}`))

/** Never holds a row: inserting one aborts the batch, and the CHECK's name says which premise fell. */
export const writeGuard = sqliteTable(
  'write_guard',
  { premise: integer('premise').notNull() },
  () => [
    mayNotBe('access_session', SESSION_PREMISE),
    mayNotBe('access_permission', PERMISSION_PREMISE),
    ...Array.from({ length: MOST_PREMISES }, (_, at) => mayNotBe(`premise_${at + 1}`, at + 1)),
    check('premise_known', sql`FALSE`),
  ],
)

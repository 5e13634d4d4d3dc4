import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { instant } from '../columns.ts'

// The one log. Triggers keep it append-only. `log_entries` (a view, in the migrations) joins the two tables.

/** The actor, time, origin and operation of each commit with events: one row per commit. */
export const logCommits = sqliteTable(
  'log_commits',
  {
    /** In the order of the commits. */
    number: integer('number').primaryKey(),
    id: text('id').notNull(),
    at: instant('at').notNull(),
    operation: text('operation').notNull(),
    actorType: text('actor_type', { enum: ['user', 'token', 'system', 'anonymous'] }).notNull(),
    actorId: text('actor_id'),
    /** The personal access token that the actor used. */
    tokenId: text('token_id'),
    /** Type and owner of its first event, and of each that names no other. */
    type: text('type').notNull(),
    ownerId: text('owner_id'),
    requestId: text('request_id').notNull(),
    ip: text('ip'),
    userAgent: text('user_agent'),
    /** Its events have numbers in a row. */
    firstEvent: integer('first_event').notNull(),
    eventCount: integer('event_count').notNull(),
  },
  (table) => [
    // An id tells its time, so this finds it too.
    index('log_commits_by_time').on(table.at),
    index('log_commits_of_owner').on(table.ownerId),
    // Most people change what is theirs: those commits stand under the owner already.
    index('log_commits_of_actor')
      .on(table.actorId)
      .where(sql`actor_id IS NOT owner_id OR owner_id IS NULL`),
    index('log_commits_downloads')
      .on(table.at)
      .where(sql`type = 'file.downloaded'`),
    index('log_commits_downloads_of_actor')
      .on(table.actorId, table.at)
      .where(sql`type = 'file.downloaded'`),
    index('log_commits_registrations')
      .on(table.at)
      .where(sql`type IN ('user.registered', 'user.created')`),
  ],
)

/** An event of one thing. It does not repeat the columns of its commit, nor empty values. */
export const logEvents = sqliteTable(
  'log_events',
  {
    number: integer('number').primaryKey(),
    commitNumber: integer('commit_number').notNull(),
    /** Null where it is the commit's. */
    type: text('type'),
    /** Null where the type begins with it. */
    resourceType: text('resource_type'),
    resourceId: text('resource_id'),
    /** Null where it is the commit's; empty for nobody. */
    ownerId: text('owner_id'),
    /** The account that it is, or is booked on. */
    accountId: text('account_id'),
    /** 1 when the event belongs to the account's history. */
    history: integer('history'),
    /** The group that it happened in, or that the account was shared with at that time. */
    groupId: text('group_id'),
    /** The version of the thing after it. */
    version: integer('version'),
    /** JSON: `before` and `after` with the fields that differ, and what else the type carries. No secrets. */
    content: text('content'),
    /** JSON of what the commit made of things, e.g. the balance after it. */
    facts: text('facts'),
  },
  (table) => [
    // Events without a resource are indexed, too. Otherwise the work done would reveal if an address that signs in is
    // somebody's.
    index('log_events_of_resource').on(table.resourceId),
    index('log_events_of_owner')
      .on(table.ownerId)
      .where(sql`owner_id IS NOT NULL`),
    index('log_events_of_account')
      .on(table.accountId)
      .where(sql`history IS NOT NULL`),
    index('log_events_of_group')
      .on(table.groupId)
      .where(sql`group_id IS NOT NULL`),
  ],
)

/**
 * The hash chain over the commits; sealed a little later, by a sweep. What a commit says of a person may be taken out
 * when that person is erased: the hash of what it said stays.
 */
export const logSeals = sqliteTable('log_seals', {
  /** The number of the commit. */
  number: integer('number').primaryKey(),
  /** The hash of all that may be removed from it. */
  contentHash: text('content_hash').notNull(),
  /** The hash of the previous hash, of the permanent part of the commit, and of `content_hash`. */
  hash: text('hash').notNull(),
  /** The key of the ring that the hashes are made with. */
  keyId: text('key_id').notNull(),
})

/**
 * Old commits in a row that are kept as an object of the bucket, with their events and seals. Objects are verified before
 * they get their row. Commits before the first one of `log_commits` are in their segments alone.
 */
export const logSegments = sqliteTable(
  'log_segments',
  {
    firstCommit: integer('first_commit').primaryKey(),
    lastCommit: integer('last_commit').notNull(),
    /** Hashes of the seal before the first of its own, empty where there is none, and of the last of its own. */
    previousHash: text('previous_hash').notNull(),
    lastHash: text('last_hash').notNull(),
    firstEvent: integer('first_event').notNull().default(0),
    lastEvent: integer('last_event').notNull().default(0),
    /** The time of its earliest commit, and of the latest one of it and of the segments before it. */
    firstAt: instant('first_at').notNull().default(0),
    lastAt: instant('last_at').notNull().default(0),
    /** The earliest and the latest date that one of its events counts for; null where none does. */
    firstDate: text('first_date'),
    lastDate: text('last_date'),
    objectKey: text('object_key').notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    index('log_segments_by_last').on(table.lastCommit),
    index('log_segments_by_key').on(table.objectKey),
  ],
)

/**
 * The ids that a segment names, whatever as: of what its events are about, of their accounts and groups, of owners and
 * actors, and the keys by which downloads are found.
 */
export const logSegmentThings = sqliteTable(
  'log_segment_things',
  {
    thingId: text('thing_id').notNull(),
    firstCommit: integer('first_commit').notNull(),
    /** 1 of a transaction that the segment tells to have been private. */
    wasPrivate: integer('was_private').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.thingId, table.firstCommit] })],
)

/** The users of whom a segment contains something that must go when they are erased. */
export const logSegmentUsers = sqliteTable(
  'log_segment_users',
  {
    userId: text('user_id').notNull(),
    firstCommit: integer('first_commit').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.firstCommit] }),
    index('log_segment_users_of_segment').on(table.firstCommit),
  ],
)

/** Downloads of each day in UTC by what was downloaded, as far as the reader of the log has come that adds them up. */
export const downloadDays = sqliteTable(
  'download_days',
  {
    date: text('date').notNull(),
    kind: text('kind').notNull(),
    downloads: integer('downloads').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.date, table.kind] })],
)

/** The users who have ever downloaded something, up to the progress of the same reader. */
export const downloaders = sqliteTable('downloaders', { userId: text('user_id').primaryKey() })

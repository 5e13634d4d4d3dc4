import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flag, id, instant, stamps } from '../columns.ts'
import { users } from './system.ts'

/** Addresses that are told of events of their owner. */
export const webhooks = sqliteTable(
  'webhooks',
  {
    id: id(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    url: text('url').notNull(),
    /** Types of events, or patterns of them. */
    types: text('types', { mode: 'json' }).$type<string[]>().notNull(),
    /** The accounts whose events alone are sent; null for all events. */
    accountIds: text('account_ids', { mode: 'json' }).$type<string[] | null>(),
    /** Access tokens whose changes are not sent. */
    ignoreTokenIds: text('ignore_token_ids', { mode: 'json' }).$type<string[]>().notNull(),
    description: text('description').notNull(),
    active: flag('active').notNull(),
    /** Sealed; see platform/secrets/sealed-columns.ts. */
    secret: text('secret').notNull(),
    secretPrefix: text('secret_prefix').notNull(),
    /** The secret before that one, sealed: it signs, too, for a day after `rotatedAt`. */
    previousSecret: text('previous_secret'),
    rotatedAt: instant('rotated_at'),
    /** The time of the first attempt that failed since one succeeded. */
    failingSince: instant('failing_since'),
    /** The number of the last event of the log before the webhook became active. */
    afterEvent: integer('after_event').notNull(),
    /** The number of its last delivery. */
    lastSequence: integer('last_sequence').notNull(),
    /** When something is to be sent next. */
    nextAt: instant('next_at'),
    ...stamps,
  },
  (table) => [
    index('webhooks_of_owner').on(table.ownerId, table.id),
    index('webhooks_due')
      .on(table.nextAt)
      .where(sql`next_at IS NOT NULL AND active = 1`),
    index('webhooks_rotating')
      .on(table.rotatedAt)
      .where(sql`previous_secret IS NOT NULL`),
  ],
)

/** Events that webhooks are told of. They stay for 30 days, also when their webhook is deleted until that is done. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    /** The id of the event, which tells its time, and of the webhook: none is stored twice. */
    id: id(),
    webhookId: text('webhook_id').notNull(),
    ownerId: text('owner_id')
      .notNull()
      .references(() => users.id),
    /** Counts from 1 without gaps. */
    sequence: integer('sequence').notNull(),
    eventId: text('event_id').notNull(),
    type: text('type').notNull(),
    /** The text that is sent, the same at each attempt. */
    body: text('body').notNull(),
    state: text('state', { enum: ['queued', 'delivered', 'failed', 'dead'] }).notNull(),
    attempts: integer('attempts').notNull(),
    lastStatus: integer('last_status'),
    lastReason: text('last_reason'),
    /** Null when there is no other attempt. */
    nextAttemptAt: instant('next_attempt_at'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    uniqueIndex('webhook_deliveries_sequence').on(table.ownerId, table.webhookId, table.sequence),
    index('webhook_deliveries_due')
      .on(table.webhookId, table.nextAttemptAt, table.sequence)
      .where(sql`next_attempt_at IS NOT NULL`),
    index('webhook_deliveries_by_state').on(
      table.ownerId,
      table.webhookId,
      table.state,
      table.sequence,
    ),
  ],
)

import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import { webhookDeliveries, webhooks } from '../../../../drizzle/schema/webhooks.ts'
import { users } from '../../../../drizzle/schema/system.ts'
import { newId } from '../../../domain/ids.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { countWhere } from '../../../platform/database/owned-tables.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import {
  among,
  db,
  inParameters,
  itemsOf,
  type Statement,
} from '../../../platform/database/statements.ts'
import { ownedBy } from '../../identity/access/access.public.ts'
import type { WebhookKey, WebhookRow } from './webhooks.queries.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type DeliveryState = DeliveryRow['state']

export const activeWebhooks = (ownerIds: string[]): Statement<WebhookRow[]> =>
  db
    .select()
    .from(webhooks)
    .where(sql`owner_id IN ${among(ownerIds)} AND active = 1`)
    .orderBy(webhooks.id)

/** A delivery to be stored. */
export interface NewDelivery {
  webhookId: string
  eventId: string
  type: string
  /** The body up to its number. */
  body: string
  /** Its place among the new ones of the webhook, from 1. */
  place: number
}

/** Stores deliveries with the next numbers of their webhooks, and has these sent. */
export function insertDeliveries(deliveries: NewDelivery[], now: number): Statement[] {
  const counts = [...Map.groupBy(deliveries, ({ webhookId }) => webhookId)].map(([id, some]) => ({
    id,
    count: some.length,
  }))
  return [
    ...inParameters(deliveries).map(({ json }) =>
      db.run(sql`INSERT INTO webhook_deliveries
          (id, webhook_id, owner_id, sequence, event_id, type, body, state, attempts, next_attempt_at, created_at)
        SELECT value->>'eventId' || ' ' || w.id, w.id, w.owner_id, w.last_sequence + (value->>'place'), value->>'eventId',
          value->>'type', value->>'body' || (w.last_sequence + (value->>'place')) || '}', 'queued', 0, ${now}, ${now}
        FROM ${itemsOf(sql`${json}`)} CROSS JOIN webhooks w ON w.id = value->>'webhookId' AND w.active = 1`),
    ),
    db.run(sql`UPDATE webhooks SET last_sequence = last_sequence + (made.value->>'count'),
        next_at = min(ifnull(next_at, ${now}), ${now})
      FROM json_each(${JSON.stringify(counts)}) made WHERE webhooks.id = made.value->>'id' AND active = 1`),
  ]
}

const isOf = (ctx: SignedIn, webhookId: string, state?: DeliveryState) =>
  and(
    ownedBy(ctx.caller, webhookDeliveries.ownerId),
    eq(webhookDeliveries.webhookId, webhookId),
    state && eq(webhookDeliveries.state, state),
  )

/** Newest first, one row more than the page. */
export const pageOfDeliveries = (
  ctx: SignedIn,
  webhookId: string,
  { state, page: { after, limit } }: { state: DeliveryState | undefined; page: PageRequest },
): Statement<DeliveryRow[]> =>
  db
    .select()
    .from(webhookDeliveries)
    .where(
      and(isOf(ctx, webhookId, state), after && lt(webhookDeliveries.sequence, Number(after[0]))),
    )
    .orderBy(desc(webhookDeliveries.sequence))
    .limit(limit + 1)

export const countOfDeliveries = (ctx: SignedIn, webhookId: string, state?: DeliveryState) =>
  countWhere(webhookDeliveries, isOf(ctx, webhookId, state))

export const deliveryBySequence = (
  ctx: SignedIn,
  webhookId: string,
  sequence: number,
): Statement<DeliveryRow[]> =>
  db
    .select()
    .from(webhookDeliveries)
    .where(and(isOf(ctx, webhookId), eq(webhookDeliveries.sequence, sequence)))

/** Has a delivery sent as soon as possible. Refuses when it was attempted since it was read. */
export const queueAgain = (seen: DeliveryRow, now: number): Statement[] => [
  db.update(webhookDeliveries).set({ state: 'queued', nextAttemptAt: now }).where(isAsRead(seen)),
  requireChangedOne(changedMeanwhile),
  db
    .update(webhooks)
    .set({ nextAt: sql`min(ifnull(next_at, ${now}), ${now})` })
    .where(and(eq(webhooks.id, seen.webhookId), eq(webhooks.ownerId, seen.ownerId))),
]

const isAsRead = ({ id, ownerId, attempts }: DeliveryRow) =>
  and(
    eq(webhookDeliveries.id, id),
    eq(webhookDeliveries.ownerId, ownerId),
    eq(webhookDeliveries.attempts, attempts),
  )

/** Notes what became of an attempt. A delivery that is gone meanwhile, or was attempted by another run, stays as it is. */
export const saveOutcome = (seen: DeliveryRow, outcome: Partial<DeliveryRow>): Statement =>
  db.update(webhookDeliveries).set(outcome).where(isAsRead(seen))

/** A webhook as it is sent, with the address of its owner if that can have mails. */
export interface SendingWebhook extends WebhookRow {
  mailTo: string | null
}

/** Finds a webhook if it is there and may be sent; nothing is sent for users who are not active. */
export const webhookToSend = (webhookId: string): Statement<SendingWebhook[]> =>
  db
    .select({
      ...getTableColumns(webhooks),
      mailTo: sql<string | null>`iif(${users.emailVerifiedAt} IS NULL, NULL, ${users.email})`.as(
        'mailTo',
      ),
    })
    .from(webhooks)
    .innerJoin(users, and(eq(users.id, webhooks.ownerId), eq(users.status, 'active')))
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.active, true)))

/** Finds deliveries that are due, those first that have been due for longest, then by their numbers. */
export const dueDeliveries = (
  webhookId: string,
  now: number,
  limit: number,
): Statement<DeliveryRow[]> =>
  db.all<DeliveryRow>(sql`SELECT * FROM (SELECT id, webhook_id AS webhookId, owner_id AS ownerId, sequence, event_id AS eventId,
      type, body, state, attempts, last_status AS lastStatus, last_reason AS lastReason, next_attempt_at AS nextAttemptAt,
      created_at AS createdAt
    FROM webhook_deliveries WHERE webhook_id = ${webhookId} AND next_attempt_at <= ${now}
    ORDER BY next_attempt_at, sequence LIMIT ${limit}) ORDER BY sequence`)

/** Finds the webhooks of which something is due. */
export const dueWebhooks = (
  now: number,
  limit: number,
): Statement<{ id: string; ownerId: string }[]> =>
  db.all(sql`SELECT w.id, w.owner_id AS ownerId FROM webhooks w
    WHERE w.next_at <= ${now} AND w.active = 1
      AND EXISTS (SELECT 1 FROM users u WHERE u.id = w.owner_id AND u.status = 'active')
    ORDER BY w.next_at LIMIT ${limit}`)

const DELETED_AT_ONCE = sql.raw('500')

/** Finds some deliveries of a webhook that was deleted. */
export const leftDeliveries = ({ id, ownerId }: WebhookKey): Statement<{ id: string }[]> =>
  db.all(sql`SELECT id FROM webhook_deliveries WHERE owner_id = ${ownerId} AND webhook_id = ${id}
    AND NOT EXISTS (SELECT 1 FROM webhooks WHERE id = ${id}) LIMIT ${DELETED_AT_ONCE}`)

/** Finds some deliveries from before a time: their ids begin with those of their events, which tell it. */
export const oldDeliveries = (before: number): Statement<{ id: string }[]> =>
  db.all(sql`SELECT id FROM webhook_deliveries WHERE id < ${newId('evt', before, new Uint8Array(10))}
    ORDER BY id LIMIT ${DELETED_AT_ONCE}`)

export const deleteDeliveries = (ids: string[]): Statement =>
  db.delete(webhookDeliveries).where(sql`id IN ${among(ids)}`)

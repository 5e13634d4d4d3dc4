import { and, eq, sql } from 'drizzle-orm'
import { webhooks } from '../../../../drizzle/schema/webhooks.ts'
import type { SignedIn } from '../../../platform/context.ts'
import {
  mustHaveFewerRows,
  ownedTable,
  type RowChanges,
} from '../../../platform/database/owned-tables.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { END_OF_LOG, keepListener } from '../../../platform/work/reader-rows.ts'
import {
  isUnrestricted,
  ownAccountIds,
  ownedBy,
  visibleAccountIds,
} from '../../identity/access/access.public.ts'
import { webhookErrors } from './webhooks.errors.ts'
import { MOST_WEBHOOKS, type WebhookInput } from './webhooks.rules.ts'

export type WebhookRow = typeof webhooks.$inferSelect
export type WebhookKey = Pick<WebhookRow, 'id' | 'ownerId'>

/** A token for some accounts sees only webhooks that are told of these alone. */
export const webhookRows = ownedTable(webhooks, {
  isSeen: (ctx) =>
    and(
      ownedBy(ctx.caller, webhooks.ownerId),
      sql`(${isUnrestricted(ctx)} OR (json_type(${webhooks.accountIds}) = 'array'
        AND NOT EXISTS (SELECT 1 FROM json_each(${webhooks.accountIds}) named
          WHERE named.value NOT IN (${visibleAccountIds(ctx)}))))`,
    ),
})

export const mustHaveRoomForWebhook = ({ ownerId }: WebhookRow): Statement =>
  mustHaveFewerRows(webhooks.ownerId, ownerId, MOST_WEBHOOKS, () =>
    webhookErrors.tooMany({ most: MOST_WEBHOOKS }),
  )

/** An id of a request that names nothing. */
export interface UnknownInput {
  field: 'accountIds' | 'ignoreTokenIds'
  place: number
}

/** Finds what of a request is not there, or is not the caller's. */
export const unknownIn = (
  ctx: SignedIn,
  { accountIds, ignoreTokenIds = [] }: RowChanges<WebhookInput>,
): Statement<UnknownInput[]> =>
  db.all(sql`SELECT 'accountIds' AS field, key AS place FROM json_each(${JSON.stringify(accountIds ?? [])})
      WHERE value NOT IN (${ownAccountIds(ctx)})
    UNION ALL SELECT 'ignoreTokenIds', key FROM json_each(${JSON.stringify(ignoreTokenIds)})
      WHERE value NOT IN (SELECT t.id FROM personal_access_tokens t WHERE t.user_id = ${ctx.caller.userId})
    ORDER BY field, place`)

/** The reader that writes deliveries. */
export const DISPATCH = 'webhooks.dispatch'

/** Has an owner listen to it while a webhook is active. */
export const keepDispatching = (ownerId: string): Statement[] =>
  keepListener(
    DISPATCH,
    ownerId,
    sql`EXISTS (SELECT 1 FROM webhooks WHERE owner_id = ${ownerId} AND active = 1)`,
  )

export const mustBeActive = (webhook: WebhookKey): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM webhooks WHERE ${isOne(webhook)} AND active = 1)`,
    webhookErrors.disabled,
  )

const isOne = ({ id, ownerId }: WebhookKey) =>
  and(eq(webhooks.id, id), eq(webhooks.ownerId, ownerId))

/** SQL of the time of the next attempt of a webhook. */
const NEXT_ATTEMPT = sql`(SELECT min(d.next_attempt_at) FROM webhook_deliveries d
  WHERE d.webhook_id = webhooks.id AND d.next_attempt_at IS NOT NULL)`

/**
 * Has a webhook that becomes active begin behind the event of this commit, which is about itself, and go on with what it was not
 * sent.
 */
export const beginAtEnd = (webhook: WebhookKey): Statement =>
  db
    .update(webhooks)
    .set({ afterEvent: sql`${END_OF_LOG} + 1`, nextAt: NEXT_ATTEMPT })
    .where(isOne(webhook))

/** Notes when a webhook is sent next: not before a time. */
export const setNextAt = (webhook: WebhookKey, notBefore: number): Statement =>
  db
    .update(webhooks)
    .set({ nextAt: sql`max(${NEXT_ATTEMPT}, CAST(${notBefore} AS INTEGER))` })
    .where(isOne(webhook))

/** Notes that attempts fail, or that they do not any more. */
export const setFailingSince = (webhook: WebhookKey, failingSince: number | null): Statement =>
  db.update(webhooks).set({ failingSince }).where(isOne(webhook))

/** Forgets the secrets that have served their day. */
export const forgetPreviousSecrets = (rotatedBefore: number): Statement =>
  db
    .update(webhooks)
    .set({ previousSecret: null })
    .where(sql`previous_secret IS NOT NULL AND rotated_at <= ${rotatedBefore}`)

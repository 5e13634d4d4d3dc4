import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { isNotAnswered } from '../../../platform/database/idempotency.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { countFirst, limitOf, requireCounted, triesOf } from '../../../platform/limits.ts'
import {
  countOfDeliveries,
  deliveryBySequence,
  type DeliveryRow,
  type DeliveryState,
  pageOfDeliveries,
  queueAgain,
} from './deliveries.queries.ts'
import { send, sendTask } from './sending.usecases.ts'
import { webhookErrors } from './webhooks.errors.ts'
import { webhookEvents } from './webhooks.events.ts'
import { mustBeActive, webhookRows } from './webhooks.queries.ts'
import { type Attempt, bodyOf, MINUTE, MOST_TESTS } from './webhooks.rules.ts'
import { existingWebhook } from './webhooks.usecases.ts'

/** One page of the deliveries of a webhook, newest first. */
export async function listDeliveries(
  ctx: SignedIn,
  id: string,
  { state, page }: { state: DeliveryState | undefined; page: PageRequest },
): Promise<Page<DeliveryRow>> {
  const [[webhook], found, [total]] = await read(
    ctx,
    webhookRows.byId(ctx, id),
    pageOfDeliveries(ctx, id, { state, page }),
    countOfDeliveries(ctx, id, state),
  )
  existingWebhook(webhook)
  const { rows, next } = cutPage(found, page, ({ sequence }) => [String(sequence)])
  return { rows, next, count: total?.count ?? 0 }
}

/** Has a delivery sent once more as soon as possible, whatever became of it. */
export async function retryDelivery(
  ctx: SignedIn,
  id: string,
  sequence: number,
): Promise<DeliveryRow> {
  const [[row], [delivery]] = await read(
    ctx,
    webhookRows.byId(ctx, id),
    deliveryBySequence(ctx, id, sequence),
  )
  const webhook = existingWebhook(row)
  if (!delivery) {
    throw webhookErrors.deliveryNotFound()
  }
  return commit(ctx, {
    changes: [
      {
        statements: [mustBeActive(webhook), ...queueAgain(delivery, ctx.now)],
        events: [webhookEvents.deliveryRetried({ id }, { sequence })],
      },
    ],
    tasks: [sendTask(ctx, webhook)],
    result: { ...delivery, state: 'queued', nextAttemptAt: ctx.now },
  })
}

export interface WebhookTest extends Pick<Attempt, 'status' | 'reason'> {
  ms: number
}

/** Sends an event that is none, also of a webhook that is not active. It has the number 0, as it is not counted. */
export async function testWebhook(ctx: SignedIn, id: string): Promise<WebhookTest> {
  const limits = [await limitOf(ctx, `webhook tests of ${ctx.caller.userId}`, MOST_TESTS, MINUTE)]
  const [[row], tries, counted] = await read(
    ctx,
    webhookRows.byId(ctx, id),
    triesOf(limits),
    countFirst(ctx, limits, isNotAnswered(ctx)),
  )
  const webhook = existingWebhook(row)
  requireCounted(ctx, { limits, tries, counted })
  const thing = { resourceId: id, accountId: null, version: webhook.version }
  const body = `${bodyOf({ ...thing, at: ctx.now, type: 'webhook.test' })}0}`
  const startedAt = ctx.ports.now()
  const { status, reason } = await send(ctx, webhook, { eventId: freshId(ctx, 'evt'), body })
  const ms = ctx.ports.now() - startedAt
  return commit(ctx, {
    changes: [{ statements: [], events: [webhookEvents.tested({ id }, { status })] }],
    result: { status, reason, ms },
  })
}

import { type Context, freshId } from '../../../platform/context.ts'
import { commit, commitAndRead, read } from '../../../platform/database/database.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import { failureOf, fetchOutbound } from '../../../platform/outbound/outbound.ts'
import { hmacBase64 } from '../../../platform/secrets/crypto.ts'
import { openSecret } from '../../../platform/secrets/key-ring.ts'
import {
  placeIn,
  PREVIOUS_WEBHOOK_SECRETS,
  WEBHOOK_SECRETS,
} from '../../../platform/secrets/sealed-columns.ts'
import type { LoggedEvent } from '../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../platform/work/readers.ts'
import { giveUpKey, type NewTask, SOON_MS } from '../../../platform/work/task-rows.ts'
import { readOrStop } from '../../../platform/work/tasks.ts'
import { insertNotifications } from '../../identity/notifications/notifications.public.ts'
import {
  activeWebhooks,
  deleteDeliveries,
  type DeliveryRow,
  dueDeliveries,
  dueWebhooks,
  insertDeliveries,
  leftDeliveries,
  oldDeliveries,
  saveOutcome,
  type SendingWebhook,
  webhookToSend,
} from './deliveries.queries.ts'
import { webhookEvents } from './webhooks.events.ts'
import {
  forgetPreviousSecrets,
  keepDispatching,
  setFailingSince,
  setNextAt,
  webhookRows,
  type WebhookKey,
  type WebhookRow,
} from './webhooks.queries.ts'
import {
  type Attempt,
  bodyOf,
  DAY,
  disabledAfter,
  eventIdOf,
  isRotating,
  isWanted,
  nextAttemptAt,
  pauseAfter,
} from './webhooks.rules.ts'

/** Writes a delivery for each webhook that is told of an event. */
export async function dispatchEvents(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const owners = new Set(events.flatMap(({ ownerId }) => ownerId ?? []))
  const [webhooks] = await read(ctx, activeWebhooks([...owners]))
  const told = webhooks
    .map((webhook) => ({ webhook, wanted: events.filter((event) => isWanted(webhook, event)) }))
    .filter(({ wanted }) => wanted.length > 0)
  if (told.length === 0) {
    return {}
  }
  const deliveries = told.flatMap(({ webhook, wanted }) =>
    wanted.map((event, at) => ({
      ...{ webhookId: webhook.id, eventId: eventIdOf(event), type: event.type },
      ...{ body: bodyOf(event), place: at + 1 },
    })),
  )
  return {
    changes: [withoutEvents(insertDeliveries(deliveries, ctx.now))],
    tasks: told.map(({ webhook }) => sendTask(ctx, webhook)),
  }
}

export const SEND = 'webhooks.send'

/** The task that sends what is due of a webhook. There is one at a time; one that died is replaced on another day. */
export const sendTask = ({ now }: Pick<Context, 'now'>, { id, ownerId }: WebhookKey): NewTask => ({
  kind: SEND,
  payload: { ownerId, webhookId: id },
  dedupeKey: `${SEND} ${ownerId} ${id} ${Math.floor(now / DAY)}`,
})

/** Webhooks of one run of the clock. What is left is the next one's. */
const MOST_STARTED = 500

/** Starts a task for each webhook of which something is due. */
export async function startSending(ctx: Context): Promise<void> {
  const [due] = await read(ctx, dueWebhooks(ctx.now, MOST_STARTED))
  if (due.length > 0) {
    const tasks = due.map((webhook) => sendTask(ctx, webhook))
    await commit(ctx, { changes: [], tasks, result: undefined })
  }
}

const DELIVERIES_OF_RUN = 20
/** A run begins no other attempt after this time, or after an answer that took so long: then it is the turn of other users. */
const MOST_MS = 5000
const SLOW_MS = 1000

/** Sends what is due of a webhook, each delivery and its outcome for themselves. Killed anywhere, the next run sends the rest. */
export async function sendDue(
  ctx: Context,
  { ownerId, webhookId }: { ownerId: string; webhookId: string },
  finish: Statement[],
): Promise<void> {
  const ofWebhook = { id: webhookId, ownerId }
  const [found, due] = await readOrStop(
    ctx,
    webhookToSend(webhookId),
    dueDeliveries(webhookId, ctx.now, DELIVERIES_OF_RUN),
  )
  let [webhook] = found
  if (!webhook) {
    await deleteAll(ctx, () => leftDeliveries(ofWebhook))
  }
  let notBefore = 0
  let isSlow = false
  for (const delivery of due) {
    const startedAt = ctx.ports.now()
    if (!webhook || startedAt - ctx.now > MOST_MS || isSlow || notBefore > 0) {
      break
    }
    const attempt = await send(ctx, webhook, delivery)
    const now = ctx.ports.now()
    isSlow = now - startedAt > SLOW_MS
    const { changes, tasks = [] } = await outcomeOf({ ...ctx, now }, webhook, { delivery, attempt })
    if (attempt.status === null) {
      notBefore = now + pauseAfter(webhook.failingSince ?? now, now)
    }
    ;[webhook] = await commitAndRead(ctx, { changes, tasks }, webhookToSend(webhookId))
  }
  const statements = [...finish, ...giveUpKey(ctx), setNextAt(ofWebhook, notBefore)]
  const [next] = await commitAndRead(
    ctx,
    { changes: [withoutEvents(statements)] },
    webhookToSend(webhookId),
  )
  const now = ctx.ports.now()
  if (next?.nextAt && next.nextAt <= now + SOON_MS) {
    const { task: _finished, ...others } = ctx
    const task = { ...sendTask({ now }, ofWebhook), dueAt: next.nextAt }
    await commit({ ...others, now }, { changes: [], tasks: [task], result: undefined })
  }
}

/** Sends a delivery, signed by the secrets of the webhook. */
export async function send(
  ctx: Context,
  webhook: WebhookRow,
  { eventId, body }: Pick<DeliveryRow, 'eventId' | 'body'>,
): Promise<Attempt> {
  const now = ctx.ports.now()
  const timestamp = String(Math.floor(now / 1000))
  const signed = `${eventId}.${timestamp}.${body}`
  const signatures = (await secretsOf(ctx, webhook, now)).map(
    (secret) => `v1,${hmacBase64(Buffer.from(secret.slice('whsec_'.length), 'base64'), signed)}`,
  )
  try {
    const { status, ok, headers } = await fetchOutbound(ctx, webhook.url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Coffer-Webhooks/1',
        'webhook-id': eventId,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
      body,
      statusOnly: true,
    })
    const isRedirect = status >= 300 && status < 400
    const reason = ok ? null : isRedirect ? 'redirect' : 'status'
    return { status, reason, retryAfter: headers.get('Retry-After') }
  } catch (error) {
    const reason = failureOf(error)
    if (!reason) {
      throw error
    }
    return { status: null, reason, retryAfter: null }
  }
}

/** The secrets that sign, the newest first. */
async function secretsOf(ctx: Context, webhook: WebhookRow, now: number): Promise<string[]> {
  const { id, secret, previousSecret } = webhook
  const newest = await openSecret(ctx, placeIn(WEBHOOK_SECRETS, id), secret)
  return previousSecret !== null && isRotating(webhook, now)
    ? [newest, await openSecret(ctx, placeIn(PREVIOUS_WEBHOOK_SECRETS, id), previousSecret)]
    : [newest]
}

/** Notes an attempt, and disables the webhook after the last one of many that failed. */
async function outcomeOf(
  ctx: Context,
  webhook: SendingWebhook,
  { delivery, attempt }: { delivery: DeliveryRow; attempt: Attempt },
): Promise<Reaction & { changes: Change[] }> {
  const { status, reason } = attempt
  const attempts = delivery.attempts + 1
  const isDelivered = reason === null
  const [byte = 0] = ctx.ports.random(1)
  const chance = byte / 255
  const next = isDelivered ? null : nextAttemptAt(attempt, { now: ctx.now, attempts, chance })
  const state = isDelivered ? 'delivered' : next === null ? 'dead' : 'failed'
  const seen = { attempts, lastStatus: status, lastReason: reason }
  const failingSince = isDelivered ? null : (webhook.failingSince ?? ctx.now)
  const noted = withoutEvents([
    saveOutcome(delivery, { ...seen, state, nextAttemptAt: next }),
    ...(failingSince === webhook.failingSince ? [] : [setFailingSince(webhook, failingSince)]),
  ])
  const why = disabledAfter(attempt, failingSince, ctx.now)
  return why === undefined
    ? { changes: [noted] }
    : { changes: [noted, disabling(ctx, webhook, why)], tasks: await mailOf(ctx, webhook) }
}

/** Disables a webhook, and tells its owner. */
function disabling(ctx: Context, webhook: WebhookRow, reason: 'gone' | 'failing'): Change {
  const { id, ownerId, version } = webhook
  return {
    statements: [
      ...webhookRows.update(ctx, webhook, { active: false }),
      ...keepDispatching(ownerId),
      insertNotifications([
        {
          ...{ id: freshId(ctx, 'ntf'), userId: ownerId, kind: 'webhook.disabled' },
          ...{ resourceType: 'webhook', resourceId: id, facts: { reason } },
          ...{ groupKey: `webhook.disabled ${id}`, createdAt: ctx.now },
        },
      ]),
    ],
    events: [webhookEvents.disabled({ id, ownerId, version: version + 1 }, { reason })],
  }
}

const mailOf = async (ctx: Context, { mailTo }: SendingWebhook): Promise<NewTask[]> =>
  mailTo === null
    ? []
    : [await mailTask(ctx, { to: mailTo, template: 'webhookDisabled', values: { at: ctx.now } })]

/** Deletes deliveries in commits of bounded size. @param find finds the next ones */
async function deleteAll(ctx: Context, find: () => Statement<{ id: string }[]>): Promise<void> {
  let [some] = await readOrStop(ctx, find())
  while (some.length > 0) {
    const changes = [withoutEvents([deleteDeliveries(some.map(({ id }) => id))])]
    await commit(ctx, { changes, result: undefined })
    ;[some] = await readOrStop(ctx, find())
  }
}

const KEPT_MS = 30 * DAY

/** Deletes old deliveries, and secrets that sign no more. */
export async function purgeDeliveries(ctx: Context, finish: Statement[]): Promise<void> {
  await deleteAll(ctx, () => oldDeliveries(ctx.now - KEPT_MS))
  const statements = [forgetPreviousSecrets(ctx.now - DAY), ...finish]
  await commit(ctx, { changes: [withoutEvents(statements)], result: undefined })
}

import { z } from '@hono/zod-openapi'
import {
  booleanField,
  id,
  idInput,
  instant,
  integerField,
  presentStamps,
  stamps,
  text,
  textField,
  toInstant,
  toInstantOrNull,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { DeliveryRow } from './deliveries.queries.ts'
import type { WebhookRow } from './webhooks.queries.ts'
import { FAILURES, stateOf } from './webhooks.rules.ts'
import type { RevealedWebhook } from './webhooks.usecases.ts'

export const ListWebhooksQuery = z.strictObject(pageQuery())

const URL_TEXT =
  'Address to which events are sent: https on port 443 of a public host, without user name and password. Over http only if the operator allows the address.'
const TYPES =
  'Events to send: types such as `transaction.created`, all of a resource such as `transaction.*`, or all with `*`. Types about sessions, sign-ins, access tokens and second factors are sent only if they are named in full.'
const ACCOUNTS =
  'Own accounts whose events alone are sent; null for all events. A token that is restricted to some accounts must name some of them.'
const IGNORED =
  'Personal access tokens whose changes are not sent, so that a program is not told of its own changes.'
const ACTIVE = 'Whether events are sent. Events that happen while it is false are not sent later.'

const fields = {
  url: text(1, 2000, URL_TEXT, 'https://hooks.example.com/coffer'),
  types: z
    .array(text(1, 100, 'A type, a resource with `.*`, or `*`.', 'transaction.*'))
    .min(1)
    .max(100)
    .openapi({ description: TYPES, example: ['transaction.*', 'budget.thresholdReached'] }),
  accountIds: z
    .array(idInput('acc', 'Id of an account.'))
    .min(1)
    .max(100)
    .nullable()
    .openapi({ description: ACCOUNTS }),
  ignoreTokenIds: z
    .array(idInput('tok', 'Id of a token.'))
    .max(20)
    .openapi({ description: IGNORED, example: [] }),
  description: text(0, 200, 'Note for yourself.', 'Spreadsheet'),
  active: booleanField(ACTIVE, true),
}

export const CreateWebhookRequest = z
  .strictObject({
    ...fields,
    accountIds: fields.accountIds.default(null),
    ignoreTokenIds: fields.ignoreTokenIds.default([]),
    description: fields.description.default(''),
    active: fields.active.default(true),
  })
  .openapi('CreateWebhookRequest')

export const UpdateWebhookRequest = z
  .strictObject({
    ...fields,
    newSecret: booleanField(
      'Send true for a new secret. The previous one signs as well for 24 hours.',
      false,
    ),
  })
  .partial()
  .openapi('UpdateWebhookRequest')

export const WebhookResponse = z
  .object({
    id: id('whk', 'Id of the webhook.'),
    ...fields,
    state: z.enum(['active', 'failing', 'disabled']).openapi({
      description:
        '`failing` while the newest attempts fail, `disabled` while `active` is false. The service disables a webhook whose receiver answers 410, or for which all attempts of four days have failed.',
      example: 'active',
    }),
    failingSince: instant(
      'Time since which all attempts have failed; null unless they do.',
    ).nullable(),
    secretPrefix: textField('First characters of the secret.', 'whsec_AAEC'),
    ...stamps,
  })
  .openapi('WebhookResponse')

export const RevealedWebhookResponse = WebhookResponse.extend({
  secret: textField(
    'Secret that signs what is sent. It is shown only once.',
    'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX',
  ).optional(),
}).openapi('RevealedWebhookResponse')

export const WebhooksResponse = pageResponse(
  'webhooks',
  WebhookResponse,
  'One page of webhooks, in the order in which they were created.',
).openapi('WebhooksResponse')

export const presentWebhook = (row: WebhookRow): z.infer<typeof WebhookResponse> => ({
  ...{ id: row.id, url: row.url, types: row.types, accountIds: row.accountIds },
  ...{ ignoreTokenIds: row.ignoreTokenIds, description: row.description, active: row.active },
  state: stateOf(row),
  failingSince: toInstantOrNull(row.failingSince),
  secretPrefix: row.secretPrefix,
  ...presentStamps(row),
})

export const presentRevealedWebhook = ({
  newSecret,
  ...row
}: RevealedWebhook): z.infer<typeof RevealedWebhookResponse> => ({
  ...presentWebhook(row),
  secret: newSecret,
})

export const presentWebhooks = presentPage('webhooks', presentWebhook)

const reason = z.enum(FAILURES).nullable().openapi({
  description:
    'Why the attempt failed: the receiver answered a status other than 2xx (`status`), or a redirect, which is not followed; there was no answer within 10 seconds, or no connection; or the address is not allowed any more. null if it did not fail.',
  example: 'timeout',
})

const status = integerField('Status of the answer; null if there was none.', 200).nullable()

export const WebhookTestResponse = z
  .object({ status, ms: integerField('Milliseconds until the answer.', 84), reason })
  .openapi('WebhookTestResponse')

const state = z.enum(['queued', 'delivered', 'failed', 'dead']).openapi({
  description:
    '`queued` until the next attempt, `failed` while there will be another one, `dead` after the last one.',
  example: 'delivered',
})

export const ListDeliveriesQuery = z.strictObject({ state: state.optional(), ...pageQuery() })

export const DeliveryResponse = z
  .object({
    sequence: integerField(
      'Number of the event among those of the webhook, from 1 without gaps.',
      17,
    ),
    eventId: id('evt', 'Id of the event: the header `webhook-id`.'),
    type: textField('Type of the event.', 'transaction.created'),
    state,
    attempts: integerField('Number of attempts.', 1),
    lastStatus: status,
    lastReason: reason,
    nextAttemptAt: instant('Time of the next attempt; null if there is none.').nullable(),
    at: instant('Time at which the delivery was queued.'),
  })
  .openapi('DeliveryResponse')

export const DeliveriesResponse = pageResponse(
  'deliveries',
  DeliveryResponse,
  'One page of deliveries, newest first.',
).openapi('DeliveriesResponse')

export const presentDelivery = (row: DeliveryRow): z.infer<typeof DeliveryResponse> => ({
  ...{ sequence: row.sequence, eventId: row.eventId, type: row.type, state: row.state },
  ...{ attempts: row.attempts, lastStatus: row.lastStatus },
  lastReason: FAILURES.find((one) => one === row.lastReason) ?? null,
  nextAttemptAt: toInstantOrNull(row.nextAttemptAt),
  at: toInstant(row.createdAt),
})

export const presentDeliveries = presentPage('deliveries', presentDelivery)

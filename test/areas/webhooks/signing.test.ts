import { expect, it } from 'vitest'
import { send } from '../../../src/areas/events/webhooks/sending.usecases.ts'
import type { WebhookRow } from '../../../src/areas/events/webhooks/webhooks.queries.ts'
import { bodyOf } from '../../../src/areas/events/webhooks/webhooks.rules.ts'
import { settingsOf } from '../../../src/env.ts'
import { sealSecret } from '../../../src/platform/secrets/key-ring.ts'
import {
  placeIn,
  PREVIOUS_WEBHOOK_SECRETS,
  WEBHOOK_SECRETS,
} from '../../../src/platform/secrets/sealed-columns.ts'
import { contextWith } from '../../support/service.ts'
import { testPorts } from '../../support/ports.ts'
import { openReceiver } from './webhooks.fixtures.ts'

const ID = '01k9v3q8m5t0w2x4y6z8a1b3c5'
const OLD = 'v1,x8H2B7+cyalWV7euAbsC8Cow87e3GvgJ6OeziqJ/uP8='
const NEW = 'v1,+R7SAgCAb0mKKEeb9WhQ1RUamNoWGjkDxWZwfDGQJII='

/** The secret of 24 bytes that count up from a first one. */
const secretFrom = (first: number) =>
  `whsec_${Buffer.from(Array.from({ length: 24 }, (_, at) => first + at)).toString('base64')}`

it('signs known bytes as they were calculated elsewhere, for a day with both secrets', async () => {
  const receiver = await openReceiver()
  const now = 1_795_163_400_000
  const ctx = contextWith({
    settings: settingsOf(receiver.bindings),
    ports: { ...testPorts, now: () => now },
  })
  const event = { type: 'transaction.created', at: Date.parse('2026-11-20T08:30:00Z') }
  const thing = { resourceId: `txn_${ID}`, version: 1, accountId: `acc_${ID}` }
  const body = `${bodyOf({ ...event, ...thing })}17}`
  expect(body).toBe(
    '{"type":"transaction.created","timestamp":"2026-11-20T08:30:00.000Z","data":{"id":"txn_01k9v3q8m5t0w2x4y6z8a1b3c5","version":1,"accountId":"acc_01k9v3q8m5t0w2x4y6z8a1b3c5"},"sequence":17}',
  )
  const webhook = { id: `whk_${ID}`, url: receiver.url, previousSecret: null } as WebhookRow
  const sealed = (first: number, column = WEBHOOK_SECRETS) =>
    sealSecret(ctx, placeIn(column, webhook.id), secretFrom(first))
  const previousSecret = await sealed(0, PREVIOUS_WEBHOOK_SECRETS)
  const rotatedAt = now - 1
  const sent = { eventId: `evt_${ID}`, body }
  await send(ctx, { ...webhook, secret: await sealed(0), rotatedAt: null }, sent)
  await send(ctx, { ...webhook, secret: await sealed(24), previousSecret, rotatedAt }, sent)
  expect(receiver.received.map(({ headers }) => headers['webhook-signature'])).toEqual([
    ...[OLD, `${NEW} ${OLD}`],
  ])
  expect(receiver.received[0]?.headers).toMatchObject({
    ...{ 'webhook-id': `evt_${ID}`, 'webhook-timestamp': '1795163400' },
  })
  receiver.close()
})

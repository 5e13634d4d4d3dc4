import { defineJob, payloadText } from '../../../platform/work/payloads.ts'
import type { Sweep } from '../../../platform/work/tasks.ts'
import { purgeDeliveries, SEND, sendDue, startSending } from './sending.usecases.ts'

export const sendJob = defineJob({
  kind: SEND,
  waits: true,
  payload: { ownerId: payloadText, webhookId: payloadText },
  run: sendDue,
})

export const purgeDeliveriesJob = defineJob({
  kind: 'webhooks.purge',
  payload: {},
  run: (ctx, _, finish) => purgeDeliveries(ctx, finish),
})

export const sendSweep: Sweep = startSending

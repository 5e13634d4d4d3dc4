import { carries, defineEvents, lifecycleOf } from '../../../platform/log/events.ts'
import type { WebhookImage } from './webhooks.rules.ts'

export const webhookEvents = defineEvents('webhook', {
  ...lifecycleOf<WebhookImage>(),
  tested: carries<{ status: number | null }>(),
  deliveryRetried: carries<{ sequence: number }>(),
  /** The service has disabled it, as the receiver asked for, or does not answer. */
  disabled: carries<{ reason: 'gone' | 'failing' }>(),
})

import { webhookDeliveries, webhooks } from '../../../../drizzle/schema/webhooks.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { SEND } from './sending.usecases.ts'

/** In no backup, as their secrets are in none. */
export const webhookData: OwnedData = {
  area: 'webhooks',
  tables: [webhooks, webhookDeliveries],
  erase: [ownRows('webhooks', webhooks), ownRows('webhookDeliveries', webhookDeliveries)],
  tasks: [SEND],
}

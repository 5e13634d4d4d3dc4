import { rows } from './api.ts'
import type { Sample } from './sample-parts.ts'

type Make = (path: string, json: object) => Promise<{ id: string }>

/** A request that succeeds for each operation of webhooks. Nothing answers at their address. */
export async function samplesOfWebhooks(make: Make): Promise<Record<string, Sample>> {
  const hook = (description: string) =>
    make('/webhook', { url: 'https://receiver.invalid/coffer', types: ['tag.*'], description })
  const [kept, dropped] = [await hook('Kept'), await hook('Dropped')]
  await rows(
    `INSERT INTO webhook_deliveries (id, webhook_id, owner_id, sequence, event_id, type, body, state, attempts, created_at)
      SELECT 'evt_sample ' || id, id, owner_id, 1, 'evt_sample', 'tag.created', '{}', 'dead', 10, created_at
      FROM webhooks WHERE id = ?`,
    kept.id,
  )
  const path = { id: kept.id }
  return {
    listWebhooks: {},
    createWebhook: { json: { url: 'https://receiver.invalid/other', types: ['*'] } },
    getWebhook: { path },
    updateWebhook: { path, json: { description: 'Changed', newSecret: true } },
    deleteWebhook: { path: { id: dropped.id } },
    testWebhook: { path },
    listDeliveries: { path, query: '?state=dead' },
    retryDelivery: { path: { ...path, sequence: '1' } },
  }
}

import { env } from 'cloudflare:workers'
import { settingsOf } from '../../src/env.ts'
import { type SignedIn, systemPorts } from '../../src/platform/context.ts'
import { rows } from './api.ts'
import type { TestUser } from './world.ts'

/** The context of a request of this user, for what no operation calls yet. */
export async function contextOf(user: TestUser, access: SignedIn['access']): Promise<SignedIn> {
  const [session] = await rows<{ id: string }>(
    'SELECT id FROM sessions WHERE user_id = ? AND revoked_at IS NULL',
    user.id,
  )
  return {
    settings: settingsOf(env),
    database: env.DB.withSession('first-primary'),
    ports: systemPorts,
    now: systemPorts.now(),
    requestId: 'req_test',
    operation: 'test',
    access,
    caller: { userId: user.id, sessionId: session?.id ?? '', tokenHash: null },
    client: { ip: null, userAgent: null },
    cost: { trips: 0, rowsRead: 0, rowsWritten: 0 },
    ring: () => undefined,
  }
}

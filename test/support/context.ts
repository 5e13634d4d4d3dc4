import type { SignedIn } from '../../src/platform/context.ts'
import { rows } from './api.ts'
import { contextWith } from './service.ts'
import type { TestUser } from './world.ts'

/** The context of a request of this user, for what no operation calls yet. */
export async function contextOf(user: TestUser, access: SignedIn['access']): Promise<SignedIn> {
  const [session] = await rows<{ id: string }>(
    'SELECT id FROM sessions WHERE user_id = ? AND revoked_at IS NULL',
    user.id,
  )
  const caller = { userId: user.id, sessionId: session?.id ?? '', tokenHash: null }
  return { ...contextWith(), access, caller }
}

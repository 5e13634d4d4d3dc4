import { rows } from './api.ts'
import { someId } from './of-file.ts'
import type { Sample } from './sample-parts.ts'

/** A request that succeeds for each operation of notifications and alerts, with a notification of a user about an account. */
export async function samplesOfNotifications(
  { id: userId }: { id: string },
  accountId: string,
): Promise<Record<string, Sample>> {
  const id = someId('ntf')
  await rows(
    `INSERT INTO notifications (id, user_id, kind, resource_type, resource_id, account_id, facts, group_key, created_at)
      VALUES (?1, ?2, 'account.balanceLow', 'account', ?3, ?3, '{}', ?1, 0)`,
    id,
    userId,
    accountId,
  )
  return {
    listNotifications: { query: '?unread=true&kind=account.balanceLow' },
    updateNotification: { path: { id }, json: { read: true } },
    readNotifications: { json: { upTo: id } },
    getAccountAlert: { path: { id: accountId } },
    setAccountAlert: { path: { id: accountId }, json: { below: '100.00', above: null } },
  }
}

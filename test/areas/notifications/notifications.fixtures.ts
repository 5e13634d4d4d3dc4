import { env } from 'cloudflare:workers'
import {
  getAccountAlert,
  setAccountAlert,
} from '../../../src/areas/money/accounts/alerts/alerts.routes.ts'
import { accountAlertsReader } from '../../../src/areas/money/accounts/alerts/alerts.readers.ts'
import {
  insertNotifications,
  type NewNotification,
} from '../../../src/areas/identity/notifications/notifications.public.ts'
import {
  listNotifications,
  readNotifications,
} from '../../../src/areas/identity/notifications/notifications.routes.ts'
import { freshId } from '../../../src/platform/context.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { withoutEvents } from '../../../src/platform/log/events.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { runReaders } from '../../../src/platform/work/readers.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { testPorts } from '../../support/ports.ts'
import { contextWith } from '../../support/service.ts'

/** Lets the reader of alerts go through the log to its end. The queue may run it at the same time. */
export async function alertsRead(): Promise<void> {
  const [end] = await rows<{ number: number }>('SELECT max(number) AS number FROM log_events')
  const isBehind = async () =>
    (
      await rows(
        'SELECT 1 FROM log_readers WHERE name = ? AND cursor < ?',
        accountAlertsReader.name,
        end?.number ?? 0,
      )
    ).length > 0
  do {
    await runReaders([accountAlertsReader], (operation) => systemContext(env, operation, testPorts))
  } while (await isBehind())
}

export const setAlert = (
  as: Principal,
  { id }: { id: string },
  limits: { below?: string; above?: string } = {},
) => ok(setAccountAlert, { as, id, json: { below: null, above: null, ...limits } })

export const alertOf = (as: Principal, { id }: { id: string }) => ok(getAccountAlert, { as, id })

/** The notifications of a user, newest first. */
export const listed = async (as: Principal, query: Record<string, string> = {}) =>
  (await ok(listNotifications, { as, query })).notifications

/** The kinds of what is unread, and marks it as read. */
export async function news(as: Principal): Promise<string[]> {
  await alertsRead()
  const unread = await listed(as, { unread: 'true' })
  const [newest] = unread
  if (newest) {
    await ok(readNotifications, { as, json: { upTo: newest.id } })
  }
  return unread.map(({ kind }) => kind).toReversed()
}

/** Tells a user something, as areas do. */
export async function tell(
  { id: userId }: { id: string },
  resource: Pick<NewNotification, 'resourceType' | 'resourceId'> & Partial<NewNotification>,
  now = Date.now(),
): Promise<string> {
  const ctx = contextWith({ now })
  const id = freshId(ctx, 'ntf')
  const kind = resource.kind ?? 'account.balanceLow'
  const groupKey = `${kind} ${resource.resourceId}`
  const one = { id, userId, kind, facts: {}, groupKey, createdAt: now, ...resource }
  await commit(ctx, { changes: [withoutEvents([insertNotifications([one])])], result: undefined })
  return id
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  listNotifications,
  readNotifications,
} from '../../src/areas/identity/notifications/notifications.routes.ts'
import { mailNotifications } from '../../src/areas/identity/notifications/notifications.usecases.ts'
import { purgeNotifications } from '../../src/areas/identity/notifications/notifications.queries.ts'
import { tellAlerts } from '../../src/areas/money/accounts/alerts/alerts.usecases.ts'
import { commit } from '../../src/platform/database/database.ts'
import { withoutEvents } from '../../src/platform/log/events.ts'
import type { LoggedEvent } from '../../src/platform/work/reader-rows.ts'
import { setAlert, tell } from '../areas/notifications/notifications.fixtures.ts'
import { ok, rows } from '../support/api.ts'
import { samplesOf } from '../support/samples.ts'
import { contextWith } from '../support/service.ts'
import { newUser, type TestUser } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'
import { fill, share } from './volume.ts'

// An import of everything that there is, on accounts with alerts of two persons, and as many notifications as are kept.

let me: TestUser
let friend: TestUser
let stopWatch = () => {}
afterAll(() => stopWatch())

beforeAll(async () => {
  ;({ me } = await samplesOf())
  friend = await newUser()
  await fill(me.id)
  await rows("UPDATE transactions SET import_id = 'imp_all' WHERE owner_id = ?", me.id)
  const accounts = await rows<{ id: string }>(
    `SELECT id FROM accounts WHERE owner_id = ? AND deleted_at IS NULL AND status = 'open'`,
    me.id,
  )
  for (const account of accounts) {
    await share(account.id, friend.id)
    for (const as of [me, friend]) {
      await setAlert(as, account, { below: '100', above: '1' })
    }
  }
  await rows('UPDATE account_alerts SET is_low = NOT is_low')
  const id = await tell(me, { resourceType: 'account', resourceId: accounts[0]?.id ?? '' })
  await rows(
    `INSERT INTO notifications (id, user_id, kind, resource_type, resource_id, facts, group_key, created_at, mail_due)
      WITH RECURSIVE n(value) AS (SELECT 1000 UNION ALL SELECT value + 1 FROM n WHERE value < 1999)
      SELECT substr(?1, 1, 26) || value, ?2, 'transaction.large', 'transaction', t.id, '{}', value, 0, 1
      FROM n JOIN (SELECT id, row_number() OVER () + 999 AS place FROM transactions WHERE owner_id = ?2 LIMIT 1000) t ON t.place = value`,
    id,
    me.id,
  )
}, 120_000)

it('lets no statement hold the database for long', async () => {
  stopWatch = startWatch()
  const before = slowness()
  const ctx = contextWith()
  const news = { ownerId: me.id, number: 1e9, type: 'import.finished', content: null }
  const transactions = await rows<{ id: string }>(
    "SELECT id FROM transactions WHERE owner_id = ? AND kind = 'expense' LIMIT 100",
    me.id,
  )
  for (const [who, events] of [
    ['import', [{ ...news, resourceId: 'imp_all' }]],
    [
      'page',
      transactions.map(({ id }) => ({ ...news, type: 'transaction.created', resourceId: id })),
    ],
  ] as const) {
    attend(who)
    const { changes = [] } = await tellAlerts(ctx, events as unknown as LoggedEvent[])
    expect(changes.length).toBe(2)
    await commit(ctx, { changes, result: undefined })
  }
  attend('listNotifications')
  const { notifications, count } = await ok(listNotifications, { as: me, query: { limit: 200 } })
  expect([notifications.length, count > 500]).toEqual([200, true])
  attend('readNotifications')
  await ok(readNotifications, { as: me, json: { upTo: notifications[100]?.id ?? '' } })
  attend('sweep')
  await mailNotifications(contextWith({ now: 4e12 }))
  attend('purge')
  await commit(ctx, { changes: [withoutEvents(purgeNotifications(ctx))], result: undefined })
  const slower = Math.max(before, slowness())
  showLongest()
  const tooLong = longestOfEach().filter(({ ms, most }) => ms > most * slower)
  expect(tooLong.map(inWords)).toEqual([])
}, 120_000)

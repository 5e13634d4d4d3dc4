import { describe, expect, it } from 'vitest'
import {
  listNotifications,
  readNotifications,
  updateNotification,
} from '../../../src/areas/identity/notifications/notifications.routes.ts'
import { updatePreferences } from '../../../src/areas/data-rights/own-user/own-user.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { deleteBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { deleteRecurring } from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { withoutEvents } from '../../../src/platform/log/events.ts'
import { purgeNotifications } from '../../../src/areas/identity/notifications/notifications.queries.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { contextWith } from '../../support/service.ts'
import { storeGroup } from '../../support/stored.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newBudget } from '../budgets/budgets.fixtures.ts'
import { newItem } from '../recurring/recurring.fixtures.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { listed, tell } from './notifications.fixtures.ts'

const DAY = 24 * 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 20, 12)

const idsOf = (found: { id: string }[]) => found.map(({ id }) => id)
const about = ({ id }: { id: string }) => ({ resourceType: 'account', resourceId: id }) as const

async function told(times = 1): Promise<{ me: TestUser; ids: string[] }> {
  const me = await newUser()
  const ids: string[] = []
  for (let at = 0; at < times; at++) {
    ids.push(await tell(me, about(await newAccount(me)), NOW + at))
  }
  return { me, ids: ids.toReversed() }
}

const mark = (
  as: Principal,
  id: string | undefined,
  json: { read?: boolean; archived?: boolean },
) => call(updateNotification, { as, id: id ?? '', json })

describe('the list', () => {
  it('shows the newest first, with what is unread, in one round trip', async () => {
    const { me, ids } = await told(3)
    const first = await call(listNotifications, { as: me, query: { limit: 2 } })
    expect(first.body).toMatchObject({ count: 3, unreadCount: 3 })
    expect(tripsOf(first)).toBe(1)
    const cursor = first.body.nextCursor ?? ''
    const rest = await ok(listNotifications, { as: me, query: { limit: 2, cursor } })
    expect(idsOf([...first.body.notifications, ...rest.notifications])).toEqual(ids)
    expect(rest).toMatchObject({ count: 3, unreadCount: 3, nextCursor: null })
    const [newest] = first.body.notifications
    expect(newest).toMatchObject({
      ...{ kind: 'account.balanceLow', resourceType: 'account', accountId: null, facts: {} },
      ...{ createdAt: '2026-11-20T12:00:00.002Z', readAt: null, archivedAt: null },
    })
  })

  it('is filtered by kind, by what is read, and by what is archived', async () => {
    const { me, ids } = await told(2)
    const [account] = [await newAccount(me)]
    const large = await tell(me, { ...about(account), kind: 'transaction.large' }, NOW + 9)
    await mark(me, ids[0], { read: true })
    await mark(me, ids[1], { archived: true })
    const shown = async (query: Record<string, string>) => idsOf(await listed(me, query))
    expect(await shown({})).toEqual([large, ids[0]])
    expect(await shown({ unread: 'true' })).toEqual([large])
    expect(await shown({ unread: 'false' })).toEqual([ids[0]])
    expect(await shown({ kind: 'transaction.large,export.made' })).toEqual([large])
    expect(await shown({ archived: 'true' })).toEqual([ids[1]])
    expect(await ok(listNotifications, { as: me, query: { kind: 'export.made' } })).toMatchObject({
      ...{ notifications: [], count: 0, unreadCount: 1 },
    })
    const unknown = await call(listNotifications, { as: me, query: { kind: 'other' } })
    expect(refusal(unknown)).toEqual([400, 'request.invalid', 'kind'])
  })

  it('leaves out what its reader sees no more', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const groupId = await storeGroup([[me, 'member']])
    const [own, shared] = [
      await newBudget(me, { mode: 'limit' }),
      await newBudget(me, { mode: 'limit' }),
    ]
    await rows('UPDATE budgets SET owner_id = NULL, group_id = ? WHERE id = ?', groupId, shared.id)
    const item = await newItem(me, other)
    const exportId = someId('bkp')
    await rows(
      `INSERT INTO archives (id, owner_id, kind, state, created_at, updated_at) VALUES (?, ?, 'export', 'ready', 0, 0)`,
      exportId,
      me.id,
    )
    const steps: [Parameters<typeof tell>[1], () => Promise<unknown>][] = [
      [about(account), () => ok(deleteAccount, { as: me, id: account.id })],
      [
        { resourceType: 'budget', resourceId: own.id, kind: 'budget.overspent' },
        () => ok(deleteBudget, { as: me, id: own.id }),
      ],
      [
        { resourceType: 'budget', resourceId: shared.id, kind: 'budget.thresholdReached' },
        () => rows('DELETE FROM group_members WHERE group_id = ? AND user_id = ?', groupId, me.id),
      ],
      [
        { resourceType: 'recurring', resourceId: item.id, kind: 'recurring.due' },
        () => ok(deleteRecurring, { as: me, id: item.id }),
      ],
      [
        { resourceType: 'export', resourceId: exportId, kind: 'export.made' },
        () => rows('DELETE FROM archives WHERE id = ?', exportId),
      ],
    ]
    for (const [resource] of steps) {
      await tell(me, resource)
    }
    for (const [at, [, end]] of steps.entries()) {
      expect(await ok(listNotifications, { as: me })).toMatchObject({
        ...{ count: steps.length - at, unreadCount: steps.length - at },
      })
      await end()
    }
    expect(await listed(me)).toEqual([])
  })

  it('shows a token for some accounts only what is about these', async () => {
    const me = await newUser()
    const [account, other] = [await newAccount(me), await newAccount(me)]
    const budget = await newBudget(me, { mode: 'limit' })
    const seen = await tell(me, about(account))
    await tell(me, about(other))
    await tell(me, { resourceType: 'budget', resourceId: budget.id, kind: 'budget.overspent' })
    const json = {
      ...{ name: 'One', scopes: ['notifications.read', 'notifications.write'] as const },
      ...{ accountIds: [account.id], password: me.password },
    }
    const { token } = await ok(createAccessToken, { as: me, json: json as never })
    const as = { accessToken: token }
    expect(idsOf(await listed(as))).toEqual([seen])
    const upTo = (await listed(me))[0]?.id ?? ''
    const hidden = await call(readNotifications, { as, json: { upTo } })
    expect(refusal(hidden)).toEqual([400, 'notifications.unknown', 'upTo'])
    expect(await ok(readNotifications, { as, json: { upTo: seen } })).toEqual({ count: 1 })
    expect(await ok(listNotifications, { as: me })).toMatchObject({ count: 3, unreadCount: 2 })
  })
})

describe('a notification', () => {
  it('renews an unread one that tells the same, and stands beside one that was read', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const first = await tell(me, { ...about(account), facts: { count: 1 } }, NOW)
    const second = await tell(me, { ...about(account), facts: { count: 2 } }, NOW + 1)
    expect(await listed(me)).toMatchObject([{ id: second, facts: { count: 2 } }])
    expect(refusal(await mark(me, first, { read: true }))).toEqual([404, 'notifications.notFound'])
    await mark(me, second, { read: true })
    const third = await tell(me, about(account), NOW + 2)
    expect((await mark(me, second, { read: false })).body).toMatchObject({ readAt: null })
    expect(idsOf(await listed(me, { unread: 'true' }))).toEqual([third, second])
    const fourth = await tell(me, about(account), NOW + 3)
    expect(idsOf(await listed(me))).toEqual([fourth, second])
    await tell(me, { ...about(account), kind: 'transaction.large' }, NOW + 4)
    expect(await listed(me)).toHaveLength(3)
  })

  it('is marked as read and unread, and archived, as often as somebody likes', async () => {
    const { me, ids } = await told()
    const [id] = ids
    const { body: read } = await mark(me, id, { read: true })
    expect(read.readAt).not.toBeNull()
    expect((await mark(me, id, { read: true })).body).toEqual(read)
    expect((await mark(me, id, { read: false })).body).toMatchObject({ readAt: null })
    const { body: archived } = await mark(me, id, { archived: true })
    expect([archived.readAt, archived.archivedAt]).not.toContain(null)
    expect((await mark(me, id, { archived: false })).body).toEqual({
      ...archived,
      archivedAt: null,
    })
    await mark(me, id, { archived: true })
    expect((await mark(me, id, { read: false })).body).toMatchObject({
      ...{ readAt: null, archivedAt: null },
    })
    expect(refusal(await mark(me, id, {}))).toEqual([400, 'request.invalid'])
  })

  it('belongs to its user alone', async () => {
    const { me, ids } = await told()
    const other = await newUser()
    expect(await listed(other)).toEqual([])
    expect(refusal(await mark(other, ids[0], { read: true }))).toEqual([
      404,
      'notifications.notFound',
    ])
    const json = { upTo: ids[0] ?? '' }
    const read = await call(readNotifications, { as: other, json })
    expect(refusal(read)).toEqual([400, 'notifications.unknown', 'upTo'])
    expect(await ok(listNotifications, { as: me })).toMatchObject({ unreadCount: 1 })
  })

  it('is read with all before it', async () => {
    const { me, ids } = await told(3)
    const json = { upTo: ids[1] ?? '' }
    expect(await ok(readNotifications, { as: me, json })).toEqual({ count: 2 })
    expect(await ok(readNotifications, { as: me, json })).toEqual({ count: 0 })
    expect(idsOf(await listed(me, { unread: 'true' }))).toEqual([ids[0]])
    const odd = await call(readNotifications, { as: me, json: { upTo: 'all' } })
    expect(refusal(odd)).toEqual([400, 'request.invalid', 'upTo'])
  })

  it('is not stored where its kind is off, and belongs to nobody who is being erased', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const json = { notifications: { 'account.balanceLow': 'off' as const } }
    await ok(updatePreferences, { as: me, json })
    await tell(me, about(account))
    await tell(me, { ...about(account), kind: 'transaction.large' })
    expect((await listed(me)).map(({ kind }) => kind)).toEqual(['transaction.large'])
    const gone = await newUser()
    await rows("UPDATE users SET status = 'deleted' WHERE id = ?", gone.id)
    await tell(gone, about(account))
    expect(await rows('SELECT 1 FROM notifications WHERE user_id = ?', gone.id)).toEqual([])
  })

  it('is kept for 180 days, and a thousand of a user', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const night = NOW + 180 * DAY
    const purge = () =>
      commit(contextWith({ now: night }), {
        changes: [withoutEvents(purgeNotifications(contextWith({ now: night })))],
        result: undefined,
      })
    await tell(me, { ...about(account), groupKey: 'old' }, NOW - 1)
    const kept = await tell(me, { ...about(account), groupKey: 'kept' }, NOW)
    await purge()
    expect(idsOf(await listed(me))).toEqual([kept])
    const newest = await tell(me, { ...about(account), groupKey: 'newest' }, night)
    await rows(
      `INSERT INTO notifications (id, user_id, kind, resource_type, resource_id, facts, group_key, created_at)
        WITH RECURSIVE n(value) AS (SELECT 1000 UNION ALL SELECT value + 1 FROM n WHERE value < 1999)
        SELECT substr(?1, 1, 26) || value, ?2, 'account.balanceLow', 'account', ?3, '{}', value, 0 FROM n`,
      newest,
      me.id,
      account.id,
    )
    await purge()
    expect(await ok(listNotifications, { as: me })).toMatchObject({ count: 1000 })
    expect(await listed(me, { limit: '200' })).not.toContainEqual(
      expect.objectContaining({ id: kept }),
    )
  })
})

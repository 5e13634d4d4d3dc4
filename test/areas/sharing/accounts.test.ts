import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { listSharedAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  createShare,
  listShares,
  unshareAccountFromGroup,
  listAccountShares,
  shareAccountToGroup,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeGroup } from '../../support/stored.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'
import { share } from './sharing.ts'

const put = (as: Principal, id: string, groupId: string | null, headers = {}) =>
  call(shareAccountToGroup, { as, id, json: { groupId }, headers })

const peopleOf = (as: Principal, id: string) => call(listAccountShares, { as, id })

const given = async (as: Principal) => (await ok(listShares, { as })).shares

async function household() {
  const [owner, member, viewer] = [await newUser(), await newUser(), await newUser()]
  const groupId = await storeGroup([
    [owner, 'owner'],
    [member, 'member'],
    [viewer, 'viewer'],
  ])
  return { owner, member, viewer, groupId, account: await newAccount(owner) }
}

describe('sharing with a group', () => {
  it('is one share, which the account tells, the history keeps and the log says of the group', async () => {
    const { owner, groupId, account } = await household()
    const json = { groupId, permission: 'write' } as const
    const shared = await call(shareAccountToGroup, { as: owner, id: account.id, json })
    expect([shared.status, tripsOf(shared)]).toEqual([200, 2])
    expect(shared.body).toMatchObject({ id: account.id, groupId, version: 2 })
    expect(await given(owner)).toMatchObject([
      { groupId, granteeUserId: null, permission: 'write', writeScope: 'all', state: 'accepted' },
    ])
    const weaker = await put(owner, account.id, groupId)
    expect(weaker.body).toMatchObject({ id: account.id, version: 3 })
    expect(await given(owner)).toMatchObject([{ groupId, permission: 'view', version: 2 }])
    const stopped = await put(owner, account.id, null)
    expect([stopped.status, stopped.body.version]).toEqual([200, 4])
    expect(await given(owner)).toEqual([])
    const again = await put(owner, account.id, null)
    expect([again.status, again.body, tripsOf(again)]).toEqual([200, stopped.body, 1])
    const history = await ok(getAccountHistory, { as: owner, query: { accountId: account.id } })
    expect(history.map(({ type }) => type)).toEqual(['unshared', 'shared', 'shared', 'created'])
    const logged = await rows<{ action: string }>(
      'SELECT type AS action FROM log_entries WHERE group_id = ? ORDER BY number',
      groupId,
    )
    expect(logged.map(({ action }) => action)).toEqual([
      'account.shared',
      'account.shared',
      'account.unshared',
    ])
  })

  it('begins anew where it had ended', async () => {
    const { owner, member, groupId, account } = await household()
    await put(owner, account.id, groupId)
    await rows('UPDATE shares SET expires_at = 1 WHERE account_id = ?', account.id)
    const look = async () => (await peopleOf(member, account.id)).status
    expect(await look()).toBe(404)
    expect((await put(owner, account.id, groupId)).status).toBe(200)
    expect(await given(owner)).toMatchObject([{ groupId, expiresAt: null, version: 1 }])
    expect(await look()).toBe(200)
  })

  it('goes from one group to another at once, and ends by DELETE', async () => {
    const { owner, groupId, account } = await household()
    const other = await storeGroup([[owner, 'owner']])
    await put(owner, account.id, groupId)
    await put(owner, account.id, other)
    expect(await given(owner)).toMatchObject([{ groupId: other, version: 1 }])
    const history = await ok(getAccountHistory, { as: owner, query: { accountId: account.id } })
    expect(history.map(({ type }) => type)).toEqual(['shared', 'unshared', 'shared', 'created'])
    const told = await rows(
      `SELECT group_id AS groupId, type, resource_type AS resourceType, owner_id AS ownerId, account_id AS accountId,
        version FROM log_entries WHERE group_id IN (?, ?) ORDER BY number`,
      ...[groupId, other],
    )
    const ofShare = { resourceType: 'share', ownerId: owner.id, accountId: account.id }
    expect(told).toEqual([
      { ...ofShare, groupId, type: 'account.shared', version: 1 },
      { ...ofShare, groupId, type: 'account.unshared', version: null },
      { ...ofShare, groupId: other, type: 'account.shared', version: 1 },
    ])
    const ended = await call(unshareAccountFromGroup, { as: owner, id: account.id })
    expect([ended.status, tripsOf(ended)]).toEqual([200, 2])
    const twice = await call(unshareAccountFromGroup, { as: owner, id: account.id })
    expect(refusal(twice)).toEqual([404, 'sharing.notShared'])
  })

  it('is for the owner, who is a member of a group that is not suspended', async () => {
    const { owner, member, viewer, groupId, account } = await household()
    for (const answer of [
      await put(member, account.id, groupId),
      await put(member, account.id, null),
      await call(unshareAccountFromGroup, { as: member, id: account.id }),
    ]) {
      expect(refusal(answer)).toEqual([404, 'accounts.notFound'])
    }
    const theirs = await newAccount(viewer)
    expect(refusal(await put(viewer, theirs.id, groupId))).toEqual([
      403,
      'sharing.viewersShareNothing',
      'groupId',
    ])
    const strange = await storeGroup([[await newUser(), 'owner']])
    for (const id of [strange, 'grp_x']) {
      const refused = await put(owner, account.id, id)
      expect(refusal(refused)).toEqual([400, 'sharing.unknownGroup', 'groupId'])
    }
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', groupId)
    const suspended = await put(owner, account.id, groupId)
    expect(refusal(suspended)).toEqual([409, 'sharing.groupSuspended', 'groupId'])
  })

  it.each([
    ['left', 400, 'unknownGroup', 'DELETE FROM group_members WHERE user_id = ?1'],
    [
      'became a viewer',
      403,
      'viewersShareNothing',
      "UPDATE group_members SET role = 'viewer' WHERE user_id = ?1",
    ],
    [
      'saw it suspended',
      409,
      'groupSuspended',
      'UPDATE groups SET suspended_at = 1 WHERE id IN (SELECT group_id FROM group_members WHERE user_id = ?1)',
    ],
  ])('is refused to who %s meanwhile', async (_, status, reason, sql) => {
    const { member, groupId } = await household()
    const account = await newAccount(member)
    const service = serviceWith({ meanwhile: () => rows(sql, member.id) })
    const json = { groupId }
    const raced = await service.call(shareAccountToGroup, { as: member, id: account.id, json })
    expect(refusal(raced)).toEqual([status, `sharing.${reason}`, 'groupId'])
    expect(await given(member)).toEqual([])
  })

  it('is of the account as it was read', async () => {
    const { owner, groupId, account } = await household()
    const headers = { 'If-Match': '"9-x"' }
    const late = [
      await put(owner, account.id, groupId, headers),
      await call(unshareAccountFromGroup, { as: owner, id: account.id, headers }),
    ]
    expect(late.map(refusal)).toEqual([
      [412, 'request.stale'],
      [412, 'request.stale'],
    ])
    const service = serviceWith({ meanwhile: () => put(owner, account.id, groupId) })
    const json = { groupId }
    const raced = await service.call(shareAccountToGroup, { as: owner, id: account.id, json })
    expect(refusal(raced)).toEqual([409, 'request.conflict'])
  })

  it('is not for an access token that is restricted to accounts, but to stop', async () => {
    const { owner, groupId, account } = await household()
    const scopes: ('shares.write' | 'accounts.read')[] = ['shares.write', 'accounts.read']
    const json = { name: 'x', scopes, accountIds: [account.id] }
    const { token } = await ok(createAccessToken, { as: owner, json })
    const as = { accessToken: token }
    const refused = await put(as, account.id, groupId)
    expect(refusal(refused)).toEqual([400, 'sharing.unknownGroup', 'groupId'])
    await put(owner, account.id, groupId)
    expect((await put(as, account.id, null)).status).toBe(200)
  })
})

describe('who sees an account', () => {
  it('is told to its owner: by what, and what they may do', async () => {
    const { owner, member, viewer, groupId, account } = await household()
    const friend = await newUser({ name: 'Grace' })
    const { id: shareId } = await share(owner, account, friend, { permission: 'annotate' })
    const json = { groupId, permission: 'write' } as const
    await ok(shareAccountToGroup, { as: owner, id: account.id, json })
    const { body, ...answer } = await peopleOf(owner, account.id)
    expect(tripsOf(answer)).toBe(1)
    expect(body.count).toBe(4)
    expect(body.people[0]).toEqual({
      userId: owner.id,
      name: 'Ada',
      source: 'owner',
      shareId: null,
      groupId: null,
      permission: 'owner',
      writeScope: 'all',
      expiresAt: null,
    })
    const found = body.people.slice(1).map((one) => [one.userId, one.source, one.permission])
    expect(found).toEqual([
      [member.id, 'group', 'write'],
      [friend.id, 'share', 'annotate'],
      [viewer.id, 'group', 'view'],
    ])
    expect(body.people[2]).toMatchObject({ shareId, groupId: null, name: 'Grace' })
    expect(body.people[1]).toMatchObject({ groupId })
    await rows('UPDATE shares SET expires_at = 1 WHERE id = ?', shareId)
    await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', groupId)
    expect((await peopleOf(owner, account.id)).body.count).toBe(1)
  })

  it('is told to who manages it, to all others only of themselves, and to a stranger not at all', async () => {
    const { owner, member, viewer, groupId, account } = await household()
    const json = { groupId, permission: 'manage' } as const
    await ok(shareAccountToGroup, { as: owner, id: account.id, json })
    expect((await peopleOf(member, account.id)).body.count).toBe(3)
    const alone = (await peopleOf(viewer, account.id)).body
    expect(alone).toMatchObject({ people: [{ userId: viewer.id, permission: 'view' }], count: 1 })
    expect(refusal(await peopleOf(await newUser(), account.id))).toEqual([404, 'accounts.notFound'])
  })

  it('shares it no further, and finds it among what others share', async () => {
    const { owner, member, groupId, account } = await household()
    const json = { groupId, permission: 'manage' } as const
    await ok(shareAccountToGroup, { as: owner, id: account.id, json })
    const own = await newAccount(member)
    for (const answer of [
      await put(member, account.id, groupId),
      await put(member, account.id, null),
      await call(unshareAccountFromGroup, { as: member, id: account.id }),
      await call(createShare, {
        as: member,
        json: { resourceId: account.id, email: 'a@example.com' },
      }),
    ]) {
      expect(refusal(answer)).toEqual([403, 'sharing.ownerOnly'])
    }
    const found = await call(listSharedAccounts, { as: member })
    expect(tripsOf(found)).toBe(1)
    expect(found.body).toMatchObject({
      accounts: [{ id: account.id, permission: 'manage', ownerId: owner.id, groupId }],
      count: 1,
    })
    expect(found.text).not.toContain(own.id)
    expect((await ok(listSharedAccounts, { as: owner })).count).toBe(0)
  })

  it('does not name who has not accepted yet', async () => {
    const { owner, member, account } = await household()
    await ok(createShare, { as: owner, json: { resourceId: account.id, userId: member.id } })
    expect((await peopleOf(owner, account.id)).body.people).toHaveLength(1)
  })
})

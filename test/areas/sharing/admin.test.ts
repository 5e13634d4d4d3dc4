import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  createShare,
  listReceivedShares,
  unshareResource,
  listAllShares,
  shareResource,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { refusal, tripsOf } from '../transactions/booking.ts'

async function world() {
  const [admin, owner, friend] = [await newAdmin(), await newUser(), await newUser()]
  const account = await newAccount(owner)
  const target = { resourceType: 'account', resourceId: account.id, userId: friend.id } as const
  return { admin, owner, friend, account, target }
}

type Target = Awaited<ReturnType<typeof world>>['target']

const give = (as: Principal, target: Target, permission: 'view' | 'manage' = 'view') =>
  call(shareResource, { as, json: { ...target, permission } })

const take = (as: Principal, json: Target) => call(unshareResource, { as, json })

const received = async (as: Principal) => (await ok(listReceivedShares, { as })).shares

describe('an administrator', () => {
  it('shares an account with a user, who need not accept it, and ends that', async () => {
    const { admin, owner, friend, account, target } = await world()
    const given = await give(admin, target)
    expect([given.status, given.body, tripsOf(given)]).toEqual([
      200,
      { message: 'The resource is shared.' },
      2,
    ])
    expect(await received(friend)).toMatchObject([
      { resourceId: account.id, ownerId: owner.id, permission: 'view', state: 'accepted' },
    ])
    await give(admin, target, 'manage')
    expect(await received(friend)).toMatchObject([{ permission: 'manage', version: 2 }])
    const ended = await take(admin, target)
    expect([ended.status, ended.body, tripsOf(ended)]).toEqual([
      200,
      { message: 'The share has ended.' },
      2,
    ])
    expect(await received(friend)).toEqual([])
    expect(refusal(await take(admin, target))).toEqual([404, 'sharing.notFound'])
    const history = await ok(getAccountHistory, { as: owner, query: { accountId: account.id } })
    expect(history.map(({ type, actorId }) => [type, actorId])).toEqual([
      ['unshared', admin.id],
      ['shared', admin.id],
      ['shared', admin.id],
      ['created', owner.id],
    ])
  })

  it('accepts for a user what waited, and lets what was to end last', async () => {
    const { admin, owner, friend, target } = await world()
    const json = { resourceId: target.resourceId, userId: friend.id }
    await ok(createShare, { as: owner, json: { ...json, expiresAt: '2999-01-01T00:00:00Z' } })
    expect(await received(friend)).toMatchObject([{ state: 'pending' }])
    await give(admin, target)
    expect(await received(friend)).toMatchObject([{ state: 'accepted', expiresAt: null }])
  })

  it('shares nothing with who owns it, with nobody and of nothing', async () => {
    const { admin, owner, target } = await world()
    const refused = [
      await give(admin, { ...target, userId: owner.id }),
      await give(admin, { ...target, userId: 'usr_x' }),
      await give(admin, { ...target, resourceId: 'acc_x' }),
    ]
    expect(refused.map(refusal)).toEqual([
      [400, 'sharing.withOwner', 'userId'],
      [400, 'sharing.unknownUser', 'userId'],
      [400, 'sharing.unknownAccount', 'resourceId'],
    ])
    const surplus = await call(unshareResource, {
      as: admin,
      raw: { body: JSON.stringify({ ...target, permission: 'view' }) },
    })
    expect(refusal(surplus)).toEqual([400, 'request.invalid', 'permission'])
  })

  it('is somebody who holds the permission, by no token for some accounts', async () => {
    const { admin, owner, target } = await world()
    expect((await give(owner, target)).status).toBe(403)
    expect((await take(owner, target)).status).toBe(403)
    expect((await call(listAllShares, { as: owner })).status).toBe(403)
    const own = await newAccount(admin)
    const scopes: ('allShares.read' | 'allShares.write')[] = ['allShares.read', 'allShares.write']
    const json = { name: 'x', scopes, accountIds: [own.id] }
    const { token } = await ok(createAccessToken, { as: admin, json })
    const as = { accessToken: token }
    for (const answer of [
      await give(as, target),
      await take(as, target),
      await call(listAllShares, { as }),
    ]) {
      expect(refusal(answer)).toEqual([403, 'sharing.tokenIsRestricted'])
    }
  })

  it('shares once, also with the owner at the same time', async () => {
    const { admin, owner, friend, target } = await world()
    const json = { resourceId: target.resourceId, userId: friend.id }
    const service = serviceWith({ meanwhile: () => ok(createShare, { as: owner, json }) })
    const raced = await service.call(shareResource, {
      as: admin,
      json: { ...target, permission: 'view' },
    })
    expect(refusal(raced)).toEqual([409, 'sharing.alreadyShared'])
  })

  it('lists what everybody shares, by account, owner, user and group', async () => {
    const { admin, owner, friend, account, target } = await world()
    const groupId = await storeGroup([[owner, 'owner']])
    const other = await newAccount(owner)
    await give(admin, target)
    await storeShare(other.id, { groupId }, 'write')
    const found = async (query: Record<string, string>) => {
      const { shares, count } = await ok(listAllShares, { as: admin, query })
      return [count, shares.map(({ resourceId }) => resourceId)]
    }
    expect(await found({ accountId: account.id })).toEqual([1, [account.id]])
    expect(await found({ ownerId: owner.id })).toEqual([2, [account.id, other.id]])
    expect(await found({ userId: friend.id })).toEqual([1, [account.id]])
    expect(await found({ groupId, ownerId: owner.id })).toEqual([1, [other.id]])
    const page = await call(listAllShares, { as: admin, query: { limit: 1 } })
    expect([page.body.shares.length, tripsOf(page)]).toEqual([1, 1])
    const query = { limit: 1, cursor: page.body.nextCursor ?? '' }
    const next = await ok(listAllShares, { as: admin, query })
    expect(next.shares[0]?.id).not.toBe(page.body.shares[0]?.id)
  })
})

import { describe, expect, it } from 'vitest'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import {
  deleteAttachment,
  getAttachment,
  restoreAttachment,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { eraseFromTrash, restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { deleteBudget, getBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  acceptShare,
  createShare,
  deleteShare,
  listReceivedShares,
  listShares,
  updateShare,
  listAllShares,
  shareResource,
  unshareResource,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { type AnyRoute, call, ok, type Principal, rows } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { confirm } from '../../support/stored.ts'
import { newAccount, newAdmin, newUser, type TestUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { makeDue } from '../own-user/user-traces.fixtures.ts'
import { newBudget } from '../budgets/budgets.fixtures.ts'
import { refusal } from '../transactions/booking.ts'
import { share } from './sharing.ts'

interface Kind {
  resourceType: 'budget' | 'attachment'
  make: (as: TestUser) => Promise<{ id: string }>
  read: AnyRoute
  notFound: string
  unknown: string
  prefix: string
  name: string
  highest: 'manage' | 'view'
  trash: (as: TestUser, id: string) => Promise<unknown>
  restore: (as: TestUser, id: string) => Promise<unknown>
  /** From the trash. */
  erase: (as: TestUser, id: string) => Promise<unknown>
}

const kinds: Kind[] = [
  {
    resourceType: 'budget',
    make: (as) => newBudget(as, { mode: 'limit', name: 'Household' }),
    read: getBudget,
    notFound: 'budgets.notFound',
    unknown: 'sharing.unknownBudget',
    prefix: 'bud',
    name: 'Household',
    highest: 'manage',
    trash: (as, id) => ok(deleteBudget, { as, id }),
    restore: (as, id) => ok(restoreFromTrash, { as, path: { kind: 'budget', id } }),
    erase: (as, id) => ok(eraseFromTrash, { as, path: { kind: 'budget', id } }),
  },
  {
    resourceType: 'attachment',
    make: (as) => file(as),
    read: getAttachment,
    notFound: 'attachments.notFound',
    unknown: 'sharing.unknownFile',
    prefix: 'att',
    name: 'bill.pdf',
    highest: 'view',
    trash: (as, id) => ok(deleteAttachment, { as, id }),
    restore: (as, id) => ok(restoreAttachment, { as, id }),
    erase: (_, id) => rows('DELETE FROM attachments WHERE id = ?', id),
  },
]

const received = async (as: Principal) => (await ok(listReceivedShares, { as })).shares

const isSeen = async ({ read, notFound }: Kind, as: Principal, { id }: { id: string }) => {
  const { status, body } = await serviceWith({}).call<{ code?: string }>(read, { as, id })
  if (status !== 200) {
    expect([status, body.code]).toEqual([404, notFound])
  }
  return status === 200
}

async function sharedBy(kind: Kind) {
  const [owner, friend] = [await newUser({ name: 'Ada' }), await newUser()]
  const made = await kind.make(owner)
  const { resourceType } = kind
  const { id } = await share(owner, made, friend, { resourceType })
  return { owner, friend, made, id, resourceType }
}

describe.each(kinds)('a share of a $resourceType', (kind) => {
  const { resourceType } = kind

  it('opens the resource once it is accepted', async () => {
    const [owner, friend] = [await newUser({ name: 'Ada' }), await newUser()]
    const made = await kind.make(owner)
    const json = { resourceType, resourceId: made.id, userId: friend.id }
    const given = await ok(createShare, { as: owner, json })
    expect(given).toMatchObject({
      ...{ resourceType, resourceId: made.id, ownerId: owner.id, granteeUserId: friend.id },
      ...{ permission: 'view', state: 'pending', includeInTotals: false },
    })
    expect(await isSeen(kind, friend, made)).toBe(false)
    const accepted = await ok(acceptShare, { as: friend, id: given.id, json: {} })
    expect(accepted).toMatchObject({ state: 'accepted', version: 2 })
    expect(await isSeen(kind, friend, made)).toBe(true)
    expect(await ok(acceptShare, { as: friend, id: given.id, json: {} })).toEqual(accepted)
    expect(await received(friend)).toEqual([
      { ...accepted, resourceName: kind.name, ownerName: 'Ada' },
    ])
    expect((await ok(listShares, { as: owner })).shares).toEqual([accepted])
    expect(await isSeen(kind, await newUser(), made)).toBe(false)
  })

  it('waits for whoever confirms an address', async () => {
    const [owner, friend] = [await newUser(), await newUser()]
    const made = await kind.make(owner)
    const json = { resourceType, resourceId: made.id, email: friend.email }
    const { id } = await ok(createShare, { as: owner, json })
    expect(await received(friend)).toEqual([])
    await confirm(friend)
    expect(await received(friend)).toMatchObject([{ id, resourceName: kind.name }])
    await ok(acceptShare, { as: friend, id, json: {} })
    expect(await isSeen(kind, friend, made)).toBe(true)
    const again = await call(createShare, { as: owner, json: { ...json, email: 'x@coffer.test' } })
    expect(again.status).toBe(201)
    const same = await call(createShare, { as: owner, json: { ...json, email: 'x@coffer.test' } })
    expect(refusal(same)).toEqual([409, 'sharing.alreadyShared'])
  })

  it('is made by the owner alone, with what the kind has', async () => {
    const { owner, friend, made, id } = await sharedBy(kind)
    const other = await newUser()
    const json = { resourceType, resourceId: made.id, userId: other.id }
    const give = (as: Principal, more: object = {}) =>
      call(createShare, { as, json: { ...json, ...more } })
    expect(refusal(await give(friend))).toEqual([403, 'sharing.ownerOnly'])
    expect(refusal(await give(other))).toEqual([400, kind.unknown, 'resourceId'])
    const refused = [
      await give(owner, { resourceId: someId(kind.prefix) }),
      await give(owner, { resourceId: someId('acc') }),
      await give(owner, { userId: friend.id }),
      await give(owner, { userId: owner.id }),
      await give(owner, { permission: 'annotate' }),
      await give(owner, { permission: 'write' }),
      await give(owner, { permission: kind.highest, writeScope: 'own' }),
      await call(updateShare, { as: owner, id, json: { permission: 'write' } }),
      await call(updateShare, { as: owner, id, json: { writeScope: 'own' } }),
      await call(acceptShare, { as: friend, id, json: { includeInTotals: true } }),
      await call(updateShare, { as: friend, id, json: {} }),
    ]
    expect(refused.map(refusal)).toEqual([
      [400, kind.unknown, 'resourceId'],
      [400, kind.unknown, 'resourceId'],
      [409, 'sharing.alreadyShared'],
      [400, 'sharing.withOwner', 'userId'],
      [400, 'sharing.wrongPermission', 'permission'],
      [400, 'sharing.wrongPermission', 'permission'],
      [400, 'sharing.accountsOnly', 'writeScope'],
      [400, 'sharing.wrongPermission', 'permission'],
      [400, 'sharing.accountsOnly', 'writeScope'],
      [400, 'sharing.accountsOnly', 'includeInTotals'],
      [403, 'sharing.ownerOnly'],
    ])
    const raised = await ok(updateShare, {
      as: owner,
      id,
      json: { permission: kind.highest, expiresAt: '2999-01-01T00:00:00Z' },
    })
    expect(raised).toMatchObject({ permission: kind.highest, version: 3 })
  })

  it.each<[string, (shared: Awaited<ReturnType<typeof sharedBy>>) => Promise<unknown>]>([
    ['the owner ends it', ({ owner, id }) => ok(deleteShare, { as: owner, id })],
    ['the receiver gives it back', ({ friend, id }) => ok(deleteShare, { as: friend, id })],
    ['it expires', ({ id }) => rows('UPDATE shares SET expires_at = 1 WHERE id = ?', id)],
    [
      'an administrator ends it',
      async ({ friend, made }) =>
        ok(unshareResource, {
          as: await newAdmin(),
          json: { resourceType, resourceId: made.id, userId: friend.id },
        }),
    ],
    [
      'the owner is erased',
      async ({ owner }) => {
        await makeDue(owner)
        await eraseUserJob.run(contextWith({}), { userId: owner.id }, [])
      },
    ],
  ])('ends when %s', async (_, end) => {
    const shared = await sharedBy(kind)
    expect(await isSeen(kind, shared.friend, shared.made)).toBe(true)
    await end(shared)
    expect(await isSeen(kind, shared.friend, shared.made)).toBe(false)
    expect(await received(shared.friend)).toEqual([])
  })

  it('rests while the resource is in the trash, and ends when that is erased', async () => {
    const shared = await sharedBy(kind)
    const { owner, friend, made, id } = shared
    await kind.trash(owner, made.id)
    expect(await isSeen(kind, friend, made)).toBe(false)
    expect(await received(friend)).toEqual([])
    expect((await ok(listShares, { as: owner })).shares).toEqual([])
    expect(refusal(await call(deleteShare, { as: friend, id }))).toEqual([404, 'sharing.notFound'])
    await kind.restore(owner, made.id)
    expect(await isSeen(kind, friend, made)).toBe(true)
    await kind.trash(owner, made.id)
    await kind.erase(owner, made.id)
    expect(await rows('SELECT id FROM shares WHERE id = ?', id)).toEqual([])
  })

  it('is made and ended by administrators, with what they may do themselves', async () => {
    const [admin, owner, friend] = [await newAdmin(), await newUser(), await newUser()]
    const made = await kind.make(owner)
    const target = { resourceType, resourceId: made.id, userId: friend.id }
    const permission = kind.highest
    await ok(shareResource, { as: admin, json: { ...target, permission } })
    expect(await isSeen(kind, friend, made)).toBe(true)
    expect(await received(friend)).toMatchObject([{ permission, state: 'accepted' }])
    const { shares } = await ok(listAllShares, { as: admin, query: { userId: friend.id } })
    expect(shares).toMatchObject([{ resourceType, resourceId: made.id, ownerId: owner.id }])
    const refused = [
      await call(shareResource, { as: admin, json: { ...target, permission: 'write' } }),
      await call(shareResource, {
        as: admin,
        json: { ...target, resourceId: someId(kind.prefix), permission },
      }),
      await call(unshareResource, {
        as: admin,
        json: { ...target, resourceId: someId(kind.prefix) },
      }),
    ]
    expect(refused.map(refusal)).toEqual([
      [400, 'sharing.wrongPermission', 'permission'],
      [400, kind.unknown, 'resourceId'],
      [404, 'sharing.notFound'],
    ])
    await ok(unshareResource, { as: admin, json: target })
    expect(await isSeen(kind, friend, made)).toBe(false)
  })

  it('shows nothing to a token for some accounts, whoever holds it', async () => {
    const { owner, friend, made } = await sharedBy(kind)
    const tokenOf = async (as: TestUser) => {
      const own = await newAccount(as)
      const scopes = ['read' as const]
      const json = { name: 'x', scopes, accountIds: [own.id] }
      return { accessToken: (await ok(createAccessToken, { as, json })).token }
    }
    const ofFriend = await tokenOf(friend)
    expect(await isSeen(kind, ofFriend, made)).toBe(false)
    expect(await received(ofFriend)).toEqual([])
    if (resourceType === 'attachment') {
      expect((await ok(listShares, { as: await tokenOf(owner) })).shares).toEqual([])
    }
  })

  it('is no answer of a repeat any more once it has ended', async () => {
    const { owner, friend, made } = await sharedBy(kind)
    const service = serviceWith({})
    const headers = { 'Idempotency-Key': 'once' }
    const { shares } = await ok(listReceivedShares, { as: friend })
    const id = shares[0]?.id ?? ''
    const accept = () => service.call(acceptShare, { as: friend, id, json: {}, headers })
    expect((await accept()).status).toBe(200)
    expect((await accept()).status).toBe(200)
    await ok(deleteShare, { as: owner, id })
    expect(refusal(await accept())).toEqual([404, 'idempotency.notVisible'])
    expect(await isSeen(kind, friend, made)).toBe(false)
  })

  it('is told in the log of its owner', async () => {
    const { owner, id } = await sharedBy(kind)
    await ok(deleteShare, { as: owner, id })
    const sql = 'SELECT type, owner_id FROM log_entries WHERE resource_id = ? ORDER BY number'
    expect(await rows(sql, id)).toEqual([
      { type: `${resourceType}.shared`, owner_id: owner.id },
      { type: 'share.accepted', owner_id: owner.id },
      { type: `${resourceType}.unshared`, owner_id: owner.id },
    ])
  })
})

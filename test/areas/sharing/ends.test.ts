import { describe, expect, it } from 'vitest'
import {
  deleteAccount,
  getAccountByID,
  getAccountDetails,
  getUserAccounts,
  listSharedAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  deleteShare,
  listReceivedShares,
  unshareAccountFromGroup,
  listAccountShares,
  shareAccountToGroup,
  unshareResource,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { newAdmin, newAccount, newUser, type TestUser } from '../../support/world.ts'
import { ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { storeGroup } from '../../support/stored.ts'
import {
  deleteGroup,
  removeGroupMember,
  leaveGroup,
  transferGroupOwner,
  updateGroupMember,
} from '../../../src/areas/sharing/groups/groups.routes.ts'
import { book, expenseOn } from '../transactions/booking.ts'
import { share } from './sharing.ts'

const MINUTE = 60_000

interface Shared {
  owner: TestUser
  friend: TestUser
  account: { id: string }
  shareId: string
  groupId: string
}

const here = serviceWith({})
type Service = typeof here

/** How access ends; the service that is asked afterwards, where it is not the same one. */
type End = (shared: Shared) => Promise<Service | void>

const ofPerson: [string, End][] = [
  [
    'the owner revokes it',
    async ({ owner, shareId }) => void (await ok(deleteShare, { as: owner, id: shareId })),
  ],
  [
    'the receiver gives it back',
    async ({ friend, shareId }) => void (await ok(deleteShare, { as: friend, id: shareId })),
  ],
  ['it expires', async () => serviceWith({ ahead: 6 * MINUTE })],
  [
    'an administrator ends it',
    async ({ friend, account }) => {
      const json = { resourceType: 'account', resourceId: account.id, userId: friend.id } as const
      await ok(unshareResource, { as: await newAdmin(), json })
    },
  ],
  [
    'the account goes to the trash',
    async ({ owner, account }) => void (await ok(deleteAccount, { as: owner, id: account.id })),
  ],
]

const ofGroup: [string, End][] = [
  [
    'the owner unshares it',
    async ({ owner, account }) =>
      void (await ok(unshareAccountFromGroup, { as: owner, id: account.id })),
  ],
  [
    'the owner shares it with another group',
    async ({ owner, account }) => {
      const json = { groupId: await storeGroup([[owner, 'owner']]) }
      await ok(shareAccountToGroup, { as: owner, id: account.id, json })
    },
  ],
  [
    'the receiver leaves the group',
    async ({ friend, groupId }) => void (await ok(leaveGroup, { as: friend, id: groupId })),
  ],
  [
    'the receiver is removed from the group',
    async ({ owner, friend, groupId }) => {
      const path = { id: groupId, userId: friend.id }
      await ok(removeGroupMember, { as: owner, path })
    },
  ],
  [
    'the owner hands the group over and leaves it',
    async ({ owner, friend, groupId }) => {
      await ok(transferGroupOwner, { as: owner, id: groupId, json: { userId: friend.id } })
      await ok(leaveGroup, { as: owner, id: groupId })
    },
  ],
  [
    'the group is deleted',
    async ({ owner, groupId }) => void (await ok(deleteGroup, { as: owner, id: groupId })),
  ],
  [
    'the group is suspended',
    async ({ groupId }) =>
      void (await rows('UPDATE groups SET suspended_at = 1 WHERE id = ?', groupId)),
  ],
]

async function sharedWithPerson(): Promise<Shared> {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const expiresAt = new Date(Date.now() + 5 * MINUTE).toISOString()
  const { id } = await share(owner, account, friend, { permission: 'manage', expiresAt })
  return { owner, friend, account, shareId: id, groupId: '' }
}

async function sharedWithGroup(): Promise<Shared> {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const groupId = await storeGroup([
    [owner, 'owner'],
    [friend, 'member'],
  ])
  const json = { groupId, permission: 'manage' } as const
  await ok(shareAccountToGroup, { as: owner, id: account.id, json })
  const [received] = (await ok(listReceivedShares, { as: friend })).shares
  return { owner, friend, account, shareId: received?.id ?? '', groupId }
}

/** What a receiver has in hand while it sees the account. */
async function inHand({ owner, friend: as, account }: Shared) {
  const { id } = account
  const [older, newer] = [await book(owner, account), await book(as, account)]
  const seen = await here.call(getAccountByID, { as, id })
  const details = await here.call<{ nextCursor: string }>(getAccountDetails, {
    as,
    id,
    query: { limit: 1 },
  })
  const list = await here.call<{ nextCursor: string; count: number }>(listTransactions, {
    as,
    query: { limit: 1 },
  })
  expect([seen.status, list.body.count]).toEqual([200, 2])
  return {
    ids: [older.id, newer.id],
    etag: seen.headers.get('ETag') ?? '',
    details: details.body.nextCursor,
    list: list.body.nextCursor,
  }
}

/** What is still told to who had the account: statuses that are none of a refusal, and ids that show. */
async function leftOf(
  { friend: as, account }: Shared,
  hand: Awaited<ReturnType<typeof inHand>>,
  service: Service,
) {
  const { id } = account
  const headers = { 'If-None-Match': hand.etag, 'If-Match': hand.etag }
  const [booked = ''] = hand.ids
  const gone = [
    await service.call(getAccountByID, { as, id, headers }),
    await service.call(getAccountDetails, { as, id, query: { limit: 1, cursor: hand.details } }),
    await service.call(listAccountShares, { as, id }),
    ...(await Promise.all(
      hand.ids.map((one) => service.call(getTransaction, { as, id: one, headers })),
    )),
    await service.call(updateTransaction, { as, id: booked, json: { note: 'x' }, headers }),
  ]
  const named = await service.call(createTransaction, { as, json: expenseOn(account) })
  const open = [
    await service.call(listTransactions, { as, query: { limit: 1, cursor: hand.list } }),
    await service.call(listTransactions, { as, query: { totals: 'true' } }),
    await service.call(getUserAccounts, { as }),
    await service.call(listSharedAccounts, { as }),
    await service.call(getAccountHistory, { as }),
    await service.call(listReceivedShares, { as }),
  ]
  return [
    ...(named.status === 400 ? [] : [named.status]),
    ...gone.map(({ status }) => status).filter((status) => status !== 404),
    ...open.map(({ status }) => status).filter((status) => status !== 200),
    ...[id, ...hand.ids].filter((one) => open.some(({ text }) => text.includes(one))),
  ]
}

describe('access ends with the request after', () => {
  it.each(ofPerson)('%s', async (_, end) => {
    const shared = await sharedWithPerson()
    const hand = await inHand(shared)
    expect(await leftOf(shared, hand, (await end(shared)) ?? here)).toEqual([])
  })

  it.each(ofGroup)('%s', async (_, end) => {
    const shared = await sharedWithGroup()
    const hand = await inHand(shared)
    expect(await leftOf(shared, hand, (await end(shared)) ?? here)).toEqual([])
  })

  it.each<[string, () => Promise<Shared>, End]>([
    ['revoked', sharedWithPerson, ofPerson[0]?.[1] as End],
    ['unshared', sharedWithGroup, ofGroup[0]?.[1] as End],
  ])('also where it is %s between looking and booking', async (_, make, end) => {
    const shared = await make()
    const service = serviceWith({ meanwhile: () => end(shared) })
    const json = expenseOn(shared.account)
    const answer = await service.call(createTransaction, { as: shared.friend, json })
    expect(answer.status, answer.text).toBe(400)
    expect((await ok(listTransactions, { as: shared.owner })).count).toBe(0)
  })
})

describe('a right ends with the request after', () => {
  it('a member becomes a viewer', async () => {
    const { owner, friend: as, account, groupId } = await sharedWithGroup()
    const { id } = await book(as, account)
    const path = { id: groupId, userId: as.id }
    await ok(updateGroupMember, { as: owner, path, json: { role: 'viewer' } })
    expect((await ok(getAccountByID, { as, id: account.id })).permission).toBe('view')
    const refused = [
      await here.call(createTransaction, { as, json: expenseOn(account) }),
      await here.call(updateTransaction, { as, id, json: { note: 'x' } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403])
  })

  it('while who sees the account in another way keeps that', async () => {
    const { owner, friend, account } = await sharedWithGroup()
    await share(owner, account, friend, { permission: 'annotate' })
    expect((await ok(getAccountByID, { as: friend, id: account.id })).permission).toBe('manage')
    await ok(unshareAccountFromGroup, { as: owner, id: account.id })
    expect((await ok(getAccountByID, { as: friend, id: account.id })).permission).toBe('annotate')
  })
})

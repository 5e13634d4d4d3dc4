import { describe, expect, it } from 'vitest'
import {
  getAccountByID,
  getSharedAccounts,
  getUserAccounts,
  removeAccount,
} from '../../../src/areas/accounts/accounts.routes.ts'
import { getAccountDetails } from '../../../src/areas/accounts/details/details.routes.ts'
import { getAccountHistory } from '../../../src/areas/accounts/history/history.routes.ts'
import {
  deleteShareGroup,
  getAccountShares,
  putShareGroup,
} from '../../../src/areas/sharing/accounts/accounts.routes.ts'
import { deleteShare, listReceivedShares } from '../../../src/areas/sharing/sharing.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/transactions/transactions.routes.ts'
import { newAdmin, newAccount, newUser, type TestUser } from '../../support/world.ts'
import { ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { deleteAdminShare } from '../../../src/areas/sharing/admin/admin.routes.ts'
import { book, expenseOn } from '../transactions/booking.ts'
import { newGroup, share } from './sharing.ts'

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
      await ok(deleteAdminShare, { as: await newAdmin(), json })
    },
  ],
  [
    'the account goes to the trash',
    async ({ owner, account }) => void (await ok(removeAccount, { as: owner, id: account.id })),
  ],
]

const ofGroup: [string, End][] = [
  [
    'the owner unshares it',
    async ({ owner, account }) => void (await ok(deleteShareGroup, { as: owner, id: account.id })),
  ],
  [
    'the owner shares it with another group',
    async ({ owner, account }) => {
      const json = { groupId: await newGroup(owner) }
      await ok(putShareGroup, { as: owner, id: account.id, json })
    },
  ],
  [
    'the receiver is not in the group any more',
    async ({ friend, groupId }) =>
      void (await rows(
        'DELETE FROM group_members WHERE group_id = ? AND user_id = ?',
        groupId,
        friend.id,
      )),
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
  const groupId = await newGroup(owner, [[friend, 'member']])
  const json = { groupId, permission: 'manage' } as const
  await ok(putShareGroup, { as: owner, id: account.id, json })
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

async function expectNothing(
  shared: Shared,
  hand: Awaited<ReturnType<typeof inHand>>,
  service: Service,
) {
  const { friend: as, account } = shared
  const { id } = account
  const headers = { 'If-None-Match': hand.etag, 'If-Match': hand.etag }
  const [booked = ''] = hand.ids
  const gone = [
    await service.call(getAccountByID, { as, id, headers }),
    await service.call(getAccountDetails, { as, id, query: { limit: 1, cursor: hand.details } }),
    await service.call(getAccountShares, { as, id }),
    ...(await Promise.all(
      hand.ids.map((one) => service.call(getTransaction, { as, id: one, headers })),
    )),
    await service.call(updateTransaction, { as, id: booked, json: { note: 'x' } }),
  ]
  expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
  const created = await service.call(createTransaction, { as, json: expenseOn(account) })
  expect(created.status).toBe(404)
  const list = await service.call(listTransactions, { as, query: { limit: 1, cursor: hand.list } })
  const whole = await service.call(listTransactions, { as, query: { totals: 'true' } })
  const empties = [
    list,
    whole,
    await service.call(getUserAccounts, { as }),
    await service.call(getSharedAccounts, { as }),
    await service.call(getAccountHistory, { as }),
    await service.call(listReceivedShares, { as }),
  ]
  for (const { status, text } of empties) {
    expect(status, text).toBe(200)
    expect([id, ...hand.ids].filter((one) => text.includes(one))).toEqual([])
  }
}

describe('access ends with the request after', () => {
  it.each(ofPerson)('%s', async (_, end) => {
    const shared = await sharedWithPerson()
    const hand = await inHand(shared)
    await expectNothing(shared, hand, (await end(shared)) ?? here)
  })

  it.each(ofGroup)('%s', async (_, end) => {
    const shared = await sharedWithGroup()
    const hand = await inHand(shared)
    await expectNothing(shared, hand, (await end(shared)) ?? here)
  })

  it.each<[string, () => Promise<Shared>, End]>([
    ['revoked', sharedWithPerson, ofPerson[0]?.[1] as End],
    ['unshared', sharedWithGroup, ofGroup[0]?.[1] as End],
  ])('also where it is %s between looking and booking', async (_, make, end) => {
    const shared = await make()
    const service = serviceWith({ meanwhile: () => end(shared) })
    const json = expenseOn(shared.account)
    const answer = await service.call(createTransaction, { as: shared.friend, json })
    expect(answer.status, answer.text).toBe(404)
    expect((await ok(listTransactions, { as: shared.owner })).count).toBe(0)
  })
})

describe('a right ends with the request after', () => {
  it('a member becomes a viewer', async () => {
    const { friend: as, account, groupId } = await sharedWithGroup()
    const { id } = await book(as, account)
    await rows(
      "UPDATE group_members SET role = 'viewer' WHERE group_id = ? AND user_id = ?",
      groupId,
      as.id,
    )
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
    await ok(deleteShareGroup, { as: owner, id: account.id })
    expect((await ok(getAccountByID, { as: friend, id: account.id })).permission).toBe('annotate')
  })
})

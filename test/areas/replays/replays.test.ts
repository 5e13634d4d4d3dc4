import { describe, expect, it } from 'vitest'
import { createAccount, deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { linkAttachment } from '../../../src/areas/files/attachments/attachments.routes.ts'
import { createSavedView } from '../../../src/areas/insight/saved-views/saved-views.routes.ts'
import { createGroup, leaveGroup } from '../../../src/areas/sharing/groups/groups.routes.ts'
import {
  acceptGroupInvite,
  createGroupInvite,
} from '../../../src/areas/sharing/groups/invites/invites.routes.ts'
import {
  createShare,
  deleteShare,
  acceptShare,
  shareResource,
} from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import {
  createTransactions,
  deleteTransactions,
} from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createValuation } from '../../../src/areas/money/valuations/valuations.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { type AnyRoute, call, type ErrorBody, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { someId } from '../../support/of-file.ts'
import { storeGroup, storeShare } from '../../support/stored.ts'
import { newAccount, newAdmin, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { file, unshare, upload } from '../attachments/filing.ts'
import { codeInto, newGroup } from '../groups/groups.ts'
import { book, expenseOn, refusal, tripsOf } from '../transactions/booking.ts'

const NOT_VISIBLE = [404, 'idempotency.notVisible']

type Asked = Parameters<ReturnType<typeof serviceWith>['call']>[1]

/** Sends a request, lets something happen, and sends the very same request again. */
async function repeated(route: AnyRoute, asked: Asked, meanwhile?: () => Promise<unknown>) {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const send = () => serviceWith({}).call<ErrorBody>(route, { ...asked, headers })
  const first = await send()
  expect(first.status).toBeLessThan(300)
  await meanwhile?.()
  const second = await send()
  expect(second.headers.has('Idempotency-Replayed')).toBe(second.status < 300)
  return { first, second }
}

async function couple() {
  const [owner, partner] = [await newUser(), await newUser()]
  const [shared, other] = [await newAccount(owner), await newAccount(owner)]
  for (const account of [shared, other]) {
    await storeShare(account.id, { user: partner }, 'manage')
  }
  return { owner, partner, shared, other }
}

type Couple = Awaited<ReturnType<typeof couple>>

/** What somebody does on what is shared with them. */
const onShared: [string, AnyRoute, (world: Couple) => Promise<Asked>][] = [
  [
    'a transaction',
    createTransaction,
    async ({ shared }) => ({ json: expenseOn(shared, { note: 'theirs' }) }),
  ],
  [
    'many transactions',
    createTransactions,
    async ({ shared }) => ({ json: { transactions: [expenseOn(shared), expenseOn(shared)] } }),
  ],
  [
    'a transfer',
    createTransfer,
    async ({ shared, other }) => ({
      json: {
        fromAccountId: other.id,
        toAccountId: shared.id,
        date: '2026-11-20',
        amount: '5',
      },
    }),
  ],
  [
    'a link between transactions',
    createTransactionLink,
    async ({ owner, shared }) => {
      const [one, another] = [await book(owner, shared), await book(owner, shared)]
      return { id: one.id, json: { kind: 'partOf', transactionId: another.id } }
    },
  ],
  [
    'a file on an account',
    linkAttachment,
    async ({ partner, shared }) => ({
      id: (await file(partner)).id,
      json: { kind: 'account', id: shared.id },
    }),
  ],
  [
    'a file on a transaction',
    linkAttachment,
    async ({ owner, partner, shared }) => ({
      id: (await file(partner)).id,
      json: { kind: 'transaction', id: (await book(owner, shared)).id },
    }),
  ],
]

const bookedAtOnce: AnyRoute[] = [createTransaction, createTransfer]

describe.each(onShared)('the answer that told of %s', (_, route, asking) => {
  it('is repeated while the caller sees it', async () => {
    const world = await couple()
    const asked = { as: world.partner, ...(await asking(world)) }
    const { first, second } = await repeated(route, asked)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    // A booking that does not read first learns of its key when it commits.
    expect(tripsOf(second)).toBe(bookedAtOnce.includes(route) ? 3 : 2)
  })

  it('is 404 once access has ended', async () => {
    const world = await couple()
    const asked = { as: world.partner, ...(await asking(world)) }
    const { second } = await repeated(route, asked, () => unshare(world.shared))
    expect(refusal(second)).toEqual(NOT_VISIBLE)
  })
})

it('a transfer is not told any more when one of its accounts is not seen', async () => {
  const { partner, shared, other } = await couple()
  const json = {
    fromAccountId: other.id,
    toAccountId: shared.id,
    date: '2026-11-20',
    amount: '5',
  }
  const { second } = await repeated(createTransfer, { as: partner, json }, () => unshare(other))
  expect(refusal(second)).toEqual(NOT_VISIBLE)
})

it('a valuation is not told any more once access has ended', async () => {
  const [owner, partner] = [await newUser(), await newUser()]
  const { id } = await ok(createAccount, {
    as: owner,
    json: { name: 'Flat', type: 'property', currency: 'EUR', onBudget: false },
  })
  await storeShare(id, { user: partner }, 'write')
  const asked = { as: partner, json: { accountId: id, date: '2026-11-20', value: '100' } }
  const { first, second } = await repeated(createValuation, asked)
  expect(second.text).toBe(first.text)
  const later = { as: partner, json: { accountId: id, date: '2026-11-21', value: '100' } }
  const ended = await repeated(createValuation, later, () => unshare({ id }))
  expect(refusal(ended.second)).toEqual(NOT_VISIBLE)
})

it('what its owner made private or put into the trash is not told to somebody else any more', async () => {
  const { owner, partner, shared } = await couple()
  const [one, another] = [await book(owner, shared), await book(owner, shared)]
  const asked = {
    as: partner,
    id: one.id,
    json: { kind: 'partOf', transactionId: another.id },
  }
  const { second } = await repeated(createTransactionLink, asked, () =>
    ok(updateTransaction, { as: owner, id: another.id, json: { private: true } }),
  )
  expect(refusal(second)).toEqual(NOT_VISIBLE)
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const booking = { as: partner, json: expenseOn(shared), headers }
  const { id } = await ok(createTransaction, booking)
  await ok(deleteTransaction, { as: owner, id })
  expect(refusal(await call(createTransaction, booking))).toEqual(NOT_VISIBLE)
})

it('an own thing is told from the trash, and not once it is erased', async () => {
  const me = await newUser()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const opening = {
    as: me,
    json: { name: 'Cash', type: 'cash' as const, currency: 'EUR' },
    headers,
  }
  const first = await call(createAccount, opening)
  const { id } = first.body
  await ok(deleteAccount, { as: me, id })
  expect((await call(createAccount, opening)).text).toBe(first.text)
  await rows('DELETE FROM account_balances WHERE account_id = ?', id)
  await rows('DELETE FROM accounts WHERE id = ?', id)
  expect(refusal(await call(createAccount, opening))).toEqual(NOT_VISIBLE)
})

it('shares are told to their owner and receiver while there are any', async () => {
  const [owner, friend] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  const giving = {
    as: owner,
    json: { resourceId: account.id, userId: friend.id },
    headers: { 'Idempotency-Key': crypto.randomUUID() },
  }
  const given = await call(createShare, giving)
  expect((await call(createShare, giving)).text).toBe(given.text)
  const taking = { as: friend, id: given.body.id, json: {} }
  const { second } = await repeated(acceptShare, taking, () =>
    ok(deleteShare, { as: owner, id: given.body.id }),
  )
  expect(refusal(second)).toEqual(NOT_VISIBLE)
  expect(refusal(await call(createShare, giving))).toEqual(NOT_VISIBLE)
})

describe('what a group is told', () => {
  it('is not repeated to who is out of it', async () => {
    const [owner, guest] = [await newUser(), await newUser()]
    const { id } = await newGroup(owner)
    const out = (user: { id: string }) => () =>
      rows('DELETE FROM group_members WHERE user_id = ?', user.id)
    const code = await codeInto(id, owner, 'admin')
    const joining = { as: guest, json: { code } }
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    await ok(acceptGroupInvite, { ...joining, headers })
    const inviting = { as: guest, id, json: { role: 'member' } }
    const { second } = await repeated(createGroupInvite, inviting, out(guest))
    expect(refusal(second)).toEqual(NOT_VISIBLE)
    expect(refusal(await call(acceptGroupInvite, { ...joining, headers }))).toEqual(NOT_VISIBLE)
  })

  it('is repeated to who is in it, suspended or not', async () => {
    const owner = await newUser()
    const suspend = () => rows('UPDATE groups SET suspended_at = 1')
    const { first, second } = await repeated(
      createGroup,
      { as: owner, json: { name: 'Home' } },
      suspend,
    )
    expect(second.text).toBe(first.text)
  })

  it('is a file that its uploader keeps, and that leaving it repeats its answer', async () => {
    const member = await newUser()
    const groupId = await storeGroup([[member, 'member']])
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const filing = { query: { groupId }, headers }
    expect((await upload(member, filing)).status).toBe(201)
    expect((await upload(member, filing)).headers.get('Idempotency-Replayed')).toBe('true')
    const { first, second } = await repeated(leaveGroup, { as: member, id: groupId })
    expect(second.text).toBe(first.text)
    expect((await upload(member, filing)).status).toBe(400)
  })
})

it('what was deleted by the request itself is told again', async () => {
  const { owner, partner, shared } = await couple()
  const { id } = await book(owner, shared)
  const { first, second } = await repeated(deleteTransactions, {
    as: partner,
    json: { ids: [id] },
  })
  expect([second.status, second.text]).toEqual([200, first.text])
})

it('an access token for some accounts is told nothing of those that it lost', async () => {
  const me = await newUser()
  const [one, another] = [await newAccount(me), await newAccount(me)]
  const token = await giveToken(me, ['transactions.write', 'read'], [one.id, another.id])
  const narrow = () =>
    rows(
      'UPDATE personal_access_tokens SET account_ids = ? WHERE user_id = ?',
      JSON.stringify([another.id]),
      me.id,
    )
  const { second } = await repeated(createTransaction, { as: token, json: expenseOn(one) }, narrow)
  expect(refusal(second)).toEqual(NOT_VISIBLE)
})

it('what is nobody else’s, and what an administrator does, is repeated without a question', async () => {
  const me = await newUser()
  const tag = await repeated(createTag, { as: me, json: { name: 'Tag' } })
  expect(tag.second.text).toBe(tag.first.text)
  const [admin, owner] = [await newAdmin(), await newUser()]
  const account = await newAccount(owner)
  const shared = await repeated(shareResource, {
    as: admin,
    json: {
      resourceType: 'account',
      resourceId: account.id,
      userId: me.id,
      permission: 'view',
    },
  })
  expect([shared.second.text, tripsOf(shared.second)]).toEqual([shared.first.text, 1])
})

it('a saved view is repeated also where it names what its owner does not see', async () => {
  const [me, owner] = [await newUser(), await newUser()]
  const shared = await newAccount(owner)
  const share = await storeShare(shared.id, { user: me })
  const parameters = { accountId: [shared.id, someId('acc')] }
  const json = { name: 'Theirs', of: 'transactions', parameters }
  const { first, second } = await repeated(createSavedView, { as: me, json }, () =>
    rows('DELETE FROM shares WHERE id = ?', share),
  )
  expect([second.status, second.text]).toEqual([201, first.text])
})

it('words that look like an id are no id', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const foreign = await newAccount(await newUser())
  const json = expenseOn(account, {
    note: foreign.id,
    externalId: foreign.id,
    metadata: { id: foreign.id },
  })
  const { first, second } = await repeated(createTransaction, { as: me, json })
  expect([second.status, second.text]).toEqual([201, first.text])
})

import { describe, expect, it } from 'vitest'
import { linkAttachment } from '../../../src/areas/files/attachments/attachments.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { updateTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listAccountLabels,
  listTransactions,
  listTransactionVersions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransactionLink,
  listTransactionLinks,
} from '../../../src/areas/money/transactions/links/links.routes.ts'
import { updateSplit } from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { file as newFile } from '../attachments/filing.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import { balanceOf, book, change, expenseOn, newCategory, refusal } from './booking.ts'
import { newCashBack } from './parts.fixtures.ts'

const SECRETS = [
  'Corner shop',
  'Secret words',
  'Secret place',
  'secret-key',
  'Secret payee',
  '37.00',
]

/** Cash back with all that a transaction can say, on accounts of which a friend sees one. */
async function newHousehold(
  seen: 'everyday' | 'wallet',
  permission: 'view' | 'annotate' | 'write',
) {
  const found = await newCashBack()
  const { me, whole, part } = found
  const tag = await ok(createTag, { as: me, json: { name: 'Secret tag' } })
  const ofPart = await ok(createTag, { as: me, json: { name: 'Part tag' } })
  await ok(updateTransaction, {
    ...{ as: me, id: whole.id },
    json: {
      ...{ note: 'Secret words', payeeRaw: 'Secret payee', tagIds: [tag.id], reviewed: true },
      ...{ location: { lat: 1, lon: 2, name: 'Secret place' }, metadata: { 'secret-key': 'x' } },
    },
  })
  const path = { id: whole.id, lineId: part.id }
  await ok(updateSplit, { as: me, path, json: { tagIds: [ofPart.id] } })
  const friend = await newUser()
  await share(me, found[seen], friend, { permission, writeScope: 'all' })
  return { ...found, friend, tag, ofPart }
}

const idsIn = async (as: Principal, query: Record<string, string>) =>
  (await ok(listTransactions, { as, query })).transactions.map(({ id }) => id)

describe('who sees the other account alone', () => {
  it('is told of the part, and of nothing else of the whole', async () => {
    const { friend, wallet, whole, leg } = await newHousehold('wallet', 'view')
    const found = await ok(getTransaction, { as: friend, id: leg.id })
    expect(found).toMatchObject({
      ...{ kind: 'transfer', signedAmount: '30.00', description: 'Cash', note: 'Cash' },
      ...{ counterAccountId: null, parentTransactionId: null, splitId: null, tagIds: [] },
      ...{ payeeRaw: null, location: null, metadata: null, reviewed: false, attachmentCount: 0 },
    })
    const { transactions } = await ok(listTransactions, {
      as: friend,
      query: { accountId: wallet.id },
    })
    expect(transactions).toEqual([found])
    const history = await ok(listTransactionVersions, { as: friend, id: leg.id })
    expect(history.versions.length).toBeGreaterThan(0)
    const told = JSON.stringify([found, history])
    expect(SECRETS.filter((secret) => told.includes(secret))).toEqual([])
    expect(refusal(await call(getTransaction, { as: friend, id: whole.id }))).toEqual([
      ...[404, 'transactions.notFound'],
    ])
  })

  it('does not find it by what the whole says', async () => {
    const { me, friend, leg, whole, tag, ofPart } = await newHousehold('wallet', 'view')
    const asked: Record<string, string>[] = [
      ...[{ text: 'corner' }, { text: 'secret' }, { metadataKey: 'secret-key' }, { tagId: tag.id }],
      ...[{ reviewed: 'true' }, { reviewed: 'false' }, { source: 'user' }, { tagId: ofPart.id }],
      ...[{ kind: 'expense' }],
    ]
    for (const query of asked) {
      expect(await idsIn(friend, query), JSON.stringify(query)).toEqual([])
    }
    expect(await idsIn(friend, { kind: 'transfer' })).toEqual([leg.id])
    expect(await idsIn(me, { tagId: tag.id })).toEqual([whole.id])
    expect((await idsIn(me, { tagId: ofPart.id })).toSorted()).toEqual([whole.id, leg.id])
  })

  it('sees no labels, links or files of the whole', async () => {
    const { me, friend, everyday, wallet, whole, leg } = await newHousehold('wallet', 'annotate')
    const file = await newFile(me)
    const fileAt = (as: Principal, id: string) =>
      call(linkAttachment, { as, id: file.id, json: { kind: 'transaction', id } })
    expect((await fileAt(me, leg.id)).status).toBe(400)
    await fileAt(me, whole.id)
    const income = await book(me, everyday, { kind: 'income', amount: '1' })
    const json = { kind: 'custom' as const, transactionId: whole.id }
    await ok(createTransactionLink, { as: me, id: income.id, json })
    expect(await ok(getTransaction, { as: me, id: whole.id })).toMatchObject({ attachmentCount: 1 })
    expect(await ok(getTransaction, { as: friend, id: leg.id })).toMatchObject({
      attachmentCount: 0,
    })
    expect((await ok(listTransactionLinks, { as: friend, id: leg.id })).links).toEqual([])
    const viewer = await newUser()
    await share(me, wallet, viewer)
    const query = { kind: 'tag' as const }
    expect((await ok(listAccountLabels, { as: viewer, id: wallet.id, query })).labels).toEqual([])
  })

  it('may say of it what is its own', async () => {
    const { me, friend, leg } = await newHousehold('wallet', 'annotate')
    const noted = await change(friend, leg, { note: 'Mine' })
    expect(noted.body).toMatchObject({ note: 'Mine', description: 'Mine' })
    expect(refusal(await change(friend, leg, { status: 'cleared' }))).toEqual([
      403,
      'auth.rightNeeded',
    ])
    expect(refusal(await change(friend, leg, { description: 'x' }))).toEqual([
      ...[409, 'transactions.partLeg', 'description'],
    ])
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('who sees the account of the whole alone', () => {
  it('sees that there is another side, and nothing of it', async () => {
    const { friend, whole, wallet } = await newHousehold('everyday', 'view')
    const found = await ok(getTransaction, { as: friend, id: whole.id })
    expect(found.splits[1]).toMatchObject({
      ...{ amount: '30.00', note: 'Cash' },
      transfer: {
        ...{ accountId: null, transactionId: null, amount: null, currency: null, rate: null },
        ...{ status: null, externalId: null, hidden: true },
      },
    })
    const history = await ok(listTransactionVersions, { as: friend, id: whole.id })
    expect(JSON.stringify([found, history])).not.toContain(wallet.id)
  })

  it('changes all but the money of that part', async () => {
    const { me, friend, wallet, whole, bought, part } = await newHousehold('everyday', 'write')
    const hidden = [403, 'transactions.partHidden']
    expect(refusal(await call(deleteTransaction, { as: friend, id: whole.id }))).toEqual(hidden)
    const path = { id: whole.id, lineId: part.id }
    const parts = (one: string, other: string) => [
      { id: bought.id, amount: one },
      { id: part.id, amount: other },
    ]
    expect(refusal(await change(friend, whole, { splits: parts('8', '29') }))).toEqual(hidden)
    expect(refusal(await change(friend, whole, { date: '2026-01-01' }))).toEqual(hidden)
    expect(refusal(await change(friend, whole, { status: 'void' }))).toEqual(hidden)
    const gone = await call(updateSplit, { as: friend, path, json: { transferAccountId: null } })
    expect(refusal(gone)).toEqual(hidden)
    const many = { ids: [whole.id], changes: { date: '2026-01-01' } }
    const bulk = await call(updateTransactions, { as: friend, json: many })
    expect(refusal(bulk)).toEqual([...hidden, 'ids.0'])
    const more = await change(friend, whole, { amount: '38', splits: parts('8', '30') })
    expect(more.body).toMatchObject({
      amount: '38.00',
      splits: [{ amount: '8.00' }, { id: part.id }],
    })
    const category = await newCategory(me)
    const said = await call(updateSplit, {
      ...{ as: friend, path },
      json: { note: 'Said', categoryId: category.id },
    })
    expect(said.body).toMatchObject({ splits: [{}, { note: 'Said', categoryId: category.id }] })
    expect((await change(friend, whole, { description: 'New' })).status).toBe(200)
    expect(await balanceOf(me, wallet)).toBe('30.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it('records no part with an account that is not seen, or not written on', async () => {
    const { me, friend, everyday, wallet } = await newHousehold('everyday', 'write')
    const json = expenseOn(everyday, {
      splits: [{ amount: '10' }, { amount: '2.30', transferAccountId: wallet.id }],
    })
    expect(refusal(await call(createTransaction, { as: friend, json }))).toEqual([
      ...[400, 'transactions.unknownAccount', 'splits.1.transferAccountId'],
    ])
    await share(me, wallet, friend, { permission: 'annotate' })
    expect(refusal(await call(createTransaction, { as: friend, json }))).toEqual([
      403,
      'auth.rightNeeded',
    ])
  })

  it('is treated like a token for that account', async () => {
    const { me, everyday, wallet, whole, leg } = await newCashBack()
    const scopes = ['transactions.read' as const, 'transactions.write' as const]
    const [token, other] = [
      await giveToken(me, scopes, [everyday.id]),
      await giveToken(me, scopes, [wallet.id]),
    ]
    const seen = await ok(getTransaction, { as: token, id: whole.id })
    expect(seen.splits[1]?.transfer).toMatchObject({ hidden: true, accountId: null })
    expect(refusal(await call(deleteTransaction, { as: token, id: whole.id }))).toEqual([
      ...[403, 'transactions.partHidden'],
    ])
    expect(await ok(getTransaction, { as: other, id: leg.id })).toMatchObject({
      ...{ description: 'Cash', counterAccountId: null, parentTransactionId: null },
    })
    expect(refusal(await call(getTransaction, { as: other, id: whole.id }))).toEqual([
      ...[404, 'transactions.notFound'],
    ])
  })

  it('sees neither side of what is private', async () => {
    const { me, whole, leg, wallet, everyday } = await newCashBack()
    const friend = await newUser()
    await share(me, wallet, friend)
    await share(me, everyday, friend)
    await ok(updateTransaction, { as: me, id: whole.id, json: { private: true } })
    for (const id of [whole.id, leg.id]) {
      expect((await call(getTransaction, { as: friend, id })).status).toBe(404)
    }
    expect(await idsIn(friend, {})).toEqual([])
  })
})

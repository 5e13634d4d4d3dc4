import { describe, expect, it } from 'vitest'
import { createPayee, updatePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { createTag, deleteTag, updateTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  createTransfer,
  getTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { toldOf } from '../ledger/events.ts'
import { book, change, expenseOn, refusal, tripsOf } from './booking.ts'

let serial = 0

const newTag = (as: Principal, archived = false) =>
  ok(createTag, { as, json: { name: `Tag ${++serial}`, archived } })

const newPayee = (
  as: Principal,
  wanted: { name?: string; aliases?: string[]; archived?: boolean } = {},
) => ok(createPayee, { as, json: { name: `Payee ${++serial}`, ...wanted } })

async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  const tags = [await newTag(me), await newTag(me), await newTag(me)].map(({ id }) => id)
  const payees = [await newPayee(me), await newPayee(me)].map(({ id }) => id)
  return { me, account, tags: tags.toSorted(), payees }
}

const shown = (as: TestUser, { id }: { id: string }) => ok(getTransaction, { as, id })

describe('payee and tags of a transaction', () => {
  it('are 200 tags at most on all parts together', async () => {
    const { me, account, tags } = await newBooks()
    const tagIds = [...tags, (await newTag(me)).id]
    const splits = (count: number) => Array.from({ length: count }, () => ({ amount: '1', tagIds }))
    const refused = [400, 'transactions.tooManyTagsOfParts', 'splits']
    const tooMany = expenseOn(account, { amount: '51', splits: splits(51) })
    expect(refusal(await call(createTransaction, { as: me, json: tooMany }))).toEqual(refused)
    const json = expenseOn(account, { amount: '51', splits: [...splits(50), { amount: '1' }] })
    const { id, splits: stored } = await ok(createTransaction, { as: me, json })
    const splitId = stored.at(-1)?.id ?? ''
    const one = { tagIds: tagIds.slice(0, 1) }
    expect(
      refusal(await call(updateSplit, { as: me, path: { id, lineId: splitId }, json: one })),
    ).toEqual(refused)
  })

  it('are stored with it and with its parts, each tag once, and shown everywhere', async () => {
    const { me, account, tags, payees } = await newBooks()
    const [one = '', two = '', three = ''] = tags
    const [shop = '', bank = ''] = payees
    const answer = await call(createTransaction, {
      as: me,
      json: expenseOn(account, {
        payeeId: shop,
        tagIds: [two, one, two],
        splits: [{ amount: '12', payeeId: bank, tagIds: [three] }, { amount: '0.30' }],
      }),
    })
    expect([answer.status, tripsOf(answer)]).toEqual([201, 2])
    const { body } = answer
    expect([body.payeeId, body.tagIds]).toEqual([shop, [one, two]])
    expect(body.splits.map(({ payeeId, tagIds }) => [payeeId, tagIds])).toEqual([
      [bank, [three]],
      [null, []],
    ])
    expect(await shown(me, body)).toEqual(body)
    expect((await ok(listTransactions, { as: me })).transactions).toEqual([body])
  })

  it('are replaced by what is sent, cleared by null or none, and else stay', async () => {
    const { me, account, tags, payees } = await newBooks()
    const [one = '', two = ''] = tags
    const [shop = '', bank = ''] = payees
    const created = await book(me, account, { payeeId: shop, tagIds: [one] })
    const kept = await change(me, created, { amount: '5', description: 'x' })
    expect(kept.body).toMatchObject({ payeeId: shop, tagIds: [one], version: 2 })
    const replaced = await change(me, created, { payeeId: bank, tagIds: [two] })
    expect([replaced.body.payeeId, replaced.body.tagIds]).toEqual([bank, [two]])
    expect(tripsOf(replaced)).toBe(2)
    expect(await shown(me, created)).toEqual(replaced.body)
    const cleared = await change(me, created, { payeeId: null, tagIds: [] })
    expect(cleared.body).toMatchObject({ payeeId: null, tagIds: [], version: 4 })
  })

  it('of parts stay with their part through every change of parts', async () => {
    const { me, account, tags, payees } = await newBooks()
    const [one = '', two = ''] = tags
    const [shop = '', bank = ''] = payees
    const created = await book(me, account, {
      tagIds: [one],
      splits: [
        { amount: '10', payeeId: shop, tagIds: [one] },
        { amount: '2.30', payeeId: bank },
      ],
    })
    const [first, second] = created.splits
    const path = updateSplit.path.replace('{lineId}', second?.id ?? '')
    const json = { tagIds: [two], payeeId: null }
    const edited = await ok({ ...updateSplit, path } as typeof updateSplit, {
      as: me,
      id: created.id,
      json,
    })
    expect(edited.splits).toEqual([first, { ...second, ...json }])
    const dated = await change(me, created, { date: '2026-01-01' })
    expect([dated.body.splits, dated.body.tagIds]).toEqual([edited.splits, [one]])
    const replaced = await ok(replaceSplits, {
      as: me,
      id: created.id,
      json: {
        splits: [
          { amount: '1', tagIds: [two, one], payeeId: shop },
          { id: second?.id ?? '', amount: '11.30' },
        ],
      },
    })
    expect(
      replaced.splits.map(({ id, payeeId, tagIds }) => [id === second?.id, payeeId, tagIds]),
    ).toEqual([
      [true, null, []],
      [false, shop, [one, two].toSorted()],
    ])
    const unsplit = await change(me, created, { splits: [] })
    expect(unsplit.body).toMatchObject({ splits: [], tagIds: [one] })
    const left = await rows(
      'SELECT line FROM transaction_tags WHERE transaction_id = ?',
      created.id,
    )
    expect(left).toEqual([{ line: 0 }])
  })

  it('stay in the trash, in the log, and go with the row', async () => {
    const { me, account, tags, payees } = await newBooks()
    const [one = ''] = tags
    const [shop = ''] = payees
    const { id } = await book(me, account, { payeeId: shop, tagIds: [one] })
    await ok(deleteTransaction, { as: me, id })
    const links = () =>
      rows(
        `SELECT tag_id AS id FROM transaction_tags WHERE transaction_id = ?1
         UNION ALL SELECT payee_id FROM transaction_payees WHERE transaction_id = ?1`,
        id,
      )
    expect(await links()).toEqual([{ id: one }, { id: shop }])
    const [, deleted] = await toldOf(id)
    expect(deleted).toEqual([
      'transaction.deleted',
      {
        before: {
          kind: 'expense',
          date: '2026-11-20',
          amountMinor: -1230,
          payeeId: shop,
          tagIds: [one],
          status: 'uncleared',
        },
      },
    ])
    await rows('DELETE FROM transactions WHERE id = ?', id)
    expect(await links()).toEqual([])
  })

  it('must be the own ones, and not archived unless they were there before', async () => {
    const { me, account, tags, payees } = await newBooks()
    const stranger = await newUser()
    const [foreignTag, foreignPayee] = [await newTag(stranger), await newPayee(stranger)]
    const [oldTag, oldPayee] = [await newTag(me, true), await newPayee(me, { archived: true })]
    const [one = ''] = tags
    const [shop = ''] = payees
    const refused = async (wanted: Parameters<typeof expenseOn>[1]) =>
      refusal(await call(createTransaction, { as: me, json: expenseOn(account, wanted) }))
    const parts = (part: object) => [{ amount: '12', ...part }, { amount: '0.30' }]
    expect(await refused({ tagIds: [one, foreignTag.id] })).toEqual([
      400,
      'tags.unknownTag',
      'tagIds.1',
    ])
    expect(await refused({ splits: parts({ tagIds: [foreignTag.id] }) })).toEqual([
      400,
      'tags.unknownTag',
      'splits.0.tagIds.0',
    ])
    expect(await refused({ tagIds: [oldTag.id] })).toEqual([400, 'tags.archivedTag', 'tagIds.0'])
    expect(await refused({ payeeId: foreignPayee.id })).toEqual([400, 'payees.notThere', 'payeeId'])
    expect(await refused({ splits: parts({ payeeId: foreignPayee.id }) })).toEqual([
      400,
      'payees.notThere',
      'splits.0.payeeId',
    ])
    expect(await refused({ payeeId: oldPayee.id })).toEqual([
      400,
      'payees.archivedPayee',
      'payeeId',
    ])
    expect(await refused({ tagIds: Array.from({ length: 51 }, () => one) })).toEqual([
      400,
      'request.invalid',
      'tagIds',
    ])
    const created = await book(me, account, { payeeId: shop, tagIds: [one] })
    await ok(updateTag, { as: me, id: one, json: { archived: true } })
    await ok(updatePayee, { as: me, id: shop, json: { archived: true } })
    expect((await change(me, created, { payeeId: shop, tagIds: [one] })).status).toBe(200)
    const unknown = await change(me, created, { tagIds: [foreignTag.id] })
    expect(refusal(unknown)).toEqual([400, 'tags.unknownTag', 'tagIds.0'])
  })

  it('is not stored with a tag that is deleted in between', async () => {
    const { me, account, tags } = await newBooks()
    const meanwhile = () => ok(deleteTag, { as: me, id: tags[0] ?? '' })
    const raced = await serviceWith({ meanwhile }).call(createTransaction, {
      as: me,
      json: expenseOn(account, { tagIds: [tags[0] ?? ''] }),
    })
    expect(refusal(raced)).toEqual([400, 'tags.unknownTag'])
    expect((await ok(listTransactions, { as: me })).count).toBe(0)
  })
})

describe('what a bank wrote', () => {
  it('means a payee by alias or name where none is named, and is never overwritten', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const tesco = await newPayee(me, { name: 'Tesco', aliases: ['TESCO STORES'] })
    const other = await newPayee(me)
    const by = (wanted: Parameters<typeof expenseOn>[1]) => book(me, account, wanted)
    const meant = await by({ payeeRaw: 'Tesco  stores' })
    expect([meant.payeeId, meant.payeeRaw]).toEqual([tesco.id, 'Tesco  stores'])
    expect((await by({ payeeRaw: 'TESCO' })).payeeId).toBe(tesco.id)
    expect((await by({ payeeRaw: 'TESCO 2' })).payeeId).toBeNull()
    expect((await by({ payeeRaw: 'TESCO', payeeId: null })).payeeId).toBeNull()
    const named = await by({ payeeRaw: 'TESCO', payeeId: other.id })
    expect([named.payeeId, named.payeeRaw]).toEqual([other.id, 'TESCO'])
    const changed = await change(me, meant, { payeeId: other.id })
    expect([changed.body.payeeId, changed.body.payeeRaw]).toEqual([other.id, 'Tesco  stores'])
  })
})

describe('a transfer', () => {
  it('has tags on both legs, which either side may change', async () => {
    const { me, account, tags, payees } = await newBooks()
    const second = await newAccount(me)
    const [one = '', two = ''] = tags
    const created = await ok(createTransfer, {
      as: me,
      json: {
        fromAccountId: account.id,
        toAccountId: second.id,
        date: '2026-11-20',
        amount: '5',
        tagIds: [one],
      },
    })
    expect([created.tagIds, created.from.tagIds, created.to.tagIds]).toEqual([[one], [one], [one]])
    expect(await ok(getTransfer, { as: me, id: created.id })).toEqual(created)
    await change(me, created.from, { payeeId: payees[0] ?? '' })
    const changed = await ok(updateTransfer, { as: me, id: created.id, json: { tagIds: [two] } })
    expect([changed.tagIds, changed.to.tagIds, changed.to.payeeId]).toEqual([
      [two],
      [two],
      payees[0],
    ])
    await change(me, created.to, { tagIds: [] })
    expect((await ok(getTransfer, { as: me, id: created.id })).tagIds).toEqual([])
    const foreign = await newTag(await newUser())
    const refused = await call(updateTransfer, {
      as: me,
      id: created.id,
      json: { tagIds: [foreign.id] },
    })
    expect(refusal(refused)).toEqual([400, 'tags.unknownTag', 'tagIds.0'])
  })
})

it('narrow the list and its count, also by what a part has', async () => {
  const { me, account, tags, payees } = await newBooks()
  const [one = '', two = ''] = tags
  const [shop = ''] = payees
  const whole = await book(me, account, { tagIds: [one], payeeId: shop })
  const split = await book(me, account, {
    splits: [{ amount: '12', tagIds: [one] }, { amount: '0.30' }],
  })
  await book(me, account, { tagIds: [two] })
  const found = async (query: { tagId?: string; payeeId?: string; accountId?: string }) => {
    const { transactions, count } = await ok(listTransactions, { as: me, query })
    return [count, ...transactions.map(({ id }) => id).toSorted()]
  }
  expect(await found({ tagId: one })).toEqual([2, ...[whole.id, split.id].toSorted()])
  expect(await found({ tagId: one, payeeId: shop, accountId: account.id })).toEqual([1, whole.id])
  expect(await found({ tagId: 'tag_x' })).toEqual([0])
  const other = await newUser()
  expect((await ok(listTransactions, { as: other, query: { tagId: one } })).count).toBe(0)
})

import { describe, expect, it } from 'vitest'
import {
  deleteSplits,
  listSplits,
  replaceSplits,
  updateSplit,
} from '../../../src/areas/money/transactions/splits/splits.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTag, deleteTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, fetchRaw, ok } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { balanceOf, book, change, newCategory, refusal, tripsOf } from './booking.ts'

type Parts = NonNullable<
  NonNullable<Parameters<typeof call<typeof replaceSplits>>[1]>['json']
>['splits']

const parts = (...amounts: string[]): Parts => amounts.map((amount) => ({ amount }))

/** An expense of 12.30 in three parts: 10.00, 4.00 and a refund of 1.70. */
async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  const splits = parts('10', '4', '-1.7')
  const expense = await book(me, account, { splits })
  const [first = '', second = '', third = ''] = expense.splits.map(({ id }) => id)
  return { me, account, expense, first, second, third }
}

const numbersOf = (splits: { id: string }[]) => splits.map(({ id }) => Number(id.split('-')[1]))

const replace = (as: TestUser, { id }: { id: string }, splits: Parts) =>
  call(replaceSplits, { as, id, json: { splits } })

const changePart = (
  as: TestUser,
  { id }: { id: string },
  lineId: string,
  json: Record<string, unknown>,
) => {
  const path = updateSplit.path.replace('{lineId}', encodeURIComponent(lineId))
  return call({ ...updateSplit, path }, { as, id, json })
}

const amountsOf = ({ splits }: { splits: { amount: string }[] }) =>
  splits.map(({ amount }) => amount)

describe('the parts of a transaction', () => {
  it('are listed in one trip, and there are none where it is whole', async () => {
    const { me, account, expense } = await newBooks()
    const listed = await call(listSplits, { as: me, id: expense.id })
    expect(listed.body).toEqual({ splits: expense.splits, count: 3 })
    expect(tripsOf(listed)).toBe(1)
    const whole = await book(me, account)
    expect(await ok(listSplits, { as: me, id: whole.id })).toEqual({ splits: [], count: 0 })
  })

  it('are replaced together; those that are sent with their id keep it', async () => {
    const { me, account, expense, first, third } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const changed = await replace(me, expense, [
      { id: third, amount: '0.30', note: 'kept' },
      { amount: '2', categoryId },
      { id: first, amount: '10' },
    ])
    const [one, two, three] = changed.body.splits
    const plain = { categoryId: null, payeeId: null, tagIds: [], transfer: null }
    expect([one, two]).toEqual([
      { ...plain, id: first, amount: '10.00', note: null },
      { ...plain, id: third, amount: '0.30', note: 'kept' },
    ])
    expect(three).toMatchObject({ amount: '2.00', categoryId, note: null })
    expect(expense.splits.map(({ id }) => id)).not.toContain(three?.id)
    expect(await ok(getTransaction, { as: me, id: expense.id })).toEqual(changed.body)
    expect(await balanceOf(me, account)).toBe('-12.30')
    expect(await differencesOf(me)).toEqual([])
  })

  it('have the numbers after all that were there, so that nothing of those they replace comes to them', async () => {
    const { me, expense, first, third } = await newBooks()
    const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Tag' } })
    const tagged = await changePart(me, expense, third, { tagIds: [tagId] })
    expect(tagged.body).toMatchObject({ splits: [{}, {}, { id: third, tagIds: [tagId] }] })
    const { body } = await replace(me, expense, [
      { id: first, amount: '10', note: 'mine' },
      ...parts('2', '0.3'),
    ])
    expect(numbersOf(body.splits)).toEqual([2, 5, 6])
    expect(body.splits.map(({ tagIds, note }) => [tagIds, note])).toEqual([
      [[], 'mine'],
      [[], null],
      [[], null],
    ])
    const anew = await replace(me, expense, parts('12', '0.2', '0.06', '0.04'))
    expect(numbersOf(anew.body.splits)).toEqual([7, 8, 9, 10])
    // What comes back from the trash finds the part that had it, or none.
    await ok(deleteTag, { as: me, id: tagId })
    await ok(restoreFromTrash, { as: me, path: { kind: 'tag', id: tagId } })
    expect(
      (await ok(getTransaction, { as: me, id: expense.id })).splits.flatMap(({ tagIds }) => tagIds),
    ).toEqual([])
    expect(await differencesOf(me)).toEqual([])
  })

  it('never have a number that a part had that was dropped, wherever the transaction was meanwhile', async () => {
    const { me, expense, first, second, third } = await newBooks()
    const { id: tagId } = await ok(createTag, { as: me, json: { name: 'Tag' } })
    await changePart(me, expense, third, { tagIds: [tagId] })
    await ok(deleteTag, { as: me, id: tagId })
    const two = [
      { id: first, amount: '10' },
      { id: second, amount: '2.30' },
    ]
    const sent: [Parts, number[]][] = [
      [two, [2, 3]],
      [
        [{ id: first, amount: '10' }, ...parts('2.30')],
        [2, 5],
      ],
      [[], []],
      [parts('12', '0.30'), [6, 7]],
    ]
    for (const [splits, numbers] of sent) {
      await ok(deleteTransaction, { as: me, id: expense.id })
      const path = { kind: 'transaction', id: expense.id }
      await ok(restoreFromTrash, { as: me, path })
      const { body } = await change(me, expense, { splits })
      expect(numbersOf(body.splits)).toEqual(numbers)
    }
    await ok(restoreFromTrash, { as: me, path: { kind: 'tag', id: tagId } })
    const { splits, tagIds } = await ok(getTransaction, { as: me, id: expense.id })
    expect([tagIds, splits.flatMap((part) => part.tagIds)]).toEqual([[], []])
    expect(await differencesOf(me)).toEqual([])
  })

  it('are told to the log in the order of their numbers, in whatever order they are sent', async () => {
    const me = await newUser()
    const expense = await book(me, await newAccount(me), {
      splits: [{ amount: '12' }, { amount: '0.30' }],
    })
    const [one, two] = expense.splits.map(({ id }) => id)
    const parts = [{ amount: '2' }, { id: two, amount: '0.30' }, { id: one, amount: '10' }]
    expect((await change(me, expense, { splits: parts })).status).toBe(200)
    expect((await change(me, expense, { splits: [] })).status).toBe(200)
    expect(await flawsOfLog(me)).toEqual([])
  })

  it('take the place of the category that the whole had', async () => {
    const { me, account } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const whole = await book(me, account, { categoryId })
    const split = await replace(me, whole, parts('12', '0.30'))
    expect([split.body.categoryId, amountsOf(split.body)]).toEqual([null, ['12.00', '0.30']])
    const categorised = await change(me, whole, { categoryId })
    expect(refusal(categorised)).toEqual([400, 'transactions.categoryAndSplits', 'categoryId'])
    const back = await change(me, whole, { splits: [], categoryId })
    expect([back.body.categoryId, back.body.splits]).toEqual([categoryId, []])
  })

  it('are undone by deleting them all', async () => {
    const { me, account, expense, first } = await newBooks()
    const whole = await ok(deleteSplits, { as: me, id: expense.id })
    expect(whole).toMatchObject({ splits: [], categoryId: null, amount: '12.30', version: 2 })
    expect(refusal(await changePart(me, expense, first, { note: 'x' }))).toEqual([
      404,
      'transactions.splitNotFound',
    ])
    expect(await balanceOf(me, account)).toBe('-12.30')
    expect(await differencesOf(me)).toEqual([])
  })

  it('must follow when the amount changes', async () => {
    const { me, expense } = await newBooks()
    const bare = await change(me, expense, { amount: '13' })
    expect(refusal(bare)).toEqual([400, 'transactions.splitSum', 'splits'])
    const both = await change(me, expense, { amount: '13', splits: parts('12', '1') })
    expect(amountsOf(both.body)).toEqual(['12.00', '1.00'])
  })

  it('stay as they are told when an expense becomes an income', async () => {
    const { me, account, expense } = await newBooks()
    const { body } = await change(me, expense, { kind: 'income' })
    expect(body.splits).toEqual(expense.splits)
    expect(await balanceOf(me, account)).toBe('12.30')
    const adjusted = await change(me, expense, { kind: 'adjustment' })
    expect(refusal(adjusted)).toEqual([400, 'transactions.categoryOnAdjustment', 'splits'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('keep an income from becoming an expense while they have categories for income', async () => {
    const { me, expense } = await newBooks()
    const [food, salary] = [await newCategory(me), await newCategory(me, 'income')]
    const partsOn = (categoryId: string) => [{ amount: '12', categoryId }, { amount: '0.30' }]
    const earned = { kind: 'income', splits: partsOn(salary.id) } as const
    expect((await change(me, expense, earned)).status).toBe(200)
    const refused = await change(me, expense, { kind: 'expense' })
    expect(refusal(refused)).toEqual([400, 'transactions.categoryKind', 'splits'])
    const spent = { kind: 'expense', splits: partsOn(food.id) } as const
    expect((await change(me, expense, spent)).status).toBe(200)
    expect((await change(me, expense, { kind: 'income' })).status).toBe(200)
    expect((await change(me, expense, { kind: 'expense' })).status).toBe(200)
    expect(await differencesOf(me)).toEqual([])
  })

  it('that are none, of another transaction, sent twice or miss the sum are refused', async () => {
    const { me, account, expense, first } = await newBooks()
    const other = await book(me, account, { splits: parts('10', '2.3') })
    const foreign = other.splits[0]?.id ?? ''
    const twoOf = (id: string, amount = '10') => [{ id, amount }, { amount: '2.3' }]
    const cases: [Parts, string, string][] = [
      [[], 'request.invalid', 'splits'],
      [parts('12.30'), 'request.invalid', 'splits'],
      [parts('10', '2.29'), 'transactions.splitSum', 'splits'],
      [parts('12.30', '0'), 'money.zero', 'splits.1.amount'],
      [parts('12.30', '0.001'), 'money.tooManyDigits', 'splits.1.amount'],
      [twoOf(foreign), 'transactions.unknownSplit', 'splits.0.id'],
      [twoOf(`${first}0`), 'transactions.unknownSplit', 'splits.0.id'],
      [twoOf(first.replace(/-2$/, '-1')), 'transactions.unknownSplit', 'splits.0.id'],
      [twoOf(first.replace(/-2$/, '-02')), 'transactions.unknownSplit', 'splits.0.id'],
      [[{ id: first, amount: '10' }, { id: first, amount: '2.3' }], 'transactions.unknownSplit', 'splits.1.id'],
    ] // prettier-ignore
    for (const [splits, code, field] of cases) {
      const refused = await replace(me, expense, splits)
      expect(refusal(refused), JSON.stringify(splits)).toEqual([400, code, field])
    }
    expect(await ok(getTransaction, { as: me, id: expense.id })).toEqual(expense)
  })
})

describe('one part', () => {
  it('changes what is sent of it and leaves the others alone', async () => {
    const { me, expense, second } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const changed = await changePart(me, expense, second, { categoryId, note: 'cheese' })
    expect(tripsOf(changed)).toBe(2)
    expect(changed.body.splits).toEqual(
      expense.splits.map((part) =>
        part.id === second ? { ...part, categoryId, note: 'cheese' } : part,
      ),
    )
    const cleared = await changePart(me, expense, second, { categoryId: null, amount: '4.0' })
    expect(cleared.body.splits[1]).toEqual({
      id: second,
      amount: '4.00',
      categoryId: null,
      payeeId: null,
      tagIds: [],
      note: 'cheese',
      transfer: null,
    })
    expect(await differencesOf(me)).toEqual([])
  })

  it('cannot change its amount alone: the parts would miss the whole', async () => {
    const { me, expense, first } = await newBooks()
    const refused = await changePart(me, expense, first, { amount: '11' })
    expect(refusal(refused)).toEqual([400, 'transactions.splitSum', 'splits'])
  })

  it('takes no category of another kind or another user', async () => {
    const { me, expense, first } = await newBooks()
    const [salary, foreign] = [await newCategory(me, 'income'), await newCategory(await newUser())]
    const wrong = [
      [salary.id, 'transactions.categoryKind'],
      [foreign.id, 'transactions.unknownCategory'],
    ] as const
    for (const [categoryId, code] of wrong) {
      const refused = await changePart(me, expense, first, { categoryId })
      expect(refusal(refused)).toEqual([400, code, 'categoryId'])
    }
    const unknown = await changePart(me, expense, first, { id: first })
    expect(refusal(unknown)).toEqual([400, 'request.invalid', 'id'])
  })

  it('is not found under any id that is not its own', async () => {
    const { me, account, expense, first } = await newBooks()
    const other = await book(me, account, { splits: parts('10', '2.3') })
    const near = first.replace(/-2$/, '')
    const ids = [`${someId('spl')}-2`, other.splits[0]?.id ?? '', `${near}-1`, `${near}-22`]
    for (const id of ids) {
      const refused = await changePart(me, expense, id, { note: 'x' })
      expect(refusal(refused), id).toEqual([404, 'transactions.splitNotFound'])
    }
  })
})

describe('parts', () => {
  it("of another user's transaction are not found, and stay as they are", async () => {
    const { me, expense, first } = await newBooks()
    const stranger = await newUser()
    const answers = [
      await call(listSplits, { as: stranger, id: expense.id }),
      await replace(stranger, expense, parts('12', '0.3')),
      await changePart(stranger, expense, first, { note: 'x' }),
      await call(deleteSplits, { as: stranger, id: expense.id }),
    ]
    for (const answer of answers) {
      expect(refusal(answer)).toEqual([404, 'transactions.notFound'])
    }
    expect(await ok(getTransaction, { as: me, id: expense.id })).toEqual(expense)
  })

  it('are not for transfers', async () => {
    const { me, account } = await newBooks()
    const to = await newAccount(me)
    const json = { fromAccountId: account.id, toAccountId: to.id, date: '2026-11-20', amount: '10' }
    const { from } = await ok(createTransfer, { as: me, json })
    expect(await ok(listSplits, { as: me, id: from.id })).toEqual({ splits: [], count: 0 })
    const refused = await replace(me, from, parts('5', '5'))
    expect(refusal(refused)).toEqual([409, 'transactions.transferLeg', 'splits'])
    expect((await call(deleteSplits, { as: me, id: from.id })).status).toBe(409)
    const other = from.id.replace(/^txn_(\w+)-1$/, 'spl_$1-2')
    expect(refusal(await changePart(me, from, other, { note: 'x' }))).toEqual([
      404,
      'transactions.splitNotFound',
    ])
  })

  it('honour If-Match', async () => {
    const { me, expense, first } = await newBooks()
    const stale = { 'If-Match': '"7-x"' }
    const json = { splits: parts('12', '0.3') }
    const path = `/transaction/${expense.id}/split/${first}`
    const answers = [
      await call(replaceSplits, { as: me, id: expense.id, json, headers: stale }),
      await call(deleteSplits, { as: me, id: expense.id, headers: stale }),
      await fetchRaw(path, {
        method: 'PATCH',
        headers: {
          ...stale,
          Authorization: `Bearer ${me.accessToken}`,
          'Content-Type': 'application/json',
        },
        body: '{"note":"x"}',
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412])
  })
})

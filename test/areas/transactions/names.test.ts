import { describe, expect, it } from 'vitest'
import {
  createCategory,
  listCategories,
} from '../../../src/areas/money/categories/categories.routes.ts'
import { createExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import {
  createPayee,
  listPayees,
  updatePayee,
} from '../../../src/areas/money/payees/payees.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { eventsOf } from '../ledger/events.ts'
import { share } from '../sharing/sharing.ts'
import { archive, refusal, type TransactionInput, tripsOf } from './booking.ts'

/** An expense of 12.30 on the account Everyday, unless told otherwise. */
const named = (wanted: Partial<TransactionInput> = {}): TransactionInput => ({
  kind: 'expense',
  accountName: 'Everyday',
  date: '2026-11-20',
  amount: '12.30',
  ...wanted,
})

const create = (as: Principal, wanted: Partial<TransactionInput> = {}) =>
  call(createTransaction, { as, json: named(wanted) })

async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me, { name: 'Everyday' })
  const json = { name: 'Groceries', kind: 'expense' as const }
  const category = await ok(createCategory, { as: me, json })
  const payee = await ok(createPayee, { as: me, json: { name: 'Tesco', aliases: ['TESCO 3021'] } })
  return { me, account, category, payee }
}

const labelsOf = async (as: Principal) => ({
  categories: (await ok(listCategories, { as })).categories.map(({ name }) => name),
  payees: (await ok(listPayees, { as })).payees.map(({ name }) => name),
})

const countOf = async (as: Principal) => (await ok(listTransactions, { as })).count

describe('a name in the place of an id', () => {
  it('finds account, category and payee, whatever its case and width, in one trip', async () => {
    const { me, account, category, payee } = await newBooks()
    const found = await create(me, {
      accountName: ' ｅveryday',
      categoryName: 'GROCERIES',
      payeeName: 'tesco ',
    })
    expect([found.status, tripsOf(found)]).toEqual([201, 2])
    expect(found.body).toMatchObject({
      accountId: account.id,
      categoryId: category.id,
      payeeId: payee.id,
    })
    const { kind: _, ...expense } = named({ categoryName: 'groceries', payeeName: 'Tesco 3021' })
    const { status, body } = await call(createExpense, { as: me, json: expense })
    expect([status, body.categoryId, body.payeeId]).toEqual([201, category.id, payee.id])
  })

  it('stands in parts and in the fee of a transfer, too', async () => {
    const { me, account, category, payee } = await newBooks()
    const split = await create(me, {
      splits: [
        { amount: '10', categoryName: 'groceries' },
        { amount: '2.30', payeeName: 'tesco' },
      ],
    })
    expect(split.body.splits).toMatchObject([
      { categoryId: category.id, payeeId: null },
      { categoryId: null, payeeId: payee.id },
    ])
    const savings = await newAccount(me, { name: 'Savings' })
    const json = { fromAccountName: 'everyday', toAccountName: 'SAVINGS', date: '2026-11-20' }
    const fee = { amount: '1', categoryName: 'Bank fees' }
    const transfer = { as: me, json: { ...json, amount: '10', fee } }
    const refused = await call(createTransfer, transfer)
    expect(refusal(refused)).toEqual([400, 'categories.unknownName', 'fee.categoryName'])
    const moved = await call(createTransfer, {
      as: me,
      json: { ...transfer.json, createMissing: true },
    })
    expect([moved.status, tripsOf(moved)]).toEqual([201, 2])
    const { from, to } = moved.body
    expect([from.accountId, to.accountId]).toEqual([account.id, savings.id])
    const { categories } = await ok(listCategories, { as: me })
    expect(categories.find(({ name }) => name === 'Bank fees')).toMatchObject({
      id: moved.body.fee?.categoryId,
      kind: 'expense',
    })
  })

  it('lets the text of the bank mean what it means on the account that it names', async () => {
    const { me, payee } = await newBooks()
    const { body } = await create(me, { payeeRaw: 'TESCO 3021' })
    expect([body.payeeId, body.payeeRaw]).toEqual([payee.id, 'TESCO 3021'])
    const other = await ok(createPayee, { as: me, json: { name: 'Lidl' } })
    const said = await create(me, { payeeRaw: 'TESCO 3021', payeeName: 'Lidl' })
    expect(said.body.payeeId).toBe(other.id)
  })

  it.each<[string, Partial<TransactionInput>, (string | number)[]]>([
    ['an account', { accountName: 'Nowhere' }, [400, 'transactions.unknownAccount', 'accountName']],
    ['a category', { categoryName: 'Fun' }, [400, 'categories.unknownName', 'categoryName']],
    ['a payee', { payeeName: 'Lidl' }, [400, 'payees.unknownName', 'payeeName']],
    [
      'the category of a part',
      { splits: [{ amount: '12' }, { amount: '0.30', categoryName: 'Fun' }] },
      [400, 'categories.unknownName', 'splits.1.categoryName'],
    ],
    [
      'a category of an adjustment',
      { kind: 'adjustment', categoryName: 'Groceries', createMissing: true },
      [400, 'transactions.categoryOnAdjustment', 'categoryName'],
    ],
    ['no account', { accountName: undefined }, [400, 'request.invalid', 'accountId']],
    ['no account that it may be', { accountName: '' }, [400, 'request.invalid', 'accountName']],
    ['both of an account', { accountId: 'acc_x' }, [400, 'request.invalid', 'accountName']],
    [
      'both of a category',
      { categoryId: 'cat_x', categoryName: 'x' },
      [400, 'request.invalid', 'categoryName'],
    ],
    [
      'both of a payee, though it is none',
      { payeeId: null, payeeName: 'x' },
      [400, 'request.invalid', 'payeeName'],
    ],
  ])('is refused for %s', async (_, wanted, expected) => {
    const { me } = await newBooks()
    expect(refusal(await create(me, wanted))).toEqual(expected)
    expect([await countOf(me), await labelsOf(me)]).toEqual([
      0,
      { categories: ['Groceries'], payees: ['Tesco'] },
    ])
  })

  it('is refused with the ids where several have it, and where all that have it are archived', async () => {
    const { me, account, category, payee } = await newBooks()
    const home = await ok(createCategory, { as: me, json: { name: 'Home', kind: 'expense' } })
    const below = { name: 'groceries', kind: 'expense' as const, parentId: home.id }
    const second = await ok(createCategory, { as: me, json: below })
    const ambiguous = await create(me, { categoryName: 'Groceries', createMissing: true })
    expect(refusal(ambiguous)).toEqual([400, 'categories.ambiguousName', 'categoryName'])
    expect(ambiguous.error.error).toContain(`${category.id}, ${second.id}`)
    await archive(second)
    expect((await create(me, { categoryName: 'Groceries' })).body.categoryId).toBe(category.id)
    await archive(category)
    const archived = await create(me, { categoryName: 'Groceries', createMissing: true })
    expect(refusal(archived)).toEqual([400, 'categories.archivedCategory', 'categoryName'])
    await ok(updatePayee, { as: me, id: payee.id, json: { archived: true } })
    const gone = await create(me, { payeeName: 'Tesco', createMissing: true })
    expect(refusal(gone)).toEqual([400, 'payees.archivedPayee', 'payeeName'])

    const other = await newUser()
    const shared = await newAccount(other, { name: 'Everyday' })
    await share(other, shared, me)
    const two = await create(me)
    expect(refusal(two)).toEqual([400, 'accounts.ambiguousName', 'accountName'])
    expect(two.error.error).toContain([account.id, shared.id].toSorted().join(', '))
  })
})

describe('createMissing', () => {
  it('creates category and payee with the booking, and finds them from then on', async () => {
    const { me } = await newBooks()
    const wanted = { categoryName: ' Fun ', payeeName: 'Cinema', createMissing: true }
    const first = await create(me, wanted)
    expect([first.status, tripsOf(first)]).toEqual([201, 2])
    const { categoryId, payeeId } = first.body
    const { categories } = await ok(listCategories, { as: me })
    expect(categories.find(({ id }) => id === categoryId)).toMatchObject({
      name: 'Fun',
      kind: 'expense',
      parentId: null,
    })
    for (const [id, type] of [
      [categoryId, 'category.created'],
      [payeeId, 'payee.created'],
    ]) {
      expect((await eventsOf(id ?? '')).map((event) => event.type)).toEqual([type])
    }
    const second = await create(me, { ...wanted, categoryName: 'FUN' })
    expect(second.body).toMatchObject({ categoryId, payeeId })
    expect(await labelsOf(me)).toEqual({
      categories: ['Groceries', 'Fun'],
      payees: ['Tesco', 'Cinema'],
    })
  })

  it('creates nothing where nothing is booked', async () => {
    const { me, account } = await newBooks()
    const wanted = { categoryName: 'Fun', payeeName: 'Cinema', createMissing: true }
    const none = [
      await create(me, { ...wanted, amount: '0' }),
      await create(me, { ...wanted, categoryName: 'Groceries', tagIds: ['tag_x'] }),
    ]
    expect(none.map(({ status }) => status)).toEqual([400, 400])
    const booked = await create(me, { externalId: 'x' })
    for (const place of [{}, { accountName: undefined, accountId: account.id }]) {
      const again = await create(me, { ...wanted, ...place, externalId: 'x' })
      expect([again.status, again.body]).toEqual([200, booked.body])
    }
    expect(await labelsOf(me)).toEqual({ categories: ['Groceries'], payees: ['Tesco'] })
  })

  it('never creates one twice, however many book at the same moment', async () => {
    const { me } = await newBooks()
    const wanted = { categoryName: 'Fun', payeeName: 'Cinema', createMissing: true }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        create(me, { ...wanted, payeeName: at % 2 ? 'cinema' : 'Cinema' }),
      ),
    )
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(refusal(answer)).toEqual([409, 'ledger.createdMeanwhile'])
    }
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(1)
    expect(new Set(made.map(({ body }) => `${body.categoryId} ${body.payeeId}`)).size).toBe(1)
    const { categories, payees } = await labelsOf(me)
    expect([categories.length, payees.length, await countOf(me)]).toEqual([2, 2, made.length])
  })

  it('finds what somebody created between reading and writing', async () => {
    const { me } = await newBooks()
    const json = named({ payeeName: 'Cinema', createMissing: true })
    const service = serviceWith({
      meanwhile: () => ok(createPayee, { as: me, json: { name: 'CINEMA' } }),
    })
    const raced = await service.call(createTransaction, { as: me, json })
    const [, cinema, ...others] = (await ok(listPayees, { as: me })).payees
    expect([cinema?.name, others]).toEqual(['CINEMA', []])
    expect(raced).toMatchObject({ status: 201, body: { payeeId: cinema?.id } })
  })

  it('needs the permission to create what is missing', async () => {
    const { me } = await newBooks()
    const token = await giveToken(me, ['transactions.write'])
    const refused = await create(token, { payeeName: 'Cinema', createMissing: true })
    expect(refusal(refused)).toEqual([403, 'auth.forbidden'])
    expect((await create(token, { payeeName: 'Tesco', createMissing: true })).status).toBe(201)
  })
})

describe('on an account of somebody else', () => {
  it('names are those of its owner, who alone creates some', async () => {
    const { me: owner, account, category, payee } = await newBooks()
    const friend = await newUser()
    await share(owner, account, friend, { permission: 'write' })
    await ok(createPayee, { as: friend, json: { name: 'Mine' } })
    const found = await create(friend, { categoryName: 'groceries', payeeName: 'tesco' })
    expect(found.body).toMatchObject({ categoryId: category.id, payeeId: payee.id })
    const own = await create(friend, { payeeName: 'Mine' })
    expect(refusal(own)).toEqual([400, 'payees.unknownName', 'payeeName'])
    const created = await create(friend, { payeeName: 'New', createMissing: true })
    expect(refusal(created)).toEqual([403, 'payees.ownerCreates', 'payeeName'])
    expect((await labelsOf(owner)).payees).toEqual(['Tesco'])
  })

  it('tells who may not book nothing of the names that there are', async () => {
    const { me: owner, account } = await newBooks()
    const [friend, stranger] = [await newUser(), await newUser()]
    await share(owner, account, friend, { permission: 'view' })
    for (const [as, expected] of [
      [friend, [403, 'auth.rightNeeded']],
      [stranger, [400, 'transactions.unknownAccount', 'accountName']],
    ] as const) {
      for (const payeeName of ['Tesco', 'Nobody']) {
        const wanted = { payeeName, categoryName: 'Groceries', createMissing: true }
        expect(refusal(await create(as, wanted))).toEqual(expected)
      }
    }
    const own = await newAccount(friend, { name: 'Mine' })
    const fee = (categoryName: string) => ({
      ...{ fromAccountName: 'Everyday', toAccountId: own.id, date: '2026-11-20', amount: '10' },
      fee: { amount: '1', categoryName },
    })
    const answers = ['Groceries', 'Nothing'].map((name) =>
      call(createTransfer, { as: friend, json: fee(name) }),
    )
    const [known, unknown] = (await Promise.all(answers)).map(refusal)
    expect(known).toEqual(unknown)
  })
})

describe('many at once', () => {
  const bulk = (as: Principal, transactions: TransactionInput[], dryRun = false) =>
    call(createTransactions, { as, json: { transactions, dryRun } })

  it('create what they name once, and are found again by their external ids', async () => {
    const { me, account } = await newBooks()
    const wanted = { payeeName: 'Cinema', categoryName: 'Fun', createMissing: true }
    const all = [
      named({ ...wanted, externalId: 'a' }),
      named({ ...wanted, payeeName: 'CINEMA', externalId: 'b' }),
      named({ ...wanted, kind: 'income', accountName: undefined, accountId: account.id }),
    ]
    const dry = await bulk(me, all, true)
    expect(dry.body).toMatchObject({ valid: 3, invalid: 0 })
    expect((await labelsOf(me)).payees).toEqual(['Tesco'])
    const made = await bulk(me, all)
    expect([made.status, tripsOf(made), made.body.created]).toEqual([201, 2, 3])
    const [one, two, three] = made.body.results.map(({ transaction }) => transaction)
    expect(one?.payeeId).toBe(two?.payeeId)
    expect([one?.categoryId === two?.categoryId, one?.categoryId === three?.categoryId]).toEqual([
      true,
      false,
    ])
    const { categories, payees } = await labelsOf(me)
    expect([categories, payees]).toEqual([
      ['Groceries', 'Fun', 'Fun'],
      ['Tesco', 'Cinema'],
    ])
    const again = await bulk(me, all.slice(0, 2))
    expect([again.status, again.body.existing]).toEqual([200, 2])
  })

  it('create 30 categories and 30 payees at most', async () => {
    const { me } = await newBooks()
    const all = Array.from({ length: 31 }, (_, at) =>
      named({ categoryName: `Fun ${at}`, payeeName: `Cinema ${at}`, createMissing: true }),
    )
    const refused = [400, 'ledger.tooManyNew', 'transactions.30.categoryName']
    expect(refusal(await bulk(me, all))).toEqual(refused)
    expect((await bulk(me, all, true)).body).toMatchObject({ valid: 30, invalid: 1 })
    const splits = all.map(({ categoryName }) => ({ amount: '1', categoryName }))
    const parted = named({ amount: '31', splits, createMissing: true })
    expect(refusal(await create(me, parted))).toEqual([
      ...[400, 'ledger.tooManyNew', 'splits.30.categoryName'],
    ])
    expect((await bulk(me, all.slice(0, 30))).body).toMatchObject({ created: 30 })
    expect((await bulk(me, all)).body).toMatchObject({ created: 31 })
  })

  it('say which of them names what is not there', async () => {
    const { me } = await newBooks()
    const all = [named(), named({ payeeName: 'Nobody' })]
    expect(refusal(await bulk(me, all))).toEqual([
      400,
      'payees.unknownName',
      'transactions.1.payeeName',
    ])
    expect((await bulk(me, all, true)).body).toMatchObject({ valid: 1, invalid: 1 })
    const nowhere = await bulk(me, [named(), named({ accountName: 'Nowhere' })])
    expect(refusal(nowhere)).toEqual([
      400,
      'transactions.unknownAccount',
      'transactions.1.accountName',
    ])
    expect(await countOf(me)).toBe(0)
  })
})

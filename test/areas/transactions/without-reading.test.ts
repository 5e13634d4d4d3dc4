import { beforeAll, describe, expect, it } from 'vitest'
import { createExpense } from '../../../src/areas/money/expenses/expenses.routes.ts'
import { deleteAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { rememberBooking } from '../../../src/areas/money/accounts/accounts.queries.ts'
import { createPayee, updatePayee } from '../../../src/areas/money/payees/payees.routes.ts'
import { deleteShare, updateShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith, serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { eventsOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { share } from '../sharing/sharing.ts'
import {
  archive,
  balanceOf,
  book,
  close,
  expenseOn,
  newCategory,
  type TransactionInput,
  tripsOf,
} from './booking.ts'

// A process that has booked for a caller on an account books there again without reading first. That may show in the
// number of trips, and in nothing else.

/** An owner with two accounts and what can be booked with, of which a friend may write on the first. */
async function newBooks() {
  const [me, friend] = [await newUser(), await newUser()]
  const [account, other] = [await newAccount(me), await newAccount(me)]
  const shared = await share(me, account, friend, { permission: 'write' })
  const [food, fun, old, salary, interest] = [
    await newCategory(me),
    await newCategory(me),
    await newCategory(me),
    await newCategory(me, 'income'),
    await newCategory(me, 'income'),
  ]
  await archive(old)
  await archive(salary)
  const named = (name: string, archived = false) => ({ as: me, json: { name, archived } })
  return {
    ...{ me, friend, account, other, shared, food, fun, old, salary, interest },
    payee: await ok(createPayee, named('Payee')),
    oldPayee: await ok(createPayee, named('Old payee', true)),
    tag: await ok(createTag, named('Tag')),
    oldTag: await ok(createTag, named('Old tag', true)),
    foreign: await newCategory(friend),
    foreignTag: await ok(createTag, { as: friend, json: { name: 'Tag' } }),
    foreignPayee: await ok(createPayee, { as: friend, json: { name: 'Payee' } }),
  }
}

type Books = Awaited<ReturnType<typeof newBooks>>
type Input = Partial<TransactionInput>

const NOBODYS = {
  account: 'acc_01k9v3q8m5t0w2x4y6z8a1b3c5',
  category: 'cat_01k9v3q8m5t0w2x4y6z8a1b3c5',
  payee: 'pay_01k9v3q8m5t0w2x4y6z8a1b3c5',
  tag: 'tag_01k9v3q8m5t0w2x4y6z8a1b3c5',
}

/** What was refused and why, in full. */
const refused = ({ status, error }: { status: number; error: object }) => {
  const { requestId: _, ...rest } = error as { requestId?: string }
  return { status, ...rest }
}

const manyFaults: Input = { amount: '1.234', categoryId: NOBODYS.category }

/** Books of a process that has booked on both accounts. */
async function bookedBooks(): Promise<Books> {
  const books = await newBooks()
  await book(books.me, books.account)
  await book(books.me, books.other)
  return books
}

type Told = [status: number, code: string, field?: string]

const toldOf = ([status, code, field]: Told) =>
  field === undefined ? { status, code } : { status, code, field }

const NO_ACCOUNT: Told = [400, 'transactions.unknownAccount', 'accountId']
const at = (code: string, field: string): Told => [400, code, field]
const ofCategory = (reason: string, field = 'categoryId') => at(`transactions.${reason}`, field)

const TOO_FINE = at('money.tooManyDigits', 'amount')

/** Parts of 6.00 and 6.30 with these categories. */
const inParts = (...[one, other]: { id: string }[]): Input => ({
  splits: [
    { amount: '6', categoryId: one?.id ?? null },
    { amount: '6.30', categoryId: other?.id ?? null },
  ],
})

const faults: Record<string, [Told, (books: Books) => Input]> = {
  'an unknown account': [NO_ACCOUNT, () => ({ accountId: NOBODYS.account })],
  'an unknown account, and more': [
    NO_ACCOUNT,
    () => ({ accountId: NOBODYS.account, ...manyFaults }),
  ],
  'too many decimals': [TOO_FINE, () => ({ amount: '1.234' })],
  'an unknown category': [ofCategory('unknownCategory'), () => ({ categoryId: NOBODYS.category })],
  'an unknown category, and too many decimals': [TOO_FINE, () => manyFaults],
  'a foreign category': [
    ofCategory('unknownCategory'),
    ({ foreign }) => ({ categoryId: foreign.id }),
  ],
  'an archived category': [ofCategory('archivedCategory'), ({ old }) => ({ categoryId: old.id })],
  'a category of another kind': [
    ofCategory('categoryKind'),
    ({ interest }) => ({ categoryId: interest.id }),
  ],
  'an archived one of another kind': [
    ofCategory('categoryKind'),
    ({ salary }) => ({ categoryId: salary.id }),
  ],
  'an archived category on a part': [
    ofCategory('archivedCategory', 'splits.1.categoryId'),
    ({ food, old }) => inParts(food, old),
  ],
  'two categories on parts': [
    ofCategory('categoryKind', 'splits.0.categoryId'),
    ({ salary, foreign }) => inParts(salary, foreign),
  ],
  'parts that do not sum': [
    at('transactions.splitSum', 'splits'),
    ({ food }) => ({ ...inParts(food), amount: '12.31' }),
  ],
  'an adjustment with parts': [
    at('transactions.categoryOnAdjustment', 'splits'),
    () => ({ ...inParts(), kind: 'adjustment' }),
  ],
  'an unknown payee': [at('payees.notThere', 'payeeId'), () => ({ payeeId: NOBODYS.payee })],
  'a foreign payee': [
    at('payees.notThere', 'payeeId'),
    ({ foreignPayee }) => ({ payeeId: foreignPayee.id }),
  ],
  'an archived payee on a part': [
    at('payees.archivedPayee', 'splits.0.payeeId'),
    ({ oldPayee }) => ({
      splits: [{ amount: '6', payeeId: oldPayee.id }, { amount: '6.30' }],
    }),
  ],
  'an unknown tag among others': [
    at('tags.unknownTag', 'tagIds.1'),
    ({ tag }) => ({ tagIds: [tag.id, NOBODYS.tag] }),
  ],
  'a foreign tag': [
    at('tags.unknownTag', 'tagIds.0'),
    ({ foreignTag }) => ({ tagIds: [foreignTag.id] }),
  ],
  'an archived tag': [
    at('tags.archivedTag', 'tagIds.0'),
    ({ oldTag }) => ({ tagIds: [oldTag.id] }),
  ],
  'an archived payee, and an unknown tag': [
    at('payees.archivedPayee', 'payeeId'),
    ({ oldPayee }) => ({ payeeId: oldPayee.id, tagIds: [NOBODYS.tag] }),
  ],
  'an unknown tag, and too many decimals': [
    TOO_FINE,
    () => ({ amount: '1.234', tagIds: [NOBODYS.tag] }),
  ],
  'a bill without its currency': [
    at('transactions.originalIncomplete', 'originalCurrency'),
    () => ({ originalAmount: '5' }),
  ],
}

describe('what is wrong with a request', () => {
  let cold: Books
  let warm: Books

  beforeAll(async () => {
    ;[cold, warm] = [await newBooks(), await bookedBooks()]
  })

  it.each(Object.entries(faults))('is told alike, be it %s', async (_, [told, wanted]) => {
    const ask = ({ me, account, ...books }: Books) =>
      call(createTransaction, {
        as: me,
        json: expenseOn(account, wanted({ me, account, ...books })),
      })
    const [first, second] = [await ask(cold), await ask(warm)]
    expect(refused(first)).toMatchObject(toldOf(told))
    expect(refused(second)).toEqual(refused(first))
    expect(
      tripsOf(await call(createTransaction, { as: warm.me, json: expenseOn(warm.account) })),
    ).toBe(1)
  })

  it('is told alike of a balance that would be out of range', async () => {
    const [mine, theirs] = [await newBooks(), await bookedBooks()]
    for (const { account } of [mine, theirs]) {
      await rows(
        'UPDATE account_balances SET balance_minor = -9007199254740991 WHERE account_id = ?',
        account.id,
      )
    }
    const ask = ({ me, account }: Books) =>
      call(createTransaction, { as: me, json: expenseOn(account) })
    const [first, second] = [await ask(mine), await ask(theirs)]
    expect(refused(first)).toMatchObject({ status: 409, code: 'ledger.outOfRange' })
    expect(refused(second)).toEqual(refused(first))
  })
})

/** What happens to the right to book, between a booking and the next request. */
const ends: Record<string, [Told, (books: Books) => Promise<unknown>]> = {
  'the account was closed': [[409, 'transactions.accountClosed'], ({ account }) => close(account)],
  'the account is in the trash': [
    NO_ACCOUNT,
    ({ me, account }) => ok(deleteAccount, { as: me, id: account.id }),
  ],
  'the share has ended': [
    NO_ACCOUNT,
    ({ me, shared }) => ok(deleteShare, { as: me, id: shared.id }),
  ],
  'the share has expired': [
    NO_ACCOUNT,
    ({ shared }) => rows('UPDATE shares SET expires_at = 1 WHERE id = ?', shared.id),
  ],
  'the share allows less': [
    [403, 'auth.rightNeeded'],
    ({ me, shared }) =>
      ok(updateShare, { as: me, id: shared.id, json: { permission: 'annotate' } }),
  ],
  'the user may not book at all': [
    [403, 'auth.forbidden'],
    ({ friend }) => rows('DELETE FROM user_roles WHERE user_id = ?', friend.id),
  ],
  'the session has ended': [
    [401, 'auth.tokenInvalid'],
    ({ friend }) => rows('UPDATE sessions SET revoked_at = 1 WHERE user_id = ?', friend.id),
  ],
}

describe('a right that has ended', () => {
  it.each(Object.entries(ends))('is refused alike where %s', async (end, [told, run]) => {
    const [cold, warm] = [await newBooks(), await newBooks()]
    await book(warm.friend, warm.account)
    await run(cold)
    await run(warm)
    const ask = ({ friend, account }: Books, wanted: Input = {}) =>
      call(createTransaction, { as: friend, json: expenseOn(account, wanted) })
    const [first, second] = [await ask(cold), await ask(warm)]
    expect(refused(first)).toMatchObject(toldOf(told))
    expect(refused(second)).toEqual(refused(first))
    // That an account is closed is told last.
    const faulty = await ask(cold, manyFaults)
    expect(refused(faulty)).toMatchObject(
      toldOf(end === 'the account was closed' ? TOO_FINE : told),
    )
    expect(refused(await ask(warm, manyFaults))).toEqual(refused(faulty))
    expect(await rows('SELECT 1 FROM transactions WHERE owner_id = ?', cold.me.id)).toEqual([])
    expect(await rows('SELECT 1 FROM transactions WHERE owner_id = ?', warm.me.id)).toHaveLength(1)
  })

  it('is none of a token for other accounts, whatever its owner has booked', async () => {
    const { me, account, other } = await bookedBooks()
    const token = await giveToken(me, ['transactions.write'], [other.id])
    const ask = () => call(createTransaction, { as: token, json: expenseOn(account, manyFaults) })
    const first = await ask()
    expect([refused(first), tripsOf(first)]).toMatchObject([toldOf(NO_ACCOUNT), 1])
    await book(token, other)
    expect([refused(await ask()), tripsOf(await ask())]).toEqual([refused(first), 1])
  })

  it('of others cannot be told from an account that nobody has', async () => {
    const [{ account }, stranger] = [await bookedBooks(), await newUser()]
    const ask = (id: string) =>
      call(createTransaction, { as: stranger, json: expenseOn({ id }, manyFaults) })
    const [theirs, nobodys] = [await ask(account.id), await ask(NOBODYS.account)]
    expect([refused(theirs), tripsOf(theirs)]).toEqual([refused(nobodys), tripsOf(nobodys)])
  })
})

const wishes: Record<string, (books: Books, n: number) => Input> = {
  plain: () => ({}),
  'an income': () => ({ kind: 'income' }),
  'an adjustment': () => ({ kind: 'adjustment', amount: '-5' }),
  'with all that there is': ({ food, payee, tag }, n) => ({
    ...{ categoryId: food.id, payeeId: payee.id, tagIds: [tag.id] },
    ...{ externalId: `bank-${n}`, note: 'Note', metadata: { trip: 'Dublin' }, private: true },
  }),
  'with parts': ({ food, fun, payee, tag }) => ({
    splits: [
      { amount: '12', categoryId: food.id, tagIds: [tag.id] },
      { amount: '0.30', categoryId: fun.id, payeeId: payee.id },
    ],
  }),
  'with a text beside its payee': ({ payee }) => ({ payeeRaw: 'PAYEE 7', payeeId: payee.id }),
}

describe('a booking', () => {
  it.each(Object.entries(wishes))('takes one trip, %s', async (_, wanted) => {
    const books = await bookedBooks()
    const { me, account } = books
    const post = (as: Principal, n: number, headers = {}) =>
      call(createTransaction, { as, json: expenseOn(account, wanted(books, n)), headers })
    const alone = await post(me, 1)
    const kept = await post(me, 2, { 'Idempotency-Key': 'key' })
    await book(books.friend, account)
    const shared = await post(books.friend, 3)
    for (const { status, body, headers } of [alone, kept, shared]) {
      expect([status, tripsOf({ headers })]).toEqual([201, 1])
      expect(await ok(getTransaction, { as: me, id: body.id })).toMatchObject({
        ...body,
        attachmentCount: 0,
      })
    }
    const again = await post(me, 2, { 'Idempotency-Key': 'key' })
    expect([again.status, again.body]).toEqual([201, kept.body])
    expect(await differencesOf(me)).toEqual([])
  })

  it('as an expense, and as a transfer, takes one trip', async () => {
    const { me, account, other, food, tag, foreign } = await bookedBooks()
    const { kind: _, ...expense } = expenseOn(account)
    const spent = await call(createExpense, { as: me, json: expense })
    expect([spent.status, tripsOf(spent)]).toEqual([201, 1])
    const move = (categoryId: string) =>
      call(createTransfer, {
        as: me,
        json: {
          ...{ fromAccountId: account.id, toAccountId: other.id, date: '2026-11-20' },
          ...{ amount: '10', fee: { amount: '1', categoryId }, tagIds: [tag.id] },
        },
      })
    const moved = await move(food.id)
    expect([moved.status, tripsOf(moved)]).toEqual([201, 1])
    expect(refused(await move(foreign.id))).toMatchObject(
      toldOf(at('transfers.unknownCategory', 'fee.categoryId')),
    )
    expect(await differencesOf(me)).toEqual([])
  })

  it('that may have been stored is not stored again', async () => {
    const { me, account } = await bookedBooks()
    const lost = serviceWith({
      aroundTrips: async (_, run) => {
        await run()
        throw new Error('D1_ERROR: Network connection lost.')
      },
    })
    const answer = await lost.call(createTransaction, { as: me, json: expenseOn(account) })
    expect(answer.status).toBe(503)
    expect(await balanceOf(me, account)).toBe('-24.60')
  })

  it('goes by the account as it is, whatever is remembered of it', async () => {
    const { me, friend, account } = await bookedBooks()
    const caller = { userId: me.id, sessionId: null, tokenHash: null }
    const wrong = [{ currency: 'JPY' }, { currency: 'USD' }, { ownerId: friend.id }]
    for (const facts of wrong) {
      for (const amount of ['12', '12.30']) {
        const known = { id: account.id, ownerId: me.id, currency: 'EUR', ruleSet: 0, ...facts }
        rememberBooking({ ...contextWith(), caller }, known)
        const { currency, id } = await book(me, account, { amount })
        expect(currency).toBe('EUR')
        expect(await eventsOf(id)).toMatchObject([{ ownerId: me.id }])
      }
    }
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('the payee that a text means', () => {
  it('is remembered, and is another one as soon as it means another', async () => {
    const { me, account, payee } = await bookedBooks()
    const post = async (headers = {}) => {
      const json = expenseOn(account, { payeeRaw: 'Corner  SHOP' })
      const answer = await call(createTransaction, { as: me, json, headers })
      const [event] = await eventsOf(answer.body.id)
      expect(event?.content?.after?.['payeeId'] ?? null).toBe(answer.body.payeeId)
      expect((await ok(getTransaction, { as: me, id: answer.body.id })).payeeId).toBe(
        answer.body.payeeId,
      )
      return [answer.body.payeeId, tripsOf(answer)]
    }
    expect([await post(), await post()]).toEqual([
      [null, 2],
      [null, 1],
    ])
    await ok(updatePayee, { as: me, id: payee.id, json: { name: 'corner shop' } })
    // It is refused once, as the memory is wrong, and then decided by reading.
    expect([await post(), await post({ 'Idempotency-Key': 'key' })]).toEqual([
      [payee.id, 3],
      [payee.id, 1],
    ])
    await ok(updatePayee, { as: me, id: payee.id, json: { archived: true } })
    expect([await post(), await post()]).toEqual([
      [null, 3],
      [null, 1],
    ])
    expect((await ok(listTransactions, { as: me })).count).toBe(8)
  })

  it('is remembered for whoever booked with it alone', async () => {
    const { me, friend, account } = await bookedBooks()
    await book(friend, account)
    const json = expenseOn(account, { payeeRaw: 'Jeweller' })
    const trips = async (as: Principal) => tripsOf(await call(createTransaction, { as, json }))
    expect([await trips(me), await trips(me), await trips(friend)]).toEqual([2, 1, 2])
  })
})

import { describe, expect, it } from 'vitest'
import { createTag, mergeTag } from '../../../src/areas/money/tags/tags.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  getTransfer,
  matchTransfer,
  unmatchTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { createAccessToken } from '../../../src/areas/identity/access-tokens/access-tokens.routes.ts'
import { mergeCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { eventsOf, eventsOfAll, toldOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import {
  balanceOf,
  book,
  close,
  expenseOn,
  newCategory,
  refusal,
  tripsOf,
} from '../transactions/booking.ts'
import { match, newFull, newHalves, stored, unmatch } from './matched.ts'
import { newBooks } from './moving.ts'

describe('matching', () => {
  it('puts one transfer in the place of both rows, in two trips, and leaves every balance', async () => {
    const { me, one, two, from, to, tags } = await newFull()
    const matched = await match(me, from, to)
    expect([matched.status, tripsOf(matched)]).toEqual([201, 2])
    const { body } = matched
    expect(body).toMatchObject({
      date: '2026-11-20',
      amount: '50.00',
      toAmount: '50.00',
      fee: null,
      rate: null,
      description: 'To savings',
      note: 'Arrived',
      tagIds: Object.values(tags).toSorted(),
      version: 1,
    })
    expect(body.from).toMatchObject({
      accountId: one.id,
      status: 'cleared',
      externalId: 'out-1',
      payeeId: from.payeeId,
      payeeRaw: 'SAVINGS BANK',
      time: '10:30',
      private: true,
      reviewed: false,
      originalAmount: null,
    })
    expect(body.to).toMatchObject({ accountId: two.id, status: 'uncleared', externalId: 'in-1' })
    expect(await ok(getTransfer, { as: me, id: body.id })).toEqual(body)
    expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-50.00', '50.00'])
    const { transactions, count } = await ok(listTransactions, { as: me })
    expect([count, transactions.map(({ kind }) => kind)]).toEqual([2, ['transfer', 'transfer']])
    for (const { id } of [from, to]) {
      expect(refusal(await call(getTransaction, { as: me, id }))).toEqual([
        404,
        'transactions.notFound',
      ])
    }
    expect(await differencesOf(me)).toEqual([])
  })

  it('has no more tags than a transfer may have, and gives all of them back', async () => {
    const { me, out, into } = await newHalves()
    const all = Array.from({ length: 60 }, async (_, at) =>
      ok(createTag, { as: me, json: { name: `Tag ${at}` } }),
    )
    const tagIds = (await Promise.all(all)).map(({ id }) => id).toSorted()
    const from = await out({ tagIds: tagIds.slice(0, 30) })
    const to = await into({ tagIds: tagIds.slice(30) })
    const { body } = await match(me, from, to)
    expect(body.tagIds).toHaveLength(50)
    await ok(updateTransfer, { as: me, id: body.id, json: { tagIds: body.tagIds } })
    const parts = await unmatch(me, body)
    expect([parts.from.tagIds, parts.to.tagIds]).toEqual([from.tagIds, to.tagIds])
  })

  it('finds the leg for a row that is sent again with its externalId', async () => {
    const { me, one, from, to } = await newFull()
    const { body } = await match(me, from, to)
    const again = await call(createTransaction, {
      as: me,
      json: expenseOn(one, { amount: '50', externalId: 'out-1' }),
    })
    expect([again.status, again.body.id]).toEqual([200, body.from.id])
  })

  it('takes what did not arrive as the fee, but only when told so', async () => {
    const { me, out, into } = await newHalves()
    const fees = await newCategory(me)
    const [from, to] = [await out(), await into({ amount: '49' })]
    expect(refusal(await match(me, from, to))).toEqual([
      409,
      'transfers.amountsDiffer',
      'toTransactionId',
    ])
    const { body } = await match(me, from, to, { fee: { categoryId: fees.id } })
    expect(body).toMatchObject({
      amount: '50.00',
      toAmount: '49.00',
      fee: { amount: '1.00', categoryId: fees.id },
    })
    expect(await differencesOf(me)).toEqual([])
  })

  it('keeps both amounts between currencies', async () => {
    const { me, yen, out } = await newHalves()
    const to = await book(me, yen, { kind: 'income', amount: '8000' })
    const { body } = await match(me, await out(), to)
    expect(body).toMatchObject({ amount: '50.00', toAmount: '8000', rate: null, fee: null })
    expect(await differencesOf(me)).toEqual([])
  })

  it('refuses what are no two halves of a transfer', async () => {
    const { me, one, out, into } = await newHalves()
    const [from, to] = [await out(), await into()]
    const income = await newCategory(me, 'income')
    const splits = [{ amount: '20' }, { amount: '30' }]
    const refused: [string, { id: string }, { id: string }, object, unknown[]][] = [
      ['turned round', to, from, {}, [409, 'transfers.notMatchable', 'fromTransactionId']],
      ['one twice', from, from, {}, [409, 'transfers.notMatchable', 'toTransactionId']],
      [
        'on one account',
        from,
        await book(me, one, { kind: 'income', amount: '50' }),
        {},
        [400, 'transfers.sameAccount', 'toTransactionId'],
      ],
      [
        'more than left',
        from,
        await into({ amount: '51' }),
        { fee: {} },
        [409, 'transfers.amountsDiffer', 'toTransactionId'],
      ],
      ['nothing missing', from, to, { fee: {} }, [400, 'transfers.noFee', 'fee']],
      [
        'fee of an income',
        from,
        await into({ amount: '49' }),
        { fee: { categoryId: income.id } },
        [400, 'transfers.categoryKind', 'fee.categoryId'],
      ],
      [
        'void',
        await out({ status: 'void' }),
        to,
        {},
        [409, 'transfers.voidRow', 'fromTransactionId'],
      ],
      ['split', await out({ splits }), to, {}, [409, 'transfers.splitRow', 'fromTransactionId']],
      [
        'adjustment',
        await out({ kind: 'adjustment', amount: '-50' }),
        to,
        {},
        [409, 'transfers.notMatchable', 'fromTransactionId'],
      ],
    ]
    const before = await stored(me)
    for (const [name, one_, other, more, why] of refused) {
      expect(refusal(await match(me, one_, other, more)), name).toEqual(why)
    }
    expect(await stored(me)).toEqual(before)
  })

  it('says why there is no fee', async () => {
    const { me, yen, out, into } = await newHalves()
    const reasonOf = async (to: { id: string }) =>
      (await match(me, await out(), to, { fee: {} })).error.error
    expect(await reasonOf(await into())).toContain('because the two amounts are equal')
    const elsewhere = await book(me, yen, { kind: 'income', amount: '8000' })
    expect(await reasonOf(elsewhere)).toContain('because the currencies differ')
  })

  it('knows no rows of others, and none on accounts that a token does not see', async () => {
    const { me, one, two, out, into } = await newHalves()
    const [from, to] = [await out(), await into()]
    const stranger = await newUser()
    const own = await book(stranger, await newAccount(stranger))
    const unknown = (field: string) => [400, 'transfers.unknownTransaction', field]
    expect(refusal(await match(stranger, from, to))).toEqual(unknown('fromTransactionId'))
    expect(refusal(await match(stranger, own, to))).toEqual(unknown('toTransactionId'))
    const token = async (accountIds: string[]) => {
      const json = { name: 'T', scopes: ['transfers.write' as const], accountIds }
      return { accessToken: (await ok(createAccessToken, { as: me, json })).token }
    }
    const narrow = await token([one.id])
    expect(refusal(await match(narrow, from, to))).toEqual(unknown('toTransactionId'))
    const { body } = await match(await token([one.id, two.id]), from, to)
    const apart = await call(unmatchTransfer, { as: narrow, id: body.id })
    expect(refusal(apart)).toEqual([404, 'transfers.notFound'])
    const theirs = await call(unmatchTransfer, { as: stranger, id: body.id })
    expect(refusal(theirs)).toEqual([404, 'transfers.notFound'])
  })

  it('changes nothing on closed accounts, and what is reconciled only by force', async () => {
    const { me, two, out, into } = await newHalves()
    const [from, to] = [await out({ status: 'reconciled' }), await into()]
    expect(refusal(await match(me, from, to))).toEqual([409, 'transfers.reconciled'])
    const { body } = await match(me, from, to, { force: true })
    expect(body.from.status).toBe('reconciled')
    const apart = () => call(unmatchTransfer, { as: me, id: body.id })
    expect(refusal(await apart())).toEqual([409, 'transfers.reconciled'])
    await close(two)
    const query = { force: 'true' }
    const closed = await call(unmatchTransfer, { as: me, id: body.id, query })
    expect(refusal(closed)).toEqual([409, 'transfers.accountClosed'])
    await rows("UPDATE accounts SET status = 'open' WHERE id = ?", two.id)
    await ok(unmatchTransfer, { as: me, id: body.id, query })
    const told = (await eventsOfAll(me)).filter(({ type }) => type.startsWith('transfer.'))
    expect(told.map(({ type, id, content }) => [type, id, content?.forced])).toEqual(
      ['transfer.matched', 'transfer.unmatched'].flatMap((type) =>
        [body.from, body.to, from, to].map(({ id }) => [type, id, true]),
      ),
    )
  })

  it('tells the log both rows and both legs, as they go and as they come back', async () => {
    const { me, one, two, from, to, tags } = await newFull()
    const [out, into] = (await eventsOf(from.id, to.id)).map(({ content }) => content)
    const { body } = await match(me, from, to)
    await unmatch(me, body)
    const [left, arrived] = [out?.after, into?.after]
    expect(await toldOf(from.id)).toEqual([
      ['transaction.created', { after: left }],
      ['transfer.matched', { before: left }],
      ['transfer.unmatched', { after: left }],
    ])
    expect(await toldOf(to.id)).toEqual([
      ['transaction.created', { after: arrived, private: true }],
      ['transfer.matched', { before: arrived, private: true }],
      ['transfer.unmatched', { after: arrived, private: true }],
    ])
    const shared = {
      ...{ kind: 'transfer', date: from.date, time: '10:30', description: 'To savings' },
      ...{ payeeId: from.payeeId, payeeRaw: 'SAVINGS BANK', note: 'Arrived', private: true },
      ...{ tagIds: Object.values(tags).toSorted(), metadata: { one: 1 }, location: to.location },
    }
    const legs = [
      {
        ...shared,
        amountMinor: -5000,
        status: 'cleared',
        externalId: 'out-1',
        counterAccountId: two.id,
      },
      {
        ...shared,
        amountMinor: 5000,
        status: 'uncleared',
        externalId: 'in-1',
        counterAccountId: one.id,
      },
    ]
    for (const [at, { id }] of [body.from, body.to].entries()) {
      expect(await toldOf(id)).toEqual([
        ['transfer.matched', { after: legs[at], private: true }],
        ['transfer.unmatched', { before: legs[at], private: true }],
      ])
    }
    const events = await eventsOf(from.id, to.id, body.from.id, body.to.id)
    expect(events.map(({ id, accountId, version }) => [id, accountId, version])).toEqual([
      [from.id, one.id, 1],
      [to.id, two.id, 1],
      [body.from.id, one.id, 1],
      [body.to.id, two.id, 1],
      [from.id, one.id, 2],
      [to.id, two.id, 2],
      [body.from.id, one.id, 1],
      [body.to.id, two.id, 1],
      [from.id, one.id, 3],
      [to.id, two.id, 3],
    ])
  })
})

describe('unmatching', () => {
  it('brings both rows back to the byte, in two trips', async () => {
    const { me, from, to } = await newFull()
    const before = await stored(me)
    const { body } = await match(me, from, to)
    const apart = await call(unmatchTransfer, { as: me, id: body.id })
    expect([apart.status, tripsOf(apart)]).toEqual([200, 2])
    const { updatedAt } = apart.body.from ?? from
    expect(apart.body).toEqual({
      from: { ...from, version: 3, updatedAt },
      to: { ...to, version: 3, updatedAt },
    })
    expect(await ok(getTransaction, { as: me, id: from.id })).toEqual(apart.body.from)
    expect(await ok(getTransaction, { as: me, id: to.id })).toEqual(apart.body.to)
    expect(await stored(me)).toEqual(before)
    expect(await differencesOf(me)).toEqual([])
    expect((await call(getTransfer, { as: me, id: body.id })).status).toBe(404)
  })

  it('keeps what was changed of the transfer since', async () => {
    const { me, one, two, from, to, tags } = await newFull()
    const third = await newAccount(me)
    const fresh = (await ok(createTag, { as: me, json: { name: 'Fresh' } })).id
    const { body } = await match(me, from, to)
    await ok(updateTransfer, {
      as: me,
      id: body.id,
      json: {
        amount: '60',
        date: '2026-12-01',
        toAccountId: third.id,
        tagIds: [tags.both, tags.theirs, fresh],
        note: 'Both',
      },
    })
    await ok(updateTransaction, { as: me, id: body.to.id, json: { status: 'cleared' } })
    const apart = await unmatch(me, body)
    const shared = { date: '2026-12-01', amount: '60.00', note: 'Both' }
    expect(apart.from).toMatchObject({
      ...shared,
      id: from.id,
      accountId: one.id,
      description: 'To savings',
      categoryId: from.categoryId,
      tagIds: [tags.both, fresh],
      payeeId: from.payeeId,
      externalId: 'out-1',
      originalAmount: '55.00',
    })
    expect(apart.to).toMatchObject({
      ...shared,
      id: to.id,
      accountId: third.id,
      description: 'From checking',
      categoryId: to.categoryId,
      tagIds: [tags.both, tags.theirs, fresh],
      status: 'cleared',
      externalId: 'in-1',
      location: to.location,
    })
    expect(await ok(getTransaction, { as: me, id: to.id })).toEqual(apart.to)
    const balances = [
      await balanceOf(me, one),
      await balanceOf(me, two),
      await balanceOf(me, third),
    ]
    expect(balances).toEqual(['-60.00', '0.00', '60.00'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('follows tags and categories that were merged meanwhile', async () => {
    const { me, from, to, food, tags } = await newFull()
    const meals = await newCategory(me)
    const { body } = await match(me, from, to)
    await ok(mergeTag, { as: me, id: tags.mine, json: { tagId: tags.theirs } })
    const apart = await unmatch(me, body)
    expect(apart.from.tagIds).toEqual([tags.both, tags.mine].toSorted())
    const again = await match(me, from, to)
    const merged = await call(mergeCategory, {
      as: me,
      id: meals.id,
      json: { categoryId: food.id },
    })
    expect(merged.status).toBe(200)
    expect((await unmatch(me, again.body)).from.categoryId).toBe(meals.id)
    expect(await differencesOf(me)).toEqual([])
  })

  it('makes two new rows of a transfer that never was matched, the fee as a part', async () => {
    const { me, from, to, yen, balances, move } = await newBooks()
    const fees = await newCategory(me)
    const { body } = await move({
      toAccountId: yen.id,
      rate: '160',
      fee: { amount: '2', categoryId: fees.id },
      description: 'Holiday',
      status: 'cleared',
    })
    const before = await balances()
    const apart = await unmatch(me, body)
    expect(apart.from).toMatchObject({
      kind: 'expense',
      accountId: from.id,
      amount: '100.00',
      description: 'Holiday',
      status: 'cleared',
      rate: null,
      splits: [
        { amount: '98.00', categoryId: null },
        { amount: '2.00', categoryId: fees.id },
      ],
    })
    expect(apart.to).toMatchObject({
      kind: 'income',
      amount: '15680',
      categoryId: null,
      splits: [],
    })
    expect(await ok(getTransaction, { as: me, id: apart.from.id })).toEqual(apart.from)
    expect(await balances()).toEqual(before)
    const plain = (await move({ toAccountId: to.id })).body
    const rematched = await unmatch(me, plain)
    expect((await match(me, rematched.from, rematched.to)).status).toBe(201)
    expect(await differencesOf(me)).toEqual([])
  })
})

describe('of parallel requests', () => {
  it('one match of a row wins, and the others are refused', async () => {
    const { me, one, two, out, into } = await newHalves()
    const from = await out()
    const partners = [await into(), await into(), await into()]
    const answers = await Promise.all(partners.map((to) => match(me, from, to)))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses[0]).toBe(201)
    expect(statuses.slice(1).every((status) => status === 409 || status === 404)).toBe(true)
    expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-50.00', '150.00'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('a match stops what came in between, and is stopped by it', async () => {
    const { me, one, out, into } = await newHalves()
    const [from, to] = [await out(), await into()]
    const conflict = [409, 'request.conflict']
    const json = { fromTransactionId: from.id, toTransactionId: to.id }
    const meanwhile = (change: () => Promise<unknown>) =>
      serviceWith({ meanwhile: change }).call(matchTransfer, { as: me, json })
    const changed = await meanwhile(() =>
      ok(updateTransaction, { as: me, id: from.id, json: { amount: '40' } }),
    )
    expect(refusal(changed)).toEqual(conflict)
    await ok(updateTransaction, { as: me, id: from.id, json: { amount: '50' } })
    const deleted = serviceWith({ meanwhile: () => match(me, from, to) })
    const removal = await deleted.call(deleteTransaction, { as: me, id: from.id })
    expect(refusal(removal)).toEqual(conflict)
    expect(await balanceOf(me, one)).toBe('-50.00')
    const [other, partner] = [await out(), await into()]
    const gone = await serviceWith({
      meanwhile: () => ok(deleteTransaction, { as: me, id: other.id }),
    }).call(matchTransfer, {
      as: me,
      json: { fromTransactionId: other.id, toTransactionId: partner.id },
    })
    expect(refusal(gone)).toEqual(conflict)
    expect(await differencesOf(me)).toEqual([])
  })

  it('an unmatch is stopped by a change of the transfer', async () => {
    const { me, from, to } = await newFull()
    const { body } = await match(me, from, to)
    const apart = await serviceWith({
      meanwhile: () => ok(updateTransfer, { as: me, id: body.id, json: { note: 'x' } }),
    }).call(unmatchTransfer, { as: me, id: body.id })
    expect(refusal(apart)).toEqual([409, 'request.conflict'])
    const twice = await Promise.all(
      [1, 2].map(() => call(unmatchTransfer, { as: me, id: body.id })),
    )
    expect(twice.map(({ status }) => status).toSorted()[0]).toBe(200)
    expect(twice.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await differencesOf(me)).toEqual([])
  })
})

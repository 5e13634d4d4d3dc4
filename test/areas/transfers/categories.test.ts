import { describe, expect, it } from 'vitest'
import {
  listCategories,
  deleteCategory,
  getCategoryUsage,
  mergeCategory,
} from '../../../src/areas/money/categories/categories.routes.ts'
import {
  getTransaction,
  listAccountLabels,
  listTransactions,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  getTransfer,
  listTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { toldOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { share } from '../sharing/sharing.ts'
import {
  archive,
  book,
  change as changeLeg,
  newCategory,
  refusal,
} from '../transactions/booking.ts'
import { match, unmatch } from './matched.ts'
import { change, newBooks } from './moving.ts'

/** What a transfer moves between accounts, by day, as `account category counter amount`. */
const flowsOf = async ({ id }: { id: string }) =>
  (
    await rows<Record<'flow' | 'category_id' | 'counter_account_id', string> & { amount: number }>(
      `SELECT flow, category_id, counter_account_id, amount_minor AS amount FROM flow_periods
        WHERE account_id = ? AND grain = 'day' ORDER BY flow DESC, amount`,
      id,
    )
  ).map((row) => [row.flow, row.category_id, row.counter_account_id, row.amount])

const sound = async (me: Principal & { id: string }) => {
  expect(await differencesOf(me)).toEqual([])
  expect(await flawsOfLog(me)).toEqual([])
}

const historyOf = async (as: Principal, id: string) =>
  (await ok(listTransactionVersions, { as, id })).versions.map(({ changes }) => changes)

describe('the category of a transfer', () => {
  it('is on both sides, apart from those of its fees', async () => {
    const { me, from, to, move } = await newBooks()
    const [investing, bank] = [await newCategory(me), await newCategory(me)]
    const { status, body } = await move({
      categoryId: investing.id,
      fees: [{ amount: '1.5', categoryId: bank.id, note: 'Order' }, { amount: '0.5' }],
    })
    const fees = [
      { amount: '1.50', categoryId: bank.id, note: 'Order' },
      { amount: '0.50', categoryId: null, note: null },
    ]
    expect(status).toBe(201)
    expect(body).toMatchObject({ amount: '100.00', toAmount: '98.00', fee: null, fees })
    expect([body, body.from, body.to].map(({ categoryId }) => categoryId)).toEqual([
      ...[investing.id, investing.id, investing.id],
    ])
    expect(await ok(getTransfer, { as: me, id: body.id })).toEqual(body)
    for (const leg of [body.from, body.to]) {
      expect(await ok(getTransaction, { as: me, id: leg.id })).toEqual(leg)
    }
    expect(await flowsOf(from)).toEqual([
      ['transfer', investing.id, to.id, -9800],
      ['expense', bank.id, '', -150],
      ['expense', '', '', -50],
    ])
    expect(await flowsOf(to)).toEqual([['transfer', investing.id, from.id, 9800]])
    await sound(me)
  })

  it('counts in no report by category; only the fees do', async () => {
    const { me, move } = await newBooks()
    const [investing, bank] = [await newCategory(me), await newCategory(me)]
    await move({ categoryId: investing.id, fee: { amount: '1', categoryId: bank.id } })
    const query = { view: 'tree', fromMonth: '2026-11', toMonth: '2026-11' } as const
    const { categories } = await ok(listCategories, { as: me, query })
    const sums = categories.map((one) => [one.id, 'sums' in one ? one.sums : undefined])
    expect(sums).toEqual([
      [investing.id, []],
      [bank.id, [expect.objectContaining({ lineCount: 1, ownAmount: '1.00' })]],
    ])
  })

  it('comes, changes and goes with the transfer, and moves no money', async () => {
    const { me, from, to, move } = await newBooks()
    const [one, two] = [await newCategory(me), await newCategory(me)]
    const { body } = await move({ status: 'reconciled' })
    const set = (categoryId: string | null) => change(me, body, { categoryId, force: true })
    expect((await set(one.id)).body.from.categoryId).toBe(one.id)
    expect((await set(two.id)).body.to.categoryId).toBe(two.id)
    expect(await flowsOf(to)).toEqual([['transfer', two.id, from.id, 10000]])
    const kept = await change(me, body, { amount: '90', force: true })
    expect(kept.body).toMatchObject({ categoryId: two.id, amount: '90.00' })
    expect((await set(null)).body).toMatchObject({ categoryId: null, from: { categoryId: null } })
    expect(await flowsOf(from)).toEqual([['transfer', '', to.id, -9000]])
    const [off, , on] = await historyOf(me, body.to.id)
    expect(off).toEqual([{ field: 'categoryId', before: two.id, after: null }])
    expect(on).toEqual([{ field: 'categoryId', before: one.id, after: two.id }])
    await sound(me)
  })

  it('changes on the transfer, not on one of its sides', async () => {
    const { me, move } = await newBooks()
    const { id } = await newCategory(me)
    const { body } = await move()
    expect(refusal(await changeLeg(me, body.from, { categoryId: id }))).toEqual([
      ...[409, 'transactions.transferLeg', 'categoryId'],
    ])
  })

  it('stays while the transfer is in the trash', async () => {
    const { me, from, to, move } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const { body } = await move({ categoryId, fees: [{ amount: '1', note: 'Wire' }] })
    await ok(deleteTransfer, { as: me, id: body.id })
    expect(await flowsOf(from)).toEqual([])
    await ok(restoreFromTrash, { as: me, path: { kind: 'transfer', id: body.id } })
    expect(await ok(getTransfer, { as: me, id: body.id })).toMatchObject({
      categoryId,
      fees: [{ amount: '1.00', categoryId: null, note: 'Wire' }],
    })
    expect(await flowsOf(to)).toEqual([['transfer', categoryId, from.id, 9900]])
    await sound(me)
  })

  it('finds transfers, as does that of a fee, and a category above', async () => {
    const { me, move } = await newBooks()
    const [top, other] = [await newCategory(me), await newCategory(me)]
    const [one, two] = [
      (await move({ categoryId: top.id })).body,
      (await move({ fee: { amount: '1', categoryId: top.id } })).body,
    ]
    await move({ categoryId: other.id })
    await move()
    const query = { categoryId: top.id }
    const { transfers, count } = await ok(listTransfers, { as: me, query })
    expect([transfers.map(({ id }) => id), count]).toEqual([[two.id, one.id], 2])
    const { transactions } = await ok(listTransactions, { as: me, query })
    expect(transactions.map(({ id }) => id).toSorted()).toEqual(
      // Only one side pays the fee.
      [one.from.id, one.to.id, two.from.id].toSorted(),
    )
    await rows('UPDATE categories SET parent_id = ?, depth = 2 WHERE id = ?', top.id, other.id)
    expect((await ok(listTransfers, { as: me, query })).count).toBe(3)
    expect((await ok(listTransfers, { as: await newUser(), query })).count).toBe(0)
  })
})

describe('over the edge of a budget', () => {
  it('each inner account says what left for which category, and to which account', async () => {
    const { me, from: everyday, to: savings, move } = await newBooks()
    const depot = await newAccount(me)
    const [investing, bank] = [await newCategory(me), await newCategory(me)]
    const fee = (amount: string) => ({ fee: { amount, categoryId: bank.id } })
    const at = (day: string) => ({ date: `2026-06-${day}` })
    const toDepot = { fromAccountId: everyday.id, toAccountId: depot.id }
    await move({
      ...{ ...toDepot, ...at('01'), categoryId: investing.id },
      ...{ amount: '200', ...fee('1.50') },
    })
    await move({
      ...{ fromAccountId: depot.id, toAccountId: everyday.id, ...at('02') },
      ...{ categoryId: investing.id, amount: '80', ...fee('2') },
    })
    await move({ ...toDepot, ...at('03'), amount: '50' })
    const inside = { fromAccountId: everyday.id, toAccountId: savings.id }
    await move({ ...inside, ...at('04'), amount: '100', ...fee('1') })
    const flows = await rows<
      Record<'period' | 'flow' | 'category' | 'counter' | 'amount', unknown>
    >(
      `SELECT period, flow, category_id AS category, counter_account_id AS counter, amount_minor AS amount
        FROM flow_periods WHERE account_id IN (?, ?) AND grain = 'day'
        ORDER BY period, account_id = ? DESC, flow DESC`,
      ...[everyday.id, savings.id, everyday.id],
    )
    const said = flows.map(({ period, flow, category, counter, amount }) => [
      ...[String(period).slice(-2), flow, category, counter, amount],
    ])
    expect(said).toEqual([
      ['01', 'transfer', investing.id, depot.id, -19850],
      ['01', 'expense', bank.id, '', -150],
      ['02', 'transfer', investing.id, depot.id, 7800],
      ['03', 'transfer', '', depot.id, -5000],
      ['04', 'transfer', '', savings.id, -9900],
      ['04', 'expense', bank.id, '', -100],
      ['04', 'transfer', '', everyday.id, 9900],
    ])
    // The fee of the second is the depot's.
    expect(await flowsOf(depot)).toContainEqual(['expense', bank.id, '', -200])
    await sound(me)
  })
})

describe('a category is refused', () => {
  const places = [
    ['categoryId', (categoryId: string) => ({ categoryId })],
    [
      'fees.1.categoryId',
      (categoryId: string) => ({ fees: [{ amount: '1' }, { amount: '1', categoryId }] }),
    ],
  ] as const

  it.each(places)('on %s if unknown, of another user or of another kind', async (field, said) => {
    const { me, move } = await newBooks()
    const [salary, foreign] = [await newCategory(me, 'income'), await newCategory(await newUser())]
    const { body } = await move()
    for (const [id, code] of [
      ['cat_none', 'transfers.unknownCategory'],
      [foreign.id, 'transfers.unknownCategory'],
      [salary.id, 'transfers.categoryKind'],
    ] as const) {
      for (const refused of [await move(said(id)), await change(me, body, said(id))]) {
        expect(refusal(refused)).toEqual([400, code, field])
      }
    }
  })

  it.each(places)('on %s if archived, unless the transfer has it', async (field, said) => {
    const { me, move } = await newBooks()
    const [old, other] = [await newCategory(me), await newCategory(me)]
    const { body } = await move({ categoryId: old.id })
    await archive(old)
    await archive(other)
    for (const refused of [await move(said(other.id)), await change(me, body, said(other.id))]) {
      expect(refusal(refused)).toEqual([400, 'transfers.archivedCategory', field])
    }
    expect((await change(me, body, said(old.id))).status).toBe(200)
  })
})

it('a category and those of fees can be named, and created', async () => {
  const { me, move } = await newBooks()
  const named = {
    categoryName: 'Investing',
    fees: [{ amount: '1' }, { amount: '1', categoryName: 'Bank fees' }],
  }
  expect(refusal(await move(named))).toEqual([400, 'categories.unknownName', 'categoryName'])
  const { body } = await move({ ...named, createMissing: true })
  const { categories } = await ok(listCategories, { as: me })
  const idOf = (wanted: string) => categories.find(({ name }) => name === wanted)?.id ?? ''
  expect(categories.map(({ kind }) => kind)).toEqual(['expense', 'expense'])
  expect([body.categoryId, body.fees.map(({ categoryId }) => categoryId)]).toEqual([
    ...[idOf('Investing'), [null, idOf('Bank fees')]],
  ])
  const again = await move({ categoryName: 'investing', fees: named.fees })
  expect(again.body.categoryId).toBe(idOf('Investing'))
  const both = { categoryName: 'Investing', categoryId: idOf('Investing') }
  expect(refusal(await move(both))).toEqual([400, 'request.invalid', 'categoryName'])
})

describe('merging, deleting and restoring a category', () => {
  it('reaches transfers and their fees, booked or in the trash', async () => {
    const { me, from, to, move } = await newBooks()
    const [old, into] = [await newCategory(me), await newCategory(me)]
    const said = {
      categoryId: old.id,
      fees: [{ amount: '1' }, { amount: '2', categoryId: old.id, note: 'Wire' }],
    }
    const [{ body: kept }, { body: gone }] = [await move(said), await move(said)]
    await ok(deleteTransfer, { as: me, id: gone.id })
    expect(await ok(getCategoryUsage, { as: me, id: old.id })).toMatchObject({
      transactionCount: 1,
      // The transfer and its fee.
      lineCount: 2,
    })
    await ok(deleteCategory, { as: me, id: old.id, query: { reassignTo: into.id } })
    const merged = { categoryId: into.id, fees: [{ categoryId: null }, { categoryId: into.id }] }
    expect(await ok(getTransfer, { as: me, id: kept.id })).toMatchObject({ ...merged, version: 2 })
    const pair = (tell: (id: string) => object) => ({ before: tell(old.id), after: tell(into.id) })
    expect((await toldOf(kept.from.id)).at(-1)).toEqual([
      'transaction.updated',
      pair((id) => ({ categoryId: id, fees: [{ line: 6, categoryId: id }] })),
    ])
    expect((await toldOf(kept.to.id)).at(-1)).toEqual([
      'transaction.updated',
      pair((id) => ({ categoryId: id })),
    ])
    expect(await flowsOf(to)).toEqual([['transfer', into.id, from.id, 9700]])
    await ok(restoreFromTrash, { as: me, path: { kind: 'category', id: old.id } })
    expect((await ok(getTransfer, { as: me, id: kept.id })).categoryId).toBe(old.id)
    await ok(restoreFromTrash, { as: me, path: { kind: 'transfer', id: gone.id } })
    const back = await ok(getTransfer, { as: me, id: gone.id })
    expect([back.categoryId, back.fees[1]]).toEqual([
      ...[old.id, { amount: '2.00', categoryId: old.id, note: 'Wire' }],
    ])
    await sound(me)
  })

  it('asks what takes its place where a transfer alone has it', async () => {
    const { me, move } = await newBooks()
    const [old, into] = [await newCategory(me), await newCategory(me)]
    const { body } = await move({ categoryId: old.id })
    expect(refusal(await call(deleteCategory, { as: me, id: old.id }))).toEqual([
      ...[409, 'categories.inUse', 'reassignTo'],
    ])
    await ok(mergeCategory, { as: me, id: into.id, json: { categoryId: old.id } })
    expect((await ok(getTransfer, { as: me, id: body.id })).categoryId).toBe(into.id)
    await sound(me)
  })

  it('takes it off, and gives it back, where only the trash has it', async () => {
    const { me, move } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const { body } = await move({ categoryId, fee: { amount: '1', categoryId } })
    await ok(deleteTransfer, { as: me, id: body.id })
    await ok(deleteCategory, { as: me, id: categoryId })
    await ok(restoreFromTrash, { as: me, path: { kind: 'category', id: categoryId } })
    await ok(restoreFromTrash, { as: me, path: { kind: 'transfer', id: body.id } })
    expect(await ok(getTransfer, { as: me, id: body.id })).toMatchObject({
      categoryId,
      fee: { categoryId },
    })
    await sound(me)
  })
})

describe('matching', () => {
  it('gives the transfer the category of the request, and unmatching the rows theirs', async () => {
    const { me, from, to } = await newBooks()
    const [food, saving] = [await newCategory(me), await newCategory(me)]
    const bank = await newCategory(me)
    const salary = await newCategory(me, 'income')
    const out = await book(me, from, { amount: '50', categoryId: food.id })
    const into = await book(me, to, { kind: 'income', amount: '49', categoryId: salary.id })
    const more = { categoryId: saving.id, fee: { categoryId: bank.id } }
    const { body } = await match(me, out, into, more)
    expect(body).toMatchObject({
      categoryId: saving.id,
      from: { categoryId: saving.id },
      fee: { amount: '1.00', categoryId: bank.id },
      fees: [{ amount: '1.00', categoryId: bank.id, note: null }],
    })
    expect(await flowsOf(to)).toEqual([['transfer', saving.id, from.id, 4900]])
    await change(me, body, { categoryId: bank.id })
    const apart = await unmatch(me, body)
    expect([apart.from.categoryId, apart.to.categoryId]).toEqual([food.id, salary.id])
    const again = await match(me, apart.from, apart.to, { fee: {} })
    expect(again.body).toMatchObject({ categoryId: null, from: { categoryId: null } })
    await sound(me)
  })

  it('refuses a category that is no expense category, or not there', async () => {
    const { me, from, to } = await newBooks()
    const salary = await newCategory(me, 'income')
    const out = await book(me, from, { amount: '50' })
    const into = await book(me, to, { kind: 'income', amount: '50' })
    for (const [categoryId, code] of [
      [salary.id, 'transfers.categoryKind'],
      ['cat_none', 'transfers.unknownCategory'],
    ]) {
      const refused = await match(me, out, into, { categoryId })
      expect(refusal(refused)).toEqual([400, code, 'categoryId'])
    }
  })

  it('is undone for a transfer that never was matched, with each fee as a part', async () => {
    const { me, move } = await newBooks()
    const { id: categoryId } = await newCategory(me)
    const fees = [{ amount: '1', categoryId, note: 'Wire' }, { amount: '2' }]
    const { from, to } = await unmatch(me, (await move({ categoryId, fees })).body)
    expect(from.splits).toMatchObject([
      { amount: '97.00', categoryId: null, note: null },
      { amount: '1.00', categoryId, note: 'Wire' },
      { amount: '2.00', categoryId: null, note: null },
    ])
    expect([to.categoryId, to.splits]).toEqual([null, []])
    await sound(me)
  })
})

it('somebody who sees one account only sees the category there, and nothing of the other side', async () => {
  const { me, from, to, move } = await newBooks()
  const friend = await newUser()
  const [saving, bank] = [await newCategory(me), await newCategory(me)]
  await share(me, to, friend)
  const { body } = await move({ categoryId: saving.id, fee: { amount: '1', categoryId: bank.id } })
  const leg = await ok(getTransaction, { as: friend, id: body.to.id })
  expect(leg).toMatchObject({ categoryId: saving.id, counterAccountId: null })
  const labels = { path: { id: to.id }, query: { kind: 'category' as const } }
  expect((await ok(listAccountLabels, { as: friend, ...labels })).labels).toMatchObject([
    { id: saving.id },
  ])
  const told = JSON.stringify([leg, await historyOf(friend, body.to.id)])
  expect([bank.id, from.id].filter((id) => told.includes(id))).toEqual([])
  expect(told).toContain(saving.id)
  expect(refusal(await call(getTransfer, { as: friend, id: body.id }))).toEqual([
    ...[404, 'transfers.notFound'],
  ])
  const query = { categoryId: saving.id }
  expect((await ok(listTransfers, { as: friend, query })).count).toBe(0)
  const json = { fromAccountId: from.id, toAccountId: to.id, date: '2026-11-20', amount: '1' }
  expect((await call(createTransfer, { as: friend, json })).status).toBe(400)
})

it('whoever may annotate both accounts changes the category, and no amount', async () => {
  const { me, from, to, move } = await newBooks()
  const friend = await newUser()
  const [mine, theirs] = [await newCategory(me), await newCategory(friend)]
  await share(me, from, friend, { permission: 'annotate' })
  await share(me, to, friend, { permission: 'annotate' })
  const { body } = await move({ fees: [{ amount: '1' }] })
  const said = { categoryId: mine.id, fees: [{ amount: '1', note: 'Wire' }] }
  expect((await change(friend, body, said)).body).toMatchObject({
    categoryId: mine.id,
    fees: [{ note: 'Wire' }],
  })
  expect(refusal(await change(friend, body, { categoryId: theirs.id }))).toEqual([
    ...[400, 'transfers.unknownCategory', 'categoryId'],
  ])
  expect((await change(friend, body, { fees: [{ amount: '2' }] })).status).toBe(403)
  await sound(me)
})

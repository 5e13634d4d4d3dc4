import { describe, expect, it } from 'vitest'
import { createTransactionLink } from '../../../src/areas/money/transactions/links/links.routes.ts'
import {
  createTransaction,
  getTransaction,
  listTransactionVersions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  convertToTransfer,
  createTransfer,
  getTransfer,
  matchTransfer,
  revertToSingle,
  unmatchTransfer,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { toldOf } from '../ledger/events.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf, book, close, expenseOn, refusal, tripsOf } from '../transactions/booking.ts'
import { convert, converted, newFull, newHalves, revert, stored } from './matched.ts'

const core = ({ id }: { id: string }) => id.slice(4, 30)

describe('converting', () => {
  it('makes an expense the leg that pays, with all that it has, in two trips', async () => {
    const { me, one, two, from } = await newFull()
    const answer = await convert(me, from, { accountId: two.id })
    expect([answer.status, tripsOf(answer)]).toEqual([201, 2])
    const { body } = answer
    expect([body.id, body.from.id, body.to.id]).toEqual([
      `trf_${core(from)}`,
      `txn_${core(from)}-1`,
      `txn_${core(from)}-2`,
    ])
    const { description, payeeRaw, payeeId, tagIds, time, metadata, date, status, externalId } =
      from
    const words = { description, payeeRaw, payeeId, tagIds, time, metadata, date }
    expect(body).toMatchObject({ amount: '50.00', toAmount: '50.00', categoryId: null, fees: [] })
    expect(body.from).toMatchObject({ ...words, status, externalId, accountId: one.id })
    expect(body.to).toMatchObject({
      ...{ ...words, status: 'uncleared', externalId: null, accountId: two.id },
      counterAccountId: one.id,
    })
    expect(await ok(getTransfer, { as: me, id: body.id })).toEqual(body)
    expect(refusal(await call(getTransaction, { as: me, id: from.id }))).toEqual([
      ...[404, 'transactions.notFound'],
    ])
    expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-50.00', '100.00'])
    const again = expenseOn(one, { amount: '50', externalId: 'out-1' })
    const found = await call(createTransaction, { as: me, json: again })
    expect([found.status, found.body.id]).toEqual([200, body.from.id])
    expect(await differencesOf(me)).toEqual([])
  })

  it('makes an income the leg that receives', async () => {
    const { me, one, two, yen, to } = await newFull()
    const body = await converted(me, to, yen, { toAmount: '8000' })
    expect(body).toMatchObject({ amount: '8000', toAmount: '50.00', rate: null })
    expect(body.from).toMatchObject({ accountId: yen.id, status: 'uncleared', private: true })
    expect(body.to).toMatchObject({ id: `txn_${core(to)}-2`, externalId: 'in-1', note: 'Arrived' })
    expect([await balanceOf(me, yen), await balanceOf(me, two)]).toEqual(['-8000', '50.00'])
    expect(await balanceOf(me, one)).toBe('-50.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it('refuses what cannot be a leg, and accounts that cannot have the other one', async () => {
    const { me, one, two, yen, out } = await newHalves()
    const row = await out()
    const stranger = await newUser()
    const [theirs, shut] = [await newAccount(stranger), await newAccount(me)]
    await close(shut)
    const moved = await ok(createTransfer, {
      as: me,
      json: { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '5' },
    })
    const splits = [{ amount: '20' }, { amount: '30' }]
    const before = await stored(me)
    const refused: [string, { id: string }, object, unknown[]][] = [
      ['unknown', { id: someId('txn') }, {}, [404, 'transactions.notFound']],
      ['a leg', moved.from, {}, [409, 'transfers.notMatchable']],
      ['same account', row, { accountId: one.id }, [400, 'transfers.sameAccount', 'accountId']],
      ['unseen', row, { accountId: theirs.id }, [400, 'transfers.unknownAccount', 'accountId']],
      ['closed', row, { accountId: shut.id }, [409, 'transfers.accountClosed']],
      ['currency', row, { accountId: yen.id }, [400, 'transfers.toAmountNeeded', 'toAmount']],
      [
        'yen',
        row,
        { accountId: yen.id, toAmount: '1.5' },
        [400, 'money.tooManyDigits', 'toAmount'],
      ],
      ['other', row, { toAmount: '49' }, [400, 'ledger.transferMismatch', 'toAmount']],
    ]
    for (const [name, which, json, why] of refused) {
      const answer = await convert(me, which, { accountId: two.id, ...json })
      expect(refusal(answer), name).toEqual(why)
    }
    expect(refusal(await convert(stranger, row, { accountId: theirs.id }))).toEqual([
      ...[404, 'transactions.notFound'],
    ])
    expect(await stored(me)).toEqual(before)
    const others: [object, unknown[]][] = [
      [{ status: 'void' }, [409, 'transfers.voidRow']],
      [{ splits }, [409, 'transfers.splitRow']],
      [{ kind: 'adjustment', amount: '-50' }, [409, 'transfers.notMatchable']],
      [{ status: 'reconciled' }, [409, 'transfers.reconciled']],
    ]
    for (const [wanted, why] of others) {
      const answer = await convert(me, await out(wanted), { accountId: two.id })
      expect(refusal(answer), JSON.stringify(wanted)).toEqual(why)
    }
    const reconciled = await out({ status: 'reconciled' })
    expect((await converted(me, reconciled, two, { force: true })).from.status).toBe('reconciled')
  })

  it('keeps files, and the history from before, on its own leg alone', async () => {
    const { me, two, from } = await newFull()
    await file(me, { query: { linkKind: 'transaction', linkId: from.id } })
    await ok(updateTransaction, { as: me, id: from.id, json: { note: 'Twice' } })
    const body = await converted(me, from, two)
    expect(body.from.attachmentCount).toBe(1)
    await ok(updateTransaction, { as: me, id: body.from.id, json: { status: 'uncleared' } })
    const actionsOf = async ({ id }: { id: string }) =>
      (await ok(listTransactionVersions, { as: me, id })).versions.map(({ action }) => action)
    const since = ['transaction.updated', 'transfer.matched']
    expect(await actionsOf(body.from)).toEqual([
      ...since,
      ...['transfer.matched', 'transaction.updated', 'transaction.created'],
    ])
    expect(await actionsOf(body.to)).toEqual(['transfer.matched'])
    const { body: apart } = await revert(me, body.from)
    expect(apart.from?.attachmentCount).toBe(1)
  })

  it('tells the log the row and both legs', async () => {
    const { me, two, from } = await newFull()
    const body = await converted(me, from, two)
    await revert(me, from)
    expect((await toldOf(from.id)).map(([type]) => type)).toEqual([
      ...['transaction.created', 'transfer.matched', 'transfer.unmatched'],
    ])
    for (const { id } of [body.from, body.to]) {
      const told = (await toldOf(id)).map(([type]) => type)
      expect(told).toEqual(['transfer.matched', 'transfer.unmatched'])
    }
  })

  it('is done once, by one of several requests', async () => {
    const { me, one, two, out } = await newHalves()
    const row = await out()
    const answers = await Promise.all([1, 2, 3].map(() => convert(me, row, { accountId: two.id })))
    const statuses = answers.map(({ status }) => status).toSorted()
    expect([statuses[0], statuses.slice(1).every((one_) => one_ === 404 || one_ === 409)]).toEqual([
      ...[201, true],
    ])
    const other = await out()
    const json = { accountId: two.id }
    for (const meanwhile of [
      () => ok(updateTransaction, { as: me, id: other.id, json: { amount: '40' } }),
      () => converted(me, other, two),
    ]) {
      const late = await serviceWith({ meanwhile }).call(convertToTransfer, {
        ...{ as: me, id: other.id, json },
      })
      expect(refusal(late)).toEqual([409, 'request.conflict'])
    }
    expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-90.00', '90.00'])
    expect(await differencesOf(me)).toEqual([])
  })

  it('is answered once more under the same key', async () => {
    const { me, two, out } = await newHalves()
    const row = await out()
    const headers = { 'Idempotency-Key': 'convert-1' }
    const send = () =>
      call(convertToTransfer, { as: me, id: row.id, json: { accountId: two.id }, headers })
    const [first, second] = [await send(), await send()]
    expect([second.status, second.body]).toEqual([201, first.body])
  })
})

describe('reverting', () => {
  it.each(['leg', 'row', 'transfer'] as const)(
    'brings the row back to the byte, by the id of the %s',
    async (by) => {
      const { me, two, from } = await newFull()
      const refund = { kind: 'refundOf' as const, transactionId: from.id, amount: '5' }
      const income = await book(me, two, { kind: 'income', amount: '5' })
      await ok(createTransactionLink, { as: me, id: income.id, json: refund })
      const now = await ok(getTransaction, { as: me, id: from.id })
      const before = await stored(me)
      const transfer = await converted(me, from, two)
      const apart = await (by === 'transfer'
        ? ok(unmatchTransfer, { as: me, id: transfer.id })
        : ok(revertToSingle, { as: me, id: by === 'leg' ? transfer.from.id : from.id }))
      expect(apart).toEqual({
        from: { ...now, version: 3, updatedAt: apart.from?.updatedAt },
        to: null,
      })
      expect(await stored(me)).toEqual(before)
      expect(await differencesOf(me)).toEqual([])
    },
  )

  it('keeps what was changed since, and a leg that the bank has told of', async () => {
    const { me, one, two, to } = await newFull()
    const transfer = await converted(me, to, one)
    await ok(updateTransfer, {
      as: me,
      id: transfer.id,
      json: { amount: '60', date: '2026-12-01', note: 'Both' },
    })
    await ok(updateTransaction, { as: me, id: transfer.from.id, json: { status: 'cleared' } })
    const { body } = await revert(me, transfer.to)
    const shared = { date: '2026-12-01', amount: '60.00', note: 'Both' }
    expect(body.to).toMatchObject({
      ...{ ...shared, id: to.id, accountId: two.id, categoryId: to.categoryId },
      ...{ tagIds: to.tagIds, externalId: 'in-1' },
    })
    expect(body.from).toMatchObject({
      ...{ ...shared, kind: 'expense', accountId: one.id, status: 'cleared', categoryId: null },
    })
    expect(body.from?.id).not.toContain(core(to))
    expect([await balanceOf(me, one), await balanceOf(me, two)]).toEqual(['-110.00', '60.00'])
    expect(await differencesOf(me)).toEqual([])
    // It can become one again.
    expect((await converted(me, to, one)).id).toBe(transfer.id)
  })

  it('compares the version, and needs force for what is reconciled', async () => {
    const { me, two, out } = await newHalves()
    const transfer = await converted(me, await out(), two)
    const { id } = transfer.from
    const unknown = await revert(me, { id: transfer.from.id.replace('-1', '-3') })
    expect(refusal(unknown)).toEqual([404, 'transfers.notFound'])
    const stale = await call(revertToSingle, { as: me, id, headers: { 'If-Match': '"9"' } })
    expect(stale.status).toBe(412)
    await ok(updateTransaction, { as: me, id, json: { status: 'reconciled' } })
    expect(refusal(await revert(me, { id }))).toEqual([409, 'transfers.reconciled'])
    expect((await revert(me, { id }, { force: 'true' })).status).toBe(200)
  })

  it('leaves the named leg alone of a transfer that never was a row', async () => {
    const { me, one, two, from, to } = await newFull()
    const json = { fromAccountId: one.id, toAccountId: two.id, date: '2026-11-20', amount: '5' }
    const plain = await ok(createTransfer, { as: me, json: { ...json, fee: { amount: '1' } } })
    const { body } = await revert(me, plain.to)
    expect(body).toMatchObject({ from: null, to: { kind: 'income', amount: '4.00' } })
    const other = await ok(createTransfer, { as: me, json: { ...json, status: 'cleared' } })
    expect((await revert(me, other.from)).body).toMatchObject({
      ...{ from: { amount: '5.00' }, to: { status: 'cleared' } },
    })
    const sides = { fromTransactionId: from.id, toTransactionId: to.id }
    const matched = await ok(matchTransfer, { as: me, json: sides })
    const apart = await revert(me, matched.from)
    expect([apart.body.from?.id, apart.body.to?.id]).toEqual([from.id, to.id])
    expect(refusal(await revert(me, from))).toEqual([404, 'transfers.notFound'])
    expect(await differencesOf(me)).toEqual([])
  })
})

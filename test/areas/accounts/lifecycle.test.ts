import { describe, expect, it } from 'vitest'
import {
  deleteAccount,
  getAccountByID,
  getHomePage,
  getUserAccounts,
  listAccountTypes,
  updateAccount,
  closeAccount,
  reopenAccount,
  reorderAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getAccountHistory,
  getAccountHistoryRecord,
} from '../../../src/areas/money/accounts/history/history.routes.ts'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { getTransfer, listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { serviceWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { refusal } from '../transactions/booking.ts'

const date = '2026-02-03'
const missing = 'acc_00000000000000000000000000'

describe('closing an account', () => {
  it('with nothing on it just closes it', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const closed = await ok(closeAccount, { as: me, id, json: {} })
    expect(closed).toMatchObject({ status: 'closed', version: 2, balance: '0.00' })
    expect(await ok(getAccountByID, { as: me, id })).toEqual({ ...closed, failingAssertions: 0 })
    expect((await ok(getHomePage, { as: me })).budgetAccounts).toEqual([])
    expect((await ok(listTransfers, { as: me })).count).toBe(0)
  })

  it.each([
    ['what is left goes', '120.50', '0.00', '120.50'],
    ['what is owed is paid', '-30', '0.00', '-30.00'],
  ])('%s to the other account by a transfer', async (_, openingBalance, here, there) => {
    const me = await newUser()
    const [from, to] = [await newAccount(me, { openingBalance }), await newAccount(me)]
    const json = { transferTo: to.id, date }
    const closed = await ok(closeAccount, { as: me, id: from.id, json })
    expect(closed).toMatchObject({ status: 'closed', balance: here, clearedBalance: here })
    expect(await ok(getAccountByID, { as: me, id: from.id })).toEqual({
      ...closed,
      failingAssertions: 0,
    })
    expect((await ok(getAccountByID, { as: me, id: to.id })).balance).toBe(there)
    const [record] = await ok(getAccountHistory, { as: me, query: { accountId: from.id } })
    expect(record).toMatchObject({ type: 'closed', balanceAfter: '0.00', date })
    const transfer = await ok(getTransfer, { as: me, id: record?.transactionId ?? '' })
    expect([transfer.from.accountId, transfer.to.accountId].toSorted()).toEqual(
      [from.id, to.id].toSorted(),
    )
    expect(await differencesOf(me)).toEqual([])
  })

  it('takes what arrives from the caller when the currencies differ', async () => {
    const me = await newUser()
    const from = await newAccount(me, { openingBalance: '100' })
    const to = await newAccount(me, { currency: 'JPY' })
    const without = await call(closeAccount, {
      as: me,
      id: from.id,
      json: { transferTo: to.id },
    })
    expect([without.status, without.error.code]).toEqual([400, 'accounts.toAmountNeeded'])
    await ok(closeAccount, {
      as: me,
      id: from.id,
      json: { transferTo: to.id, toAmount: '16000', date },
    })
    expect((await ok(getAccountByID, { as: me, id: to.id })).balance).toBe('16000')
    expect(await differencesOf(me)).toEqual([])
  })

  it('refuses to lose what is left, and to close twice', async () => {
    const me = await newUser()
    const { id } = await newAccount(me, { openingBalance: '1' })
    const left = await call(closeAccount, { as: me, id, json: {} })
    expect([left.status, left.error.code, left.error.field]).toEqual([
      409,
      'accounts.balanceLeft',
      'transferTo',
    ])
    const other = await newAccount(me)
    await ok(closeAccount, { as: me, id, json: { transferTo: other.id } })
    const again = await call(closeAccount, { as: me, id, json: {} })
    expect([again.status, again.error.code]).toEqual([409, 'accounts.closedAlready'])
  })

  it('refuses a target that is itself, closed, foreign or not there', async () => {
    const [me, stranger] = [await newUser(), await newUser()]
    const { id } = await newAccount(me, { openingBalance: '1' })
    const closed = await newAccount(me)
    await ok(closeAccount, { as: me, id: closed.id, json: {} })
    const foreign = await newAccount(stranger)
    const codes = []
    for (const transferTo of [id, closed.id, foreign.id, missing]) {
      const { status, error } = await call(closeAccount, { as: me, id, json: { transferTo } })
      codes.push([status, error.code])
    }
    expect(codes).toEqual([
      [400, 'accounts.sameAccount'],
      [409, 'accounts.targetClosed'],
      [400, 'accounts.targetNotFound'],
      [400, 'accounts.targetNotFound'],
    ])
    expect((await ok(getAccountByID, { as: me, id })).status).toBe('open')
  })

  it('does not close over a booking that came meanwhile', async () => {
    const me = await newUser()
    const { id } = await newAccount(me, { openingBalance: '1' })
    const other = await newAccount(me)
    const expense = { kind: 'expense' as const, accountId: id, date, amount: '5' }
    const service = serviceWith({
      meanwhile: () => ok(createTransaction, { as: me, json: expense }),
    })
    const { status, error } = await service.call(closeAccount, {
      as: me,
      id,
      json: { transferTo: other.id },
    })
    expect([status, error.code]).toEqual([409, 'accounts.changedMeanwhile'])
    expect(await ok(getAccountByID, { as: me, id })).toMatchObject({
      status: 'open',
      balance: '-4.00',
    })
    expect((await ok(getAccountByID, { as: me, id: other.id })).balance).toBe('0.00')
  })

  it.each<[string, (id: string) => Promise<unknown>, unknown[]]>([
    [
      'is deleted',
      (id) => rows('UPDATE accounts SET deleted_at = 1 WHERE id = ?', id),
      [400, 'accounts.targetNotFound', 'transferTo'],
    ],
    [
      'is closed',
      (id) => rows("UPDATE accounts SET status = 'closed' WHERE id = ?", id),
      [409, 'accounts.targetClosed', 'transferTo'],
    ],
  ])('leaves nothing to an account that %s meanwhile', async (_, change, refused) => {
    const me = await newUser()
    const [{ id }, target] = [await newAccount(me, { openingBalance: '1' }), await newAccount(me)]
    const service = serviceWith({ meanwhile: () => change(target.id) })
    const json = { transferTo: target.id }
    expect(refusal(await service.call(closeAccount, { as: me, id, json }))).toEqual(refused)
    expect((await ok(getAccountByID, { as: me, id })).status).toBe('open')
  })

  it('is refused for an account that is deleted meanwhile', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    const service = serviceWith({ meanwhile: () => ok(deleteAccount, { as: me, id }) })
    const raced = await service.call(closeAccount, { as: me, id, json: {} })
    expect(refusal(raced)).toEqual([404, 'accounts.notFound'])
  })

  it('stops bookings and changes of the opening balance until it is opened again', async () => {
    const me = await newUser()
    const { id } = await newAccount(me)
    await ok(closeAccount, { as: me, id, json: {} })
    const book = () =>
      call(createTransaction, {
        as: me,
        json: { kind: 'expense', accountId: id, date, amount: '5' },
      })
    const reopen = () => call(reopenAccount, { as: me, id })
    expect((await book()).status).toBe(409)
    const opening = await call(updateAccount, { as: me, id, json: { openingBalance: '3' } })
    expect([opening.status, opening.error.code]).toEqual([409, 'accounts.closed'])
    await ok(updateAccount, { as: me, id, json: { note: 'kept' } })
    const { body } = await reopen()
    expect(await ok(getAccountByID, { as: me, id })).toEqual({ ...body, failingAssertions: 0 })
    expect((await book()).status).toBe(201)
    const again = await reopen()
    expect([again.status, again.error.code]).toEqual([409, 'accounts.openAlready'])
    const types = (await ok(getAccountHistory, { as: me })).map(({ type }) => type)
    expect(types).toEqual(['reopened', 'updated', 'closed', 'created'])
  })

  it('does the same once for a repeated request', async () => {
    const me = await newUser()
    const { id } = await newAccount(me, { openingBalance: '1' })
    const other = await newAccount(me)
    const asked = {
      as: me,
      id,
      json: { transferTo: other.id },
      headers: { 'Idempotency-Key': 'close' },
    }
    const [first, second] = [await call(closeAccount, asked), await call(closeAccount, asked)]
    expect([second.status, second.body]).toEqual([200, first.body])
    expect((await ok(listTransfers, { as: me })).count).toBe(1)
  })

  it('is 404 for another user, and so is opening', async () => {
    const { id } = await newAccount(await newUser())
    const stranger = await newUser()
    expect((await call(closeAccount, { as: stranger, id, json: {} })).status).toBe(404)
    expect((await call(reopenAccount, { as: stranger, id })).status).toBe(404)
  })
})

describe('the order of accounts', () => {
  it('is the one that was said, the others after', async () => {
    const me = await newUser()
    const [a, b, c] = [await newAccount(me), await newAccount(me), await newAccount(me)]
    const reply = await ok(reorderAccounts, { as: me, json: { ids: [c.id, a.id, b.id] } })
    expect(reply.accounts.map(({ id }) => id)).toEqual([c.id, a.id, b.id])
    expect(await ok(getUserAccounts, { as: me })).toEqual(reply)
    const [told] = (await ok(listOwnAuditLog, { as: me })).entries
    expect(told).toMatchObject({
      ...{ action: 'account.reordered', resourceType: 'account', resourceId: null },
      changes: [{ field: 'order', before: [a.id, b.id, c.id], after: [c.id, a.id, b.id] }],
    })
  })

  it('refuses an account that is named twice, foreign or not there', async () => {
    const [me, stranger] = [await newUser(), await newUser()]
    const [mine, foreign] = [await newAccount(me), await newAccount(stranger)]
    const codes = []
    for (const ids of [[mine.id, mine.id], [mine.id, foreign.id], [missing]]) {
      const { status, error } = await call(reorderAccounts, { as: me, json: { ids } })
      codes.push([status, error.code])
    }
    expect(codes).toEqual([
      [400, 'accounts.repeatedAccount'],
      [400, 'accounts.targetNotFound'],
      [400, 'accounts.targetNotFound'],
    ])
    expect((await ok(getAccountByID, { as: stranger, id: foreign.id })).version).toBe(1)
    const service = serviceWith({ meanwhile: () => ok(deleteAccount, { as: me, id: mine.id }) })
    const raced = await service.call(reorderAccounts, { as: me, json: { ids: [mine.id] } })
    expect(refusal(raced)).toEqual([400, 'accounts.targetNotFound', 'ids'])
  })
})

it('tells every type with its class', async () => {
  const { types, count } = await ok(listAccountTypes, { as: await newUser() })
  expect(count).toBe(13)
  expect(types).toContainEqual({ type: 'creditCard', class: 'liability', onBudget: true })
  expect(types).toContainEqual({ type: 'property', class: 'asset', onBudget: false })
})

it('shows one record of a history, to its owner alone', async () => {
  const me = await newUser()
  await newAccount(me, { openingBalance: '2' })
  const [record] = await ok(getAccountHistory, { as: me })
  const id = record?.id ?? ''
  expect(await ok(getAccountHistoryRecord, { as: me, id })).toMatchObject(record ?? {})
  expect((await call(getAccountHistoryRecord, { as: await newUser(), id })).status).toBe(404)
})

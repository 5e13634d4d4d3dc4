import { describe, expect, it } from 'vitest'
import { revertImport } from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  matchTransfer,
  unmatchTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, ofx, type OfxRow, settled, uploaded } from './importing.ts'

const hotel: OfxRow = { id: '77', date: '2026-03-10', amount: '-100.00', name: 'HOTEL' }
const replaced = (id: string, of: string, amount: string): OfxRow => ({
  ...{ ...hotel, id, amount, date: '2026-03-12' },
  corrects: { id: of, action: 'REPLACE' },
})

/** A transaction that somebody typed, and a bank's file tells of. */
async function scene() {
  const me = await newUser()
  const account = await newAccount(me)
  const query = { accountId: account.id }
  const book = (json: object) =>
    ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, date: '2026-03-10', amount: '100.00' },
        ...{ description: 'Hotel', status: 'uncleared', ...json },
      } as never,
    })
  const typed = await book({})
  const { id } = typed
  const read = (file: OfxRow[]) => uploaded(me, ofx(file), { ...query, again: 'true' })
  const send = async (file: OfxRow[]) => committed(me, (await read(file)).id)
  const edit = (json: object) => ok(updateTransaction, { as: me, id, json })
  const show = () => ok(getTransaction, { as: me, id })
  const revert = async (importId: string, json: object = {}) => {
    const dry = await ok(revertImport, { as: me, id: importId, json: { ...json, dryRun: true } })
    await ok(revertImport, { as: me, id: importId, json })
    const { reverted } = (await settled(me, importId)) as { reverted?: unknown }
    expect(reverted).toEqual(dry.report)
    return reverted
  }
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  return { me, account, id, typed, book, read, send, edit, show, revert, balance }
}

const CLEAN = { status: 'uncleared', payeeRaw: null, externalId: null }
const message = expect.stringContaining('so they stay as they are')

describe('a matched transaction that was edited since', () => {
  it('keeps the edits, which the revert lists, and loses all else that the import wrote', async () => {
    const { id, read, send, edit, show, revert, balance } = await scene()
    const sent = await send([hotel])
    expect(sent.counts).toMatchObject({ matched: 1 })
    await edit({ amount: '25.00', date: '2026-03-05', description: 'Two nights' })
    const fields = ['date', 'amount']
    const kept = [{ id, reason: 'edited: date, amount', message, fields }]
    expect(await revert(sent.id)).toEqual({ removed: 0, restored: 1, kept })
    const left = { ...CLEAN, amount: '25.00', date: '2026-03-05', description: 'Two nights' }
    expect(await show()).toMatchObject(left)
    expect(await balance()).toBe('-25.00')
    expect((await read([hotel])).counts).toMatchObject({ new: 1 })
  })

  it('is no edited transaction of the import: `edited: remove` leaves it, too', async () => {
    const { send, edit, show, revert } = await scene()
    const { id } = await send([hotel])
    await edit({ payeeRaw: 'Grand Hotel' })
    const kept = [{ reason: 'edited: payeeRaw', fields: ['payeeRaw'] }]
    expect(await revert(id, { edited: 'remove' })).toMatchObject({ restored: 1, kept })
    expect(await show()).toMatchObject({ ...CLEAN, payeeRaw: 'Grand Hotel', amount: '100.00' })
  })

  it('keeps the amount that its parts add up to', async () => {
    const { send, edit, show, revert, balance } = await scene()
    await send([hotel])
    const { id } = await send([replaced('91', '77', '-90.00')])
    expect(await balance()).toBe('-90.00')
    await edit({ splits: [{ amount: '50.00' }, { amount: '40.00' }] })
    expect(await revert(id)).toMatchObject({ restored: 1, kept: [{ fields: ['amount'] }] })
    expect(await show()).toMatchObject({ amount: '90.00', date: '2026-03-10' })
  })

  it('keeps the account that it was moved to', async () => {
    const { me, send, edit, show, revert } = await scene()
    const { id } = await send([hotel])
    const other = await newAccount(me)
    await edit({ accountId: other.id })
    expect(await revert(id)).toMatchObject({ restored: 1, kept: [{ fields: ['accountId'] }] })
    expect(await show()).toMatchObject({ ...CLEAN, accountId: other.id })
  })

  it('of an import of an earlier release keeps all, as it does not say what it wrote', async () => {
    const { send, edit, show, revert } = await scene()
    const forget = () =>
      rows("UPDATE import_identities SET added = json_remove(added, '$.wrote', '$.at')")
    const first = await send([hotel])
    await forget()
    expect(await revert(first.id)).toMatchObject({ restored: 1, kept: [] })
    expect(await show()).toMatchObject(CLEAN)
    const second = await send([hotel])
    await forget()
    await edit({ amount: '25.00' })
    expect(await revert(second.id)).toMatchObject({
      kept: [{ fields: ['amount', 'status', 'payeeRaw', 'externalId'] }],
    })
    expect(await show()).toMatchObject({ amount: '25.00', status: 'cleared', externalId: '77' })
  })
})

it('a matched transaction that became half of a transfer loses what was added there', async () => {
  const { me, id, book, send, show, revert } = await scene()
  const other = await newAccount(me)
  const income = await book({ kind: 'income', accountId: other.id, date: '2026-03-11' })
  const sent = await send([hotel])
  const transfer = await ok(matchTransfer, {
    as: me,
    json: { fromTransactionId: id, toTransactionId: income.id },
  })
  expect(await revert(sent.id)).toMatchObject({ restored: 1, kept: [] })
  await ok(unmatchTransfer, { as: me, id: transfer.id })
  expect(await show()).toMatchObject({ ...CLEAN, amount: '100.00', date: '2026-03-10' })
})

describe('a matched transaction that cannot be changed now', () => {
  it('stays known while it is reconciled, until the revert is forced', async () => {
    const { me, id, read, send, show, revert } = await scene()
    const sent = await send([hotel])
    await rows("UPDATE entries SET status = 'reconciled' WHERE transaction_id = ?", id)
    expect(await revert(sent.id)).toMatchObject({
      restored: 0,
      kept: [{ id, reason: 'reconciled' }],
    })
    expect(await show()).toMatchObject({ status: 'reconciled', externalId: '77' })
    expect((await read([hotel])).counts).toMatchObject({ duplicate: 1 })
    await ok(revertImport, { as: me, id: sent.id, json: { force: true } })
    const { reverted } = (await settled(me, sent.id)) as { reverted?: unknown }
    expect(reverted).toMatchObject({ restored: 1, kept: [{ id, fields: ['status'] }] })
    expect(await show()).toMatchObject({ ...CLEAN, status: 'reconciled' })
  })

  it('stays known while it is in the trash, and loses what was added once it is restored', async () => {
    const { me, id, read, send, show, revert } = await scene()
    const sent = await send([hotel])
    await ok(deleteTransaction, { as: me, id })
    expect(await revert(sent.id)).toMatchObject({ restored: 0, kept: [{ id, reason: 'inTrash' }] })
    expect((await read([hotel])).counts).toMatchObject({ new: 0, duplicate: 1 })
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id } })
    await ok(revertImport, { as: me, id: sent.id, json: { force: true } })
    expect(await settled(me, sent.id)).toMatchObject({ reverted: { restored: 1, kept: [] } })
    expect(await show()).toMatchObject(CLEAN)
  })

  it('stays in the trash if its user moved it there after restoring it', async () => {
    const { me, id, send, revert, balance } = await scene()
    await send([hotel])
    const withdrawn = { ...hotel, id: '90', corrects: { id: '77', action: 'DELETE' as const } }
    const sent = await send([withdrawn])
    await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id } })
    await ok(deleteTransaction, { as: me, id })
    expect(await revert(sent.id)).toMatchObject({ restored: 0, kept: [{ id, reason: 'inTrash' }] })
    expect(await balance()).toBe('0.00')
  })
})

it.each([
  ['first', [0, 1, 2]],
  ['second', [1, 0, 2]],
  ['last', [2, 1, 0]],
] as const)(
  'corrections that are reverted in any order leave the first amount: the %s one first',
  async (_name, order) => {
    const { send, show, revert, balance } = await scene()
    const sent = [
      await send([hotel]),
      await send([replaced('91', '77', '-90.00')]),
      await send([replaced('92', '91', '-80.00')]),
    ]
    expect(sent.map(({ counts }) => counts)).toMatchObject([
      ...[{ matched: 1 }, { updated: 1 }, { updated: 1 }],
    ])
    expect(await balance()).toBe('-80.00')
    for (const at of order) {
      expect(await revert(sent[at]?.id ?? '')).toMatchObject({ restored: 1, kept: [] })
    }
    expect(await show()).toMatchObject({ ...CLEAN, amount: '100.00', date: '2026-03-10' })
    expect(await balance()).toBe('-100.00')
  },
)

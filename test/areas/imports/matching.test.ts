import { describe, expect, it } from 'vitest'
import {
  cancelImport,
  commitImport,
  deleteImport,
  getImport,
  revertImport,
  setImportMapping,
  listImportRows,
  updateImportRow,
  updateImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, ofx, settled, uploaded } from './importing.ts'

async function household() {
  const me = await newUser()
  const account = await newAccount(me)
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  const rowsOf = async (id: string) => (await ok(listImportRows, { as: me, id })).rows
  const bookedBy = (id: string) =>
    rows<{ id: string }>('SELECT id FROM transactions WHERE import_id = ? ORDER BY date, id', id)
  return { me, account, balance, rowsOf, bookedBy, query: { accountId: account.id } }
}

describe('a row that was typed before', () => {
  it('is matched, keeps its words, gets what it lacks, and loses that again', async () => {
    const { me, account, balance, rowsOf, query } = await household()
    const typed = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, date: '2026-03-10', amount: '12.30' },
        ...{ description: 'Tesco stores', status: 'uncleared' },
      },
    })
    const file = ofx([{ id: '7', date: '2026-03-10', amount: '-12.30', name: 'TESCO STORES' }])
    const sent = await uploaded(me, file, query)
    expect(sent.counts).toMatchObject({ rows: 1, matched: 1 })
    expect((await rowsOf(sent.id))[0]).toMatchObject({ verdict: 'matched', matchedId: typed.id })
    expect(await committed(me, sent.id)).toMatchObject({ state: 'done', counts: { matched: 1 } })
    const matched = await ok(getTransaction, { as: me, id: typed.id })
    expect(matched).toMatchObject({
      ...{ description: 'Tesco stores', payeeRaw: 'TESCO STORES', status: 'cleared' },
      ...{ externalId: '7', importId: null, source: 'user' },
    })
    expect(await balance()).toBe('-12.30')
    expect((await uploaded(me, file, query)).counts).toMatchObject({ duplicate: 1 })
    await ok(revertImport, { as: me, id: sent.id, json: {} })
    expect(await settled(me, sent.id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 0, restored: 1, kept: [] },
    })
    const {
      version: _,
      updatedAt: _at,
      ...restored
    } = await ok(getTransaction, {
      as: me,
      id: typed.id,
    })
    const { version: _v, updatedAt: _u, ...before } = typed
    expect(restored).toEqual(before)
    expect(await balance()).toBe('-12.30')
  })
})

describe('what was deleted', () => {
  it('stays deleted, and is booked again only by a decision', async () => {
    const { me, balance, rowsOf, bookedBy, query } = await household()
    const file = csv(['2026-03-10,COFFEE,-3.00', '2026-03-11,TEA,-2.00'])
    const first = await uploaded(me, file, query)
    await committed(me, first.id)
    const [coffee] = await bookedBy(first.id)
    await call(deleteTransaction, { as: me, id: coffee?.id ?? '' })
    const second = await uploaded(me, file, query)
    expect((await rowsOf(second.id)).map(({ reason }) => reason)).toEqual(['inTrash', 'sameRow'])
    const [row] = await rowsOf(second.id)
    const decided = await ok(updateImportRow, {
      as: me,
      path: { id: second.id, rowId: row?.id ?? '' },
      json: { decision: 'book', description: 'One more', amount: '-4.00' },
    })
    expect(decided).toMatchObject({ verdict: 'new', decision: 'book' })
    expect(await ok(getImport, { as: me, id: second.id })).toMatchObject({
      counts: { new: 1, duplicate: 1 },
    })
    expect((await committed(me, second.id)).counts).toMatchObject({ new: 1, duplicate: 1 })
    expect(await balance()).toBe('-6.00')
    expect((await uploaded(me, file, query)).counts).toMatchObject({ new: 0, duplicate: 2 })
  })
})

describe('a revert', () => {
  it('tells what was edited, keeps it, and lets the file come again', async () => {
    const { me, balance, bookedBy, query } = await household()
    const file = csv(['2026-03-10,COFFEE,-3.00', '2026-03-11,TEA,-2.00', '2026-03-12,CAKE,-5.00'])
    const sent = await uploaded(me, file, query)
    await committed(me, sent.id)
    const [coffee] = await bookedBy(sent.id)
    const id = coffee?.id ?? ''
    await ok(updateTransaction, { as: me, id, json: { description: 'With Ada' } })
    const foreseen = await ok(revertImport, { as: me, id: sent.id, json: { dryRun: true } })
    const message = expect.stringContaining('edited: remove')
    const kept = [{ id, reason: 'edited: description', message }]
    expect(foreseen).toEqual({ report: { removed: 2, restored: 0, kept } })
    expect(await balance()).toBe('-10.00')
    await ok(revertImport, { as: me, id: sent.id, json: {} })
    expect(await settled(me, sent.id)).toMatchObject({ reverted: { removed: 2, kept } })
    expect(await balance()).toBe('-3.00')
    expect((await uploaded(me, file, query)).counts).toMatchObject({ new: 2, duplicate: 1 })
    const again = await call(revertImport, { as: me, id: sent.id, json: {} })
    expect([again.status, again.error.code]).toEqual([409, 'imports.nothingToRevert'])
  })
})

describe('decisions', () => {
  it('skip rows for this file, or for good', async () => {
    const { me, balance, rowsOf, query } = await household()
    const file = csv(['2026-03-10,COFFEE,-3.00', '2026-03-11,TEA,-2.00'])
    const sent = await uploaded(me, file, query)
    const [coffee, tea] = await rowsOf(sent.id)
    await ok(updateImportRows, {
      as: me,
      id: sent.id,
      json: { ids: [coffee?.id ?? ''], decision: 'skip' },
    })
    await ok(updateImportRows, {
      as: me,
      id: sent.id,
      json: { filter: { text: 'tea' }, decision: 'skip', once: true },
    })
    expect(tea?.id).toMatch(/_2$/)
    expect((await committed(me, sent.id)).counts).toMatchObject({ skipped: 2, new: 0 })
    expect(await balance()).toBe('0.00')
    const again = await uploaded(me, file, query)
    expect(again.counts).toMatchObject({ new: 1, duplicate: 1 })
    expect((await rowsOf(again.id)).map(({ reason }) => reason)).toEqual(['skipped', null])
  })

  it('mend what cannot be read', async () => {
    const { me, balance, rowsOf, query } = await household()
    const sent = await uploaded(
      me,
      csv(['2026-03-10,COFFEE,-3.00', '2026-03-11,TEA,', '2026-03-12,CAKE,-5.00']),
      query,
    )
    expect(sent.counts).toMatchObject({ new: 2, error: 1 })
    const tea = (await rowsOf(sent.id)).find(({ verdict }) => verdict === 'error')
    await ok(updateImportRow, {
      as: me,
      path: { id: sent.id, rowId: tea?.id ?? '' },
      json: { amount: '-2.00' },
    })
    expect((await committed(me, sent.id)).counts).toMatchObject({ new: 3, error: 0 })
    expect(await balance()).toBe('-10.00')
  })
})

describe('an import', () => {
  it('is called off, deleted, and seen by nobody else', async () => {
    const { me, query } = await household()
    const sent = await uploaded(me, csv(['2026-03-10,COFFEE,-3.00']), query)
    const other = await newUser()
    expect((await call(getImport, { as: other, id: sent.id })).status).toBe(404)
    expect(await ok(cancelImport, { as: me, id: sent.id })).toMatchObject({
      ...{ state: 'cancelled', counts: { rows: 1, new: 0, skipped: 1 } },
    })
    const refused = await call(commitImport, { as: me, id: sent.id, json: {} })
    expect([refused.status, refused.error.code]).toEqual([409, 'imports.notPreviewed'])
    const mapped = await call(setImportMapping, { as: me, id: sent.id, json: { decimal: ',' } })
    expect([mapped.status, mapped.error.code]).toEqual([409, 'imports.alreadyDone'])
    expect((await call(deleteImport, { as: me, id: sent.id })).status).toBe(204)
    expect((await call(getImport, { as: me, id: sent.id })).status).toBe(404)
  })
})

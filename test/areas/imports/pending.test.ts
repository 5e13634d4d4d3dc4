import { describe, expect, it } from 'vitest'
import {
  previewImport,
  revertImport,
  setImportMapping,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

const BREAD = '2026-05-01,BREAD,-4.00,Booked'

async function household() {
  const me = await newUser()
  const account = await newAccount(me)
  const read = async (lines: string[]) => {
    const { id } = await uploaded(me, csv(lines, 'Date,Payee,Amount,Status'), {
      ...{ accountId: account.id, again: 'true' },
    })
    return ok(setImportMapping, { as: me, id, json: { pending: 'import' } })
  }
  const send = async (lines: string[]) => committed(me, (await read(lines)).id)
  const booked = async () => {
    const query = { accountId: account.id }
    const { transactions } = await ok(listTransactions, { as: me, query })
    return transactions.map(({ date, signedAmount, status }) => [date, signedAmount, status])
  }
  const rowsOf = async (id: string) => (await ok(listImportRows, { as: me, id })).rows
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  const decide = (id: string, rowId: string, json: object) =>
    call(updateImportRow, { as: me, path: { id, rowId }, json })
  return { me, account, read, send, booked, rowsOf, balance, decide }
}

describe('a pending row', () => {
  it('becomes the booked one on the same day, and is pending again once that is taken back', async () => {
    const { me, send, booked } = await household()
    const held = [BREAD, '2026-05-02,COFFEE,-3.00,Pending']
    const posted = [BREAD, '2026-05-02,COFFEE,-3.00,Booked']
    await send(held)
    const { id, counts } = await send(posted)
    expect(counts).toMatchObject({ rows: 2, new: 0, duplicate: 1, updated: 1 })
    expect(await booked()).toEqual([
      ['2026-05-02', '-3.00', 'cleared'],
      ['2026-05-01', '-4.00', 'cleared'],
    ])
    expect((await send(posted)).counts).toMatchObject({ duplicate: 2 })
    expect((await send(held)).counts).toMatchObject({ duplicate: 2 })
    await ok(revertImport, { as: me, id, json: {} })
    expect(await settled(me, id)).toMatchObject({ reverted: { removed: 0, restored: 1 } })
    expect((await booked())[0]).toEqual(['2026-05-02', '-3.00', 'pending'])
    expect((await send(posted)).counts).toMatchObject({ duplicate: 1, updated: 1 })
    expect((await booked())[0]).toEqual(['2026-05-02', '-3.00', 'cleared'])
  })

  it('that was booked under another day takes no later purchase for itself', async () => {
    const { me, send, balance, booked } = await household()
    const held = [BREAD, '2026-05-02,COFFEE,-3.00,Pending']
    await send(held)
    const { id, counts } = await send([BREAD, '2026-05-03,COFFEE,-3.00,Booked'])
    expect(counts).toMatchObject({ duplicate: 1, updated: 1 })
    const next = await send(['2026-05-04,MILK,-1.00,Booked', '2026-05-05,COFFEE,-3.00,Booked'])
    expect(next.counts).toMatchObject({ new: 2, updated: 0 })
    expect(await balance()).toBe('-11.00')
    // The file before knows its row as what it became.
    expect((await send(held)).counts).toMatchObject({ duplicate: 2 })
    await ok(revertImport, { as: me, id, json: {} })
    expect(await settled(me, id)).toMatchObject({ reverted: { restored: 1, kept: [] } })
    expect(await booked()).toContainEqual(['2026-05-02', '-3.00', 'pending'])
    const again = await send([BREAD, '2026-05-03,COFFEE,-3.00,Booked'])
    expect(again.counts).toMatchObject({ duplicate: 1, updated: 1 })
    expect(await balance()).toBe('-11.00')
  })

  it('with a tip is the row that the user says, in one transaction', async () => {
    const { me, read, send, booked, rowsOf, balance, decide } = await household()
    await send([BREAD, '2026-05-02,LA PIAZZA,-50.00,Pending'])
    const { id } = await read([
      ...['2026-05-04,LA PIAZZA NY,-57.50,Booked', '2026-05-03,FUEL,-50.00,Booked'],
    ])
    const [piazza, fuel] = await rowsOf(id)
    const transactionId = piazza?.suggestedMatchId ?? ''
    expect([piazza, fuel]).toMatchObject([
      { verdict: 'new', suggestedMatchId: transactionId },
      { verdict: 'new', suggestedMatchId: transactionId, score: 0.62 },
    ])
    const match = { decision: 'match', transactionId }
    const decided = await decide(id, piazza?.id ?? '', match)
    expect(decided.body).toMatchObject({ verdict: 'updated', matchedId: transactionId })
    const twice = await decide(id, fuel?.id ?? '', match)
    expect([twice.status, twice.error.code]).toEqual([409, 'imports.matchTaken'])
    const { accounts } = await ok(previewImport, { as: me, id })
    expect(accounts).toMatchObject([{ balanceBefore: '-54.00', balanceAfter: '-111.50' }])
    const done = await committed(me, id)
    expect(done.counts).toMatchObject({ rows: 2, new: 1, updated: 1 })
    expect(await booked()).toEqual([
      ['2026-05-04', '-57.50', 'cleared'],
      ['2026-05-03', '-50.00', 'cleared'],
      ['2026-05-01', '-4.00', 'cleared'],
    ])
    expect(await balance()).toBe('-111.50')
    // A second visit of the same price is one of its own, and nothing is missed.
    const later = await read(['2026-05-06,LA PIAZZA,-50.00,Booked', '2026-05-20,X,-1.00,Booked'])
    expect(later.counts).toMatchObject({ new: 2 })
    expect((await ok(previewImport, { as: me, id: later.id })).vanished).toEqual([])
  })
})

describe('a decision to match', () => {
  it('needs a row that says what a transaction has, and that is none yet', async () => {
    const { me, account, read, send, rowsOf, balance, decide } = await household()
    const typed = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, date: '2026-05-12', amount: '9.50' },
        ...{ description: 'Lunch', status: 'uncleared' },
      },
    })
    await send([BREAD])
    const { id } = await read([BREAD, '2026-05-14,TRATTORIA,9x50,Booked'])
    const [known, broken] = await rowsOf(id)
    const match = { decision: 'match', transactionId: typed.id }
    const refused = [
      await decide(id, known?.id ?? '', match),
      await decide(id, broken?.id ?? '', match),
    ]
    expect(refused.map(({ status, error }) => [status, error.code])).toEqual([
      [409, 'imports.rowKnown'],
      [400, 'imports.rowIncomplete'],
    ])
    const mended = await decide(id, broken?.id ?? '', { ...match, amount: '-9.50' })
    expect(mended.body).toMatchObject({ verdict: 'matched', reason: 'chosen' })
    expect((await committed(me, id)).counts).toMatchObject({ duplicate: 1, matched: 1, error: 0 })
    expect(await balance()).toBe('-13.50')
    expect((await read([BREAD, '2026-05-14,TRATTORIA,9x50,Booked'])).counts).toMatchObject({
      ...{ duplicate: 2, error: 0 },
    })
  })

  it('is for rows that were left out, too, and then they are known', async () => {
    const { me, account, send, rowsOf, balance, decide } = await household()
    const typed = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, date: '2026-05-12', amount: '9.50' },
        ...{ description: 'Lunch', status: 'uncleared' },
      },
    })
    await send([BREAD])
    const file = csv([BREAD, '2026-05-12,HELD,-9.50,Pending'], 'Date,Payee,Amount,Status')
    const { id, counts } = await uploaded(me, file, { accountId: account.id })
    expect(counts).toMatchObject({ duplicate: 1, ignored: 1 })
    const left = (await rowsOf(id)).find(({ verdict }) => verdict === 'ignored')
    await decide(id, left?.id ?? '', { decision: 'match', transactionId: typed.id })
    expect((await committed(me, id)).counts).toMatchObject({ duplicate: 1, matched: 1 })
    expect(await balance()).toBe('-13.50')
    const { id: next } = await uploaded(me, file, { accountId: account.id })
    const read = { as: me, id: next, json: { pending: 'import' as const } }
    expect((await ok(setImportMapping, read)).counts).toMatchObject({ duplicate: 2 })
  })
})

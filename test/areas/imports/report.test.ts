import { expect, it } from 'vitest'
import {
  getImportReport,
  getImportReportAsCsv,
  revertImport,
  listImportRows,
  updateImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import {
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { work } from '../../../src/areas/index.ts'
import { call, ok, rows } from '../../support/api.ts'
import { storeShare } from '../../support/stored.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { deliver, storeTask } from '../queue-tasks/tasks.ts'
import { committed, csv, ofx, settled, uploaded } from './importing.ts'

const ROWS = [
  { id: '1', date: '2026-03-10', amount: '-12.30', name: '=TESCO' },
  { id: '2', date: '2026-03-11', amount: '-3.00', name: 'COFFEE' },
]

const shown = (line: number, date: string | null, payee: string, amount: string) => ({
  ...{ line, date, payee, amount },
  currency: 'EUR',
})

it('tells what became of every row, and goes on to when the rows are gone', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const query = { accountId: account.id, fileName: 'a.csv' }
  const first = await uploaded(me, csv(['2026-03-10,TESCO,-12.30']), query)
  await committed(me, first.id)
  const sent = await uploaded(
    me,
    csv([
      ...['2026-03-10,TESCO,-12.30', '2026-03-11,COFFEE,-3.00', '2026-03-12,TEA,-2.00'],
      ...['2026-03-40,CAKE,-2.50', '2026-03-13,PAY,100.00', '2026-03-14,NOTHING,0.00'],
    ]),
    query,
  )
  await ok(updateImportRows, {
    as: me,
    id: sent.id,
    json: { filter: { text: 'tea' }, decision: 'skip' },
  })
  const before = await ok(getImportReport, { as: me, id: sent.id })
  expect(before.accounts).toEqual([])
  expect(before.leftOut.map(({ verdict, rows: many }) => [verdict, many])).toEqual([
    ...[
      ['duplicate', 1],
      ['ignored', 1],
      ['error', 1],
      ['skipped', 1],
    ],
  ])
  await committed(me, sent.id)
  const report = await ok(getImportReport, { as: me, id: sent.id })
  expect(report).toMatchObject({
    state: 'done',
    counts: { rows: 6, new: 2, duplicate: 1, ignored: 1, error: 1, skipped: 1 },
    accounts: [
      {
        ...{ accountId: account.id, accountName: account.name, currency: 'EUR' },
        ...{ booked: 2, sum: '97.00', matched: 0 },
      },
    ],
    leftOut: [
      {
        ...{ verdict: 'duplicate', reason: 'sameRow', rows: 1, lines: [2] },
        message: 'A transaction from the same row exists already.',
        shown: [shown(2, '2026-03-10', 'TESCO', '-12.30')],
      },
      {
        ...{ verdict: 'skipped', reason: null, rows: 1, lines: [4], message: 'You skipped it.' },
        shown: [shown(4, '2026-03-12', 'TEA', '-2.00')],
      },
      {
        ...{ verdict: 'error', reason: 'dateInvalid', rows: 1, lines: [5] },
        message: 'Its date does not exist in the calendar.',
        shown: [shown(5, null, 'CAKE', '-2.50')],
      },
      {
        ...{ verdict: 'ignored', reason: 'zero', rows: 1, lines: [7] },
        message: 'The amount is zero.',
        shown: [shown(7, '2026-03-14', 'NOTHING', '0.00')],
      },
    ],
  })
  // The rows themselves say the same.
  const { rows: errors } = await ok(listImportRows, {
    ...{ as: me, id: sent.id },
    query: { verdict: 'error' },
  })
  expect(errors.map(({ message }) => message)).toEqual([
    '"2026-03-40" is no date in the order YMD.',
  ])
  await rows('UPDATE imports SET expires_at = 1 WHERE id = ?', sent.id)
  await deliver(work, await storeTask({ kind: 'imports.expire' }))
  const { accounts, leftOut } = await ok(getImportReport, { as: me, id: sent.id })
  expect({ accounts, leftOut }).toEqual({ accounts: report.accounts, leftOut: report.leftOut })
  const other = await newUser()
  const hidden = await call(getImportReport, { as: other, id: sent.id })
  expect([hidden.status, hidden.error.code]).toEqual([404, 'imports.notFound'])
})

it('tells of a file that comes again in the order of the file, also where nothing was foreseen', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const days = Array.from({ length: 2600 }, (_, n) => `2026-03-10,TESCO,-${n + 1}.00`)
  const file = csv([...days.slice(0, 3), '2026-03-40,CAKE,-2.50', ...days.slice(3)])
  const query = { accountId: account.id, fileName: 'a.csv', again: 'true' }
  const send = async () => settled(me, (await uploaded(me, file, query)).id)
  await committed(me, (await send()).id)
  const reports = []
  for (const isForeseen of [true, false]) {
    const { id } = await send()
    const pieces = await rows(
      'SELECT left_out IS NOT NULL AS foreseen FROM import_chunks WHERE import_id = ? ORDER BY number',
      id,
    )
    expect(pieces).toEqual([{ foreseen: 1 }, { foreseen: 1 }])
    if (!isForeseen) {
      await rows('UPDATE import_chunks SET left_out = NULL WHERE import_id = ?', id)
    }
    await committed(me, id)
    const { counts, accounts, leftOut } = await ok(getImportReport, { as: me, id })
    expect(counts).toMatchObject({ rows: 2601, duplicate: 2600, error: 1, new: 0 })
    reports.push({ accounts, leftOut })
  }
  const [foreseen, read] = reports
  expect(foreseen).toEqual(read)
  expect(foreseen?.leftOut.map(({ verdict, rows: many, lines }) => [verdict, many, lines])).toEqual(
    [
      ['duplicate', 2600, [2, 3, 4, ...Array.from({ length: 17 }, (_, at) => at + 6)]],
      ['error', 1, [5]],
    ],
  )
  expect(foreseen?.leftOut[0]?.shown.at(-1)).toEqual(shown(22, '2026-03-10', 'TESCO', '-20.00'))
})

it('is a table, too', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await committed(me, (await uploaded(me, ofx(ROWS.slice(0, 1)), { accountId: account.id })).id)
  const sent = await uploaded(me, ofx(ROWS, { closing: '100.00' }), { accountId: account.id })
  await committed(me, sent.id)
  const { status, headers, text } = await call(getImportReportAsCsv, { as: me, id: sent.id })
  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(headers.get('Content-Disposition')).toContain('import-report.csv')
  expect(text.split('\r\n')).toEqual([
    'what,account,accountId,reason,message,rows,sum,currency,lines,date,payee,amount,number,from,to,opening,closing,computed,difference,clearedAtClose,ledgerDifference',
    `booked,${account.name},${account.id},,,1,-3.00,EUR,,,,,,,,,,,,,`,
    'duplicate,,,sameId,A transaction with the same bank id exists already.,1,,,1,,,,,,,,,,,,',
    "row,,,sameId,,,,EUR,1,2026-03-10,'=TESCO,-12.30,,,,,,,,,",
    `statement,${account.name},${account.id},,,2,-15.30,EUR,,,,,,2026-03-10,2026-03-11,,100.00,,,-15.30,115.30`,
    '',
  ])
})

it('names what a revert has kept', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const sent = await uploaded(me, csv(['2026-03-10,TESCO,-12.30', '2026-03-11,TEA,-2.00']), {
    accountId: account.id,
  })
  await committed(me, sent.id)
  const { transactions } = await ok(listTransactions, { as: me, query: { text: 'tea' } })
  const id = transactions[0]?.id ?? ''
  await ok(updateTransaction, { as: me, id, json: { description: 'Tea with Ada' } })
  await ok(revertImport, { as: me, id: sent.id, json: {} })
  await settled(me, sent.id)
  const { reverted } = await ok(getImportReport, { as: me, id: sent.id })
  expect(reverted).toEqual({
    ...{ removed: 1, restored: 0 },
    kept: [
      {
        ...{ id, reason: 'edited: description', name: 'TEA' },
        message: 'It was changed since. Send `edited: remove` to move it to the trash.',
      },
    ],
  })
})

it('names what a revert has kept as the importer knows it, on the account of somebody else', async () => {
  const [me, owner] = [await newUser(), await newUser()]
  const account = await newAccount(owner)
  await storeShare(account.id, { user: me }, 'write')
  const sent = await uploaded(me, csv(['2026-03-11,TEA,-2.00']), { accountId: account.id })
  await committed(me, sent.id)
  const { transactions } = await ok(listTransactions, { as: owner })
  const payee = await ok(createPayee, { as: owner, json: { name: 'A secret of the owner' } })
  const json = { payeeId: payee.id }
  await ok(updateTransaction, { as: owner, id: transactions[0]?.id ?? '', json })
  await ok(revertImport, { as: me, id: sent.id, json: {} })
  await settled(me, sent.id)
  const { reverted } = await ok(getImportReport, { as: me, id: sent.id })
  expect(reverted?.kept.map(({ name }) => name)).toEqual(['TEA'])
})

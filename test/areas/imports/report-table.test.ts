import { expect, it } from 'vitest'
import {
  getImportReport,
  getImportReportAsCsv,
  updateImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { call, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, uploaded } from './importing.ts'

const file = (closing: string) =>
  [
    ...[':20:A', ':25:12345678/123', ':28C:7/1', ':60F:C260301EUR100,00'],
    ...[':61:2603020302D30,00NTRFNONREF', ':86:RENT', ':61:2603030303C5,00NTRFNONREF'],
    ...[':86:REFUND', ':61:2603030303D1,00NTRFNONREF', ':86:TEA', `:62F:C260303EUR${closing}`],
    ...['-', ''],
  ].join('\r\n')

it.each([
  ['75,00', '75.00', '1.00', '105.00'],
  ['73,00', '73.00', '-1.00', '103.00'],
])(
  'the table says the same as the report: closing %s',
  async (sent, closing, difference, ledger) => {
    const me = await newUser()
    const account = await newAccount(me, { name: 'Everyday' })
    const { id } = await uploaded(me, file(sent), { accountId: account.id })
    const skip = (text: string, once: boolean) =>
      ok(updateImportRows, {
        as: me,
        id,
        json: { filter: { text }, decision: 'skip' as const, once },
      })
    await skip('refund', true)
    await skip('tea', false)
    await committed(me, id, { force: true })
    const report = await ok(getImportReport, { as: me, id })
    expect(report.leftOut.map(({ reason, message }) => [reason, message])).toEqual([
      ['once', 'You skipped it for this file.'],
      [null, 'You skipped it.'],
    ])
    expect(report.statements).toMatchObject([
      {
        ...{ opening: '100.00', sum: '-26.00', computed: '74.00', closing, difference, ok: false },
        // The rows that were skipped are missing on the account.
        ledger: { clearedAtClose: '-30.00', difference: ledger },
      },
    ])
    const { text } = await call(getImportReportAsCsv, { as: me, id })
    const [headings = [], ...lines] = text.split('\r\n').map((line) => line.split(','))
    const table = lines
      .slice(0, -1)
      .map((cells) =>
        Object.fromEntries(
          cells.flatMap((cell, at) => (cell === '' ? [] : [[headings[at], cell]])),
        ),
      )
    const own = { account: 'Everyday', accountId: account.id, currency: 'EUR' }
    const left = { currency: 'EUR', date: '2026-03-03' }
    expect(table).toEqual([
      { what: 'booked', ...own, rows: '1', sum: '-30.00' },
      {
        ...{ what: 'skipped', reason: 'once', message: 'You skipped it for this file.' },
        ...{ rows: '1', lines: '7' },
      },
      { what: 'row', reason: 'once', lines: '7', ...left, payee: 'REFUND', amount: '5.00' },
      { what: 'skipped', message: 'You skipped it.', rows: '1', lines: '9' },
      { what: 'row', reason: 'skipped', lines: '9', ...left, payee: 'TEA', amount: '-1.00' },
      {
        ...{ what: 'statement', ...own, number: '7', from: '2026-03-02', to: '2026-03-03' },
        ...{ rows: '3', opening: '100.00', sum: '-26.00', computed: '74.00', closing, difference },
        ...{ clearedAtClose: '-30.00', ledgerDifference: ledger },
      },
    ])
  },
)

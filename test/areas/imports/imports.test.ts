import { describe, expect, it } from 'vitest'
import {
  commitImport,
  getImport,
  listImports,
  previewImport,
  revertImport,
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, ofx, settled, uploaded } from './importing.ts'

const march = [
  { id: '1', date: '2026-03-10', amount: '-12.30', name: 'TESCO STORES 3021' },
  { id: '2', date: '2026-03-11', amount: '-3.00', name: 'COFFEE' },
  { id: '3', date: '2026-03-12', amount: '2500.00', name: 'ACME PAYROLL' },
]

describe('an import of an OFX file', () => {
  it('is read at once, booked, known the next time, and taken back', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const query = { accountId: account.id }
    const sent = await uploaded(me, ofx(march), query)
    expect(sent).toMatchObject({ state: 'previewed', format: 'ofx', counts: { rows: 3, new: 3 } })
    const listed = await ok(listImportRows, { as: me, id: sent.id })
    expect(listed.rows.map(({ parsed, verdict }) => [parsed.amount, verdict])).toEqual([
      ['-12.30', 'new'],
      ['-3.00', 'new'],
      ['2500.00', 'new'],
    ])
    const done = await committed(me, sent.id)
    expect(done).toMatchObject({ state: 'done', counts: { rows: 3, new: 3 } })
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe('2484.70')
    const again = await uploaded(me, ofx(march), query)
    expect(again.counts).toMatchObject({ rows: 3, new: 0, duplicate: 3 })
    expect((await committed(me, again.id)).counts).toMatchObject({ new: 0, duplicate: 3 })
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe('2484.70')
    await ok(revertImport, { as: me, id: sent.id, json: {} })
    const back = await settled(me, sent.id)
    expect(back).toMatchObject({
      state: 'reverted',
      reverted: { removed: 3, restored: 0, kept: [] },
    })
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe('0.00')
    expect(
      await rows('SELECT identity FROM import_identities WHERE account_id = ?', account.id),
    ).toEqual([])
    expect((await ok(listImports, { as: me })).count).toBe(2)
    expect((await ok(getImport, { as: me, id: sent.id })).state).toBe('reverted')
  })
})

describe('an import of a CSV file', () => {
  it('asks what the file does not say, and reads it by the answer', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const file = csv(['03/04/2026,COFFEE,-3.00', '05/04/2026,TESCO,-12.30'])
    const sent = await uploaded(me, file, { fileName: 'a.csv' })
    expect(sent.state).toBe('questions')
    expect(sent.questions.map(({ key }) => key)).toEqual(['dateOrder', 'account'])
    const answered = await ok(setImportMapping, {
      as: me,
      id: sent.id,
      json: { dateOrder: 'DMY', accountId: account.id },
    })
    expect(answered).toMatchObject({ state: 'previewed', counts: { rows: 2, new: 2 } })
    expect(await committed(me, sent.id)).toMatchObject({ state: 'done' })
    const found = await rows(
      'SELECT date, payee_raw, source, import_id FROM transactions WHERE owner_id = ? ORDER BY date',
      me.id,
    )
    expect(found).toEqual([
      { date: '2026-04-03', payee_raw: 'COFFEE', source: 'import', import_id: sent.id },
      { date: '2026-04-05', payee_raw: 'TESCO', source: 'import', import_id: sent.id },
    ])
  })

  it('adds the union of overlapping files, and keeps equal rows of one day', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const query = { accountId: account.id, fileName: 'a.csv' }
    const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
    const first = await uploaded(me, csv(['2026-03-15,Coffee,-3.00']), query)
    expect((await committed(me, first.id)).counts).toMatchObject({ new: 1 })
    const second = await uploaded(
      me,
      csv(['2026-03-15,Coffee,-3.00', '2026-03-15,Coffee,-3.00', '2026-03-16,Coffee,-3.00']),
      query,
    )
    expect(second.counts).toMatchObject({ rows: 3, new: 2, duplicate: 1 })
    expect((await committed(me, second.id)).counts).toMatchObject({ new: 2, duplicate: 1 })
    expect(await balance()).toBe('-9.00')
  })
})

const MT940 = (number: number, opening: string, closing: string, rows: string[]) =>
  [
    ':20:STARTUMS',
    ':25:12345678/0000000123',
    `:28C:${number}/1`,
    `:60F:C260301EUR${opening}`,
    ...rows,
    `:62F:C260331EUR${closing}`,
    '-',
    '',
  ].join('\r\n')

describe('the statements of a file', () => {
  it('are checked, and with a difference the commit wants force', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const query = { accountId: account.id }
    const file = MT940(1, '100,00', '75,00', [
      ':61:2603050305D30,00NTRFNONREF',
      ':86:TESCO',
      ':61:2603060306C4,00NTRFNONREF',
      ':86:REFUND',
    ])
    const sent = await uploaded(me, file, query)
    expect(sent).toMatchObject({ state: 'previewed', format: 'mt940', counts: { new: 2 } })
    expect(sent['statements']).toMatchObject([
      {
        ...{ opening: '100.00', sum: '-26.00', computed: '74.00', closing: '75.00' },
        ...{ difference: '1.00', ok: false, rows: 2, accountId: account.id },
      },
    ])
    const preview = await ok(previewImport, { as: me, id: sent.id })
    expect(preview.accounts).toMatchObject([{ balanceBefore: '0.00', balanceAfter: '-26.00' }])
    const message =
      'The rows of the statement of 2026-03-31 do not lead from its opening balance to its closing balance: 1.00 EUR are missing.'
    expect(preview.message).toBe(message)
    const refused = await call(commitImport, { as: me, id: sent.id, json: {} })
    expect([refused.status, refused.error]).toMatchObject([
      409,
      {
        code: 'imports.statementDiffers',
        error: `${message} Compare the rows with the statement, and decide on those that are wrong, or send \`force\`.`,
      },
    ])
    expect(await committed(me, sent.id, { force: true })).toMatchObject({ state: 'done' })
    const later = MT940(3, '80,00', '75,00', [':61:2604050405D5,00NTRFNONREF', ':86:MILK'])
      .replace('C260301', 'C260401')
      .replace('C260331', 'C260430')
    const next = await uploaded(me, later, query)
    expect(next['warnings']).toMatchObject([
      { code: 'statementMissing', closing: '75.00', opening: '80.00' },
    ])
  })
})

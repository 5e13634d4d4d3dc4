import { describe, expect, it } from 'vitest'
import {
  getImport,
  replaceImportFile,
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, upload, uploaded } from './importing.ts'

const FILE = csv(['2026-03-14,TEA,-1.00', '2026-03-15,MILK,-2.00'])

async function scene(file: string | Uint8Array = FILE) {
  const me = await newUser()
  const account = await newAccount(me)
  const sent = await uploaded(me, file, { accountId: account.id })
  const map = (json: object) => call(setImportMapping, { as: me, id: sent.id, json })
  const verdicts = async () =>
    (await ok(listImportRows, { as: me, id: sent.id })).rows.map((row) => [
      ...[row.line, row.verdict, row.parsed.date, row.warnings[0] ?? row.errors[0]?.code],
    ])
  return { me, account, sent, map, verdicts }
}

describe('a mapping', () => {
  it.each([
    [{ encoding: 'nonsense' }, 'encoding'],
    [{ encoding: 'utf-7' }, 'encoding'],
    [{ builtIn: 'nonsense' }, 'builtIn'],
  ])('that names what there is not is refused: %j', async (json, field) => {
    const { map } = await scene()
    expect(await map(json)).toMatchObject({ status: 400, error: { field } })
  })

  it('of more accounts than files have is refused', async () => {
    const { map } = await scene()
    const of = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`Account ${at}`, 'ignore']))
    const [fits, isTooLong] = [
      await map({ accountMap: of(1000) }),
      await map({ accountMap: of(1001) }),
    ]
    expect(fits.status).toBe(200)
    expect(isTooLong).toMatchObject({ status: 400, error: { field: 'accountMap' } })
  })

  it.each([{ delimiter: '\t' }, { delimiter: '\n' }, { format: 'ofx' }, { format: 'camt' }])(
    'that does not fit the file is refused, and the import stays: %j',
    async (json) => {
      const { map, me, sent } = await scene()
      const { status, error } = await map(json)
      expect([status, error.code]).toEqual([400, expect.stringMatching(/\.(malformed|truncated)$/)])
      expect((await committed(me, sent.id)).counts).toMatchObject({ rows: 2, new: 2 })
    },
  )

  it.each([{}, { date: 0 }, { date: 150, amount: 199 }, { description: 1 }])(
    'without a date and an amount that are there leaves the question open: %j',
    async (columns) => {
      const { map } = await scene()
      const { body } = await map({ columns })
      expect(body.state).toBe('questions')
      expect(body.questions.map(({ key }) => key)).toEqual(['columns'])
      const right = await map({ columns: { date: 0, payee: 1, amount: 2 } })
      expect(right.body).toMatchObject({ state: 'previewed', counts: { new: 2 } })
    },
  )

  it('names columns by their headings as well', async () => {
    const { map, verdicts } = await scene(
      csv(['14.03.2026,TEA,1.00,2.00', '15.03.2026,MILK,2.00,-3.00'], 'On,Who,Money,Other Money'),
    )
    const wrong = await map({ columns: { date: 'on', payee: 'Nobody', amount: 'Gold' } })
    expect(wrong.body).toMatchObject({ state: 'questions', questions: [{ key: 'columns' }] })
    const { body } = await map({ columns: { date: 'on', payee: ['who'], amount: 'OTHER money' } })
    expect(body.questions).toEqual([])
    expect(body).toMatchObject({ state: 'previewed', counts: { new: 2 } })
    expect(body.mapping).toMatchObject({ columns: { date: 0, payee: 1, amount: 3 } })
    expect((await verdicts()).map(([, , date]) => date)).toEqual(['2026-03-14', '2026-03-15'])
  })

  it('takes back what null is sent for', async () => {
    const { map, me, sent } = await scene()
    expect((await map({ from: '2026-03-15', sign: 'reversed' })).body).toMatchObject({
      ...{ mapping: { from: '2026-03-15', sign: 'reversed' }, counts: { new: 1, ignored: 1 } },
    })
    const { body } = await map({ from: null, sign: null })
    expect(body).toMatchObject({ mapping: { sign: 'asIs' }, counts: { new: 2 } })
    expect(body.mapping).not.toHaveProperty('from')
    expect((await committed(me, sent.id)).counts).toMatchObject({ new: 2 })
  })

  it('is kept for a file that takes the place of one that is laid out alike', async () => {
    const { me, sent, map } = await scene(
      csv(['2026-03-14,-1.00,TEA', '2026-03-15,-2.00,MILK'], 'A,B,C'),
    )
    expect(sent.questions.map(({ key }) => key)).toEqual(['columns'])
    await map({ columns: { date: 0, amount: 1, payee: 2 }, from: '2026-03-15' })
    const replace = (text: string) =>
      ok(replaceImportFile, {
        ...{ as: me, id: sent.id, query: { fileName: 'again.csv' } },
        raw: { body: text, contentType: 'text/csv' },
      })
    const alike = csv(['2026-03-15,-2.00,MILK', '2026-03-16,-3.00,TEA'], 'A,B,C')
    expect(await replace(alike)).toMatchObject({ state: 'previewed', counts: { new: 2 } })
    const other = csv(['TEA,2026-03-16,-3.00', 'TEA,2026-03-01,-4.00'], 'Payee,Date,Amount')
    expect(await replace(other)).toMatchObject({
      ...{ state: 'previewed', counts: { new: 1, ignored: 1 } },
      mapping: { columns: { date: 1, payee: 0, amount: 2 }, from: '2026-03-15' },
    })
  })

  it('may name no column with more accounts than a file may have, nor may another file', async () => {
    const many = csv(
      Array.from({ length: 101 }, (_, at) => `2026-03-14,-1.00,Name ${at}`),
      'Date,Amount,Whose',
    )
    const { me, sent, map } = await scene(many)
    const columns = { columns: { date: 0, amount: 1, account: 2 } }
    const refused = await map(columns)
    expect([refused.status, refused.error.code]).toEqual([400, 'imports.tooManyAccounts'])
    const few = await scene(csv(['2026-03-14,-1.00,Name'], 'Date,Amount,Account'))
    const { status, error } = await call(replaceImportFile, {
      ...{ as: few.me, id: few.sent.id, query: { fileName: 'again.csv' } },
      raw: { body: many.replace('Whose', 'Account'), contentType: 'text/csv' },
    })
    expect([status, error.code]).toEqual([400, 'imports.tooManyAccounts'])
    expect(await ok(getImport, { as: me, id: sent.id })).toMatchObject({ mapping: sent.mapping })
  })

  it('of a profile that was made elsewhere may name an encoding that is unknown here', async () => {
    const { me, account } = await scene()
    await rows(
      `INSERT INTO import_profiles (id, owner_id, name, name_key, account_id, format, mapping, shape, version, created_at, updated_at)
        VALUES ('ipr_odd', ?, 'Odd', 'odd', NULL, 'csv', '{"encoding":"ebcdic"}', '[]', 1, 0, 0)`,
      me.id,
    )
    const query = { accountId: account.id, profileId: 'ipr_odd', again: 'true' }
    expect((await uploaded(me, FILE, query)).counts).toMatchObject({ new: 2 })
  })
})

it('days at the ends of the calendar are rows like any other', async () => {
  const days = ['0001-01-01', '1900-01-01', '2026-02-30', '2200-12-31', '9999-12-31']
  const { me, sent, verdicts } = await scene(csv(days.map((day) => `${day},TEA,-1.00`)))
  expect(await verdicts()).toEqual([
    [2, 'error', null, 'dateInvalid'],
    [3, 'new', '1900-01-01', 'dateUnlikely'],
    [4, 'error', null, 'dateInvalid'],
    [5, 'new', '2200-12-31', 'dateUnlikely'],
    [6, 'error', null, 'dateInvalid'],
  ])
  expect(sent['warnings']).toEqual([{ code: 'datesUnlikely', rows: 2 }])
  expect((await committed(me, sent.id)).counts).toMatchObject({ new: 2, error: 3 })
})

it.each([' \n \r\n\t', '\ufeff'])('a file of white space alone is empty: %j', async (file) => {
  const me = await newUser()
  expect(await upload(me, file)).toMatchObject({ status: 400, error: { code: 'imports.empty' } })
})

it('a file without a statement is refused', async () => {
  const file = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"></Document>'
  const { status, error } = await upload(await newUser(), file)
  expect([status, error.code]).toEqual([400, 'imports.noStatements'])
  expect(error.error).toContain('CAMT')
})

it('line ends of all kinds, and characters that no text has, are read in one file', async () => {
  const lines = '2026-03-14,A\u0000B,-1.00\r\n2026-03-15,B,-2.00\n2026-03-16,C,-3.00\r\r\n'
  const { verdicts, me, sent } = await scene(`Date,Payee,Amount\r${lines}2026-03-17,D,-4.00`)
  expect(await verdicts()).toEqual([
    [2, 'new', '2026-03-14', 'badCharacters'],
    [3, 'new', '2026-03-15', undefined],
    [4, 'new', '2026-03-16', undefined],
    [5, 'new', '2026-03-17', undefined],
  ])
  expect((await committed(me, sent.id)).counts).toMatchObject({ new: 4 })
})

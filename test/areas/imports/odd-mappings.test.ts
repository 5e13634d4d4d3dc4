import { describe, expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/exchange/imports/imports.routes.ts'
import { listImportRows } from '../../../src/areas/exchange/imports/rows/rows.routes.ts'
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
  expect((await committed(me, sent.id)).counts).toMatchObject({ new: 2, error: 3 })
})

it.each([' \n \r\n\t', '\ufeff'])('a file of white space alone is empty: %j', async (file) => {
  const me = await newUser()
  expect(await upload(me, file)).toMatchObject({ status: 400, error: { code: 'imports.empty' } })
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

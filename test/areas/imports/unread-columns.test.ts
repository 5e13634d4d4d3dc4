import { describe, expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { csv, uploaded } from './importing.ts'

const file = `Datum;Wer;Wofür;Soll;Haben
13.10.2026;Bäckerei Kern;Brot;4,50;
15.10.2026;Firma Blau;Gehalt Oktober;;2734,50
`

describe('columns whose headings say nothing', () => {
  it('are asked for where nothing else says what a row was', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const { id, questions } = await uploaded(me, file, { accountId: account.id })
    expect(questions).toMatchObject([{ key: 'columns' }])
    const { suggestion } = questions[0] as unknown as { suggestion: string }
    const suggested = { date: 0, description: [1, 2], debit: 3, credit: 4 }
    expect(JSON.parse(suggestion)).toEqual(suggested)
    const map = (columns: Record<string, number | number[]>) =>
      ok(setImportMapping, { as: me, id, json: { columns } })
    // An answer that lacks some is asked for again, with what is known.
    const [again] = (await map({ payee: 1 })).questions
    expect(JSON.parse(again?.suggestion ?? '')).toEqual({
      ...{ date: 0, payee: 1, description: 2, debit: 3, credit: 4 },
    })
    expect(await map(suggested)).toMatchObject({ state: 'previewed', warnings: [] })
    const { rows } = await ok(listImportRows, { as: me, id })
    expect(rows.map(({ parsed }) => [parsed.description, parsed.amount])).toEqual([
      ['Bäckerei Kern Brot', '-4.50'],
      ['Firma Blau Gehalt Oktober', '2734.50'],
    ])
    expect(await map({ ...suggested, description: 2 })).toMatchObject({
      warnings: [{ code: 'columnsUnread', columns: ['Wer'] }],
    })
  })

  it('are named where others say what a row was', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const sent = await uploaded(
      me,
      csv(['2026-03-10,TEA,-2.00,till 7,'], 'Date,Payee,Amount,Wherever,Nothing'),
      { accountId: account.id },
    )
    expect(sent).toMatchObject({
      state: 'previewed',
      warnings: [{ code: 'columnsUnread', columns: ['Wherever'] }],
    })
  })
})

it('columns that were chosen and that the file does not have are named', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const file = csv(['2026-03-10,TEA,-2.00'])
  const { id } = await uploaded(me, file, { accountId: account.id })
  const map = (columns: Record<string, number | string | (number | string)[]>) =>
    ok(setImportMapping, { as: me, id, json: { columns } })
  const named = { date: 0, payee: 1, amount: 2 }
  expect(await map({ ...named, note: 3, description: [1, 'Memo', 199] })).toMatchObject({
    state: 'previewed',
    warnings: [{ code: 'columnsNotFound', columns: ['3', 'Memo', '199'] }],
  })
  // One that cannot be done without is asked for, too.
  expect(await map({ ...named, amount: 3 })).toMatchObject({
    state: 'questions',
    questions: [{ key: 'columns' }],
    warnings: [{ code: 'columnsUnread' }, { code: 'columnsNotFound', columns: ['3'] }],
  })
  expect(await map(named)).toMatchObject({ state: 'previewed', warnings: [] })
})

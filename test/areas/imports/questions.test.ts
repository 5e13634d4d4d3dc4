import { describe, expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { csv, upload, uploaded } from './importing.ts'

describe('the sign of amounts', () => {
  const file = csv(
    [
      ...['2026-03-10,Pago nómina,1500.00', '2026-03-11,Devolución,20.00', '2026-03-12,Bizum,5.00'],
      '2026-03-14,Pago alquiler,-700.00',
    ],
    'Date,Description,Amount',
  )

  it('is asked of a credit card with a payment, and of no other account', async () => {
    const me = await newUser()
    const card = await newAccount(me, { type: 'creditCard' })
    const checking = await newAccount(me, { name: 'Everyday' })
    const onCard = await uploaded(me, file, { accountId: card.id })
    expect(onCard.questions).toMatchObject([{ key: 'sign', suggestion: 'reversed' }])
    const onChecking = await uploaded(me, file, { accountId: checking.id })
    expect(onChecking).toMatchObject({ state: 'previewed', mapping: { sign: 'asIs' } })
    // Also where only the answer says which account it is.
    const open = await uploaded(me, file)
    const answered = { as: me, id: open.id, json: { accountId: checking.id } }
    expect((await ok(setImportMapping, answered)).questions).toEqual([])
  })
})

it('a new mapping tells of how many rows it drops the decisions', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await uploaded(me, csv(['2026-03-10,TEA,-2.00', '2026-03-11,MILK,-1.00']), {
    accountId: account.id,
  })
  const [tea] = (await ok(listImportRows, { as: me, id })).rows
  const rowId = tea?.id ?? ''
  await ok(updateImportRow, { as: me, path: { id, rowId }, json: { decision: 'skip' } })
  const map = (matching: 'never' | 'strict') =>
    ok(setImportMapping, { as: me, id, json: { matching } })
  expect(await map('never')).toMatchObject({
    warnings: [{ code: 'decisionsDropped', rows: 1 }],
    counts: { new: 2, skipped: 0 },
  })
  expect((await map('strict')).warnings).toEqual([])
})

it('the own IBAN above the heading names the account, and a column of IBANs the other sides', async () => {
  const me = await newUser()
  const iban = 'DE02120300000000202051'
  const own = await newAccount(me, { iban })
  const others = ['GB82WEST12345698765432', 'FR1420041010050500013M02606']
  const sent = await uploaded(
    me,
    [
      ...[`Account:;${iban}`, '', 'Date;Payee;IBAN;Amount'],
      ...others.map((other, at) => `2026-03-1${at};Shop;${other};-2.50`),
    ].join('\n'),
  )
  expect(sent).toMatchObject({
    ...{ state: 'previewed', questions: [], counts: { new: 2 } },
    accounts: [{ foreign: iban, accountId: own.id, rows: 2 }],
  })
  const { rows } = await ok(listImportRows, { as: me, id: sent.id })
  expect(rows.map(({ parsed }) => parsed.counterAccount)).toEqual(others)
})

it('a question about accounts names the line of the first row of each', async () => {
  const me = await newUser()
  const rows = [
    '2026-03-10,Cash,TEA,-2.00',
    '2026-03-10,Cash,CAKE,-2.00',
    '2026-03-11,Bank,PAY,9.00',
  ]
  const { questions } = await uploaded(me, csv(rows, 'Date,Account,Payee,Amount'))
  expect(questions).toMatchObject([
    {
      key: 'accounts',
      evidence: [
        { line: 2, raw: 'Cash' },
        { line: 4, raw: 'Bank' },
      ],
    },
  ])
})

it.each([
  ['hledger', '    Expenses:Food  3.00 EUR\n    Assets:Bank\n'],
  ['beancount', '  note: "x"\n  Expenses:Food  3.00 EUR\n  Assets:Bank\n'],
])(
  'a journal of %s of many lines is not supported, and the way out is CSV',
  async (_name, postings) => {
    const text = Array.from({ length: 300 }, (_, at) => `2026-03-01 * "Shop, ${at}"\n${postings}\n`)
    expect(await upload(await newUser(), text.join(''))).toMatchObject({
      status: 415,
      error: { code: 'imports.notSupported', error: expect.stringContaining('-O csv') },
    })
  },
)

import { describe, expect, it } from 'vitest'
import {
  previewImport,
  revertImport,
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPayee } from '../../../src/areas/money/payees/payees.routes.ts'
import {
  createTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { amount, details, entry, message } from '../../domain/camt/camt.fixtures.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, ofx, settled, uploaded } from './importing.ts'

// The worked examples of imports, through the whole service. Pending rows with a tip are in `pending.test.ts`, transfers across
// files and QIF with both sides in `transfers.test.ts`, the file of twelve records in `locks.test.ts`.

async function household(wanted: Parameters<typeof newAccount>[1] = {}) {
  const me = await newUser()
  const account = await newAccount(me, wanted)
  const query = { accountId: account.id, again: 'true' }
  const send = (file: string | Uint8Array) => uploaded(me, file, query)
  const book = async (file: string) => committed(me, (await send(file)).id)
  const rowsOf = async (id: string) => (await ok(listImportRows, { as: me, id })).rows
  const amounts = async (id: string) => (await rowsOf(id)).map(({ parsed }) => parsed.amount)
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  const booked = async () =>
    (await ok(listTransactions, { as: me, query: { accountId: account.id } })).transactions
  const typed = (json: { date: string; amount: string; description: string; payeeId?: string }) =>
    ok(createTransaction, {
      as: me,
      json: { kind: 'expense', accountId: account.id, status: 'uncleared', ...json },
    })
  return { me, account, send, book, rowsOf, amounts, balance, booked, typed }
}

describe('marks and orders', () => {
  const column = (...list: string[]) =>
    ['Datum;Text;Betrag', ...list.map((one, at) => `2026-03-${10 + at};T${at};${one}`)].join('\n')

  it.each([
    [
      ['-236,48', '1.488,69', '-1.000'],
      ['-236.48', '1488.69', '-1000.00'],
    ],
    [
      ['-110.7 €', '-116.62 €'],
      ['-110.70', '-116.62'],
    ],
  ])('the mark of the column holds for each amount: %j', async (written, meant) => {
    const { send, amounts } = await household()
    expect(await amounts((await send(column(...written))).id)).toEqual(meant)
  })

  it('a mark that no amount tells is asked, with the lines', async () => {
    const { me, send, amounts } = await household()
    const { id, state, questions } = await send(column('1.000', '-2.500'))
    expect(state).toBe('questions')
    expect(questions).toMatchObject([
      {
        ...{ key: 'decimal', options: ['.', ','] },
        evidence: [
          { line: 2, raw: '1.000' },
          { line: 3, raw: '-2.500' },
        ],
      },
    ])
    await ok(setImportMapping, { as: me, id, json: { decimal: ',' } })
    expect(await amounts(id)).toEqual(['1000.00', '-2500.00'])
  })

  it('an order that no date tells is asked, and a third date settles it', async () => {
    const { send, rowsOf } = await household()
    const open = ['03/04/2026,A,-1.00', '05/04/2026,B,-1.00']
    expect((await send(csv(open))).questions).toMatchObject([{ key: 'dateOrder' }])
    const { id, state } = await send(csv([...open, '13/04/2026,C,-1.00']))
    expect(state).toBe('previewed')
    expect((await rowsOf(id)).map(({ parsed }) => parsed.date)).toEqual([
      ...['2026-04-03', '2026-04-05', '2026-04-13'],
    ])
  })
})

it('a preamble is passed over, and a line goes on with the description above it', async () => {
  const { send, rowsOf, book, balance } = await household({ currency: 'SGD' })
  const file = [
    'Account details for:,Savings 12-34',
    '',
    'Date,Value date,Description,Withdrawals (SGD),Deposits (SGD)',
    '18/04/2018,18/04/2018,POS PURCHASE,7.80,',
    ',,KOPITIAM 22,,',
    '17/04/2018,17/04/2018,INTEREST,,0.52',
  ].join('\n')
  const { id, counts } = await send(file)
  expect(counts).toMatchObject({ rows: 2, new: 2 })
  const shown = (await rowsOf(id)).map(({ line, parsed }) => [
    ...[line, parsed.date, parsed.amount, parsed.currency, parsed.description],
  ])
  expect(shown).toEqual([
    [4, '2018-04-18', '-7.80', 'SGD', 'POS PURCHASE KOPITIAM 22'],
    [6, '2018-04-17', '0.52', 'SGD', 'INTEREST'],
  ])
  await book(file)
  expect(await balance()).toBe('-7.28')
})

describe('directions', () => {
  it('of a credit card whose charges are positive are asked, with a suggestion', async () => {
    const { me, send, amounts } = await household({ type: 'creditCard' })
    const charges = ['36.33', '12.00', '40.00', '15.00', '4.00']
    const { id, questions } = await send(
      csv([
        ...charges.map((charge, at) => `2026-03-0${at + 1},SHOP ${at},${charge}`),
        '2026-03-06,PAYMENT THANK YOU,-500.00',
      ]),
    )
    expect(questions).toMatchObject([{ key: 'sign', suggestion: 'reversed' }])
    await ok(setImportMapping, { as: me, id, json: { sign: 'reversed' } })
    const meant = await amounts(id)
    expect([meant[0], meant[5]]).toEqual(['-36.33', '500.00'])
  })

  it('of Revolut: the balance moves by the amount and the fee, which are two parts', async () => {
    const { book, booked, balance } = await household()
    await book(
      [
        'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
        'TOPUP,Current,2026-03-01 10:00:00,2026-03-01 10:00:05,Top-up,324.50,0.00,EUR,COMPLETED,324.50',
        'ATM,Current,2026-03-02 10:00:00,2026-03-02 11:00:00,Cash,-42.18,0.42,EUR,COMPLETED,281.90',
      ].join('\n'),
    )
    const [cash] = await booked()
    expect([cash?.signedAmount, cash?.splits.map((part) => part.amount)]).toEqual([
      '-42.60',
      ['42.18', '0.42'],
    ])
    expect(await balance()).toBe('281.90')
  })

  it('of Wise: the fee is inside the amount', async () => {
    const { book, booked } = await household()
    const done = await book(
      [
        'TransferWise ID,Date,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Card Last Four Digits,Card Holder Full Name,Attachment,Note,Total fees',
        'CARD-1,13-03-2026,-35.50,EUR,Card transaction,,1964.50,,,,,,,A shop,1234,,,,0.10',
        'TRANSFER-7,12-03-2026,2000.00,EUR,Pay,,2000.00,,,,Boss,,,,,,,,0',
      ].join('\n'),
    )
    expect(done.statements).toMatchObject([{ opening: '0.00', closing: '1964.50', ok: true }])
    const [card] = await booked()
    expect([card?.signedAmount, card?.splits]).toEqual(['-35.50', []])
  })
})

it('two coffees in overlapping files are both booked, once', async () => {
  const { book, balance } = await household()
  const fileA = csv(['2026-03-01,BREAD,-1.00', '2026-03-15,Coffee,-3.00'])
  const fileB = csv([
    ...['2026-03-15,Coffee,-3.00', '2026-03-15,Coffee,-3.00', '2026-03-16,Coffee,-3.00'],
    '2026-03-31,MILK,-1.00',
  ])
  expect((await book(fileA)).counts).toMatchObject({ rows: 2, new: 2 })
  expect((await book(fileB)).counts).toMatchObject({ rows: 4, new: 3, duplicate: 1 })
  expect(await balance()).toBe('-11.00')
  expect((await book(fileB)).counts).toMatchObject({ new: 0, duplicate: 4 })
  expect((await book(fileA)).counts).toMatchObject({ new: 0, duplicate: 2 })
  expect(await balance()).toBe('-11.00')
})

it('daily interest is not swallowed by that of the month before', async () => {
  const { book, balance } = await household()
  const interest = (date: string) => ({ id: '', date, amount: '1.23', name: 'INTEREST' })
  await book(ofx([interest('2026-07-31')]))
  const days = [1, 2, 3, 4, 5, 6, 7].map((day) => interest(`2026-08-0${day}`))
  const august = ofx(days).replace('<DTEND>20260807', '<DTEND>20260831')
  expect((await book(august)).counts).toMatchObject({ rows: 7, new: 7, matched: 0 })
  expect(await balance()).toBe('9.84')
})

describe('renamed, and typed', () => {
  const row = (date: string, name: string, paid: string) => ({ id: '', date, amount: paid, name })
  const before = ofx([
    row('2026-03-10', 'CARD 1234 AMAZON', '-20.00'),
    row('2026-03-11', 'AMAZON', '-20.00'),
  ])
  const march = ofx([
    row('2026-03-10', 'AMZN Mktp DE', '-20.00'),
    row('2026-03-11', 'AMAZON', '-20.00'),
    row('2026-03-14', 'TRATTORIA ROMA', '-9.50'),
  ])
    .replace('<DTSTART>20260310', '<DTSTART>20260301')
    .replace('<DTEND>20260314', '<DTEND>20260331')
  const lunch = { date: '2026-03-12', amount: '9.50', description: 'Lunch' }

  it('only what the file does not tell of is matched', async () => {
    const { send, book, rowsOf, typed, booked } = await household()
    await book(before)
    const { id: typedId } = await typed(lunch)
    const renamed = (await booked()).find(({ payeeRaw }) => payeeRaw === 'CARD 1234 AMAZON')
    const { id } = await send(march)
    expect(await rowsOf(id)).toMatchObject([
      {
        ...{ verdict: 'matched', matchedId: renamed?.id, score: 0.75 },
        reasons: ['sameAmount', 'sameDay', 'renamed'],
      },
      { verdict: 'duplicate', reason: 'sameRow' },
      {
        ...{ verdict: 'new', suggestedMatchId: typedId, score: 0.59 },
        reasons: ['sameAmount', 'closeDays'],
      },
    ])
  })

  it('a payee that both have makes it a match', async () => {
    const { me, send, book, rowsOf, typed, balance } = await household()
    await book(before)
    const roma = await ok(createPayee, { as: me, json: { name: 'Trattoria Roma' } })
    const { id: typedId } = await typed({ ...lunch, payeeId: roma.id })
    const { id } = await send(march)
    expect((await rowsOf(id))[2]).toMatchObject({
      ...{ verdict: 'matched', matchedId: typedId, score: 0.74 },
      reasons: ['sameAmount', 'closeDays', 'samePayee'],
    })
    expect((await committed(me, id)).counts).toMatchObject({ matched: 2, duplicate: 1, new: 0 })
    expect(await balance()).toBe('-49.50')
  })

  it('so does the number of a cheque', async () => {
    const { me, account, send, rowsOf } = await household()
    const { id: typedId } = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, date: '2026-03-12', amount: '80.00' },
        ...{ description: 'Plumber', status: 'uncleared', metadata: { checkNumber: 1042 } },
      },
    })
    const cheque = ofx([{ id: '7', date: '2026-03-14', amount: '-80.00', name: 'CHEQUE' }])
    const { id } = await send(cheque.replace('<NAME>', '<CHECKNUM>1042<NAME>'))
    expect(await rowsOf(id)).toMatchObject([
      {
        ...{ verdict: 'matched', matchedId: typedId, score: 0.74 },
        reasons: ['sameAmount', 'closeDays', 'sameNumber'],
      },
    ])
  })
})

it('an id that stands beside two amounts is not trusted, and both rows are booked', async () => {
  const { send, me, book, account, balance } = await household()
  const file = ofx([
    { id: '77', date: '2026-03-10', amount: '-100.00', name: 'HOTEL' },
    { id: '77', date: '2026-03-10', amount: '-3.00', name: 'FOREIGN FEE' },
  ])
  const { id, counts, warnings } = await send(file)
  expect(counts).toMatchObject({ rows: 2, new: 2 })
  expect(warnings).toMatchObject([{ code: 'bankIdsReused', ids: ['77'] }])
  await committed(me, id)
  expect(await balance()).toBe('-103.00')
  const known = await rows<{ kind: string }>(
    'SELECT substr(identity, 1, 1) AS kind FROM import_identities WHERE account_id = ?',
    account.id,
  )
  expect(known.map(({ kind }) => kind)).toEqual(['f', 'f'])
  expect((await book(file)).counts).toMatchObject({ new: 0, duplicate: 2 })
})

describe('a batch of CAMT', () => {
  const one = (paid: string) => amount(paid, 'DBIT')
  const charges =
    '<Chrgs><Rcrd><Amt Ccy="EUR">26.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><ChrgInclInd>true</ChrgInclInd></Rcrd></Chrgs>'

  it('is one transaction with a part for each detail and charge', async () => {
    const { book, booked } = await household()
    const batch = entry('1526.00', 'DBIT', charges + details(one('1000.00'), one('500.00')))
    const reversal = entry('45.00', 'CRDT', '<RvslInd>true</RvslInd>')
    await book(message(batch + reversal))
    expect(
      (await booked()).map(({ signedAmount, splits }) => [signedAmount, splits.length]),
    ).toEqual(
      expect.arrayContaining([
        ['-1526.00', 3],
        ['45.00', 0],
      ]),
    )
    const whole = (await booked()).find(({ splits }) => splits.length > 0)
    expect(whole?.splits.map((part) => part.amount)).toEqual(['1000.00', '500.00', '26.00'])
  })

  it('whose details do not sum is one row, with a warning', async () => {
    const { send, rowsOf } = await household()
    const batch = entry('1526.00', 'DBIT', details(one('1000.00'), one('500.00')))
    const { id } = await send(message(batch))
    expect(await rowsOf(id)).toMatchObject([
      {
        warnings: ['detailsDoNotSum'],
        parsed: { amount: '-1526.00', metadata: { detailsDifference: '26' } },
      },
    ])
  })
})

describe('pages of MT940', () => {
  const pages = (closing: string) =>
    [
      ...[':20:A', ':25:12345678/123', ':28C:7/1', ':60F:C260301EUR100,00'],
      ...[':61:2603020302D30,00NTRFNONREF', ':86:RENT', ':62M:C260302EUR70,00', '-'],
      ...[':20:A', ':25:12345678/123', ':28C:7/2', ':60M:C260302EUR70,00'],
      ...[
        ':61:2603030303C5,00NTRFNONREF',
        ':86:REFUND',
        ':61:2603030303D1,00NTRFNONREF',
        ':86:TEA',
      ],
      ...[`:62F:C260303EUR${closing}`, '-', ''],
    ].join('\r\n')

  it.each([
    ['74,00', '0.00', true],
    ['75,00', '1.00', false],
  ])('are one statement; closing %s differs by %s', async (closing, difference, isRight) => {
    const { me, send, balance } = await household()
    const { id, counts, statements } = await send(pages(closing))
    expect(counts).toMatchObject({ rows: 3, new: 3 })
    expect(statements).toMatchObject([
      { opening: '100.00', sum: '-26.00', computed: '74.00', difference, ok: isRight, rows: 3 },
    ])
    await committed(me, id, isRight ? {} : { force: true })
    expect(await balance()).toBe('-26.00')
  })

  it('a 30th of February is the last day of it, with a warning', async () => {
    const { send, rowsOf } = await household()
    const file = pages('74,00').replace(':61:2603020302D30,00', ':61:1902300301D6,00')
    const [row] = await rowsOf((await send(file)).id)
    // The entry date is that of the booking.
    expect(row).toMatchObject({
      ...{ warnings: ['dateRepaired'] },
      parsed: { amount: '-6.00', date: '2019-03-01', metadata: { valueDate: '2019-02-28' } },
    })
  })
})

it('a revert of ten rows tells what was edited, and the file can come again', async () => {
  const { me, book, send, typed, balance, booked } = await household()
  await typed({ date: '2026-03-11', amount: '20.00', description: 'Hairdresser' })
  await typed({ date: '2026-03-12', amount: '30.00', description: 'Bookshop' })
  const known = '2026-03-10,BREAD,-4.00'
  await book(csv([known]))
  const file = csv([
    ...[known, '2026-03-11,HAIRDRESSER,-20.00', '2026-03-12,BOOKSHOP,-30.00'],
    ...[1, 2, 3, 4, 5, 6, 7].map((n) => `2026-03-1${n + 2},SHOP ${n},-${n}.00`),
  ])
  expect(await balance()).toBe('-54.00')
  const { id, counts } = await send(file)
  expect(counts).toMatchObject({ rows: 10, new: 7, matched: 2, duplicate: 1 })
  const preview = await ok(previewImport, { as: me, id })
  expect(preview.accounts).toMatchObject([{ balanceBefore: '-54.00', balanceAfter: '-82.00' }])
  await committed(me, id)
  const byText = new Map((await booked()).map((one) => [one.payeeRaw, one.id]))
  const change = (name: string, json: object) =>
    ok(updateTransaction, { as: me, id: byText.get(name) ?? '', json })
  await change('SHOP 3', { description: 'Renamed' })
  await change('SHOP 5', { splits: [{ amount: '2.00' }, { amount: '3.00' }] })
  await ok(revertImport, { as: me, id, json: {} })
  const { reverted } = await settled(me, id)
  expect(reverted).toMatchObject({ removed: 5, restored: 2 })
  const kept = (reverted as { kept: { id: string; reason: string }[] }).kept
  expect(new Map(kept.map((one) => [one.id, one.reason]))).toEqual(
    new Map([
      [byText.get('SHOP 3'), 'edited: description'],
      [byText.get('SHOP 5'), 'edited: splits'],
    ]),
  )
  expect(await balance()).toBe('-62.00')
  expect((await send(file)).counts).toMatchObject({ rows: 10, new: 5, matched: 2, duplicate: 3 })
})

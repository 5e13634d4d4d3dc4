import { describe, expect, test } from 'vitest'
import { ofx } from '../../../src/domain/ofx/ofx.ts'
import { checkBroken, checkPieces, readFile, readItems, short } from '../bank-files/reading.ts'
import { hasRealFiles, realFile } from '../bank-files/real-files.ts'

const HEADER = `OFXHEADER:100
DATA:OFXSGML
VERSION:102
CHARSET:1252

`
const ACCOUNT = '<BANKACCTFROM><BANKID>1<ACCTID>22<ACCTTYPE>CHECKING</BANKACCTFROM>'

/** A file of SGML whose one statement holds this. */
const sgml = (content: string): string =>
  `${HEADER}<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS></SONRS></SIGNONMSGSRSV1>
<BANKMSGSRSV1><STMTTRNRS><STMTRS>${content}</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

const list = (rows: string, name = 'BANKTRANLIST') =>
  `<CURDEF>EUR${ACCOUNT}<${name}>${rows}</${name}>`

/** The rows of a statement with these fields of one row. */
const rowOf = (fields: string, name?: string) =>
  readFile(ofx, sgml(list(`<STMTTRN>${fields}</STMTTRN>`, name))).rows[0]

const GOOD = '<DTPOSTED>20260302<TRNAMT>-1.00'

describe('a row of SGML', () => {
  test('is read without end tags, and line by line', () => {
    const row = {
      line: 1,
      account: '1/22',
      statement: 0,
      date: '2026-03-02',
      amount: '-12.3',
      currency: 'EUR',
      payeeRaw: 'Shop',
      description: 'Invoice 7',
      text: 'Shop Invoice 7',
      bankId: { scheme: 'ofx', id: 'F1' },
      pending: false,
      metadata: {
        checkNumber: '12',
        reference: 'R',
        valueDate: '2026-03-03',
        transactionType: 'DEBIT',
      },
      errors: [],
      warnings: [],
    }
    const fields =
      '<TRNTYPE>DEBIT|<DTPOSTED>20260302120000.000[-5:EST]|<DTAVAIL>20260303|<TRNAMT>-12,30|<FITID>F1|<CHECKNUM>12|<REFNUM>R|<NAME>Shop|<MEMO>Invoice 7|'
    expect(rowOf(fields.replaceAll('|', ''))).toMatchObject(row)
    expect(rowOf(fields.replaceAll('|', '\r\n'))).toMatchObject(row)
    expect(
      rowOf(
        fields
          .replaceAll('|', ' \n')
          .toLowerCase()
          .replace('debit', 'DEBIT')
          .replace('f1', 'F1')
          .replace('r <', 'R <')
          .replaceAll('shop', 'Shop')
          .replaceAll('invoice', 'Invoice')
          .replace('>r \n', '>R \n'),
      ),
    ).toMatchObject(row)
    expect(rowOf(fields.replaceAll(/<(\w+)>([^|]*)\|/g, '<$1>$2</$1>'))).toMatchObject(row)
    expect(rowOf(fields)?.raw).not.toHaveProperty('TRNUID')
  })

  test.each([
    ['20260302', '2026-03-02', undefined],
    ['20260302235959.123[-5:EST]', '2026-03-02', '23:59:59'],
    ['20260302000000', '2026-03-02', undefined],
    ['20260302250000', '2026-03-02', undefined],
  ])('of the moment %s', (moment, date, time) => {
    const row = rowOf(`<DTPOSTED>${moment}<TRNAMT>1`)
    expect([row?.date, row?.time]).toEqual([date, time])
  })

  test('of a day that its month does not have', () => {
    expect(rowOf('<DTPOSTED>20260230<TRNAMT>1')).toMatchObject({
      date: '2026-02-28',
      warnings: ['dateRepaired'],
    })
  })

  test.each([
    ['<TRNAMT>1', 'dateMissing', 'DTPOSTED'],
    ['<DTPOSTED><TRNAMT>1', 'dateMissing', 'DTPOSTED'],
    ['<DTPOSTED>20261301<TRNAMT>1', 'dateInvalid', 'DTPOSTED'],
    ['<DTPOSTED>soon<TRNAMT>1', 'dateInvalid', 'DTPOSTED'],
    ['<DTPOSTED>20260302', 'amountMissing', 'TRNAMT'],
    ['<DTPOSTED>20260302<TRNAMT>1.2.3', 'money.malformed', 'TRNAMT'],
  ])('that is wrong says so: %s', (fields, code, column) => {
    expect(rowOf(fields)?.errors).toMatchObject([{ code, column }])
  })

  test.each([
    ['<NAME>A &amp; B', 'A & B'],
    ['<NAME>A &amp;lt;B&amp;gt; &quot;', 'A <B> "'],
    ['<NAME>A&nbsp;B&#33; &unknown; &', 'A B! &unknown; &'],
    ['<NAME>1 < 2 <> 3', '1 < 2 <> 3'],
    ['<PAYEE><NAME>Full<CITY>Town</PAYEE>', 'Full'],
    ['<NAME>First line\nsecond line', 'First line'],
    ['<NAME>\n<MEMO>x', undefined],
    ['<NAME></NAME><MEMO>x', undefined],
    ['</NAME><NAME>A', 'A'],
  ])('names who it is: %s', (fields, payee) => {
    expect(rowOf(`${GOOD}${fields}`)?.payeeRaw).toBe(payee)
  })

  test('drops a memo that repeats the name, and keeps any other', () => {
    expect(rowOf(`${GOOD}<NAME>Shop<MEMO>SHOP`)).not.toHaveProperty('description')
    expect(rowOf(`${GOOD}<MEMO>x`)).toMatchObject({ description: 'x', text: 'x' })
  })

  test('keeps what an unknown aggregate holds apart', () => {
    expect(rowOf(`${GOOD}<BANK.X><NAME>other</BANK.X><NAME>own`)).toMatchObject({ payeeRaw: 'own' })
  })

  test('names the account of the other side', () => {
    expect(rowOf(`${GOOD}<BANKACCTTO><BANKID>1<ACCTID>33</BANKACCTTO>`)).toMatchObject({
      counterAccount: '33',
    })
    expect(rowOf(`${GOOD}<CCACCTTO><ACCTID>44</CCACCTTO>`)).toMatchObject({ counterAccount: '44' })
  })

  test.each(['REPLACE', 'delete'])('corrects another one: %s', (action) => {
    const row = rowOf(`${GOOD}<FITID>2<CORRECTFITID>1<CORRECTACTION>${action}`)
    expect(row?.correction).toEqual({ action: action.toLowerCase(), id: '1' })
  })

  test.each(['<CORRECTFITID>1', '<CORRECTFITID>1<CORRECTACTION>x', '<CORRECTACTION>DELETE'])(
    'corrects nothing: %s',
    (fields) => {
      expect(rowOf(GOOD + fields)).not.toHaveProperty('correction')
    },
  )

  test('of zero takes another one back all the same', () => {
    const row = rowOf('<DTPOSTED>20260302<TRNAMT>0.00<CORRECTFITID>1<CORRECTACTION>DELETE')
    expect(row).toMatchObject({ amount: '0', correction: { action: 'delete', id: '1' } })
    expect(row).not.toHaveProperty('ignored')
  })

  test('of zero is no booking', () => {
    expect(rowOf('<DTPOSTED>20260302<TRNAMT>-0.00')).toMatchObject({ amount: '0', ignored: 'zero' })
  })
})

describe('another currency', () => {
  const amounts = (fields: string) => {
    const row = rowOf(`<DTPOSTED>20260302<TRNAMT>-90.00${fields}`)
    return [row?.amount, row?.currency, row?.original]
  }

  test.each([
    [
      '<ORIGCURRENCY><CURRATE>0.90<CURSYM>USD</ORIGCURRENCY>',
      ['-90', 'EUR', { amount: '100', currency: 'USD', rate: '0.9' }],
    ],
    [
      '<ORIGCURRENCY><CURRATE>0.0062<CURSYM>JPY</ORIGCURRENCY>',
      ['-90', 'EUR', { amount: '14516', currency: 'JPY', rate: '0.0062' }],
    ],
    ['<ORIGCURRENCY><CURRATE>0<CURSYM>USD</ORIGCURRENCY>', ['-90', 'EUR', undefined]],
    ['<ORIGCURRENCY><CURRATE>1<CURSYM>EUR</ORIGCURRENCY>', ['-90', 'EUR', undefined]],
    ['<ORIGCURRENCY><CURSYM>USD</ORIGCURRENCY>', ['-90', 'EUR', undefined]],
    [
      '<CURRENCY><CURRATE>0.90<CURSYM>USD</CURRENCY>',
      ['-81', 'EUR', { amount: '90', currency: 'USD', rate: '0.9' }],
    ],
    ['<CURRENCY><CURSYM>USD</CURRENCY>', ['-90', 'USD', undefined]],
    ['<CURRENCY><CURRATE>1<CURSYM>EUR</CURRENCY>', ['-90', 'EUR', undefined]],
  ])('%s', (fields, expected) => {
    expect(amounts(fields)).toEqual(expected)
  })

  test('of an account whose currency is not said', () => {
    const { rows } = readFile(
      ofx,
      sgml(
        `${ACCOUNT}<BANKTRANLIST><STMTTRN><DTPOSTED>20260302<TRNAMT>1<CURRENCY><CURRATE>1.005<CURSYM>USD</CURRENCY></STMTTRN></BANKTRANLIST>`,
      ),
    )
    expect(rows).toMatchObject([{ amount: '1', original: { amount: '1', currency: 'USD' } }])
  })
})

describe('a statement', () => {
  const STATEMENT = sgml(
    `<CURDEF>EUR${ACCOUNT}<BANKTRANLIST><DTSTART>20260301<DTEND>20260331<STMTTRN>${GOOD}</STMTTRN></BANKTRANLIST><BANKTRANLISTP><STMTTRNP><DTTRAN>20260401<TRNAMT>-5<NAME>Hold</STMTTRNP></BANKTRANLISTP><LEDGERBAL><BALAMT>12.30<DTASOF>20260330</LEDGERBAL><AVAILBAL><BALAMT>10.00<DTASOF>20260401</AVAILBAL><AVAILBAL><BALAMT>x</AVAILBAL>`,
  )

  test('has its span, its balance, and what is pending', () => {
    const { accounts, statements, rows } = readFile(ofx, STATEMENT)
    expect(accounts).toEqual([
      { key: '1/22', number: '22', bank: '1', type: 'CHECKING', currency: 'EUR' },
    ])
    expect(statements).toEqual([
      {
        account: '1/22',
        currency: 'EUR',
        from: '2026-03-01',
        through: '2026-03-31',
        closing: '12.3',
        closingDate: '2026-03-30',
        evidence: [{ name: 'AVAILBAL', amount: '10', date: '2026-04-01' }],
        pages: 1,
        interim: false,
      },
    ])
    expect(rows).toMatchObject([
      { pending: false, date: '2026-03-02' },
      { pending: true, date: '2026-04-01', amount: '-5' },
    ])
  })

  test('begins in the midst of a day if it names a time', () => {
    const within = STATEMENT.replace('<DTSTART>20260301', '<DTSTART>20260301081500')
    expect(readFile(ofx, within).statements).toMatchObject([
      { from: '2026-03-01', startsWithin: true },
    ])
  })

  test('may be of a card, of an investment account, and of several accounts', () => {
    const { accounts, statements, rows } = readFile(
      ofx,
      `${HEADER}<OFX><CREDITCARDMSGSRSV1><CCSTMTRS><CURDEF>EUR<CCACCTFROM><ACCTID>4444</CCACCTFROM><BANKTRANLIST><STMTTRN>${GOOD}</STMTTRN></CCSTMTRS></CREDITCARDMSGSRSV1>
<INVSTMTMSGSRSV1><INVSTMTRS><CURDEF>USD<INVACCTFROM><BROKERID>b<ACCTID>5</INVACCTFROM><INVTRANLIST><DTSTART>20260101<BUYSTOCK><INVBUY><INVTRAN><DTTRADE>20260102</INVTRAN><TOTAL>-5</INVBUY></BUYSTOCK><INVBANKTRAN><STMTTRN>${GOOD}</STMTTRN><SUBACCTFUND>CASH</INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTMSGSRSV1></OFX>`,
    )
    expect(accounts).toMatchObject([
      { key: '4444', type: 'CREDITCARD', currency: 'EUR' },
      { key: 'b/5', type: 'INVESTMENT', currency: 'USD' },
    ])
    expect(statements).toHaveLength(2)
    expect(rows).toMatchObject([
      { account: '4444', line: 1 },
      { account: 'b/5', ignored: 'security', text: 'BUYSTOCK', raw: { 'INVBUY/TOTAL': '-5' } },
      { account: 'b/5', amount: '-1' },
    ])
  })

  test('keeps its account, whatever comes later', () => {
    const { accounts, rows } = readFile(
      ofx,
      sgml(
        `${list(`<STMTTRN>${GOOD}</STMTTRN>`)}<BANKACCTFROM><ACCTID>99</BANKACCTFROM><CURDEF>USD<BANKTRANLIST><STMTTRN>${GOOD}</STMTTRN></BANKTRANLIST>`,
      ),
    )
    expect(accounts).toHaveLength(1)
    expect(rows).toMatchObject([
      { account: '1/22', currency: 'EUR' },
      { account: '1/22', currency: 'EUR' },
    ])
  })

  test('without rows is one, without an account, too; without any there is nothing to read', () => {
    expect(readFile(ofx, sgml(''))).toMatchObject({
      accounts: [{ key: '' }],
      statements: [{ account: '' }],
      rows: [],
    })
    const without = `${HEADER}<OFX><BANKACCTFROM><ACCTID>1</BANKACCTFROM></OFX>`
    expect(() => readFile(ofx, without)).toThrow('holds no statement of an account')
  })

  test('says the same in pieces of any length', () =>
    expect(() => checkPieces(ofx, STATEMENT)).not.toThrow())

  test('a broken file is refused, or read, and nothing else', () =>
    expect(() => checkBroken(ofx, STATEMENT)).not.toThrow())
})

test('equal ids beside two amounts both stay', () => {
  const row = (amount: string, name: string) =>
    `<STMTTRN><DTPOSTED>20260302<TRNAMT>${amount}<FITID>77<NAME>${name}</STMTTRN>`
  const file = readFile(ofx, sgml(list(`${row('-100.00', 'HOTEL')}${row('-3.00', 'FOREIGN FEE')}`)))
  expect(file.rows.map(({ bankId, amount }) => [bankId?.id, amount])).toEqual([
    ['77', '-100'],
    ['77', '-3'],
  ])
})

describe('XML', () => {
  const XML = `\n\n<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE></STATUS></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>EUR</CURDEF><BANKACCTFROM><BANKID>1</BANKID><ACCTID>22</ACCTID></BANKACCTFROM><BANKTRANLIST><STMTTRN><DTPOSTED>20260302</DTPOSTED><TRNAMT>-1.50</TRNAMT><FITID>F</FITID><NAME>A &amp; B</NAME><MEMO/></STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`

  test('is read', () => {
    expect(short(readFile(ofx, XML))).toEqual([['2026-03-02', '-1.5', 'A & B', undefined]])
  })

  test('says the same in pieces of any length', () =>
    expect(() => checkPieces(ofx, XML)).not.toThrow())

  test('a broken file is refused, or read, and nothing else', () =>
    expect(() => checkBroken(ofx, XML)).not.toThrow())

  test.each([
    [XML.replace('<OFX>', '<!DOCTYPE OFX><OFX>'), 'imports.malformed'],
    [XML.slice(0, -1), 'imports.truncated'],
    [XML.replace('</NAME>', ''), 'imports.malformed'],
  ])('is refused %#', (text, code) => {
    expect(() => readItems(ofx, [text])).toThrow(expect.objectContaining({ code }))
  })
})

test('a header of XML may stand above SGML', () => {
  const header = '<?xml version="1.0"?>\n<?OFX OFXHEADER="200" VERSION="203"?>\n'
  const plain = sgml(list(`<STMTTRN>${GOOD}</STMTTRN>`))
  const text = header + plain.slice(plain.indexOf('<OFX>'))
  expect(short(readFile(ofx, text))).toEqual(short(readFile(ofx, plain)))
  expect(() => checkPieces(ofx, text)).not.toThrow()
})

test('a header alone is no file', () => {
  expect(() => readItems(ofx, ['OFXHEADER:100\n'])).toThrow('<OFX>')
})

test('a long file is read on from where its format is known', () => {
  const text = sgml(list(`<STMTTRN>${GOOD}</STMTTRN>`.repeat(200)))
  const items = readItems(ofx, [text.slice(0, 5_000), text.slice(5_000)])
  expect(items.filter(({ is }) => is === 'row')).toHaveLength(200)
})

test('a value may begin on the line after its tag', () => {
  const row =
    '<STMTTRN><DTPOSTED>\r\n\t20260302\n<TRNAMT>\n -1.50<FITID>\n<NAME>\n\tA\nB</NAME></STMTTRN>'
  const { rows } = readFile(ofx, sgml(list(row)))
  expect(rows).toMatchObject([{ date: '2026-03-02', amount: '-1.5', payeeRaw: 'A' }])
  expect(rows[0]?.bankId).toBeUndefined()
})

describe('a file that is refused', () => {
  const status = (fields: string) => `${HEADER}<OFX><SONRS><STATUS>${fields}</STATUS></SONRS></OFX>`

  test.each([
    ['is empty', '', 'imports.malformed', 'no <OFX>'],
    ['has no tag', 'x'.repeat(5_000), 'imports.malformed', 'no <OFX>'],
    ['holds something else', '<html></html>', 'imports.malformed', 'no <OFX>'],
    ['broke off', sgml(list('')).slice(0, -6), 'imports.truncated', 'before it is complete'],
    ['broke off at its root', `${HEADER}<OFX>`, 'imports.truncated', 'before it is complete'],
    ['is deep', `<OFX>${'<A1>'.repeat(40)}</OFX>`, 'imports.malformed', '32 aggregates'],
    [
      'has many elements',
      sgml(list(`<STMTTRN>${'<X>1'.repeat(1_001)}</STMTTRN>`)),
      'imports.malformed',
      'too many elements',
    ],
    [
      'tells of an error',
      status('<CODE>2000<SEVERITY>ERROR<MESSAGE>General error'),
      'imports.malformed',
      'the bank reports error 2000 General error.',
    ],
    ['tells of an error without words', status('<CODE>15500'), 'imports.malformed', 'error 15500.'],
  ])('%s', (_, text, code, message) => {
    expect(() => readItems(ofx, [text])).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) as string }),
    )
  })

  test('is none for what stands behind the end, or in a long value', () => {
    const long = readFile(
      ofx,
      `${sgml(list(`<STMTTRN>${GOOD}<NAME>${'x'.repeat(70_000)}${' y'.repeat(70_000)}</STMTTRN>`))}<A>more</A></OFX>`,
    )
    expect(long.rows[0]?.payeeRaw).toHaveLength(10_000)
    expect(long.rows[0]?.warnings).toEqual(['textCut'])
  })
})

test('is recognised', () => {
  const heads = [
    HEADER,
    '\n\n<?OFX ',
    '  <ofx>',
    `${' '.repeat(5_000)}<OFX>`,
    '!Type:Bank',
    'a<OFX>',
  ]
  expect(heads.map((head) => ofx.recognises(head))).toEqual([1, 1, 1, 0, 0, 0.9])
})

describe.runIf(hasRealFiles)('real files', () => {
  test('of a bank in SGML', () => {
    const { rows, statements } = readFile(ofx, realFile('ofx/actual-bank.ofx'))
    expect(rows.map(({ amount }) => amount)).toEqual([
      '-30',
      '-3.77',
      '-9.62',
      '-115.99',
      '-10.34',
      '-22.53',
      '-108.71',
      '-25',
      '-32.38',
      '-6.07',
    ])
    expect(statements).toMatchObject([{ closing: '12798.01', currency: 'USD' }])
  })

  test('with entities that are escaped twice', () => {
    const { rows } = readFile(ofx, realFile('ofx/actual-html-entities.qfx'))
    expect(rows.map(({ amount, payeeRaw }) => [amount, payeeRaw])).toEqual([
      ['-1', '000000000000000'],
      ['-1', 'TPAY <DEFTPYMT>'],
    ])
  })
})

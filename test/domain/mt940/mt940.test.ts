import { describe, expect, test } from 'vitest'
import { mt940 } from '../../../src/domain/mt940/mt940.ts'
import { checkBroken, checkPieces, readFile, readItems, short } from '../bank-files/reading.ts'
import { hasRealFiles, realFile } from '../bank-files/real-files.ts'

/** A message of an account in EUR, from 100.00 to 70.00. */
const message = (rows: string, closing = ':62F:C260331EUR70,00'): string =>
  `:20:STARTUMS\n:25:10020030/1234567\n:28C:5/1\n:60F:C260228EUR100,00\n${rows}\n${closing}\n-\n`

const KEY = '10020030/1234567 EUR'
const ROW = ':61:2603010302D30,00NTRFREF1//BANK1'

const rowsOf = (rows: string) => readFile(mt940, message(rows)).rows
const rowOf = (rows: string) => rowsOf(rows)[0]

describe('a statement', () => {
  test('has its balances, its number and its rows', () => {
    const file = readFile(mt940, message(`${ROW}\n:86:plain text`))
    expect(file.accounts).toEqual([
      { key: KEY, number: '1234567', bank: '10020030', currency: 'EUR' },
    ])
    expect(file.statements).toEqual([
      {
        account: KEY,
        number: '5',
        opening: '100',
        openingDate: '2026-02-28',
        closing: '70',
        closingDate: '2026-03-31',
        through: '2026-03-31',
        currency: 'EUR',
        evidence: [],
        pages: 1,
        interim: false,
      },
    ])
    expect(file.rows).toMatchObject([
      {
        line: 5,
        account: KEY,
        statement: 0,
        date: '2026-03-02',
        amount: '-30',
        currency: 'EUR',
        description: 'plain text',
        text: 'plain text',
        bankId: { scheme: 'mt940', id: 'BANK1' },
        pending: false,
        metadata: {
          valueDate: '2026-03-01',
          reference: 'REF1',
          bankReference: 'BANK1',
          transactionType: 'NTRF',
        },
        raw: { ':61:': ROW.slice(4), ':86:': 'plain text' },
        errors: [],
        warnings: [],
      },
    ])
    expect(file.warnings).toEqual([])
  })

  test('without rows still gives its balances', () => {
    const { statements, rows } = readFile(
      mt940,
      message(
        ':21:NONREF',
        ':62F:D260331EUR5,\n:64:C260331EUR1,50\n:65:D260401EUR2,\n:64:none\n:86:of the statement',
      ),
    )
    expect(rows).toEqual([])
    expect(statements).toMatchObject([
      {
        closing: '-5',
        evidence: [
          { name: ':64:', amount: '1.5', date: '2026-03-31', currency: 'EUR' },
          { name: ':65:', amount: '-2', date: '2026-04-01', currency: 'EUR' },
        ],
      },
    ])
  })

  test.each([
    ['{1:F01BANKDEFFXXX}{2:O940}{4:\r\n', '-}{5:}\r\n'],
    ['{1:F01BANKDEFFXXX0000}{2:I940{X}}{3:}{4:', '-}\r\n'],
    ['BANKDEFF\n940\nBANKDEFF\n', '-'],
    ['', ''],
  ])('is found between %j and %j', (before, after) => {
    const text = `${before}${message(`${ROW}\n:86:a\u0001b`).replace(/-\n$/, after)}`
    for (const end of ['\n', '\r\n', '\r']) {
      const file = readFile(mt940, text.replaceAll(/\r?\n/g, end))
      expect(short(file)).toEqual([['2026-03-02', '-30', undefined, 'ab']])
      expect(file.warnings).toEqual([])
    }
  })

  test.each([
    [
      'DE89370400440532013000',
      { key: 'DE89370400440532013000 EUR', iban: 'DE89370400440532013000' },
    ],
    [
      'DE89370400440532013000EUR',
      { key: 'DE89370400440532013000 EUR', iban: 'DE89370400440532013000' },
    ],
    ['/NL91 ABNA 0417 1643 00', { key: 'NL91ABNA0417164300 EUR', iban: 'NL91ABNA0417164300' }],
    ['1234567 EUR', { key: '1234567 EUR', number: '1234567' }],
    ['1234567ABC', { key: '1234567ABC EUR', number: '1234567ABC' }],
    ['', { key: 'EUR' }],
  ])('is of the account %s', (written, expected) => {
    const text = message('').replace('10020030/1234567', written)
    expect(readFile(mt940, text).accounts).toEqual([{ ...expected, currency: 'EUR' }])
  })

  test('of an account with a second line and a field that nobody knows', () => {
    const text = message(`${ROW}\n:86:one\n:99:two`)
      .replace(':25:', ':25P:')
      .replace(':28C:', 'BANKDEFF\n:28:')
    expect(short(readFile(mt940, text))).toEqual([['2026-03-02', '-30', undefined, 'one :99:two']])
  })

  test('whose balances cannot be read has none', () => {
    const { statements } = readFile(
      mt940,
      message('', ':62F:C260331EUR').replace('260228', '261328'),
    )
    expect(statements[0]).not.toHaveProperty('opening')
    expect(statements[0]).not.toHaveProperty('closing')
  })
})

describe('pages', () => {
  const page = (opening: string, rows: string, closing: string, account = '1') =>
    `:20:P\n:25:${account}\n:28C:1/1\n${opening}\n${rows}\n${closing}\n-\n`
  const FIRST = page(':60F:C260301EUR100,00', ':61:260301D30,00NTRF', ':62M:C260301EUR70,00')
  const LAST = page(
    ':60M:C260301EUR70,00',
    ':61:260301C5,00NTRF\n:61:260301D1,00NTRF',
    ':62F:C260302EUR74,00',
  )

  test('are one statement', () => {
    const { statements, rows, warnings } = readFile(mt940, FIRST + LAST)
    expect(statements).toMatchObject([{ opening: '100', closing: '74', pages: 2 }])
    expect(rows.map(({ statement, amount }) => [statement, amount])).toEqual([
      [0, '-30'],
      [0, '5'],
      [0, '-1'],
    ])
    expect(warnings).toEqual([])
  })

  test('keep a closing balance that does not fit', () => {
    const { statements, rows } = readFile(mt940, FIRST + LAST.replace('74,00', '75,00'))
    expect(statements).toMatchObject([{ opening: '100', closing: '75' }])
    expect(rows).toHaveLength(3)
  })

  test('of which one is missing are told', () => {
    const { statements, warnings } = readFile(mt940, FIRST + LAST.replace('EUR70', 'EUR60'))
    expect(statements).toHaveLength(1)
    expect(warnings).toEqual([
      { code: 'statementMissing', account: '1 EUR', number: '1', closing: '70', opening: '60' },
    ])
    expect(readFile(mt940, FIRST + LAST.replace('EUR70,00', 'EUR')).warnings).toEqual([])
  })

  test('end with those of another account, with a new statement, and with the file', () => {
    const other = page(':60M:C260301EUR70,00', '', ':62F:C260301EUR70,00', '2')
    const next = page(':60F:C260301EUR70,00', '', ':62F:C260301EUR70,00')
    const counts = [FIRST + other, FIRST + next, FIRST, LAST + LAST].map((text) =>
      readFile(mt940, text).statements.map(({ pages, closing }) => [pages, closing]),
    )
    expect(counts).toEqual([
      [
        [1, '70'],
        [1, '70'],
      ],
      [
        [1, '70'],
        [1, '70'],
      ],
      [[1, '70']],
      [
        [1, '74'],
        [1, '74'],
      ],
    ])
  })
})

describe('a line', () => {
  test.each([
    ['C', '30'],
    ['D', '-30'],
    ['RC', '-30'],
    ['RD', '30'],
    ['EC', '30'],
    ['ED', '-30'],
    ['CR', '30'],
    ['DR', '-30'],
    ['RDR', '30'],
  ])('with the mark %s moves %s', (mark, amount) => {
    expect(rowOf(`:61:2603010301${mark}30,00NTRF`)?.amount).toBe(amount)
  })

  test.each([
    ['260301', '2026-03-01'],
    ['260301    ', '2026-03-01'],
    ['2603010303', '2026-03-03'],
    ['2512311231', '2025-12-31'],
    ['2512310102', '2026-01-02'],
    ['2601021231', '2025-12-31'],
    ['9912310102', '2000-01-02'],
  ])('of %s is booked on %s', (dates, date) => {
    expect(rowOf(`:61:${dates}D1,NTRF`)?.date).toBe(date)
  })

  test('of 30 February is repaired', () => {
    expect(rowOf(':61:1902300301D6,00')).toMatchObject({
      date: '2019-03-01',
      metadata: { valueDate: '2019-02-28' },
      warnings: ['dateRepaired'],
    })
    expect(rowOf(':61:190230D6,00')).toMatchObject({
      date: '2019-02-28',
      warnings: ['dateRepaired'],
    })
    expect(rowOf(':61:1902280230D6,00')).toMatchObject({
      date: '2019-02-28',
      warnings: ['dateRepaired'],
    })
  })

  test.each([
    ['D8,8NTRF', '-8.8'],
    ['D107,NTRF', '-107'],
    ['D1234N195', '-1234'],
    ['D1.234,56NTRF', '-1234.56'],
    ['DF2400,00S   X', '-2400'],
    ['D12,00S   ', '-12'],
    ['D12,00MCI0NONREF', '-12'],
  ])('of %s has the amount %s', (rest, amount) => {
    expect(rowOf(`:61:260301${rest}`)?.amount).toBe(amount)
  })

  test('may be broken anywhere up to its type', () => {
    const whole = '2603270327CR30,00N062NONREF//BANK1'
    for (let at = 11; at < whole.indexOf('N062') + 4; at += 1) {
      const broken = `:61:${whole.slice(0, at)}\n${whole.slice(at)}\nmore`
      expect(rowOf(broken), broken).toMatchObject({
        ...{ date: '2026-03-27', amount: '30', errors: [] },
        metadata: { transactionType: 'N062', bankReference: 'BANK1', supplementary: 'more' },
      })
    }
  })

  test.each([
    ['260301D1,NTRFREF', { reference: 'REF' }],
    ['260301D1,NTRFNONREF', {}],
    ['260301D1,NTRFNONREF//NONREF', {}],
    [
      '260301D1,NTRFREF//0123456789ABCDEFmore',
      { reference: 'REF', bankReference: '0123456789ABCDEF', supplementary: 'more' },
    ],
    ['260301D1,NTRFREF\nsecond line', { reference: 'REF', supplementary: 'second line' }],
  ])('%s refers to', (line, references) => {
    const {
      valueDate: _value,
      transactionType: _type,
      ...metadata
    } = rowOf(`:61:${line}`)?.metadata ?? {}
    expect(metadata).toEqual(references)
  })

  test('without information has its supplementary text', () => {
    expect(rowOf(':61:260301D1,NTRFREF\nOCMT/USD1,')).toMatchObject({
      description: 'OCMT/USD1,',
      text: 'OCMT/USD1,',
    })
  })

  test.each([
    ['nothing', 'money.malformed'],
    ['261301D1,NTRF', 'dateInvalid'],
    ['2603011301D1,NTRF', 'dateInvalid'],
    ['260301D1,2,3NTRF', 'money.malformed'],
    ['260301X1,NTRF', 'money.malformed'],
  ])('that is wrong says so: %s', (line, code) => {
    expect(rowOf(`:61:${line}`)?.errors).toMatchObject([{ code, column: ':61:' }])
  })

  test('whose bank reference its statement repeats has no id', () => {
    const twice = `${ROW}\n${ROW}\n${ROW.replace('BANK1', 'BANK2')}`
    const { rows } = readFile(mt940, message(twice))
    expect(rows.map(({ bankId }) => bankId?.id)).toEqual([undefined, undefined, 'BANK2'])
    const months = readFile(mt940, message(ROW) + message(ROW))
    expect(months.rows.map(({ bankId }) => bankId?.id)).toEqual(['BANK1', 'BANK1'])
    const reader = mt940.read({ format: 'mt940' })
    const items = [...reader.push(message(twice)), ...reader.end()]
    expect(items.filter(({ is }) => is === 'row')).toHaveLength(3)
  })
})

describe('an interim report', () => {
  const REPORT =
    ':20:R\n:25:1234567EUR\n:28C:1\n:34F:EURD0,00\n:34F:EUR5,\n:13D:2603011200+0100\n:61:260301D1,NTRF\n:86:Card\n:90D:1EUR1,00\n:90C:2EUR3,00\n:90C:x\n:NS:22\n-'

  test('has rows that are pending, and sums', () => {
    const { statements, rows, accounts } = readFile(mt940, REPORT)
    expect(accounts).toEqual([{ key: '1234567 EUR', number: '1234567', currency: 'EUR' }])
    expect(rows).toMatchObject([{ pending: true, currency: 'EUR', description: 'Card' }])
    expect(statements).toEqual([
      {
        account: '1234567 EUR',
        number: '1',
        currency: 'EUR',
        through: '2026-03-01',
        evidence: [
          { name: ':34F:', amount: '0', currency: 'EUR' },
          { name: ':34F:', amount: '5', currency: 'EUR' },
          { name: ':90D:', amount: '-1', currency: 'EUR' },
          { name: ':90C:', amount: '3', currency: 'EUR' },
        ],
        pages: 1,
        interim: true,
      },
    ])
  })

  test('may be without an account and a floor', () => {
    expect(readFile(mt940, ':20:R\n:61:260301D1,NTRF')).toMatchObject({
      accounts: [{ key: '' }],
      rows: [{ pending: true }],
      statements: [{ interim: true }],
    })
  })

  test('tells of a line that cannot be read, which is no pending row', () => {
    expect(readFile(mt940, ':20:R\n:25:1\n:61:nonsense\n:86:Card\n-').rows).toMatchObject([
      { pending: false, errors: [{ code: 'money.malformed' }] },
    ])
  })

  test('without rows is one', () => {
    expect(readFile(mt940, ':20:R\n:25:1\n:90D:0EUR0,\n-').statements).toHaveLength(1)
    expect(readFile(mt940, ':20:R\n:25:1\n:86:nothing\n-').statements).toHaveLength(0)
  })
})

describe('a file that broke off', () => {
  const whole = message(`${ROW}\n:86:text\n:61:260302D5,00NTRF`)
  const at = (end: string) => readFile(mt940, whole.slice(0, whole.lastIndexOf(end) + end.length))

  test('within a row has a row that is wrong', () => {
    const { rows, warnings } = at('260302D5,')
    expect(rows[1]).toMatchObject({ errors: [{ code: 'lastRecordCut', column: ':61:' }] })
    expect(warnings).toEqual([{ code: 'lastRecordCut', line: 7 }])
  })

  test('before its closing balance is told', () => {
    expect(at('D5,00NTRF').warnings).toEqual([{ code: 'lastRecordCut' }])
    expect(at('EUR70,00').warnings).toEqual([])
  })

  test('before any message is none', () => {
    for (const text of ['', 'x\ny', ':25:1\n:61:x']) {
      expect(() => readItems(mt940, [text])).toThrow(
        expect.objectContaining({ code: 'imports.malformed' }),
      )
    }
  })
})

test('is recognised', () => {
  const heads = [
    message(''),
    '{1:F}{4:\n:20:x\n:61:',
    '{1:F}{4::20:x\n:25:1',
    ':20:x',
    'x :20:',
    'a',
  ]
  expect(heads.map((head) => mt940.recognises(head))).toEqual([1, 1, 1, 0.5, 0, 0])
})

const MANY = message(
  `${ROW}\nmore\n:86:166?00GUTSCHRIFT?20EREF+1?21SVWZ+Text?32Name\n:61:260302C5,00NTRF\n:86:/TRTP/X/NAME/Y/REMI/Z\n:86:OD; od: B; tytuł: C`,
)

test('says the same in pieces of any length', () => {
  expect(() => checkPieces(mt940, MANY.replaceAll('\n', '\r\n'))).not.toThrow()
})

test('a broken file is refused, or read, and nothing else', () =>
  expect(() => checkBroken(mt940, MANY + MANY)).not.toThrow())

describe.runIf(hasRealFiles)('real files', () => {
  test('a month of days, of which most are empty', () => {
    const { statements, rows } = readFile(mt940, realFile('mt940/asn-bank.sta'))
    expect(statements).toHaveLength(31)
    expect(rows.map(({ amount }) => amount)).toEqual([
      '-65',
      '1000',
      '-801.55',
      '-1.65',
      '828.72',
      '-1000',
      '1000.18',
      '-903.76',
    ])
    expect([statements[0]?.opening, statements[30]?.closing]).toEqual(['444.29', '501.23'])
    expect(statements.slice(1).map(({ opening }) => opening)).toEqual(
      statements.slice(0, -1).map(({ closing }) => closing),
    )
  })

  test('two statements that do not balance', () => {
    const { statements, rows } = readFile(mt940, realFile('mt940/abnamro.sta'))
    expect(statements).toMatchObject([
      { opening: '3236.28', closing: '876.84' },
      { opening: '2876.84', closing: '1849.75' },
    ])
    const sums = [0, 1].map((at) =>
      rows
        .filter(({ statement }) => statement === at)
        .reduce((sum, { amount }) => sum + Number(amount), 0)
        .toFixed(2),
    )
    expect(sums).toEqual(['-321.44', '-24.49'])
  })
})

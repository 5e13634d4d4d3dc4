import { describe, expect, test } from 'vitest'
import { qif } from '../../../src/domain/qif/qif.ts'
import { checkBroken, checkPieces, readFile, readItems, short } from '../bank-files/reading.ts'
import { hasRealFiles, realFile } from '../bank-files/real-files.ts'

const record = (fields: string) => `${fields.replaceAll('|', '\n')}\n^\n`
const account = (name: string, type = 'Bank') =>
  `!Account\n${record(`N${name}|T${type}`)}!Type:${type}\n`

const rowsOf = (fields: string, reading = {}) =>
  readFile(qif, `!Type:Bank\n${record(fields)}`, { dateOrder: 'MDY', decimal: '.', ...reading })
    .rows
const rowOf = (fields: string, reading = {}) => rowsOf(fields, reading)[0]

const survey = (text: string, known = {}) => {
  const surveyor = qif.survey(known)
  surveyor.push(text)
  return surveyor.end()
}

describe('a record', () => {
  test('is a row', () => {
    const row = rowOf(
      "D2/14'2026|T-1,234.50|U-1,234.50|C*|N101|PShop|MGift|AStreet 1|ATown|A|LFood:Out/Trip:Summer",
    )
    expect(row).toMatchObject({
      line: 2,
      account: '',
      date: '2026-02-14',
      amount: '-1234.5',
      payeeRaw: 'Shop',
      description: 'Gift',
      text: 'Shop Gift 101',
      category: ['Food', 'Out'],
      tags: ['Trip', 'Summer'],
      metadata: { checkNumber: '101', address: 'Street 1, Town' },
      raw: { D: "2/14'2026", T: '-1,234.50', A: 'Street 1\nTown\n' },
      parts: [],
      errors: [],
      warnings: [],
    })
    expect(row).not.toHaveProperty('bankId')
    expect(row).not.toHaveProperty('status')
  })

  test.each([
    ['2/3/26', 'MDY', '2026-02-03'],
    ['2/3/26', 'DMY', '2026-03-02'],
    ["2/3'26", 'MDY', '2026-02-03'],
    ["12/ 3' 6", 'MDY', '2006-12-03'],
    [" 2/ 3'2026", 'MDY', '2026-02-03'],
    ["2/3'06", 'DMY', '2006-03-02'],
    ['12/31/99', 'MDY', '1999-12-31'],
    ['2026-02-03', 'YMD', '2026-02-03'],
    ['3 February 2026', 'DMY', '2026-02-03'],
  ])('of %j in the order %s', (written, dateOrder, date) => {
    expect(rowOf(`D${written}|T1`, { dateOrder })?.date).toBe(date)
  })

  test.each([
    ['T1', 'dateMissing', 'D'],
    ['D13/32/26|T1', 'dateInvalid', 'D'],
    ['D1/2/26', 'amountMissing', 'T'],
    ['D1/2/26|Tone', 'money.malformed', 'T'],
    ['D1/2/26|T1,5', 'money.malformed', 'T'],
  ])('that is wrong says so: %s', (fields, code, column) => {
    expect(rowOf(fields)?.errors).toMatchObject([{ code, column }])
  })

  test.each([
    ['C*', undefined],
    ['CX', undefined],
    ['C', 'uncleared'],
    ['PX', undefined],
  ])('with the mark %s has the status %s', (mark, status) => {
    expect(rowOf(`D1/2/26|T1|${mark}`)?.status).toBe(status)
  })

  test('has the amount of U where T is missing, and that of T where both are there', () => {
    expect(rowOf('D1/2/26|U5')?.amount).toBe('5')
    expect(rowOf('D1/2/26|U5|T6')?.amount).toBe('6')
    expect(rowOf('D1/2/26|T-1.234,5', { decimal: ',' })?.amount).toBe('-1234.5')
    expect(rowOf('D1/2/26|T0.00')).toMatchObject({ amount: '0', ignored: 'zero' })
  })
})

describe('parts', () => {
  const parts = (fields: string, amount = '-10.00') =>
    rowOf(`D1/2/26|T${amount}|L--Split--|${fields}`)

  test('have categories, tags, texts and amounts', () => {
    const row = parts('SFood:Out/Trip|Elunch|$-7.00|S[Savings]|$-3.00')
    expect(row).toMatchObject({
      parts: [
        { amount: '-7', category: ['Food', 'Out'], tags: ['Trip'], description: 'lunch' },
        { amount: '-3', transfer: 'Savings' },
      ],
      errors: [],
    })
    expect(row).not.toHaveProperty('category')
    expect(row?.parts[1]?.pair).toContain('Savings')
  })

  test.each([
    ['SA|%50|SB|%50%', '-10.01', ['-5', '-5.01']],
    ['SA|%33.3|SB|%33.3|SC|%33.4', '-10.00', ['-3.33', '-3.33', '-3.34']],
    ['SA|$-4|SB|%60', '-10.00', ['-4', '-6']],
    ['SA|$-4|SB|$-6|%60', '-10.00', ['-4', '-6']],
  ])('are shares: %s', (fields, amount, expected) => {
    expect(parts(fields, amount)?.parts.map((part) => part.amount)).toEqual(expected)
  })

  test.each([
    ['SA|$-7|SB|$-2', 'partsDoNotSum', 'The parts sum to -9, but the amount is -10.'],
    ['SA|SB|$-2', 'partsDoNotSum', 'The parts sum to -2, but the amount is -10.'],
    ['SA|%-50|SB|%150', 'partsDoNotSum', 'The parts sum to 0, but the amount is -10.'],
    ['SA|%x', 'partsDoNotSum', 'The parts sum to 0, but the amount is -10.'],
    [`SA|%${'9'.repeat(30)}`, 'partsDoNotSum', 'The parts sum to 0, but the amount is -10.'],
    ['SA|$x|SB|$-10', 'money.malformed', '"x" is not an amount.'],
  ])('that are wrong: %s', (fields, code, message) => {
    expect(parts(fields)?.errors).toMatchObject([{ code, message }])
  })

  test('of more than there is money have no shares', () => {
    expect(parts('SA|%50|SB|%50', '9'.repeat(20))?.errors).toMatchObject([
      { code: 'partsDoNotSum' },
    ])
  })

  test('of a row that has no amount are none', () => {
    expect(rowOf('D1/2/26|E-|%1|$1|SA|$1')?.parts).toEqual([])
  })
})

describe('accounts', () => {
  test('are named by blocks', () => {
    const file = readFile(
      qif,
      `${account('Checking')}${record('D1/13/26|T1|PA')}${account('Visa', 'CCard')}${record('D1/13/26|T2|PB')}`,
    )
    expect(file.accounts).toEqual([
      { key: 'Checking', name: 'Checking', type: 'Bank' },
      { key: 'Visa', name: 'Visa', type: 'CCard' },
    ])
    expect(file.rows.map(({ account: name, payeeRaw }) => [name, payeeRaw])).toEqual([
      ['Checking', 'A'],
      ['Visa', 'B'],
    ])
  })

  const LIST = `!Option:AutoSwitch\n!Account\n${record('NChecking|TBank')}${record('NVisa|TCCard')}!Clear:AutoSwitch\n`

  test('of a list are not those of what follows, unless there is one', () => {
    const rows = `!Type:Bank\n${record('D1/13/26|T1')}`
    expect(readFile(qif, LIST + rows).rows[0]?.account).toBe('')
    expect(readFile(qif, LIST.replace(record('NVisa|TCCard'), '') + rows).rows[0]?.account).toBe(
      'Checking',
    )
    expect(
      readFile(qif, `!Clear:AutoSwitch\n${account('Visa')}${record('D1/13/26|T1')}`).rows[0]
        ?.account,
    ).toBe('Visa')
  })

  test.each(['Cash', 'Oth A', 'Oth L', 'bank'])('of type %s are read', (type) => {
    expect(readFile(qif, `junk\n\n!type:${type} \n${record('D1/13/26|T1')}`).rows).toHaveLength(1)
  })

  test.each([
    ...['Solde initial', "Solde d'ouverture", 'Saldo inicial', 'Saldo iniziale', 'Beginsaldo'],
    ...['Anfangsbestand', 'Eröffnungsbilanz', 'Saldo początkowe', 'Начальный остаток', '期初余额'],
  ])('have an opening balance that is called %s', (name) => {
    const nameless = readFile(
      qif,
      `!Type:Bank\n${record(`D1/13/26|T1|P${name}|L[Giro]`)}${record('D1/14/26|T2|PShop')}`,
    )
    expect(nameless.rows.map(({ ignored }) => ignored)).toEqual(['opening', undefined])
    expect(nameless.statements).toMatchObject([{ opening: '1', openingDate: '2026-01-13' }])
    const later = `${record('D1/12/26|T2|PShop')}${record(`D1/13/26|T1|P${name}|L[A]`)}`
    const named = readFile(qif, `${account('A')}${later}`)
    expect(named.rows.map(({ ignored }) => ignored)).toEqual([undefined, 'opening'])
  })

  test('have an opening balance', () => {
    const file = readFile(
      qif,
      `${account('Checking')}${record('D1/13/26|T100.00|POpening Balance|L[Checking]')}${record('D1/14/26|T5|L[Checking]')}`,
    )
    expect(file.rows).toMatchObject([{ ignored: 'opening', amount: '100' }, { amount: '5' }])
    expect(file.rows[1]).not.toHaveProperty('ignored')
    expect(file.rows[1]).not.toHaveProperty('transfer')
    expect(file.statements).toMatchObject([
      { account: 'Checking', opening: '100', openingDate: '2026-01-13' },
    ])
    const french = record('D1/13/26|T100.00|PSolde de base|L[Courant]')
    const twice = readFile(qif, `${account('Courant')}${french}${french}`).rows
    expect(twice.map(({ ignored }) => ignored)).toEqual(['opening', undefined])
    const nameless = readFile(
      qif,
      `!Type:Bank\n${record('D1/13/26|T1|POpening Balance|L[Checking]')}`,
    )
    expect(nameless.rows).toMatchObject([{ ignored: 'opening', account: '' }])
    const other = readFile(qif, `${account('A')}${record('D1/13/26|T1|POpening Balance|L[B]')}`)
    expect(other.rows).toMatchObject([{ transfer: { account: 'B' } }])
  })
})

describe('transfers', () => {
  const side = (amount: string, other: string) => record(`D2/14/26|T${amount}|L[${other}]`)
  const pairsOf = (text: string) => readFile(qif, text).rows.map(({ transfer }) => transfer?.pair)

  test('that stand in both sections are as many as in each', () => {
    const text = `${account('Checking')}${side('-200.00', 'Savings').repeat(2)}${account('Savings')}${side('200.00', 'Checking').repeat(2)}`
    const { rows, accounts } = readFile(qif, text)
    expect(
      rows.map(({ account: name, amount, transfer }) => [name, amount, transfer?.account]),
    ).toEqual([
      ['Checking', '-200', 'Savings'],
      ['Checking', '-200', 'Savings'],
      ['Savings', '200', 'Checking'],
      ['Savings', '200', 'Checking'],
    ])
    expect(accounts.map(({ key }) => key)).toEqual(['Checking', 'Savings'])
    const pairs = pairsOf(text)
    expect(new Set(pairs).size).toBe(2)
    expect(pairs.slice(0, 2)).toEqual(pairs.slice(2))
    expect(new Set(pairsOf(text + side('200.00', 'Checking'))).size).toBe(3)
  })

  test('in the other direction, or of parts, are their own', () => {
    const text = `${account('A')}${side('-5', 'B')}${side('5', 'B')}${account('B')}${side('-5', 'A')}${record('D2/14/26|T6|S[A]|$5|SFood|$1')}`
    const { rows } = readFile(qif, text)
    expect(rows[3]?.parts[0]?.pair).toBe(rows[0]?.transfer?.pair)
    expect(rows[2]?.transfer?.pair).toBe(rows[1]?.transfer?.pair)
    expect(rows[3]).not.toHaveProperty('transfer')
  })

  test('may be of a row that is wrong', () => {
    expect(readFile(qif, `${account('A')}${record('Dx|Tx|L[B]/Trip')}`).rows).toMatchObject([
      { transfer: { account: 'B' }, tags: ['Trip'] },
    ])
  })
})

test('other sections are counted, and names are passed over', () => {
  const text = `!Type:Cat\n${record('NFood|E')}!Type:Class\n${record('NTrip')}!Type:Tag\n${record('NTrip')}!Type:Invst\n${record('D1/2/26|NBuy|YStock|T5')}!Type:Prices\n${record('"X",1,"1/2/26"').repeat(2)}!Type:Memorized\n${record('KP|T5')}!Option:Other\n!Type:Bank\n^\n`
  const { rows, warnings, accounts } = readFile(qif, text)
  expect(rows.map(({ ignored, text: section, line }) => [ignored, section, line])).toEqual([
    ['security', 'invst', 12],
    ['security', 'prices', 18],
    ['security', 'prices', 20],
    ['information', 'memorized', 23],
  ])
  expect(warnings).toEqual([
    { code: 'sectionIgnored', section: 'invst', records: 1 },
    { code: 'sectionIgnored', section: 'prices', records: 2 },
    { code: 'sectionIgnored', section: 'memorized', records: 1 },
  ])
  expect(accounts).toEqual([{ key: '' }])
})

describe('a survey', () => {
  const file = (...dates: string[]) =>
    `!Type:Bank\n${dates.map((date) => record(`D${date}|T1,000|PX`)).join('')}`

  test('asks for what the file leaves open', () => {
    const { questions, reading, sample } = survey(file('3/4/26', '5/4/26'))
    expect(questions).toEqual([
      {
        key: 'dateOrder',
        options: expect.arrayContaining(['DMY', 'MDY']) as string[],
        evidence: [
          { line: 2, raw: '3/4/26' },
          { line: 6, raw: '5/4/26' },
        ],
      },
      {
        key: 'decimal',
        options: ['.', ','],
        evidence: [
          { line: 2, raw: '1,000' },
          { line: 6, raw: '1,000' },
        ],
      },
    ])
    expect(reading).toEqual({ format: 'qif' })
    expect(sample[0]).toEqual(['3/4/26', '1,000', 'X', ''])
  })

  test('takes one order for all sections', () => {
    const text = `${account('A')}${record('D3/4/26|T1.5')}${account('B')}${record('D13/4/26|T2')}`
    expect(survey(text)).toMatchObject({
      questions: [],
      reading: { dateOrder: 'DMY', decimal: '.' },
      found: { dateOrder: { confidence: 1 }, decimal: { confidence: 1 } },
    })
  })

  test('keeps what is known, and needs nothing where there is nothing', () => {
    const known = { dateOrder: 'DMY', decimal: ',' } as const
    expect(survey(file('3/4/26'), known)).toMatchObject({ questions: [], reading: known })
    expect(survey('!Type:Cat\n')).toMatchObject({ questions: [], reading: { format: 'qif' } })
  })

  test('says how sure it is', () => {
    const dates = Array.from({ length: 14 }, (_, at) => `${(at % 12) + 1}/${at < 12 ? 1 : 2}/26`)
    expect(survey(file(...dates)).found.dateOrder?.confidence).toBe(0.9)
    expect(
      survey(`!Type:Bank\n${record('D13/1/26|T1.5')}${record('D13/1/26|T1,5')}`).found.decimal
        ?.confidence,
    ).toBe(0.5)
    expect(survey(file(...Array.from({ length: 30 }, () => '1/13/26'))).sample).toHaveLength(20)
  })
})

describe('a file that broke off', () => {
  const whole = `!Type:Bank\n${record('D1/13/26|T5.00')}D1/14/26\nT-125.00\nPShop`
  const at = (end: string, after = '') => {
    const file = readFile(qif, whole.slice(0, whole.lastIndexOf(end) + end.length) + after)
    return [file.rows.map(({ amount, errors }) => amount ?? errors[0]?.code), file.warnings.length]
  }

  test('within a line or before its amount has a row that is wrong', () => {
    expect(at('T-12')).toEqual([['5', 'lastRecordCut'], 1])
    expect(at('PShop')).toEqual([['5', 'lastRecordCut'], 1])
    expect(at('D1/14/26', '\n')).toEqual([['5', 'lastRecordCut'], 1])
  })

  test('behind its amount is read, with a warning', () => {
    expect(at('T-125.00', '\n')).toEqual([['5', '-125'], 1])
    expect(at('PShop', '\n^')).toEqual([['5', '-125'], 0])
  })

  test('without a section is none', () => {
    expect(() => readItems(qif, ['D1/2/26\nT5\n^\n'])).toThrow(
      expect.objectContaining({ code: 'imports.malformed' }),
    )
  })
})

test('a record of very many fields is kept in part', () => {
  expect(rowOf(`D1/2/26|T1|${'AX|'.repeat(6_000)}PX`)).not.toHaveProperty('payeeRaw')
})

test('is recognised', () => {
  const heads = ['!Type:Bank', '\n!Account\n', 'junk\n!Option:AutoSwitch', 'a !Type:Bank', '!x']
  expect(heads.map((head) => qif.recognises(head))).toEqual([1, 1, 0.8, 0, 0])
})

const MANY = `!Option:AutoSwitch\n${account('A')}${record('D1/13/26|T-5.50|PÄ|SX|%50|SY|%50')}${account('B')}${record("D1/ 3' 6|T1,000.5|L[A]")}!Type:Invst\n${record('D1/13/26')}D1/13/26\nT`

test('says the same in pieces of any length', () =>
  expect(() => checkPieces(qif, MANY.replaceAll('\n', '\r\n'))).not.toThrow())

test('a broken file is refused, or read, and nothing else', () =>
  expect(() => checkBroken(qif, MANY)).not.toThrow())

test.runIf(hasRealFiles)('a real file is read', () => {
  const file = readFile(qif, realFile('qif/actual-bank.qif'))
  expect(file.rows).toHaveLength(18)
  expect(file.rows.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2)).toBe('394.06')
  expect(short(file)[0]).toEqual([
    '2018-12-19',
    '-25',
    'COUNTY WASTE 12/18 PURCHASE 804-8439288 VA',
    undefined,
  ])
})

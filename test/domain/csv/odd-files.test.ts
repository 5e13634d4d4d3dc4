import { describe, expect, test } from 'vitest'
import { csvFormat } from '../../../src/domain/csv/csv.ts'
import { qif } from '../../../src/domain/qif/qif.ts'
import { booked, keysOf, lines, readCsv, survey } from './read-csv.fixtures.ts'

// Files as banks write them that once were read wrongly, or asked of what they say themselves.

test('a quoted decimal comma in every line is no delimiter', () => {
  const file = lines(
    '"Umsätze Girokonto";"Zeitraum: 30 Tage";',
    '"Neuer Kontostand";"1.000,00 EUR";',
    '',
    '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
    '"28.02.2026";"28.02.2026";"Lastschrift";"Abo";"-12,99";',
    '"offen";"27.02.2026";"Kartenverfügung";"Tanken";"-50,00";',
    '"27.02.2026";"27.02.2026";"Übertrag";"Oma";"-100,00";',
    '',
    '"Alter Kontostand";"1.112,99 EUR";',
  )
  const { survey: found, rows } = readCsv(file)
  expect(found.reading).toMatchObject({ delimiter: ';', decimal: ',' })
  expect(rows.slice(0, 3).map((row) => [booked(row), row.pending])).toEqual([
    ['2026-02-28 -12.99', false],
    ['2026-02-27 -50', true],
    ['2026-02-27 -100', false],
  ])
})

describe('a value that ends in a mark and three digits', () => {
  const file = lines('Date,Description,Amount', '2026-02-28,A,"-1,200"', '2026-02-27,B,"98,800"')

  test.each([
    ['JPY', ['-1200', '98800']],
    ['KWD', ['-1.2', '98.8']],
  ])('is clear in a currency such as %s', (accountCurrency, amounts) => {
    expect(readCsv(file, { accountCurrency }).rows.map(({ amount }) => amount)).toEqual(amounts)
  })

  test.each(['JPY', 'EUR'])('is read likewise in QIF: %s', (accountCurrency) => {
    const surveyor = qif.survey({ accountCurrency })
    surveyor.push('!Type:Bank\nD2026-02-28\nT-1,200\n^\n')
    const asked = accountCurrency === 'JPY' ? [] : ['decimal']
    expect(keysOf(surveyor.end())).toEqual(asked)
  })

  test.each([[{}], [{ accountCurrency: 'EUR' }]])('is asked about else: %j', (known) => {
    expect(keysOf(survey(file, known))).toEqual(['decimal'])
  })
})

test('a balance with its day is no booking', () => {
  const { rows } = readCsv(
    lines(
      'Date,Description,Amount,Running Bal.',
      '02/01/2026,Beginning balance as of 02/01/2026,,"1,000.00"',
      '02/15/2026,PAYROLL,500.00,"1,500.00"',
      '02/27/2026,SHELL,-20.00,"1,480.00"',
    ),
  )
  expect(rows.map(booked)).toEqual(['opening', '2026-02-15 500', '2026-02-27 -20'])
})

test('a row that names no account is one of the account above the heading, or of none', () => {
  const rows = ['Date,Account,Description,Amount', '2026-02-28,*1234,A,-1.00', '2026-02-27,,B,2.00']
  const accountsOf = (...all: string[]) => survey(lines(...all)).accounts.map(({ key }) => key)
  expect(accountsOf(...rows)).toEqual(['*1234', ''])
  expect(accountsOf('Account number,12345678', ...rows)).toEqual(['*1234', '12345678'])
})

test('a state in Danish is one', () => {
  const file = lines(
    'Dato;Tekst;Beløb;Status',
    '28.02.2026;A;-1,00;Udført',
    '01.03.2026;B;-2,00;Venter',
  )
  expect(readCsv(file).rows.map(({ pending }) => pending)).toEqual([false, true])
})

test.each(['%PDF-1.7\na,b\n1,2\n', 'PK\u0003\u0004\u0000\u0000,\n\u0001,\u0002\n'])(
  'the bytes of another program are no table: %j',
  (head) => {
    expect(csvFormat.recognises(head)).toBe(0)
  },
)

import { describe, expect, test } from 'vitest'
import { chooseDialect } from '../../../src/domain/csv/dialect.ts'
import { foldHeading, readHeading, summaryOf } from '../../../src/domain/csv/words.ts'
import { booked, itemsOf, keysOf, lines, readCsv, survey } from './read-csv.fixtures.ts'

describe('delimiter and quote', () => {
  test.each([',', ';', '\t', '|', '^', '~'])('%j', (delimiter) => {
    const text = lines('Date,Text,Amount', '2026-03-13,A,-1', '2026-03-14,B,-2').replaceAll(
      ',',
      delimiter,
    )
    expect(readCsv(text).survey.reading.delimiter).toBe(delimiter)
    expect(readCsv(text).rows.map(booked)).toEqual(['2026-03-13 -1', '2026-03-14 -2'])
  })

  test('decimal commas do not count for commas', () => {
    const text = lines('13.03.2026;A;-1,50', '14.03.2026;B;-2,50')
    expect(chooseDialect(text, {})).toMatchObject({ delimiter: ';', quote: '"' })
  })

  test('apostrophes enclose where they do so more often', () => {
    expect(chooseDialect("'a','b'\n'c','d'", {}).quote).toBe("'")
    expect(chooseDialect('"a","b"\n\'c\',"d"', {}).quote).toBe('"')
    expect(chooseDialect("'a','b'", { quote: '"', delimiter: ';' })).toEqual({
      quote: '"',
      delimiter: ';',
      fits: 0,
    })
  })

  test('a file of one column is none', () => {
    expect(() => survey('hello\nthere\n')).toThrow(
      expect.objectContaining({ code: 'imports.malformed' }),
    )
    expect(() => survey(' \n\n')).toThrow(expect.objectContaining({ code: 'imports.empty' }))
    expect(() => survey('')).toThrow(expect.objectContaining({ code: 'imports.empty' }))
  })
})

describe('headings', () => {
  test.each([
    ['en', 'Date,Description,Amount,Balance'],
    ['de', 'Buchungstag,Verwendungszweck,Betrag,Saldo'],
    ['fr', 'Date,Libellé,Montant,Solde'],
    ['es', 'Fecha,Concepto,Importe,Saldo'],
    ['it', 'Data,Descrizione,Importo,Saldo'],
    ['pt', 'Data,Descrição,Valor,Saldo'],
    ['nl', 'Datum,Omschrijving,Bedrag,Saldo'],
    ['da', 'Dato,Tekst,Beløb,Saldo'],
    ['sv', 'Bokföringsdag,Beskrivning,Belopp,Saldo'],
    ['nb', 'Bokføringsdato,Beskrivelse,Beløp,Saldo'],
    ['fi', 'Kirjauspäivä,Selite,Määrä,Saldo'],
    ['pl', 'Data operacji,Opis operacji,Kwota,Saldo po operacji'],
    ['cs', 'Datum,Popis,Částka,Zůstatek'],
    ['sk', 'Dátum,Popis,Suma,Zostatok'],
    ['hu', 'Könyvelés dátuma,Közlemény,Összeg,Egyenleg'],
    ['ro', 'Data,Descriere,Suma,Sold'],
    ['hr', 'Datum,Opis plaćanja,Iznos,Stanje'],
    ['sl', 'Datum,Namen,Znesek,Stanje'],
    ['bg', 'Дата,Основание,Сума,Салдо'],
    ['ru', 'Дата операции,Описание,Сумма,Остаток'],
    ['uk', 'Дата операції,Призначення платежу,Сума,Залишок'],
    ['el', 'Ημερομηνία,Περιγραφή,Ποσό,Υπόλοιπο'],
    ['tr', 'Tarih,Açıklama,Tutar,Bakiye'],
    ['zh', '交易日期,摘要,金额,余额'],
    ['ja', '取引日,摘要,取引金額,残高'],
    ['ko', '거래일,적요,거래금액,잔액'],
    ['et', 'Kuupäev,Selgitus,Summa,Jääk'],
    ['lv', 'Datums,Apraksts,Summa,Atlikums'],
    ['lt', 'Data,Paskirtis,Suma,Likutis'],
    ['ca', 'Data,Concepte,Import,Saldo'],
  ])('are known in %s', (_language, heading) => {
    const roles = heading.split(',').map((cell) => readHeading(cell).role)
    expect(roles).toEqual(['date', 'description', 'amount', 'balance'])
  })

  test('case, accents, punctuation and units do not matter', () => {
    expect(foldHeading(' Ünit-Price*in ')).toBe('unitpricein')
    expect(foldHeading('Łódź')).toBe('lodz')
    const headings = [
      'AMOUNT',
      'Amount (EUR)',
      'Amount EUR',
      'Betrag in EUR',
      'Montant [€]',
      '金额（元）',
      'Amount (net)',
    ]
    expect(headings.map((heading) => readHeading(heading).role)).toEqual(
      headings.map(() => 'amount'),
    )
    expect(headings.map((heading) => readHeading(heading).currency)).toEqual([
      undefined,
      'EUR',
      'EUR',
      'EUR',
      'EUR',
      'CNY',
      undefined,
    ])
    expect(readHeading('Lunch EUR')).toEqual({ key: 'lunch', currency: 'EUR' })
    expect(readHeading('+/-').role).toBeUndefined()
  })

  test('summaries are told by their whole text', () => {
    expect(summaryOf('Saldo 31.12.2025')).toBe('closing')
    expect(summaryOf('Opening balance')).toBe('opening')
    expect(summaryOf('Total')).toBe('total')
    expect(summaryOf('Total debits')).toBe('turnover')
    expect(summaryOf('Total 24 Station')).toBeUndefined()
    expect(summaryOf('Balance board shop')).toBeUndefined()
    expect(summaryOf(`Total ${' '.repeat(80)}`)).toBeUndefined()
  })

  test('words above rows with dates and amounts are a heading, and its columns are asked for', () => {
    const rows = Array.from({ length: 6 }, (_, index) => `2026-03-1${index},A${index},-1.50,x`)
    const found = survey(lines('Hello', 'uno,dos,tres,quatro', ...rows))
    expect(keysOf(found)).toEqual(['columns'])
    expect(found.questions[0]).toMatchObject({
      options: ['uno', 'dos', 'tres', 'quatro'],
      suggestion: '{"date":0,"amount":2,"description":[1,3]}',
    })
    expect(found.reading).toMatchObject({ headerLine: 2, outsideIdentity: [0, 2] })
    expect(found.shape).toEqual(['uno', 'dos', 'tres', 'quatro'])
  })

  test('two known words are a heading that may lack the amount', () => {
    const found = survey(
      lines('Booking date,Payee,quatro', '2026-03-13,A,-1.50', '2026-03-14,B,-2'),
    )
    expect(found.questions[0]).toMatchObject({
      key: 'columns',
      suggestion: '{"amount":2,"date":0,"payee":1}',
    })
  })
})

describe('files without a heading', () => {
  const text = lines(
    '13.03.2026;14.03.2026;Shop;-1,50;98,50;EUR;;1',
    '14.03.2026;15.03.2026;Cafe;-2,50;96,00;EUR;;2',
    'a line that is no row;',
    '15.03.2026;16.03.2026;Cafe;-2,50;93,50;EUR;;3',
  )

  test('their columns are told by content, and asked for', () => {
    const found = survey(text)
    expect(found.reading).toMatchObject({ headerLine: 0, dateOrder: 'DMY', decimal: ',' })
    expect(found.reading.columns).toBeUndefined()
    expect(found.shape).toEqual([
      'date',
      'date',
      'text',
      'amount',
      'amount',
      'currency',
      'empty',
      'counter',
    ])
    expect(found.questions).toMatchObject([
      {
        key: 'columns',
        options: ['0', '1', '2', '3', '4', '5', '6', '7'],
        suggestion: '{"date":0,"valueDate":1,"amount":3,"balance":4,"currency":5,"description":2}',
      },
    ])
    expect(found.reading.outsideIdentity).toEqual([0, 1, 3, 4, 5, 7])
  })

  test('and with the answer they are read', () => {
    const columns = JSON.parse(survey(text).questions[0]?.suggestion ?? '{}')
    const { rows } = readCsv(text, { columns })
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -1.5',
      '2026-03-14 -2.5',
      'information',
      '2026-03-15 -2.5',
    ])
    expect(rows[0]).toMatchObject({ text: 'Shop', raw: { 'Column 3': 'Shop' }, balance: '98.5' })
  })

  test('nothing at all can be told of lines without any kind', () => {
    const found = survey(lines('hello,there', 'my,friend'))
    expect(found.questions.map(({ key }) => key)).toEqual(['columns'])
    expect(survey(lines('sep=,', ',')).questions).toMatchObject([
      { key: 'columns', options: [], evidence: [] },
    ])
  })
})

test('three digits are decimals where the currency has as many', () => {
  const rows = ['2026-03-13,A,-1.234', '2026-03-14,B,2.500']
  expect(keysOf(survey(lines('Date,Text,Amount', ...rows)))).toEqual(['decimal'])
  const heading = readCsv(lines('Date,Text,Amount (KWD)', ...rows))
  expect(heading.rows.map(({ amount }) => amount)).toEqual(['-1.234', '2.5'])
  const column = lines('Date,Text,Amount,Currency', ...rows.map((row) => `${row},BHD`))
  expect(keysOf(survey(column))).toEqual([])
  expect(keysOf(survey(lines('Date,Text,Amount', ...rows), { currency: 'TND' }))).toEqual([])
})

describe('what a survey tells', () => {
  test('how each value is known', () => {
    const { found, sample, accounts, shape } = survey(
      lines('Date,Text,Amount,Currency', '13.03.2026,A,-1.50,EUR', '14.03.2026,B,"1,000.00",EUR'),
    )
    expect(found).toMatchObject({
      delimiter: { confidence: 0.9, evidence: [] },
      dateOrder: { confidence: 1, evidence: ['2: 13.03.2026'] },
      decimal: { confidence: 1, evidence: ['2: -1.50', '3: 1,000.00'] },
      sign: { confidence: 0.9, evidence: [] },
      columns: { confidence: 1 },
    })
    expect(sample).toEqual([
      ['13.03.2026', 'A', '-1.50', 'EUR'],
      ['14.03.2026', 'B', '1,000.00', 'EUR'],
    ])
    expect(accounts).toEqual([{ key: '', currency: 'EUR', line: 2 }])
    expect(shape).toEqual(['date', 'text', 'amount', 'currency'])
  })

  test('less certain where amounts are mixed or only the course of dates tells', () => {
    const days = Array.from(
      { length: 12 },
      (_, index) => `0${(index % 9) + 1}/0${Math.floor(index / 9) + 1}/2026,A,-1.50`,
    )
    const { found } = survey(lines('Date,Text,Amount', ...days, '04/02/2026,B,"2,50"'))
    expect(found.dateOrder?.confidence).toBe(0.8)
    expect(found.decimal?.confidence).toBe(0.6)
  })

  test('what is known is taken, and nothing is asked again', () => {
    const text = lines('03/04/2026;1.000;x', '05/04/2026;2.000;y')
    const { reading, questions } = survey(text, {
      delimiter: ';',
      quote: '"',
      headerLine: 0,
      skipLines: 0,
      columns: { date: 0, amount: 1, description: [2] },
      dateOrder: 'DMY',
      decimal: ',',
      sign: 'asIs',
      year: 2026,
      fee: 'inside',
      currency: 'EUR',
    })
    expect(questions).toEqual([])
    expect(reading).toMatchObject({
      columns: { date: 0, amount: 1, description: 2 },
      currency: 'EUR',
    })
    const items = itemsOf(text, reading)
    expect(items.filter(({ is }) => is === 'row')).toHaveLength(2)
  })

  test('currencies of rows, as far as they are one', () => {
    const one = lines('Date,Text,Amount,Currency', '2026-03-13,A,-1,EUR', '2026-03-14,B,-2,EUR')
    const currencyOf = (text: string) => survey(text).accounts[0]?.currency
    expect(currencyOf(one)).toBe('EUR')
    expect(currencyOf(one.replace('-2,EUR', '-2,USD'))).toBeUndefined()
    expect(currencyOf(one.replace('-2,EUR', '-2,'))).toBeUndefined()
    expect(currencyOf(one.replaceAll('EUR', '€'))).toBe('EUR')
    expect(currencyOf(one.replaceAll('EUR', 'btc'))).toBe('BTC')
    expect(currencyOf(one.replaceAll('EUR', '$'))).toBeUndefined()
    expect(currencyOf(lines('Date,Text,Amount (CHF)', '2026-03-13,A,-1'))).toBe('CHF')
    expect(currencyOf(lines('Date,Text,Amount', '2026-03-13,A,USD -1'))).toBe('USD')
  })

  test('card payments among charges are a hint at the sign', () => {
    const row = (text: string, amount: string) => `2026-03-13,${text},${amount}`
    const mixed = lines(
      'Date,Text,Amount',
      row('A', '1'),
      row('AUTOPAY', '-2'),
      row('Refund', '-3'),
    )
    expect(keysOf(survey(mixed))).toEqual([])
    const many = lines(
      'Date,Text,Amount',
      ...Array.from({ length: 9 }, () => row('A', '1')),
      row('AUTOPAY', '-2'),
    )
    expect(survey(many).questions[0]?.suggestion).toBe('reversed')
  })

  test('a long file is surveyed in pieces', () => {
    const rows = Array.from(
      { length: 9_000 },
      (_, index) => `2026-03-${10 + (index % 20)},Text ${index},-1.50`,
    )
    const found = survey(lines('Date,Text,Amount', ...rows), {}, 10_000)
    expect(found.questions).toEqual([])
    expect(found.sample).toHaveLength(20)
  })
})

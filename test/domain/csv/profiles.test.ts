import { describe, expect, test } from 'vitest'
import {
  BUILT_IN_PROFILES,
  profileNamed,
  builtInProfileFor,
} from '../../../src/domain/csv/profiles/profiles.ts'
import { columnsOfProfile } from '../../../src/domain/csv/profiles/profile.ts'
import { booked, lines, readCsv, survey } from './read-csv.fixtures.ts'

describe('every built-in profile', () => {
  test('has a key of its own and is found by its headings', () => {
    expect(new Set(BUILT_IN_PROFILES.map(({ key }) => key)).size).toBe(BUILT_IN_PROFILES.length)
    expect(BUILT_IN_PROFILES.length).toBeGreaterThan(40)
    for (const profile of BUILT_IN_PROFILES) {
      expect(builtInProfileFor(profile.headings)?.key).toBe(profile.key)
      expect(profileNamed(profile.key)).toBe(profile)
      const columns = columnsOfProfile(profile, profile.headings)
      const money = columns.amount ?? columns.debit
      // What stands behind the headings that it is known by is found in the file.
      const isBehind = ['sparkasse-camt', 'volksbank', 'splitwise'].includes(profile.key)
      expect([profile.key, columns.date?.length, isBehind || money !== undefined]).toEqual([
        profile.key,
        1,
        true,
      ])
    }
  })

  test('is known with further headings behind its own, and with no other change', () => {
    const headings = [
      'Date',
      'Type',
      'Description',
      'Value',
      'Balance',
      'Account Name',
      'Account Number',
    ]
    expect(builtInProfileFor([...headings, 'New'])?.key).toBe('natwest')
    expect(builtInProfileFor(['New', ...headings])).toBeUndefined()
    expect(profileNamed('nothing')).toBeUndefined()
    const both =
      'Date,Payee,Notes,Category,Amount,Split_Amount,Cleared,Account,Counterparty,Name,Description'
    expect(builtInProfileFor(both.split(','))?.key).toBe('actual')
  })
})

test('the number in an older German file of N26 is that of the other party', () => {
  const { rows } = readCsv(
    lines(
      '"Datum","Empfänger","Kontonummer","Transaktionstyp","Verwendungszweck","Kategorie","Betrag (EUR)","Betrag (Fremdwährung)","Fremdwährung","Wechselkurs"',
      '"2021-03-01","Maya","DE89370400440532013000","Überweisung","Miete","Haushalt","-450.0","","",""',
      '"2021-03-02","Cafe","","MasterCard Zahlung","","Essen","-3.5","-3.9","USD","1.114"',
    ),
  )
  expect(rows).toMatchObject([
    { amount: '-450', counterAccount: 'DE89370400440532013000', payeeRaw: 'Maya' },
    { amount: '-3.5', original: { amount: '-3.9', currency: 'USD' } },
  ])
  expect(rows.map(({ account }) => account)).toEqual(['', ''])
})

describe('YNAB', () => {
  const HEAD =
    'Account,Flag,Date,Payee,Category Group/Category,Category Group,Category,Memo,Outflow,Inflow,Cleared'
  const row = (
    account: string,
    date: string,
    payee: string,
    category: string,
    memo: string,
    out: string,
    into: string,
    state = 'Cleared',
  ) => {
    const [group = '', name = ''] = category.split(': ')
    return [account, '', date, payee, category, group, name, memo, out, into, state].join('\t')
  }

  test('transfers pair by accounts, date, amount and number', () => {
    const { rows } = readCsv(
      lines(
        HEAD.replaceAll(',', '\t'),
        row('Checking', '03/14/2026', 'Transfer : Savings', '', '', '$200.00', '$0.00'),
        row(
          'Checking',
          '03/14/2026',
          'Transfer : Savings',
          '',
          '',
          '$200.00',
          '$0.00',
          'Uncleared',
        ),
        row(
          'Savings',
          '03/14/2026',
          'Transfer : Checking',
          '',
          '',
          '$0.00',
          '$200.00',
          'Reconciled',
        ),
        row('Savings', '03/14/2026', 'Transfer : Checking', '', '', '$200.00', '$0.00', ''),
        row('Savings', '99/99/2026', 'Transfer : Checking', '', '', 'x', '$0.00', ''),
        row('Savings', '03/15/2026', '', '', '', '$1.00', '$0.00', ''),
      ),
    )
    const pairs = rows.map(({ transfer }) => transfer?.pair)
    expect(pairs[0]).toBe(pairs[2])
    expect(new Set(pairs).size).toBe(5)
    expect(rows.slice(0, 4).map(({ status }) => status)).toEqual([
      'cleared',
      'uncleared',
      'cleared',
      undefined,
    ])
    expect(rows[0]?.transfer?.account).toBe('Savings')
  })

  test('the rows of a split are one transaction', () => {
    const { rows } = readCsv(
      lines(
        HEAD.replaceAll(',', '\t'),
        row('Checking', '03/14/2026', 'Shop', 'Home: Food', 'Split (1/3) bread', '$5.00', '$0.00'),
        row('Checking', '03/14/2026', 'Shop', 'Home: Soap', 'Split (2/3) ', '$0.00', '$1.50'),
        row('Checking', '03/14/2026', 'Transfer : Savings', '', 'Split (3/3) ', '$10.00', '$0.00'),
        row('Checking', '03/15/2026', 'Cafe', 'Home: Food', '', '$3.00', '$0.00'),
        row('Checking', '03/16/2026', 'Broken', 'Home: Food', 'Split (1/3) a', '$1.00', '$0.00'),
        row('Checking', '03/17/2026', 'Broken', 'Home: Food', 'Split (2/3) b', '$2.00', '$0.00'),
        row('Checking', '03/17/2026', 'Broken', 'Home: Food', 'Split (3/3) c', '$0.00', '$0.00'),
        row('Checking', '03/18/2026', 'Last', 'Home: Food', 'Split (1/2) a', '$4.00', '$0.00'),
        row('Checking', '03/18/2026', 'Last', 'Home: Food', 'Split (2/2) b', 'x', '$0.00'),
      ),
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-14 -13.5',
      '2026-03-15 -3',
      '2026-03-16 -1',
      '2026-03-17 -2',
      'zero',
      'money.malformed',
    ])
    expect(rows[0]).toMatchObject({
      payeeRaw: 'Shop',
      parts: [
        { amount: '-5', description: 'bread', category: ['Home', 'Food'] },
        { amount: '1.5', category: ['Home', 'Soap'] },
        {
          ...{ amount: '-10', transfer: 'Savings' },
          pair: 'Checking|Savings|2026-03-14|10|1',
        },
      ],
    })
    expect(rows[0]?.category).toBeUndefined()
    expect(rows[0]?.note).toBeUndefined()
  })

  test('a split of transfers only has no payee but theirs', () => {
    const { rows } = readCsv(
      lines(
        HEAD.replaceAll(',', '\t'),
        row('Checking', '03/14/2026', 'Transfer : A', '', 'Split (1/2)', '$5.00', '$0.00'),
        row('Checking', '03/14/2026', 'Transfer : B', '', 'Split (2/2)', '$0.00', '$0.00'),
      ),
    )
    expect(rows[0]).toMatchObject({ payeeRaw: 'Transfer : A', amount: '-5' })
  })
})

describe('Actual', () => {
  test('amounts of a split follow their row', () => {
    const { rows } = readCsv(
      lines(
        'Account,Date,Payee,Notes,Category,Amount,Split_Amount,Cleared',
        'Checking,2026-03-14,Shop,(SPLIT INTO 2) weekly,,-15.00,0,Cleared',
        'Checking,2026-03-14,Shop,(SPLIT 1 OF 2) bread,Food,0,-5.00,Cleared',
        'Checking,2026-03-14,Shop,,,0,-10.00,Cleared',
        'Checking,2026-03-15,Cafe,,Food,-3.00,0,Not cleared',
        'Checking,2026-03-16,Nothing,,Food,0,0,Reconciled',
      ),
    )
    expect(rows.map(booked)).toEqual(['2026-03-14 -15', '2026-03-15 -3', 'zero'])
    expect(rows[0]).toMatchObject({
      note: 'weekly',
      status: 'cleared',
      parts: [{ amount: '-5', description: 'bread', category: ['Food'] }, { amount: '-10' }],
    })
    expect(rows[1]).toMatchObject({ status: 'uncleared', parts: [] })
  })

  test('a part without a row above is a row', () => {
    const { rows } = readCsv(
      lines(
        'Date,Payee,Notes,Category,Amount,Split_Amount,Cleared',
        '2026-03-14,Shop,,Food,0,-5.00,Cleared',
        '2026-03-15,Cafe,,Food,-3.00,0,Cleared',
      ),
    )
    expect(rows.map(booked)).toEqual(['zero', '2026-03-15 -3'])
  })
})

describe('Firefly III', () => {
  const HEAD =
    'user_id,group_id,journal_id,created_at,updated_at,group_title,type,amount,foreign_amount,currency_code,foreign_currency_code,description,date,source_name,source_iban,source_type,destination_name,destination_iban,destination_type,reconciled,category,budget,bill,tags,notes'
  const row = (
    group: number,
    journal: number,
    type: string,
    amount: string,
    source: string,
    destination: string,
    { title = '', foreign = ',', rest = 'Food,,,"a,b",' } = {},
  ) => {
    const [foreignAmount, foreignCurrency] = foreign.split(',')
    return `1,${group},${journal},,,${title},${type},${amount},${foreignAmount},EUR,${foreignCurrency},Text ${journal},2026-03-14T00:00:00+01:00,${source},${destination},,${rest}`
  }
  const OWN = 'Checking,DE02,Asset account'
  const SAVINGS = 'Savings,DE03,Asset account'

  test('withdrawals, deposits, transfers and splits', () => {
    const { rows, survey: found } = readCsv(
      lines(
        HEAD,
        row(1, 1, 'Withdrawal', '-12.500000000000', OWN, 'Shop,NL01,Expense account'),
        row(2, 2, 'Deposit', '100.000000000000', 'Boss,,Revenue account', OWN),
        row(3, 3, 'Transfer', '50.000000000000', OWN, SAVINGS, {
          foreign: '55.000000000000,USD',
          rest: '',
        }),
        row(4, 4, 'Withdrawal', '-5.000000000000', OWN, 'Shop,,Expense account', { title: 'Both' }),
        row(4, 5, 'Withdrawal', '-6.000000000000', OWN, 'Shop,,Expense account', {
          title: 'Both',
          rest: '',
        }),
        row(5, 6, 'Withdrawal', '-1.000000000000', OWN, 'Shop,,Expense account'),
        row(5, 7, 'Withdrawal', '-2.000000000000', SAVINGS, 'Shop,,Expense account'),
        row(6, 8, 'Opening balance', '10.000000000000', 'Initial,,Initial balance account', OWN),
        row(
          7,
          9,
          'Withdrawal',
          '-1.000000000000',
          'Nobody,,Expense account',
          'Shop,,Expense account',
        ),
        row(8, 10, 'Withdrawal', '', OWN, 'Shop,,Expense account'),
        row(9, 11, 'Transfer', '7.00', OWN, SAVINGS),
        row(10, 12, 'Withdrawal', '-3.00', OWN, 'Shop,,Expense account'),
        row(10, 13, 'Withdrawal', '-4.00', OWN, 'Shop,,Expense account'),
        `1,11,14,,,,Withdrawal,-9.00,,EUR,,Short,2026-03-14,${OWN}`,
        '1,12,15,,,,Withdrawal,-9.00',
      ),
    )
    expect(found.accounts.map(({ key }) => key)).toEqual(['Checking', 'Savings'])
    expect(rows.map((one) => [one.account, booked(one)])).toEqual([
      ['Checking', '2026-03-14 -12.5'],
      ['Checking', '2026-03-14 100'],
      ['Checking', '2026-03-14 -50'],
      ['Savings', '2026-03-14 55'],
      ['Checking', '2026-03-14 -11'],
      ['Checking', '2026-03-14 -1'],
      ['Savings', '2026-03-14 -2'],
      ['Checking', 'opening'],
      ['', 'accountUnknown'],
      ['', 'amountMissing'],
      ['Checking', '2026-03-14 -7'],
      ['Savings', '2026-03-14 7'],
      ['Checking', '2026-03-14 -7'],
      ['Checking', '2026-03-14 -9'],
      ['', 'tooFewFields'],
    ])
    expect(rows[13]?.payeeRaw).toBeUndefined()
    expect(rows[0]).toMatchObject({
      payeeRaw: 'Shop',
      counterAccount: 'NL01',
      category: ['Food'],
      tags: ['a', 'b'],
    })
    expect(rows[2]).toMatchObject({
      transfer: { account: 'Savings', pair: '3' },
      original: { amount: '55', currency: 'USD' },
    })
    expect(rows[3]).toMatchObject({ transfer: { account: 'Checking', pair: '3' }, currency: 'USD' })
    expect(rows[4]).toMatchObject({
      description: 'Both',
      parts: [
        { amount: '-5', description: 'Text 4', category: ['Food'], tags: ['a', 'b'] },
        { amount: '-6', description: 'Text 5' },
      ],
    })
    expect(rows[12]?.description).toBe('Text 12')
  })
})

describe('GnuCash', () => {
  const HEAD =
    'Date,Transaction ID,Number,Description,Notes,Commodity/Currency,Void Reason,Action,Memo,Full Account Name,Account Name,Amount With Sym,Amount Num.,Value With Sym,Value Num.,Reconcile,Reconcile Date,Rate/Price'
  const split = (
    id: string,
    account: string,
    amount: string,
    {
      date = '14/03/2026',
      memo = '',
      text = 'Text',
      value = amount,
      state = 'n',
      commodity = 'CURRENCY::EUR',
    } = {},
  ) =>
    `${id === '' ? '' : date},${id},,${id === '' ? '' : text},,${id === '' ? '' : commodity},,,${memo},${account},,,${amount},,${value},${state},,1.00`

  test('accounts have the currency of their transactions, where amounts are values', () => {
    const dollars = { commodity: 'CURRENCY::USD' }
    const { survey: found } = readCsv(
      lines(
        HEAD,
        split('t1', 'Assets:Dollars', '-12.50', dollars),
        split('', 'Expenses:Food', '12.50'),
        split('t2', 'Assets:Francs', '-95.00', { ...dollars, value: '-100.00' }),
        split('', 'Assets:Dollars', '100.00'),
        split('t3', 'Assets:Euros', '-1.00'),
        split('', 'Assets:Unsaid', '1.00'),
        split('t4', 'Assets:Shares', '3.00', { commodity: 'NASDAQ::ABC' }),
        split('', 'Assets:Euros', '-3.00'),
      ),
    )
    expect(found.accounts.map(({ key, currency }) => [key, currency])).toEqual([
      ['Assets:Dollars', 'USD'],
      ['Assets:Francs', undefined],
      ['Assets:Euros', 'EUR'],
      ['Assets:Unsaid', undefined],
      ['Assets:Shares', undefined],
    ])
  })

  test('accounts and categories are told by their paths', () => {
    const { rows, survey: found } = readCsv(
      lines(
        HEAD,
        split('t1', 'Assets:Checking', '-12.50', { state: 'y' }),
        split('', 'Expenses:Food:Market', '12.50'),
        split('t2', 'Assets:Checking', '-500.00', { state: 'c' }),
        split('', 'Assets:Savings', '500.00'),
        split('t3', 'Assets:Checking', '1000.00'),
        split('', 'Income:Salary', '-1200.00'),
        split('', 'Expenses:Tax', '150.00', { memo: 'tax' }),
        split('', 'Liabilities:Loan', '50.00'),
        split('t4', 'Equity:Opening Balances', '-10.00'),
        split('t4', 'Assets:Checking', '10.00'),
        split('t5', 'Expenses:A', '1.00'),
        split('t5', 'Expenses:B', '-1.00'),
        split('t6', 'Assets:Checking', '-5.00'),
        split('', 'Expenses:Food', '4.00'),
        split('t7', 'Assets:Checking', '-5.00'),
        split('', 'Assets:Savings', '4.00'),
        split('', 'Expenses:Food', '2.00'),
        split('t8', 'Assets:Checking', '-5.00'),
        split('', 'Expenses:Food', 'x'),
      ),
    )
    expect(found.accounts.map(({ key }) => key)).toEqual([
      'Assets:Checking',
      'Assets:Savings',
      'Liabilities:Loan',
    ])
    expect(rows.map((one) => [one.account, booked(one)])).toEqual([
      ['Assets:Checking', '2026-03-14 -12.5'],
      ['Assets:Checking', '2026-03-14 -500'],
      ['Assets:Savings', '2026-03-14 500'],
      ['Assets:Checking', '2026-03-14 1000'],
      ['Liabilities:Loan', '2026-03-14 50'],
      ['Assets:Checking', 'opening'],
      ['Expenses:A', 'information'],
      ['Assets:Checking', 'partsDoNotSum'],
      ['Assets:Checking', 'manyAccounts'],
      ['Assets:Checking', 'money.malformed'],
    ])
    expect(rows[0]).toMatchObject({
      category: ['Food', 'Market'],
      description: 'Text',
      status: 'cleared',
      metadata: {},
    })
    expect(rows[1]?.transfer).toEqual({ account: 'Assets:Savings', pair: 't2' })
    expect(rows[2]?.transfer).toEqual({ account: 'Assets:Checking', pair: 't2' })
    expect(rows[3]?.parts).toEqual([
      { amount: '1200', category: ['Salary'] },
      { amount: '-150', description: 'tax', category: ['Tax'] },
      { amount: '-50', transfer: 'Liabilities:Loan', pair: 't3/2' },
    ])
    expect(rows[4]?.transfer).toEqual({ account: 'Assets:Checking', pair: 't3/2' })
  })
})

test('a profile that is known by name needs no heading to be recognised', () => {
  const found = survey(lines('date,title,amount', '2026-03-14,Shop,12.50'), {
    builtIn: 'nubank-card',
  })
  expect(found.reading).toMatchObject({ builtIn: 'nubank-card', sign: 'reversed', currency: 'BRL' })
})

test('GnuCash: notes, values that are missing, and rows that say little', () => {
  const { rows } = readCsv(
    lines(
      'Date,Transaction ID,Number,Description,Notes,Full Account Name,Memo,Reconcile,Amount Num.,Value Num.,Rate/Price',
      '14/03/2026,t1,,Text,A note,Assets:Checking,,n,-5.00,,1',
      ',,,,,Expenses:Food,,n,3.00,,1',
      ',,,,,Expenses:Tax,,n,2.00,,1',
      '15/03/2026,t2,,Text,,Assets:Checking,,n,x,,1',
      ',,,,,Assets:Savings,,n,4.00,,1',
      '16/03/2026',
    ),
  )
  expect(rows.map(booked)).toEqual(['2026-03-14 -5', 'money.malformed'])
  expect(rows[0]).toMatchObject({
    note: 'A note',
    parts: [
      { amount: '-3', category: ['Food'] },
      { amount: '-2', category: ['Tax'] },
    ],
  })
})

test('DKB names both sides; the other one is the payee', () => {
  const { rows } = readCsv(
    lines(
      'Buchungsdatum;Wertstellung;Status;Zahlungspflichtige*r;Zahlungsempfänger*in;Verwendungszweck;Umsatztyp;IBAN;Betrag (€);Gläubiger-ID;Mandatsreferenz;Kundenreferenz',
      '13.03.26;13.03.26;Gebucht;Ann;Shop;Milch;Ausgang;DE02;-1,50;;;',
      '14.03.26;14.03.26;Gebucht;Boss;Ann;Lohn;Eingang;DE03;1.000,00;;;K1',
      '15.03.26;15.03.26;Vorgemerkt;;Ann;Lohn;Eingang;DE03;x;;;',
    ),
  )
  expect(rows.map(booked)).toEqual(['2026-03-13 -1.5', '2026-03-14 1000', 'money.malformed'])
  expect(rows.map(({ payeeRaw }) => payeeRaw)).toEqual(['Shop', 'Boss', 'Ann'])
  expect(rows[2]).toMatchObject({ pending: true, currency: 'EUR' })
})

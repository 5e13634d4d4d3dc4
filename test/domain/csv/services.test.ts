import { describe, expect, test } from 'vitest'
import { booked, lines, readCsv, survey } from './read-csv.fixtures.ts'

describe('PayPal', () => {
  test('fees are added with their sign, holds are no bookings, conversions are transfers', () => {
    const { rows } = readCsv(
      lines(
        'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,From Email Address,Transaction ID,Reference Txn ID,Balance,Balance Impact',
        '13/03/2026,10:00:00,CET,Ann,Mobile Payment,Completed,EUR,100.00,-3.00,97.00,a@b.example,T1,,97.00,Credit',
        '13/03/2026,11:00:00,CET,Shop,General Authorization,Pending,EUR,-20.00,0.00,-20.00,,T2,,97.00,Memo',
        '13/03/2026,12:00:00,CET,,General Currency Conversion,Completed,EUR,-10.00,0.00,-10.00,,T3,T9,87.00,Debit',
        '13/03/2026,12:00:00,CET,,General Currency Conversion,Completed,USD,11.00,0.00,11.00,,T4,T9,11.00,Credit',
        '14/03/2026,12:00:00,CET,Bob,Account Hold for Open Authorization,Completed,EUR,-5.00,0.00,-5.00,,T5,T9,87.00,Debit',
        '14/03/2026,12:00:00,CET,Eve,,Completed,EUR,-1.00,0.00,-1.00,,T7,,86.00,Debit',
        '14/03/2026,12:00:00,CET,Bob,General Currency Conversion,Denied,EUR,-5.00,0.00,-5.00,,T6,T9,87.00,Debit',
      ),
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 97',
      'hold',
      '2026-03-13 -10',
      '2026-03-13 11',
      'hold',
      '2026-03-14 -1',
      'notCompleted',
    ])
    expect(rows[0]).toMatchObject({
      account: 'EUR',
      parts: [{ amount: '100' }, { amount: '-3', fee: true }],
    })
    expect(rows.slice(2, 4).map(({ account, transfer }) => [account, transfer])).toEqual([
      ['EUR', { account: '', pair: 'paypal:T9' }],
      ['USD', { account: '', pair: 'paypal:T9' }],
    ])
  })
})

test('PayPal in German has the same fees, conversions and holds', () => {
  const { rows, survey: found } = readCsv(
    lines(
      'Datum,Uhrzeit,Zeitzone,Name,Typ,Status,Währung,Brutto,Gebühr,Netto,Transaktionscode,Zugehöriger Transaktionscode,Guthaben,Auswirkung auf Guthaben',
      '10.06.2025,13:27:03,CET,,Allgemeine Währungsumrechnung,Abgeschlossen,EUR,"-9,20","0,00","-9,20",T2,T3,"0,00",Soll',
      '10.06.2025,13:27:03,CET,,Allgemeine Währungsumrechnung,Abgeschlossen,USD,"10,00","0,00","10,00",T4,T3,"10,00",Haben',
      '10.06.2025,13:27:03,CET,Shop,Allgemeine Autorisierung,Ausstehend,USD,"-3,00","0,00","-3,00",T5,,"10,00",Memo',
      '13.06.2025,09:00:00,CET,Erika,Handyzahlung,Abgeschlossen,EUR,"1.100,00","-27,74","1.072,26",T6,,"1.072,26",Haben',
    ),
  )
  expect(found.reading).toMatchObject({ builtIn: 'paypal-german', dateOrder: 'DMY' })
  expect(rows.map((row) => [row.account, booked(row), row.transfer?.pair])).toEqual([
    ['EUR', '2025-06-10 -9.2', 'paypal:T3'],
    ['USD', '2025-06-10 10', 'paypal:T3'],
    ['USD', 'hold', undefined],
    ['EUR', '2025-06-13 1072.26', undefined],
  ])
  expect(rows.at(-1)?.parts).toEqual([{ amount: '1100' }, { amount: '-27.74', fee: true }])
})

describe('Revolut', () => {
  const HEAD =
    'Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance'

  test('each product has an account in each currency, and an exchange moves between two', () => {
    const { rows, survey: found } = readCsv(
      lines(
        HEAD,
        'TOPUP,Current,2026-03-01 08:00:00,2026-03-01 08:00:01,Apple Pay Top-Up by *1234,500.00,0.00,EUR,COMPLETED,500.00',
        'CARD_PAYMENT,Current,2026-03-02 09:00:00,2026-03-03 10:00:00,Bakery,-4.50,0.00,EUR,COMPLETED,495.50',
        'EXCHANGE,Current,2026-03-04 12:00:00,2026-03-04 12:00:00,Exchanged to GBP,-100.00,0.50,EUR,COMPLETED,395.00',
        'EXCHANGE,Current,2026-03-04 12:00:00,2026-03-04 12:00:00,Exchanged to GBP,86.00,0.00,GBP,COMPLETED,86.00',
        'TRANSFER,Current,2026-03-05 07:00:00,2026-03-05 07:00:00,To pocket EUR Trip,-50.00,0.00,EUR,COMPLETED,345.00',
        'TRANSFER,Pocket,2026-03-05 07:00:00,2026-03-05 07:00:00,To pocket EUR Trip,50.00,0.00,EUR,COMPLETED,50.00',
        'CARD_PAYMENT,Current,2026-03-06 09:00:00,,Hotel,-80.00,0.00,EUR,PENDING,',
        'EXCHANGE,Current,2026-03-06 10:00:00,,Exchanged to GBP,-9.00,0.00,EUR,REVERTED,',
        'EXCHANGE,,,2026-03-07 10:00:00,Exchanged,-2.00,0.00,,COMPLETED,263.00',
        'TOPUP,Current',
      ),
    )
    expect(found.accounts.map(({ key, currency }) => [key, currency])).toEqual([
      ...[
        ['Current EUR', 'EUR'],
        ['Current GBP', 'GBP'],
        ['Pocket EUR', 'EUR'],
      ],
    ])
    expect(rows.map((one) => [one.account, booked(one), one.pending])).toEqual([
      ['Current EUR', '2026-03-01 500', false],
      ['Current EUR', '2026-03-03 -4.5', false],
      ['Current EUR', '2026-03-04 -100.5', false],
      ['Current GBP', '2026-03-04 86', false],
      ['Current EUR', '2026-03-05 -50', false],
      ['Pocket EUR', '2026-03-05 50', false],
      ['Current EUR', '2026-03-06 -80', true],
      ['Current EUR', 'notCompleted', false],
      ['', '2026-03-07 -2', false],
      ['Current', 'information', false],
    ])
    expect(rows[2]?.parts).toEqual([{ amount: '-100' }, { amount: '-0.5', fee: true }])
    const pair = { account: '', pair: 'revolut:2026-03-04 12:00:00' }
    expect(rows.map(({ transfer }) => transfer).filter(Boolean)).toEqual([pair, pair])
  })
})

describe('Wise', () => {
  test('a statement names the other amount of a conversion; its fees are inside', () => {
    const { rows, survey: found } = readCsv(
      lines(
        'TransferWise ID,Date,Date Time,Amount,Currency,Description,Payment Reference,Running Balance,Exchange From,Exchange To,Exchange Rate,Payer Name,Payee Name,Payee Account Number,Merchant,Card Last Four Digits,Card Holder Full Name,Attachment,Note,Total fees,Exchange To Amount,Transaction Type,Transaction Details Type',
        'CARD-9,14-03-2026,14-03-2026 10:00:00.000,-12.00,EUR,Card transaction of 13.00 USD issued by Shop,,888.00,EUR,USD,1.08333,,,,Shop,1234,Ann,,,0.10,13.00,DEBIT,CARD',
        'BALANCE-8,03-03-2026,03-03-2026 09:00:00.000,-100.00,EUR,Converted 100.00 EUR to 108.20 USD,,900.00,EUR,USD,1.0873,,,,,,,,,0.49,108.20,DEBIT,CONVERSION',
        'BALANCE-7,02-03-2026,02-03-2026 09:00:00.000,46.00,EUR,Converted 50.00 USD to 46.00 EUR,,1000.00,USD,EUR,,,,,,,,,,0.20,46.00,CREDIT,CONVERSION',
        'BALANCE-6,02-03-2026,02-03-2026 09:00:00.000,1.00,EUR,Converted to EUR,,954.00,USD,EUR,0.92,,,,,,,,,0,1.00,CREDIT,CONVERSION',
        'TRANSFER-5,01-03-2026,01-03-2026 09:00:00.000,953.00,EUR,Received money from Boss,SALARY,953.00,,,,Boss,,,,,,,,0,,CREDIT,MONEY_ADDED',
        ',01-03-2026,,0.50,EUR,Interest,,0.50,,,,,,,,,,,,,,,',
      ),
    )
    expect(found.reading.builtIn).toBe('wise')
    expect(rows.map(booked)).toEqual([
      ...['2026-03-14 -12', '2026-03-03 -100', '2026-03-02 46', '2026-03-02 1', '2026-03-01 953'],
      '2026-03-01 0.5',
    ])
    expect(rows.map(({ original }) => original)).toEqual([
      { amount: '13', currency: 'USD', rate: '1.08333' },
      { amount: '108.2', currency: 'USD', rate: '1.0873' },
      { amount: '50', currency: 'USD' },
      ...[undefined, undefined, undefined],
    ])
    expect(rows.map(({ transfer }) => transfer?.pair)).toEqual([
      ...[undefined, 'wise:BALANCE-8', 'wise:BALANCE-7', 'wise:BALANCE-6', undefined, undefined],
    ])
  })

  test('the history of all balances has both sides of a conversion, and fees of their own', () => {
    const { rows, survey: found } = readCsv(
      lines(
        'ID,Status,Direction,"Created on","Finished on","Source fee amount","Source fee currency","Target fee amount","Target fee currency","Source name","Source amount (after fees)","Source currency","Target name","Target amount (after fees)","Target currency","Exchange rate",Reference,Batch,"Created by",Category,Note',
        'TRANSFER-1,COMPLETED,OUT,"2026-03-13 10:00:00","2026-03-13 10:00:00",0.50,EUR,,,Ann,99.50,EUR,Bob,107.00,USD,1.0754,,,Ann,General,',
        'TRANSFER-2,COMPLETED,IN,"2026-03-14 10:00:00","2026-03-14 11:00:00",0.00,GBP,,,Boss,10.00,GBP,Ann,11.60,EUR,1.16,PAY,,Ann,,',
        'BALANCE-3,COMPLETED,NEUTRAL,"2026-03-15 10:00:00","2026-03-15 10:00:00",0.20,EUR,,,Ann,49.80,EUR,Ann,54.00,USD,1.084,,,Ann,,',
        'BALANCE-4,COMPLETED,NEUTRAL,"2026-03-15 10:00:00","2026-03-15 10:00:00",0.00,EUR,,,Ann,7.00,EUR,Ann,7.00,EUR,1.0,,,Ann,,',
        'CARD-5,CANCELLED,OUT,"2026-03-16 10:00:00",,0.00,EUR,,,Ann,5.00,EUR,Cafe,5.00,EUR,1.0,,,Ann,,',
        'CARD-6,COMPLETED,OUT,"2026-03-16 10:00:00","2026-03-16 10:00:00",,,,,Ann,6.00,EUR,,6.00,EUR,1.0,,,Ann,,',
        'CARD-7,COMPLETED,IN,"2026-03-16 10:00:00","2026-03-16 10:00:00",,,,,,3.00,EUR,Ann,,EUR,1.0,,,Ann,,',
        'CARD-8,COMPLETED,OUT,"2026-03-16 10:00:00","2026-03-16 10:00:00",,,,,Ann,,EUR,Cafe,6.00,EUR,1.0,,,Ann,,',
        ',COMPLETED,NEUTRAL,"2026-03-17 10:00:00","2026-03-17 10:00:00",,,,,Ann,1.00,EUR,Ann,1.08,USD,1.08,,,Ann,,',
        ...['REFUNDED', 'FUNDS_REFUNDED', 'BOUNCED_BACK', 'INCOMING_PAYMENT_WAITING'].map(
          (state) =>
            `CARD-9,${state},OUT,"2026-03-18 10:00:00","2026-03-18 10:00:00",,,,,Ann,6.00,EUR,,6.00,EUR,1.0,,,Ann,,`,
        ),
      ),
    )
    expect(found.reading.builtIn).toBe('wise-history')
    expect(found.accounts.map(({ key, currency }) => [key, currency])).toEqual([
      ...[
        ['EUR', 'EUR'],
        ['USD', 'USD'],
      ],
    ])
    expect(rows.map((one) => [one.account, booked(one)])).toEqual([
      ['EUR', '2026-03-13 -100'],
      ['EUR', '2026-03-14 11.6'],
      ...[
        ['EUR', '2026-03-15 -50'],
        ['USD', '2026-03-15 54'],
      ],
      ...[
        ['EUR', 'neutral'],
        ['EUR', 'notCompleted'],
        ['EUR', '2026-03-16 -6'],
      ],
      ...[
        ['EUR', '2026-03-16 3'],
        ['', 'amountMissing'],
      ],
      ...[
        ['EUR', '2026-03-17 -1'],
        ['USD', '2026-03-17 1.08'],
      ],
      ...Array.from({ length: 3 }, () => ['EUR', 'notCompleted']),
      ['EUR', '2026-03-18 -6'],
    ])
    expect(rows.at(-1)?.pending).toBe(true)
    expect(rows[0]).toMatchObject({
      ...{ payeeRaw: 'Bob', original: { amount: '107', currency: 'USD', rate: '1.0754' } },
      parts: [{ amount: '-99.5' }, { amount: '-0.5', fee: true }],
    })
    expect(rows[1]).toMatchObject({ payeeRaw: 'Boss', original: { amount: '10', currency: 'GBP' } })
    expect(rows[2]?.transfer).toEqual({ account: 'USD', pair: 'wise:BALANCE-3' })
    expect(rows[3]?.transfer).toEqual({ account: 'EUR', pair: 'wise:BALANCE-3' })
  })
})

describe('Splitwise', () => {
  const FILE = lines(
    'Date,Description,Category,Cost,Currency,Ann Miller,Bob',
    '',
    '2026-03-01,Dinner,Dining out,40.00,EUR,20.00,-20.00',
    '2026-03-13,Taxi,Taxi,15.01,EUR,-7.50,7.51',
    '2026-03-20,Ann M. paid Bob,Payment,12.50,EUR,12.50,-12.50',
    '2026-03-21,Broken,General,10.00,EUR,5.00,-4.00',
    '2026-03-22,Odd,General,10.00,EUR,5.00,x',
    '2026-03-23,Not mine,General,10.00,EUR,0.00,0.00',
    '2026-03-24,No cost,General,,EUR,1.00,-1.00',
    '',
    '2026-03-31,Total balance, , ,EUR,26.00,-26.00',
  )

  test('asks whose column it is, and reads the rows as that member sees them', () => {
    const found = survey(FILE)
    expect(found.reading.builtIn).toBe('splitwise')
    expect(found.questions).toMatchObject([
      {
        key: 'columns',
        options: ['Date', 'Description', 'Category', 'Cost', 'Currency', 'Ann Miller', 'Bob'],
      },
    ])
    const suggested = JSON.parse(found.questions[0]?.suggestion ?? '{}') as { amount?: number }
    expect(suggested.amount).not.toBe(3)
    const columns = { date: 0, description: 1, category: 2, originalAmount: 3, currency: 4 }
    const { rows: all } = readCsv(FILE, { columns: { ...columns, amount: 5 } })
    const rows = all.filter(({ ignored }) => ignored !== 'empty')
    expect(rows.map(booked)).toEqual([
      ...['2026-03-01 20', '2026-03-13 -7.5', '2026-03-20 12.5', 'partsDoNotSum'],
      ...['2026-03-22 5', 'zero', '2026-03-24 1', 'closing'],
    ])
    expect(rows[0]).toMatchObject({ category: ['Dining out'], metadata: { cost: '40' } })
    expect(rows[2]?.category).toBeUndefined()
    const other = readCsv(FILE, { columns: { ...columns, amount: 6 } })
    expect(other.rows[1]?.amount).toBe('-20')
  })
})

describe('Monzo', () => {
  const HEADING =
    'id,created,amount,currency,local_amount,local_currency,category,emoji,description,address,notes,receipt'

  test('older exports are in pounds if any amount has decimals, and are asked about if none has', () => {
    const file = (...amounts: string[]) =>
      lines(
        HEADING,
        ...amounts.map((one) => `tx,2026-03-13 10:00:00 +0000,${one},GBP,${one},GBP,general,,A,,,`),
      )
    const mixed = readCsv(file('-5.5', '-10', '120'))
    expect(mixed.rows.map(({ amount }) => amount)).toEqual(['-5.5', '-10', '120'])
    const [question, ...others] = survey(file('-10', '120')).questions
    expect([question, others]).toMatchObject([
      {
        key: 'amountUnit',
        options: ['major', 'minor'],
        evidence: [{ raw: '-10' }, { raw: '120' }],
      },
      [],
    ])
    expect(question).not.toHaveProperty('suggestion')
    const major = readCsv(file('-10', '120'), { amountUnit: 'major' })
    expect(major.rows.map(({ amount }) => amount)).toEqual(['-10', '120'])
    expect(survey(file('')).questions).toEqual([])
  })

  test('older exports may count in the smallest unit', () => {
    const { rows } = readCsv(
      lines(
        HEADING,
        'tx1,2026-03-13 10:00:00 +0000,-1250,GBP,-1450,EUR,eating_out,,CAFE,,,',
        'tx2,2026-03-13 10:00:00 +0000,500,GBP,500,GBP,general,,ANN,,,',
        'tx3,2026-03-13 10:00:00 +0000,-12.50,GBP,-12.50,GBP,general,,BOB,,,',
        'tx4,2026-03-13 10:00:00 +0000,-100,,-100,,general,,EVE,,,',
        'tx5,2026-03-13 10:00:00 +0000,,GBP,,,general,,EVE,,,',
      ),
      { amountUnit: 'minor' },
    )
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -12.5',
      '2026-03-13 5',
      '2026-03-13 -12.5',
      '2026-03-13 -1',
      'amountMissing',
    ])
    expect(rows[0]?.original).toEqual({ amount: '-14.5', currency: 'EUR' })
    const bare = readCsv(lines(HEADING, 'tx1,2026-03-13 10:00:00 +0000,-100,,,,general,,EVE,,,'), {
      amountUnit: 'minor',
    })
    expect(bare.rows.map(booked)).toEqual(['2026-03-13 -1'])
  })
})

describe('Alipay and WeChat', () => {
  test('rows have a direction, or none, and cards have files of their own', () => {
    const { rows, survey: found } = readCsv(
      lines(
        '微信支付账单明细,,,,,,,,,,',
        '起始时间：[2026-03-01 00:00:00] 终止时间：[2026-03-31 23:59:59],,,,,,,,,,',
        '----------------------微信支付账单明细列表--------------------,,,,,,,,,,',
        '交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号,商户单号,备注',
        '2026-03-13 10:00:00,商户消费,小店,面条,支出,¥12.50,零钱,支付成功,1\t,2\t,/',
        '2026-03-13 11:00:00,转账,朋友,转账,收入,¥20.00,/,已存入零钱,3\t,4\t,/',
        '2026-03-13 12:00:00,零钱提现,银行,提现,/,¥30.00,零钱,提现已到账,5\t,6\t,/',
        '2026-03-13 13:00:00,商户消费,小店,茶,支出,¥5.00,招商银行(1234),支付成功,7\t,8\t,/',
        '2026-03-13 14:00:00,商户消费,小店,茶,支出,¥5.00,招商银行(1234),交易关闭,9\t,10\t,/',
      ),
    )
    expect(found.reading).toMatchObject({ builtIn: 'wechat', headerLine: 4, currency: 'CNY' })
    expect(rows.map(booked)).toEqual([
      '2026-03-13 -12.5',
      '2026-03-13 20',
      'neutral',
      'paidElsewhere',
      'notCompleted',
    ])
    expect(rows[0]).toMatchObject({ payeeRaw: '小店', bankId: { id: '1' }, currency: 'CNY' })
  })
})

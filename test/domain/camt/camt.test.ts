import { describe, expect, test } from 'vitest'
import { camt } from '../../../src/domain/camt/camt.ts'
import {
  checkBroken,
  checkPieces,
  type ReadFile,
  readFile,
  readItems,
  short,
  triesTooManyRows,
} from '../bank-files/reading.ts'
import { hasRealFiles, realFile } from '../bank-files/real-files.ts'
import { ACCOUNT, amount, balance, BOOKED, details, entry, message } from './camt.fixtures.ts'

const read = (entries: string, options = {}, reading = {}): ReadFile =>
  readFile(camt, message(entries, options), reading)

const KEY = 'DE89370400440532013000 EUR'

describe('an entry', () => {
  test.each(['02', '04', '08', '13'])('of version %s is read', (version) => {
    const isOld = Number(version) < 8
    const name = (text: string) => (isOld ? `<Nm>${text}</Nm>` : `<Pty><Nm>${text}</Nm></Pty>`)
    const status = isOld ? '<Sts>BOOK</Sts>' : '<Sts><Cd>BOOK</Cd></Sts>'
    const { rows, accounts } = read(
      entry(
        '12.30',
        'DBIT',
        `<AcctSvcrRef>R1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>${details(
          `<Refs><EndToEndId>E1</EndToEndId><TxId>NOTPROVIDED</TxId></Refs><RltdPties><Cdtr>${name('Shop')}</Cdtr><CdtrAcct><Id><IBAN>DE1</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Invoice
            17</Ustrd><Ustrd>Invoice 17</Ustrd></RmtInf>`,
        )}`,
        `${status}<BookgDt><DtTm>2026-03-02T23:59:01+02:00</DtTm></BookgDt><ValDt><Dt>2026-03-01</Dt></ValDt>`,
      ),
      { version },
    )
    expect(accounts).toEqual([{ key: KEY, iban: 'DE89370400440532013000', currency: 'EUR' }])
    expect(rows).toMatchObject([
      {
        line: 1,
        account: KEY,
        statement: 0,
        date: '2026-03-02',
        time: '23:59:01',
        amount: '-12.3',
        currency: 'EUR',
        payeeRaw: 'Shop',
        counterAccount: 'DE1',
        description: 'Invoice 17',
        text: 'Shop Invoice 17',
        bankId: { scheme: 'camt', id: 'R1' },
        pending: false,
        parts: [],
        metadata: { valueDate: '2026-03-01', endToEndId: 'E1', transactionCode: 'PMNT-ICDT-ESCT' },
        errors: [],
        warnings: [],
      },
    ])
    expect(rows[0]?.raw).toMatchObject({
      Amt: '12.30',
      'NtryDtls/TxDtls/RmtInf/Ustrd': 'Invoice 17 Invoice 17',
    })
  })

  test('with prefixed names is read', () => {
    expect(short(read(entry('1', 'CRDT'), { prefix: 'ns2' }))).toEqual([
      ['2026-03-02', '1', undefined, undefined],
    ])
  })

  test('of a newer version is read with a warning', () => {
    expect(read(entry('1', 'CRDT'), { version: '15' }).warnings).toEqual([
      { code: 'newerVersion', version: 15, newest: 14 },
    ])
  })

  test.each([
    ['BOOK', false, undefined],
    ['PDNG', true, undefined],
    ['FUTR', true, undefined],
    ['INFO', false, 'information'],
  ])('of status %s', (code, pending, ignored) => {
    const status = BOOKED.replace('BOOK', code)
    expect(read(entry('1', 'CRDT', '', status)).rows).toMatchObject([
      ignored === undefined ? { pending } : { pending, ignored },
    ])
  })

  test('that is taken back keeps its direction and names its parties', () => {
    const { rows } = read(
      entry(
        '45.00',
        'CRDT',
        `<RvslInd>true</RvslInd>${details('<RltdPties><Dbtr><Nm>Me</Nm></Dbtr><Cdtr><Nm>Shop</Nm></Cdtr></RltdPties>')}`,
      ),
    )
    expect(rows).toMatchObject([{ amount: '45', payeeRaw: 'Shop' }])
  })

  test('names the ultimate party first, and another kind of account', () => {
    const { rows } = read(
      entry(
        '1',
        'CRDT',
        details(
          '<RltdPties><Dbtr><Nm>Bank</Nm></Dbtr><DbtrAcct><Id><Othr><Id>17</Id></Othr></Id></DbtrAcct><UltmtDbtr><Nm>Payer</Nm></UltmtDbtr></RltdPties>',
        ),
      ),
    )
    expect(rows).toMatchObject([{ payeeRaw: 'Payer', counterAccount: '17' }])
  })

  test.each([
    [
      details(
        '<RmtInf><Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf><RfrdDocInf><Nb>7</Nb></RfrdDocInf></Strd></RmtInf>',
      ),
      'RF18 7',
    ],
    [details('<AddtlTxInf>Card</AddtlTxInf>'), 'Card'],
    [`${details('')}<AddtlNtryInf>Interest</AddtlNtryInf>`, 'Interest'],
    ['<AddtlNtryInf>Interest</AddtlNtryInf>', 'Interest'],
  ])('says its text %#', (rest, text) => {
    expect(read(entry('1', 'CRDT', rest)).rows).toMatchObject([{ description: text, text }])
  })

  test('with a proprietary code and a month of thirty days', () => {
    const status = BOOKED.replace('2026-03-02', '2026-02-30')
    const { rows } = read(
      entry('1', 'CRDT', '<BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd>', status),
    )
    expect(rows).toMatchObject([
      { date: '2026-02-28', warnings: ['dateRepaired'], metadata: { transactionCode: 'NTRF' } },
    ])
  })

  test('without a booking date has that of its value', () => {
    const { rows } = read(entry('1', 'CRDT', '', '<ValDt><DtTm>2026-03-05T00:00:00</DtTm></ValDt>'))
    expect(rows[0]).toMatchObject({ date: '2026-03-05' })
    expect(rows[0]).not.toHaveProperty('time')
  })

  test.each([
    [entry('1', 'CRDT', '', ''), ['dateMissing', 'BookgDt']],
    [entry('1', 'CRDT', '', '<BookgDt><Dt>2026-13-01</Dt></BookgDt>'), ['dateInvalid', 'BookgDt']],
    [`<Ntry><CdtDbtInd>CRDT</CdtDbtInd>${BOOKED}</Ntry>`, ['amountMissing', 'Amt']],
    [entry('1x', 'CRDT'), ['money.malformed', 'Amt']],
    [`<Ntry><Amt Ccy="EUR">1</Amt>${BOOKED}</Ntry>`, ['money.malformed', 'CdtDbtInd']],
  ])('that is wrong says so %#', (text, [code, column]) => {
    expect(read(text).rows[0]?.errors).toMatchObject([{ code, column }])
  })

  test('of zero is no booking', () => {
    expect(read(entry('0.00', 'DBIT')).rows).toMatchObject([{ amount: '0', ignored: 'zero' }])
    expect(read(entry('0', 'CRDT'), {}, { zeroRows: 'book' }).rows[0]).not.toHaveProperty('ignored')
  })
})

describe('the id of an entry', () => {
  const idOf = (rest: string, head = '<Id>S1</Id>') =>
    read(entry('1', 'CRDT', rest), { before: `${head}${ACCOUNT}` }).rows[0]?.bankId?.id

  test.each([
    ['<AcctSvcrRef>A</AcctSvcrRef><NtryRef>7</NtryRef>', 'A'],
    ['<AcctSvcrRef>NONREF</AcctSvcrRef><NtryRef>7</NtryRef>', 'S1:7'],
    [details('<Refs><AcctSvcrRef>D</AcctSvcrRef></Refs>'), 'D'],
    [details('<Refs><AcctSvcrRef>D</AcctSvcrRef></Refs>', ''), undefined],
    ['<AcctSvcrRef>NOTPROVIDED</AcctSvcrRef>', undefined],
  ])('%#', (rest, id) => {
    expect(idOf(rest)).toBe(id)
  })

  test('that comes twice is none', () => {
    const twice = ['1', '2'].map((value) => entry(value, 'CRDT', '<AcctSvcrRef>A</AcctSvcrRef>'))
    const { rows } = read(`${twice.join('')}${entry('3', 'CRDT', '<AcctSvcrRef>B</AcctSvcrRef>')}`)
    expect(rows.map(({ bankId }) => bankId?.id)).toEqual([undefined, undefined, 'B'])
    // Without its survey, a reader cannot know.
    const text = message(twice.join(''))
    const reader = camt.read({ format: 'camt' })
    const items = [...reader.push(text), ...reader.end()].filter((item) => item.is === 'row')
    expect(items.map(({ row }) => row.bankId?.id)).toEqual(['A', 'A'])
  })
})

describe('a batch', () => {
  const detail = (value: string, rest = '', currency = 'EUR') =>
    `<Amt Ccy="${currency}">${value}</Amt>${rest}`
  const charges = (value: string, isIncluded: boolean, direction = 'DBIT') =>
    `<Chrgs><Rcrd><Amt Ccy="EUR">${value}</Amt><CdtDbtInd>${direction}</CdtDbtInd><ChrgInclInd>${isIncluded}</ChrgInclInd></Rcrd></Chrgs>`
  const TWO = details(
    detail('1000.00', '<RltdPties><Cdtr><Nm>A</Nm></Cdtr></RltdPties>'),
    detail('500.00', '<RmtInf><Ustrd>two</Ustrd></RmtInf>'),
  )

  test('with its charges is one booking with parts', () => {
    const { rows } = read(entry('1526.00', 'DBIT', `${charges('26.00', true)}${TWO}`))
    expect(rows).toMatchObject([
      {
        amount: '-1526',
        parts: [
          { amount: '-1000', description: 'A' },
          { amount: '-500', description: 'two' },
          { amount: '-26', fee: true },
        ],
        warnings: [],
        text: 'A two',
      },
    ])
  })

  test('whose parts do not sum is one row with a warning', () => {
    const { rows } = read(entry('1526.00', 'DBIT', TWO))
    expect(rows).toMatchObject([
      {
        amount: '-1526',
        parts: [],
        warnings: ['detailsDoNotSum'],
        metadata: { detailsDifference: '26' },
        note: '1000 EUR A\n500 EUR two',
      },
    ])
  })

  test.each([
    // Charges that are said to be outside, but are the difference.
    [`${charges('26.00', false)}${TWO}`, '1526.00', ['-1000', '-500', '-26']],
    // Charges that are information.
    [`${charges('26.00', false)}${TWO}`, '1500.00', ['-1000', '-500']],
    // Charges that are contained in the details already.
    [`${charges('26.00', true)}${TWO}`, '1500.00', ['-1000', '-500']],
    // A detail in the other direction, and charges of a detail.
    [
      details(
        detail('1000', '<CdtDbtInd>DBIT</CdtDbtInd>'),
        detail('300', '<CdtDbtInd>CRDT</CdtDbtInd>'),
        detail('1', charges('2', true, 'CRDT')),
      ),
      '699.00',
      ['-1000', '300', '-1', '2'],
    ],
    // Amounts of version 2.
    [
      details(
        '<AmtDtls><TxAmt><Amt Ccy="EUR">4</Amt></TxAmt></AmtDtls>',
        '<AmtDtls><TxAmt><Amt Ccy="EUR">5</Amt></TxAmt></AmtDtls>',
      ),
      '9',
      ['-4', '-5'],
    ],
    // Amounts are not there, or in another currency, or charges of nothing.
    [details(detail('4'), ''), '9', []],
    [details(detail('4'), detail('5', '', 'USD')), '9', []],
    [`${charges('0', true)}${details(detail('4'), detail('5'))}`, '9', ['-4', '-5']],
    // A single one.
    [details(detail('9')), '9', []],
    [details(detail('8', charges('1', true))), '9', ['-8', '-1']],
    [`${charges('1', true)}${details(detail('9'))}`, '9', ['-8', '-1']],
    [charges('1', true), '9', ['-8', '-1']],
    [charges('9', true), '9', []],
    [`<Chrgs><Amt Ccy="EUR">1</Amt><ChrgInclInd>1</ChrgInclInd></Chrgs>`, '9', ['-8', '-1']],
    ['<NtryDtls><Btch><NbOfTxs>7</NbOfTxs></Btch></NtryDtls>', '9', []],
  ])('has parts %#', (rest, value, parts) => {
    const [row] = read(entry(value, 'DBIT', rest)).rows
    expect(row?.parts.map((part) => part.amount)).toEqual(parts)
  })

  test('is a row for each detail, where that is asked for', () => {
    const { rows } = read(
      entry(
        '1526.00',
        'DBIT',
        `<AcctSvcrRef>B</AcctSvcrRef><AddtlNtryInf>Batch</AddtlNtryInf>${charges('26.00', true)}${TWO}`,
      ),
      {},
      { batches: 'separate' },
    )
    expect(rows).toMatchObject([
      { amount: '-1000', payeeRaw: 'A', text: 'A', parts: [], bankId: { id: 'B/1' } },
      { amount: '-500', description: 'two', text: 'two', bankId: { id: 'B/2' } },
      { amount: '-26', description: 'Batch', metadata: { fee: 'true' }, bankId: { id: 'B/3' } },
    ])
    expect(rows[1]).not.toHaveProperty('payeeRaw')
    const same = read(
      entry('3', 'DBIT', details(detail('1'), detail('2'))),
      {},
      { batches: 'separate' },
    )
    expect(same.rows.map(({ bankId }) => bankId)).toEqual([undefined, undefined])
    const one = read(entry('1526.00', 'DBIT', TWO), {}, { batches: 'separate' })
    expect(one.rows).toHaveLength(1)
  })

  test('is one row with a note, where that is asked for', () => {
    const { rows } = read(entry('1500.00', 'DBIT', TWO), {}, { batches: 'whole' })
    expect(rows).toMatchObject([{ parts: [], note: '1000 EUR A\n500 EUR two', warnings: [] }])
  })

  test('with one party names it', () => {
    const party = '<RltdPties><Cdtr><Nm>A</Nm></Cdtr></RltdPties>'
    const { rows } = read(entry('3', 'DBIT', details(detail('1', party), detail('2', party))))
    expect(rows).toMatchObject([{ payeeRaw: 'A' }])
    expect(rows[0]).not.toHaveProperty('counterAccount')
  })
})

test.each([
  [
    '<InstdAmt><Amt Ccy="USD">10.00</Amt></InstdAmt><CntrValAmt><Amt Ccy="EUR">9</Amt><CcyXchg><XchgRate>0.90</XchgRate></CcyXchg></CntrValAmt>',
    { amount: '10', currency: 'USD', rate: '0.9' },
  ],
  ['<TxAmt><Amt Ccy="CHF">8</Amt></TxAmt>', { amount: '8', currency: 'CHF' }],
  ['<InstdAmt><Amt Ccy="EUR">9</Amt></InstdAmt>', undefined],
])('an exchange gives the original amount %#', (amounts, original) => {
  const details_ = details(`<AmtDtls>${amounts}</AmtDtls>`)
  expect(read(entry('9', 'DBIT', details_)).rows[0]?.original).toEqual(original)
  const { rows } = read(entry('9', 'DBIT', `<AmtDtls>${amounts}</AmtDtls>${details('', '')}`))
  expect(rows[0]?.original).toEqual(original)
  const stated = read(
    entry('9', 'DBIT', details(`<Amt Ccy="GBP">7</Amt><AmtDtls>${amounts}</AmtDtls>`)),
  )
  expect(stated.rows[0]?.original).toEqual(original ?? { amount: '7', currency: 'GBP' })
})

describe('a statement', () => {
  test('has balances, a span, a number and a page', () => {
    const { statements, warnings } = read(entry('10', 'CRDT'), {
      head: '<MsgPgntn><PgNb>2</PgNb><LastPgInd>false</LastPgInd></MsgPgntn>',
      before: `<Id>S1</Id><ElctrncSeqNb>5</ElctrncSeqNb><LglSeqNb>3</LglSeqNb><FrToDt><FrDtTm>2026-03-01T00:00:00+01:00</FrDtTm><ToDtTm>2026-03-31T23:59:59+01:00</ToDtTm></FrToDt>${ACCOUNT}${balance('OPBD', '5', '2026-03-01', 'DBIT')}${balance('ITBD', '4', '2026-03-02')}${balance('CLBD', '5', '2026-03-31')}${balance('CLAV', '1', '2026-03-31')}${balance('XPCD', '1', '2026-03-31', 'CRDT', 'USD')}<Bal/>`,
    })
    expect(statements).toEqual([
      {
        account: KEY,
        number: '5',
        from: '2026-03-01',
        through: '2026-03-31',
        opening: '-5',
        openingDate: '2026-03-01',
        closing: '5',
        closingDate: '2026-03-31',
        currency: 'EUR',
        evidence: [
          { name: 'ITBD', amount: '4', currency: 'EUR', date: '2026-03-02' },
          { name: 'CLAV', amount: '1', currency: 'EUR', date: '2026-03-31' },
          { name: 'XPCD', amount: '1', currency: 'USD', date: '2026-03-31' },
        ],
        pages: 1,
        page: { number: 2, last: false },
        interim: false,
      },
    ])
    expect(warnings).toEqual([{ code: 'balanceCurrency', account: KEY, number: '5' }])
  })

  test('of several days opens with the first and closes with the last', () => {
    const { statements } = read('', {
      before: `<Id>S</Id>${ACCOUNT}${balance('OPBD', '7', '2026-03-02')}${balance('CLBD', '8', '2026-03-02')}${balance('OPBD', '5', '2026-03-01')}${balance('CLBD', '7', '2026-03-01')}`,
    })
    expect(statements).toMatchObject([{ opening: '5', closing: '8', number: 'S' }])
  })

  test('has a number of its own pages, and balances behind its entries', () => {
    const { statements } = read(entry('1', 'CRDT'), {
      before: `<LglSeqNb>3</LglSeqNb><StmtPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></StmtPgntn>${ACCOUNT}`,
      after: `${balance('PRCD', '5', '2026-03-01')}<Bal><Amt>1</Amt></Bal>`,
    })
    expect(statements).toMatchObject([
      { number: '3', page: { number: 1, last: true }, opening: '5' },
    ])
  })

  test.each(['052', '054'] as const)('of kind %s is interim', (kind) => {
    const { statements } = read(entry('1', 'CRDT'), {
      kind,
      before: `<Id>S</Id>${ACCOUNT}${balance('ITBD', '5', '2026-03-01')}${balance('CLBD', '6', '2026-03-01')}`,
    })
    expect(statements).toMatchObject([
      { interim: true, evidence: [{ name: 'ITBD' }, { name: 'CLBD' }] },
    ])
    expect(statements[0]).not.toHaveProperty('closing')
  })

  test.each([
    [
      '<Acct><Id><Othr><Id>12-3</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id><Nm>Mine</Nm><Svcr><FinInstnId><BICFI>B</BICFI></FinInstnId></Svcr></Acct>',
      { key: '12-3', number: '12-3', type: 'BBAN', name: 'Mine', bank: 'B' },
    ],
    [
      '<Acct><Id><PrtryAcct><Id>P1</Id></PrtryAcct></Id><Ccy>CHF</Ccy></Acct>',
      { key: 'P1 CHF', number: 'P1', currency: 'CHF' },
    ],
    ['', { key: '' }],
  ])('is of an account %#', (account, expected) => {
    expect(read(entry('1', 'CRDT'), { before: account }).accounts).toEqual([expected])
  })

  test('that does not follow the last one is told', () => {
    const one = (number: string) =>
      message(entry('1', 'CRDT'), { before: `<ElctrncSeqNb>${number}</ElctrncSeqNb>${ACCOUNT}` })
        .replace(/^.*\n/, '')
        .trim()
    const file = `<Messages>${one('5')}${one('6')}${one('6')}${one('8')}${one('')}</Messages>`
    const { statements, warnings } = readFile(camt, file)
    expect(statements).toHaveLength(5)
    expect(warnings).toEqual([{ code: 'statementMissing', account: KEY, after: '6', before: '8' }])
  })
})

describe('a file that is refused', () => {
  const good = message(entry('1', 'CRDT'))
  const codeOf = (text: string) => {
    try {
      readItems(camt, [text])
      return 'read'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  test.each([
    ['broke off', good.slice(0, -20), 'imports.truncated'],
    ['is no XML', good.replace('</Ntry>', '</Entry>'), 'imports.malformed'],
    ['has a document type', `<!DOCTYPE a [<!ENTITY b "c">]>${good}`, 'imports.malformed'],
    ['has an instruction', good.replace('<Ntry>', '<?php ?><Ntry>'), 'imports.malformed'],
    ['holds no statement', '<Document/>', 'imports.noStatements'],
    ['is deep', message('<Ntry>'.repeat(62) + '</Ntry>'.repeat(62)), 'imports.malformed'],
    [
      'has a long text',
      message(entry('1', 'CRDT', `<NtryRef>${'x'.repeat(10_241)}</NtryRef>`)),
      'imports.malformed',
    ],
    ['has many elements', message(entry('1', 'CRDT', '<X/>'.repeat(10_000))), 'imports.malformed'],
    [
      'has many attributes',
      message(`<Ntry ${Array.from({ length: 101 }, (_, at) => `a${at}=""`).join(' ')}/>`),
      'imports.malformed',
    ],
    ['has many statements', `<D>${'<Stmt/>'.repeat(2_001)}</D>`, 'imports.tooManyAccounts'],
    [
      'has many accounts',
      `<D>${Array.from({ length: 101 }, (_, at) => `<Stmt><Acct><Ccy>${at}</Ccy></Acct></Stmt>`).join('')}</D>`,
      'imports.tooManyAccounts',
    ],
  ])('%s', (_, text, code) => {
    expect(codeOf(text)).toBe(code)
  })

  test.runIf(triesTooManyRows('camt'))('has many rows', () => {
    expect(codeOf(message('<Ntry/>'.repeat(200_001)))).toBe('imports.tooManyRows')
  })

  test.runIf(triesTooManyRows('camt details'))('has many details', () => {
    const many = message(`<Ntry><NtryDtls>${'<TxDtls/>'.repeat(200_001)}</NtryDtls></Ntry>`)
    expect(codeOf(many)).toBe('imports.tooManyRows')
  })
})

test('is recognised', () => {
  expect(camt.recognises(message(''))).toBe(1)
  expect(camt.recognises('<x:BkToCstmrStmt>')).toBe(0.9)
  expect(camt.recognises('<OFX>')).toBe(0)
})

const MANY = message(
  `${entry(
    '1526.00',
    'DBIT',
    `<AcctSvcrRef>B &amp; C</AcctSvcrRef>${details(
      `${amount('1000', 'DBIT')}<RltdPties><Cdtr><Nm>Ä</Nm></Cdtr></RltdPties>`,
      `${amount('526', 'DBIT')}<RmtInf><Ustrd>one</Ustrd><Ustrd><![CDATA[two]]></Ustrd></RmtInf>`,
    )}`,
  )}${entry('5', 'CRDT', '<NtryRef>1</NtryRef>')}`,
  { before: `<Id>S</Id>${ACCOUNT}${balance('OPBD', '5', '2026-03-01')}` },
)

test('says the same in pieces of any length', () =>
  expect(() => checkPieces(camt, MANY)).not.toThrow())

test('a broken file is refused, or read, and nothing else', () =>
  expect(() => checkBroken(camt, MANY)).not.toThrow())

describe.runIf(hasRealFiles)('real files', () => {
  test('a statement of version 4 that does not balance', () => {
    const { statements, rows } = readFile(camt, realFile('camt053/actual-camt053-v4.xml'))
    expect(statements).toMatchObject([{ opening: '24.16', closing: '27.61' }])
    expect(rows.map((row) => row.amount)).toEqual(['0.6', '0.5', '-89.85', '1.2', '-80', '3.45'])
    expect(rows.flatMap(({ errors }) => errors)).toEqual([])
  })

  test('two statements of version 2', () => {
    const { statements, rows } = readFile(camt, realFile('camt053/genkgo-v2-multi-statement.xml'))
    expect(statements).toMatchObject([
      { opening: '18.15', closing: '27' },
      { opening: '27', closing: '20' },
    ])
    expect(rows.map((row) => [row.statement, row.amount])).toEqual([
      [0, '8.85'],
      [1, '-7'],
    ])
  })
})

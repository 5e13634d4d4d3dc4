import { describe, expect, it } from 'vitest'
import { splitLevels, splitTags, unguardCell } from '../../../src/domain/csv/writing.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { again } from '../../support/again.ts'
import { ok } from '../../support/api.ts'
import { exported, newHousehold, newTraveller, tableOf } from './exports.fixtures.ts'

const household = again(newHousehold)

const only = (columns: string[]) => (line: Record<string, string>) =>
  columns.map((column) => line[column])

describe('csv', () => {
  it('has a line for each account and transaction, and one for each part below it', async () => {
    const { me, split, transfer, everyday } = await newTraveller()
    const text = await exported(me, { format: 'csv' })
    const lines = tableOf(text)
    const core = (id: string) => id.slice(4)
    const a = core(split.id)
    const b = core(transfer.id)
    expect(
      lines.map(
        only([
          ...['id', 'kind', 'account', 'currency', 'amount', 'category', 'transferId', 'partOf'],
          ...['partAmount', 'counterAccount'],
        ]),
      ),
    ).toEqual([
      [`txn_${a}`, 'expense', 'Everyday', 'EUR', '-12.30', '', '', '', '', ''],
      [`spl_${a}-2`, 'part', 'Everyday', 'EUR', '', 'Groceries', '', `txn_${a}`, '-10.00', ''],
      [`spl_${a}-3`, 'part', 'Everyday', 'EUR', '', 'Household', '', `txn_${a}`, '-2.30', ''],
      [`txn_${b}-1`, 'transfer', 'Everyday', 'EUR', '-100.00', '', `trf_${b}`, '', '', 'Tokyo'],
      [`spl_${b}-5`, 'fee', 'Everyday', 'EUR', '', 'Fees', '', `txn_${b}-1`, '-1.00', ''],
      [`txn_${b}-2`, 'transfer', 'Tokyo', 'JPY', '15840', '', `trf_${b}`, '', '', 'Everyday'],
    ])
    expect(lines.every(({ date, accountId }) => date !== '' && accountId !== '')).toBe(true)
    expect(lines[0]?.['accountId']).toBe(everyday.id)
    expect(text.split('\r\n')[0]).toBe(
      'id,kind,date,time,account,accountId,currency,amount,description,payee,payeeRaw,category,tags,status,reviewed,note,transferId,counterAccount,originalAmount,originalCurrency,rate,partOf,partAmount,externalId,importId,metadata,excludeFromReports',
    )
    expect(text).toMatch(/\r\n$/)
  })

  it('has columns of amounts whose sums are the balances', async () => {
    const { me } = await household()
    const lines = tableOf(await exported(me, { format: 'csv' }))
    const { accounts } = await ok(getUserAccounts, { as: me })
    expect(accounts).toHaveLength(5)
    for (const { id, balance } of accounts) {
      const sum = lines
        .filter(({ accountId }) => accountId === id)
        .reduce((total, { amount }) => total + Number(amount), 0)
      expect(sum, id).toBeCloseTo(Number(balance), 6)
    }
  })

  it('writes texts so that no spreadsheet runs them, and reads them back', async () => {
    const { me, labelled, voided, tag } = await household()
    const lines = tableOf(await exported(me, { format: 'csv' }))
    const line = lines.find(({ id }) => id === labelled.id)
    expect(line).toMatchObject({
      description: "'-2+3; (not) a\nformula",
      payee: `'=Tesco | "Dublin"`,
      note: "'@home",
      category: 'Groceries / Fish \\/ meat: fresh',
      tags: 'holiday\\|2026, \\\\ June|trip',
      time: '18:45',
      status: 'cleared',
      reviewed: 'true',
      originalAmount: '6.00',
      originalCurrency: 'USD',
      rate: '0.8333',
      externalId: '(0012)',
      importId: '',
    })
    expect(unguardCell(line?.['description'] ?? '')).toBe(labelled.description)
    expect(splitLevels(line?.['category'] ?? '')).toEqual(['Groceries', 'Fish / meat: fresh'])
    expect(splitTags(line?.['tags'] ?? '')).toEqual([tag.name, 'trip'])
    expect(lines.find(({ payeeRaw }) => payeeRaw?.includes('TESCO'))?.['payeeRaw']).toBe(
      "''TESCO STORES 3021",
    )
    // What is void moves nothing; its part tells what it would have been.
    expect(lines.filter(({ id, partOf }) => [id, partOf].includes(voided.id))).toMatchObject([
      { amount: '0.00', partAmount: '', status: 'void' },
      { amount: '', partAmount: '-77.00', status: 'void' },
    ])
  })

  it('pairs a part that is a transfer with its other side', async () => {
    const { me, paid } = await household()
    const lines = tableOf(await exported(me, { format: 'csv' }))
    const parts = lines.filter(({ partOf }) => partOf === paid.id)
    expect(parts.map(only(['partAmount', 'category', 'tags', 'note', 'counterAccount']))).toEqual([
      ['-18.00', 'Groceries', 'trip', 'Food', ''],
      ['-10.00', '', '', '', '(Odd: [one]; |  two "quoted"'],
      ['-2.00', '', '', '', 'Tokyo'],
    ])
    const sides = lines.filter(({ kind, id }) => kind === 'transfer' && id?.startsWith(paid.id))
    expect(sides.map(({ amount }) => amount)).toEqual(['10.00', '324'])
    expect(sides.map(({ transferId }) => transferId)).toEqual(
      parts.slice(1).map(({ transferId }) => transferId),
    )
  })
})

describe('csvExcel', () => {
  it('writes numbers and dates as the language does', async () => {
    const { me, labelled } = await household()
    const german = await exported(me, { format: 'csvExcel', options: { locale: 'de-DE' } })
    expect(german.startsWith('\ufeffsep=;\r\nid;kind;date')).toBe(true)
    const lines = tableOf(german.slice('\ufeffsep=;\r\n'.length), ';')
    expect(lines.find(({ id }) => id === labelled.id)).toMatchObject({
      date: '21.03.2026',
      amount: '-5,00',
      rate: '0,8333',
      payee: `'=Tesco | "Dublin"`,
    })
    const american = await exported(me, { format: 'csvExcel', options: { locale: 'en-US' } })
    expect(american.startsWith('\ufeffid,kind,date')).toBe(true)
    expect(tableOf(american.slice(1)).find(({ id }) => id === labelled.id)).toMatchObject({
      date: '03/21/2026',
      amount: '-5.00',
    })
  })
})

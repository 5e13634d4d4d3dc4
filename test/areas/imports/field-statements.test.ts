import { describe, expect, it } from 'vitest'
import { listBalanceAssertions } from '../../../src/areas/money/balance-assertions/balance-assertions.routes.ts'
import {
  previewImport,
  revertImport,
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  getAccountByID,
  getUserAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok } from '../../support/api.ts'
import morning from '../../support/field/camt053-second-statement-of-the-day-1.xml?raw'
import evening from '../../support/field/camt053-second-statement-of-the-day-2.xml?raw'
import firefly from '../../support/field/csv-firefly-two-currencies.csv?raw'
import august from '../../support/field/dup-august.csv?raw'
import first from '../../support/field/dup-part-of-split-1.csv?raw'
import second from '../../support/field/dup-part-of-split-2.csv?raw'
import september from '../../support/field/dup-september.csv?raw'
import march from '../../support/field/ofx-balance-of-today-1-march.ofx?raw'
import toMay from '../../support/field/ofx-balance-of-today-2-to-may.ofx?raw'
import french from '../../support/field/qif-opening-in-french.qif?raw'
import twelve from '../../support/field/mt940-twelve-new-accounts.sta?raw'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { committed, ofx, settled, uploaded } from './importing.ts'

// What people met in other programs: files that come one after the other, and what the account must hold in the end.

async function owner(openingBalance = '100.00') {
  const me = await newUser()
  const { id: accountId } = await newAccount(me, { openingBalance, openingDate: '2026-03-01' })
  const balance = async () => (await ok(getAccountByID, { as: me, id: accountId })).balance
  const read = async (file: string, mapping: object = {}) => {
    const found = await uploaded(me, file, { accountId, again: 'true' })
    return Object.keys(mapping).length === 0
      ? found
      : ok(setImportMapping, { as: me, id: found.id, json: mapping as never })
  }
  const send = async (file: string, mapping: object = {}) =>
    (await committed(me, (await read(file, mapping)).id)).counts
  return { me, accountId, balance, read, send }
}

const withoutReferences = (text: string) => text.replace(/<AcctSvcrRef>.*?<\/AcctSvcrRef>/, '')
/** The same text in both files, and no reference. */
const alike = (text: string) =>
  withoutReferences(text)
    .replace(/<Nm>.*?<\/Nm>/, '<Nm>Kiosk</Nm>')
    .replace(/<Ustrd>.*?<\/Ustrd>/, '<Ustrd>Danke</Ustrd>')

const mt940 = (opening: string, closing: string, text: string) =>
  `:20:A\n:25:10050000/54540402\n:28C:1/1\n:60F:C260310EUR${opening}\n:61:2603100310D20,00NMSCNONREF\n:86:${text}\n:62F:C260310EUR${closing}\n-\n`

const download = (id: string, closing: string, name = 'SHOP') =>
  ofx([{ id, date: '2026-03-10', amount: '-20.00', name }], { closing }).replace(
    /<DTASOF>\d+/,
    '<DTASOF>20260310',
  )

describe('a second statement of one day', () => {
  it.each<[string, [string, string]]>([
    ['of CAMT', [morning, evening]],
    ['without references', [withoutReferences(morning), withoutReferences(evening)]],
    ['with one text and no references', [alike(morning), alike(evening)]],
    ['of MT940', [mt940('100,00', '80,00', 'BAKERY'), mt940('80,00', '60,00', 'CAR PARK')]],
    ['of MT940, with one text', [mt940('100,00', '80,00', 'A'), mt940('80,00', '60,00', 'A')]],
    ['of OFX', [download('1', '80.00', 'BAKERY'), download('2', '60.00', 'CAR PARK')]],
    ['of OFX, with one text', [download('1', '80.00'), download('2', '60.00')]],
    ['of OFX without balances', [download('1', ''), download('2', '')]],
  ])('%s tells of other rows than the first one', async (_, [first, second]) => {
    const { me, accountId, balance, send } = await owner()
    expect(await send(first)).toMatchObject({ rows: 1, new: 1 })
    expect(await send(second)).toMatchObject({ rows: 1, new: 1 })
    expect(await balance()).toBe('60.00')
    expect(await send(first)).toMatchObject({ duplicate: 1 })
    expect(await send(second)).toMatchObject({ duplicate: 1 })
    expect(await balance()).toBe('60.00')
    expect((await ok(listTransactions, { as: me, query: { accountId } })).count).toBe(3)
  })

  it('books each of two uploads that wait at the same time once', async () => {
    const { balance, me, read, send } = await owner()
    await send(alike(morning))
    const [one, other] = [await read(alike(evening)), await read(alike(evening))]
    await committed(me, one.id)
    expect((await committed(me, other.id)).counts).toMatchObject({ new: 0, duplicate: 1 })
    expect(await balance()).toBe('60.00')
  })

  it('is still found under another name if it tells the day again', async () => {
    const { balance, me, read, send } = await owner()
    await send(withoutReferences(morning))
    const again = withoutReferences(morning).replace('Bäckerei Krume', 'KRUME GMBH')
    const { id } = await read(again)
    expect((await ok(listImportRows, { as: me, id })).rows).toMatchObject([{ verdict: 'matched' }])
    const { statements } = await ok(previewImport, { as: me, id })
    expect(statements).toMatchObject([{ rows: 1, matched: 1, ok: true }])
    expect(await send(again)).toMatchObject({ new: 0 })
    expect(await balance()).toBe('80.00')
  })
})

it('twelve accounts that a file names are made with their opening balances, and taken back', async () => {
  const as = await newUser()
  const { id, accounts } = await uploaded(as, twelve)
  const accountMap = Object.fromEntries(accounts.map(({ foreign }) => [foreign, 'create']))
  const json = { accountMap, categoryMap: { '*': 'create' } }
  await ok(setImportMapping, { as, id, json })
  const { state, counts, statements: said } = await committed(as, id)
  const statements = said as { ok: boolean }[]
  expect([state, counts['new']]).toEqual(['done', 12])
  expect(statements).toHaveLength(12)
  expect(statements).toEqual(statements.map(() => expect.objectContaining({ ok: true })))
  const made = async () => (await ok(getUserAccounts, { as })).accounts
  const balances = (await made()).map(({ openingBalance, balance }) => [openingBalance, balance])
  expect(balances.toSorted((a, b) => Number(a[0]) - Number(b[0]))).toEqual(
    Array.from({ length: 12 }, (_, n) => [`${n + 1}00.00`, `${100 * (n + 1) - n - 1.5}0`]),
  )
  await ok(revertImport, { as, id, json: {} })
  expect(await settled(as, id)).toMatchObject({ reverted: { removed: 12, kept: [] } })
  expect(await made()).toEqual([])
})

describe('what a file says that an account held', () => {
  const made = async (me: TestUser, file: string) => {
    const { id } = await uploaded(me, file)
    const mapped = await ok(setImportMapping, { as: me, id, json: { accountId: 'create' } })
    return { id, accountId: (await previewOf(me, mapped.id)).accountId }
  }
  const previewOf = async (me: TestUser, id: string) => {
    const [account] = (await ok(previewImport, { as: me, id })).accounts
    if (!account) {
      throw new Error('No account')
    }
    return account
  }
  const shown = async (as: TestUser, id: string) => {
    const { openingBalance, openingDate, balance } = await ok(getAccountByID, { as, id })
    return [openingBalance, openingDate, balance]
  }

  it('on a later day is no balance of its own days, until a file tells of that day', async () => {
    const me = await newUser()
    const { id, accountId } = await made(me, march)
    expect(await previewOf(me, id)).toMatchObject({ balanceAfter: '150.00', proposedOpening: null })
    const first = await committed(me, id, { assertBalances: true })
    expect(first['statements']).toMatchObject([
      { opening: null, to: '2026-03-31', closing: '430.00', closingDate: '2026-05-12', ok: null },
    ])
    expect(await shown(me, accountId)).toEqual(['0.00', '2026-03-05', '150.00'])
    const asserted = async () =>
      (await ok(listBalanceAssertions, { as: me })).balanceAssertions.map(
        ({ date, amount, result }) => [...[date, amount, result.ok]],
      )
    expect(await asserted()).toEqual([['2026-05-12', '430.00', false]])

    const second = await uploaded(me, toMay, { accountId })
    expect(await previewOf(me, second.id)).toMatchObject({
      balanceAfter: '430.00',
      proposedOpening: { amount: '400.00', message: expect.stringContaining('sets it') },
    })
    await committed(me, second.id)
    expect(await shown(me, accountId)).toEqual(['400.00', '2026-03-05', '430.00'])
    expect(await asserted()).toEqual([['2026-05-12', '430.00', true]])
  })

  it('opens the account that is created of it', async () => {
    const me = await newUser()
    const { id, accountId } = await made(me, toMay)
    expect(await previewOf(me, id)).toMatchObject({ balanceAfter: '430.00' })
    await committed(me, id)
    expect(await shown(me, accountId)).toEqual(['550.00', '2026-04-01', '430.00'])
  })

  it('is the opening balance where the first row names its own account, whatever it is called', async () => {
    const { balance, send } = await owner('250.00')
    const mapping = { dateOrder: 'DMY' as const }
    expect(await send(french, mapping)).toMatchObject({ new: 2, ignored: 1 })
    expect(await balance()).toBe('207.60')
    const me = await newUser()
    const { id } = await uploaded(me, french)
    const json = { ...mapping, accountId: 'create', currency: 'EUR', decimal: '.' } as const
    await ok(setImportMapping, { as: me, id, json })
    const { accountId } = await previewOf(me, id)
    await committed(me, id)
    expect(await shown(me, accountId)).toEqual(['250.00', '2009-03-01', '207.60'])
  })
})

it('accounts that a file names are proposed and created in the currencies of their rows', async () => {
  const me = await newUser()
  const { id, questions } = await uploaded(me, firefly, { fileName: 'firefly.csv' })
  expect(questions).toMatchObject([
    {
      key: 'accounts',
      choices: [
        { foreign: 'Hryvnia', currency: 'UAH' },
        { foreign: 'Dollars', currency: 'USD' },
      ],
    },
  ])
  const json = {
    accountMap: { Hryvnia: 'create', Dollars: 'create' },
    categoryMap: { '*': 'create' },
  }
  const mapped = await ok(setImportMapping, { as: me, id, json })
  expect([mapped.state, mapped.counts.error]).toEqual(['previewed', 0])
  await committed(me, id, { transfers: 'match' })
  const { accounts } = await ok(getUserAccounts, { as: me })
  expect(accounts.map(({ name, balance }) => [name, balance]).toSorted()).toEqual([
    ['Dollars', '812.00'],
    ['Hryvnia', '9598.08'],
  ])
  expect((await ok(listTransfers, { as: me })).transfers).toMatchObject([
    { date: '2019-09-06', amount: '20401.92', toAmount: '800.00' },
  ])
  const { transactions } = await ok(listTransactions, { as: me })
  expect(
    transactions
      .filter(({ kind }) => kind === 'expense' || kind === 'income')
      .map(({ date, amount, currency }) => [date, amount, currency]),
  ).toEqual([
    ['2019-09-30', '20.00', 'USD'],
    ['2019-09-07', '8.00', 'USD'],
  ])
})

describe('equal rows of several files', () => {
  it('are bookings of their own on days that only one file tells of', async () => {
    const { accountId, me, send } = await owner('0.00')
    await send(august)
    await send(september)
    const { transactions } = await ok(listTransactions, { as: me, query: { accountId } })
    expect(transactions.map(({ date, amount }) => [date, amount])).toEqual([
      ['2023-09-01', '2.40'],
      ['2023-09-01', '2.40'],
      ['2023-08-30', '2.40'],
    ])
  })

  it('are known where one was split, and a part of it is no other row', async () => {
    const { accountId, balance, me, send } = await owner('0.00')
    await send(first)
    const [booked] = (await ok(listTransactions, { as: me, query: { accountId } })).transactions
    const splits = [{ amount: '90.25' }, { amount: '50.00' }]
    await ok(updateTransaction, { as: me, id: booked?.id ?? '', json: { splits } })
    expect(await send(second)).toMatchObject({ duplicate: 1, new: 1 })
    expect(await balance()).toBe('-190.25')
  })
})

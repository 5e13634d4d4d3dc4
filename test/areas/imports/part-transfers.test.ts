import { describe, expect, it } from 'vitest'
import { revertImport, setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import {
  listTransfers,
  updateTransfer,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { bothOf, committed, csv, settled, uploaded } from './importing.ts'

async function twoAccounts() {
  const me = await newUser()
  const checking = await newAccount(me, { name: 'Checking' })
  const savings = await newAccount(me, { name: 'Savings' })
  const accountMap = { Checking: checking.id, Savings: savings.id }
  const balances = async () =>
    [
      (await ok(getAccountByID, { as: me, id: checking.id })).balance,
      (await ok(getAccountByID, { as: me, id: savings.id })).balance,
    ] as const
  /** Of each row of an account, whether it is the other side of a part. */
  const legsOf = async (accountId: string) => {
    const { transactions } = await ok(listTransactions, { as: me, query: { accountId } })
    return transactions.map(({ signedAmount, kind }) => `${signedAmount} ${kind}`).toSorted()
  }
  const read = async (file: string, json: object = {}) => {
    const { id } = await uploaded(me, file)
    const shown = await ok(setImportMapping, { as: me, id, json: { accountMap, ...json } })
    expect(shown.state, JSON.stringify(shown.questions)).toBe('previewed')
    return { id, counts: shown.counts as Record<string, number> }
  }
  return { me, checking, savings, balances, legsOf, read, accountMap }
}

const qif = (account: string, ...records: string[]) =>
  `!Account\nN${account}\nTBank\n^\n!Type:Bank\n${records.map((one) => `${one}\n^`).join('\n')}\n`
const CHECKING = qif(
  'Checking',
  "D2/14'26\nT-150.00\nPShop\nSFood\n$-20.00\nS[Savings]\n$-100.00\nS[Savings]\n$-30.00",
  "D2/28'26\nT-1.00\nPBread",
)
const SAVINGS = qif(
  'Savings',
  "D2/14'26\nT100.00\nL[Checking]",
  "D2/14'26\nT30.00\nL[Checking]",
  "D2/28'26\nT2.00\nPInterest",
)

describe('parts of splits that are transfers', () => {
  it('are joined with the rows of their other account, and never counted twice', async () => {
    const { me, savings, checking, balances, legsOf, read } = await twoAccounts()
    const { id, counts } = await read(CHECKING + SAVINGS, { dateOrder: 'MDY' })
    expect(counts).toMatchObject({ rows: 5, transfer: 2, new: 3 })
    await committed(me, id, { transfers: 'match' })
    expect(await balances()).toEqual(['-151.00', '132.00'])
    expect(await legsOf(savings.id)).toEqual(['100.00 transfer', '2.00 income', '30.00 transfer'])
    expect(await legsOf(checking.id)).toEqual(['-1.00 expense', '-150.00 expense'])
    const again = await read(CHECKING + SAVINGS, { dateOrder: 'MDY' })
    expect(again.counts).toMatchObject({ duplicate: 5 })
    // Both sides are of this import, so no force is needed.
    await ok(revertImport, { as: me, id, json: {} })
    const { reverted } = await settled(me, id)
    expect([await balances(), reverted]).toEqual([
      ['0.00', '0.00'],
      { removed: 5, restored: 0, kept: [] },
    ])
  })

  it.each([
    ['the whole first', CHECKING, CHECKING + SAVINGS],
    ['the other side first', SAVINGS, CHECKING + SAVINGS],
  ])('are joined when the files come one by one: %s', async (_, first, second) => {
    const { me, savings, balances, legsOf, read } = await twoAccounts()
    await committed(me, (await read(first, { dateOrder: 'MDY' })).id, { transfers: 'match' })
    await committed(me, (await read(second, { dateOrder: 'MDY' })).id, { transfers: 'match' })
    expect(await balances()).toEqual(['-151.00', '132.00'])
    expect(await legsOf(savings.id)).toEqual(['100.00 transfer', '2.00 income', '30.00 transfer'])
  })

  it('of a plan of YNAB share an id with their other side', async () => {
    const { me, savings, checking, balances, legsOf, read } = await twoAccounts()
    const account = (id: string, name: string) => ({ id, name, type: 'checking', balance: 0 })
    const one = (id: string, account_id: string, amount: number, more: object) => ({
      ...{ id, date: '2026-02-14', amount, account_id, cleared: 'cleared', ...more },
    })
    const budget = {
      ...{ id: 'b', name: 'B', currency_format: { iso_code: 'EUR' } },
      accounts: [account('C', 'Checking'), account('S', 'Savings')],
      ...{ payees: [], categories: [], category_groups: [] },
      transactions: [
        one('t1', 'C', -50_000, {}),
        one('t2', 'S', 30_000, { transfer_account_id: 'C', transfer_transaction_id: 's2' }),
      ],
      subtransactions: [
        { id: 's1', transaction_id: 't1', amount: -20_000 },
        {
          ...{ id: 's2', transaction_id: 't1', amount: -30_000 },
          ...{ transfer_account_id: 'S', transfer_transaction_id: 't2' },
        },
      ],
    }
    const { id, counts } = await read(JSON.stringify({ data: { budget } }), {
      accountMap: { C: checking.id, S: savings.id },
    })
    expect(counts).toMatchObject({ transfer: 1, new: 1 })
    await committed(me, id, { transfers: 'match' })
    expect(await balances()).toEqual(['-50.00', '30.00'])
    expect(await legsOf(savings.id)).toEqual(['30.00 transfer'])
  })

  it('of GnuCash are rows of their own account', async () => {
    const { me, savings, checking, balances, legsOf, read } = await twoAccounts()
    const file = [
      'Date,Transaction ID,Number,Description,Notes,Full Account Name,Memo,Reconcile,Amount Num.,Value Num.,Rate/Price',
      '14/03/2026,t1,,Pay,,Assets:Checking,,n,1000.00,1000.00,1',
      ',,,,,Income:Salary,,n,-1100.00,-1100.00,1',
      ',,,,,Assets:Savings,,n,100.00,100.00,1',
      '',
    ].join('\n')
    const accountMap = { 'Assets:Checking': checking.id, 'Assets:Savings': savings.id }
    const { id } = await read(file, { accountMap })
    await committed(me, id, { transfers: 'match' })
    expect(await balances()).toEqual(['1000.00', '100.00'])
    expect(await legsOf(savings.id)).toEqual(['100.00 transfer'])
  })
})

it('a transfer that an import booked both sides of goes with it, unless somebody changed or reconciled it', async () => {
  const { me, savings, balances, read } = await twoAccounts()
  const days = ["2/14'26", "2/15'26", "2/16'26"]
  const out = days.map((day, at) => `D${day}\nT-${at + 1}.00\nL[Savings]`)
  const back = days.map((day, at) => `D${day}\nT${at + 1}.00\nL[Checking]`)
  const { id } = await read(qif('Checking', ...out) + qif('Savings', ...back), {
    dateOrder: 'MDY',
  })
  await committed(me, id, { transfers: 'match' })
  const { transfers } = await ok(listTransfers, { as: me })
  const [, changed, reconciled] = transfers.toSorted((a, b) => (a.date < b.date ? -1 : 1))
  await ok(updateTransfer, { as: me, id: changed?.id ?? '', json: { description: 'Mine' } })
  await rows(
    "UPDATE entries SET status = 'reconciled' WHERE transaction_id = ? AND account_id = ?",
    ...[reconciled?.id, savings.id],
  )
  const { report } = await ok(revertImport, { as: me, id, json: { dryRun: true } })
  await ok(revertImport, { as: me, id, json: {} })
  const { reverted } = await settled(me, id)
  expect(reverted).toEqual(report)
  expect(report?.kept.map(({ reason }) => reason).toSorted()).toEqual([
    ...['reconciled', 'reconciled', 'transfer', 'transfer'],
  ])
  expect(report?.kept.every(({ message }) => message.includes('Send `force: true`'))).toBe(true)
  expect([await balances(), report?.removed]).toEqual([['-5.00', '5.00'], 2])
})

describe('a file with several sides of an imported row that was split', () => {
  const hotel = { id: '77', date: '2025-03-10', amount: '-100.00', name: 'HOTEL' }
  const corrected = (id: string, by: string, action: 'REPLACE' | 'DELETE') => ({
    ...{ id: by, date: '2025-03-12', amount: '-100.00', name: 'HOTEL LATE' },
    corrects: { id, action },
  })
  const arrived = (id: string, amount: string) => ({
    ...{ id, date: '2025-03-10', amount, name: `ARRIVED ${id}` },
  })

  async function splitRow(transferred: string[], file: string, json: object = {}) {
    const made = await twoAccounts()
    const { me, checking, savings, balances, read } = made
    const accountMap = { '1/11': checking.id, '1/22': savings.id, ...made.accountMap }
    const send = async (text: string, options: object = {}) =>
      committed(me, (await read(text, { accountMap, ...json })).id, options)
    await send(file)
    const [row] = await rows<{ id: string }>(
      "SELECT id FROM transactions WHERE owner_id = ? AND payee_raw = 'HOTEL'",
      me.id,
    )
    const id = row?.id ?? ''
    const parts = transferred.map((amount) => ({ amount, transferAccountId: savings.id }))
    await ok(updateTransaction, {
      ...{ as: me, id, json: { splits: [{ amount: '20.00' }, ...parts] } },
    })
    const sides = async () =>
      (
        await rows<Record<string, string>>(
          `SELECT date, (amount_minor / 100) || ' ' || status AS side FROM entries
            WHERE transaction_id = ? AND side = 'account' ORDER BY line`,
          id,
        )
      ).map(({ date, side }) => `${date} ${side}`)
    const revert = async (importId: string) => {
      await ok(revertImport, { as: me, id: importId, json: {} })
      const { reverted } = await settled(me, importId)
      expect([await differencesOf(me), await flawsOfLog(me)]).toEqual([[], []])
      return reverted
    }
    return { me, id, savings, send, sides, revert, balances }
  }

  it('leaves it where the bank withdraws it, and confirms its other side', async () => {
    const { send, sides, revert, balances } = await splitRow(['80.00'], bothOf([hotel], []))
    const file = bothOf([corrected('77', '90', 'DELETE')], [arrived('501', '80.00')])
    const { id, state, counts, error } = await send(file)
    expect([state, error]).toEqual(['done', null])
    expect(counts).toMatchObject({ ignored: 1, matched: 1, updated: 0 })
    expect(await sides()).toEqual(['2025-03-10 -100 cleared', '2025-03-10 80 cleared'])
    expect(await revert(id)).toEqual({ removed: 0, restored: 1, kept: [] })
    expect(await sides()).toEqual(['2025-03-10 -100 cleared', '2025-03-10 80 uncleared'])
    expect(await balances()).toEqual(['-100.00', '80.00'])
  })

  it('leaves it where the bank withdraws it and its other side is reconciled', async () => {
    const { id, savings, send, sides } = await splitRow(['80.00'], bothOf([hotel], []))
    await rows(
      "UPDATE entries SET status = 'reconciled' WHERE transaction_id = ? AND account_id = ?",
      ...[id, savings.id],
    )
    const { counts } = await send(bothOf([corrected('77', '90', 'DELETE')], []))
    expect(counts).toMatchObject({ ignored: 1, updated: 0 })
    expect(await sides()).toEqual(['2025-03-10 -100 cleared', '2025-03-10 80 reconciled'])
  })

  it('replaces it on its day where its other side is reconciled', async () => {
    const { me, id, savings, send, sides } = await splitRow(['80.00'], bothOf([hotel], []))
    await rows(
      "UPDATE entries SET status = 'reconciled' WHERE transaction_id = ? AND account_id = ?",
      ...[id, savings.id],
    )
    const { id: importId } = await send(bothOf([corrected('77', '91', 'REPLACE')], []))
    expect(await sides()).toEqual(['2025-03-10 -100 cleared', '2025-03-10 80 reconciled'])
    await ok(revertImport, { as: me, id: importId, json: {} })
    await settled(me, importId)
    expect(await sides()).toEqual(['2025-03-10 -100 cleared', '2025-03-10 80 reconciled'])
  })

  it('replaces it and confirms two other sides, and takes that back', async () => {
    const { send, sides, revert, balances } = await splitRow(
      ['30.00', '50.00'],
      bothOf([hotel], []),
    )
    const { id, counts } = await send(
      bothOf(
        [corrected('77', '91', 'REPLACE')],
        [arrived('501', '50.00'), arrived('502', '30.00')],
      ),
    )
    expect(counts).toMatchObject({ matched: 2, updated: 1 })
    expect(await sides()).toEqual([
      ...['2025-03-12 -100 cleared', '2025-03-12 30 cleared', '2025-03-12 50 cleared'],
    ])
    expect(await revert(id)).toEqual({ removed: 0, restored: 3, kept: [] })
    expect(await sides()).toEqual([
      ...['2025-03-10 -100 cleared', '2025-03-10 30 uncleared', '2025-03-10 50 uncleared'],
    ])
    expect(await balances()).toEqual(['-100.00', '80.00'])
  })

  it('replaces it where the bank of its other side withdraws that', async () => {
    const { send, sides, revert } = await splitRow(['80.00'], bothOf([hotel], []))
    await send(bothOf([], [arrived('501', '80.00')]))
    const withdrawn = { ...corrected('501', '599', 'DELETE'), amount: '80.00' }
    const file = bothOf([corrected('77', '91', 'REPLACE')], [withdrawn])
    const { id, counts } = await send(file)
    expect(counts).toMatchObject({ updated: 1, ignored: 1 })
    expect(await sides()).toEqual(['2025-03-12 -100 cleared', '2025-03-12 80 cleared'])
    expect(await revert(id)).toEqual({ removed: 0, restored: 1, kept: [] })
    expect(await sides()).toEqual(['2025-03-10 -100 cleared', '2025-03-10 80 cleared'])
  })

  it.each([
    ['books', 'Checking,2026-05-03,HOTEL,-100.00,Booked', '2026-05-03 -100 cleared'],
    ['keeps', 'Checking,2026-05-20,JAM,-5.00,Booked', '2026-05-02 -100 pending'],
  ])('%s it where it was pending, and confirms its other side', async (_verb, line, whole) => {
    const heading = 'Account,Date,Payee,Amount,Status'
    const bread = 'Checking,2026-05-01,BREAD,-4.00,Booked'
    const held = csv([bread, 'Checking,2026-05-02,HOTEL,-100.00,Pending'], heading)
    const { send, sides, revert } = await splitRow(['80.00'], held, { pending: 'import' })
    const posted = csv([bread, line, 'Savings,2026-05-02,ARRIVED,80.00,Booked'], heading)
    const { id, counts } = await send(posted, { vanished: 'trash' })
    expect(counts).toMatchObject({ matched: 1, duplicate: 1 })
    expect(await sides()).toEqual([whole, `${whole.slice(0, 10)} 80 cleared`])
    expect(await revert(id)).toMatchObject({ kept: [] })
    expect(await sides()).toEqual(['2026-05-02 -100 pending', '2026-05-02 80 uncleared'])
  })
})

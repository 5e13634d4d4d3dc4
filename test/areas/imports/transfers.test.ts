import { describe, expect, it } from 'vitest'
import {
  commitImport,
  revertImport,
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { commitImportJob } from '../../../src/areas/intake/imports/imports.jobs.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransfer,
  deleteTransfer,
  getTransfer,
  listTransfers,
} from '../../../src/areas/money/transfers/transfers.routes.ts'
import { listTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import {
  createTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { flawsOfLog } from '../ledger/replay.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

const IBAN = 'DE89370400440532013000'
const balanceOf = async (as: TestUser, { id }: { id: string }) =>
  (await ok(getAccountByID, { as, id })).balance
const matchedIn = async ({ id }: TestUser) =>
  (
    await rows<{ count: number }>(
      "SELECT count(*) AS count FROM transactions WHERE owner_id = ? AND kind = 'transfer'",
      id,
    )
  )[0]?.count

async function twoAccounts() {
  const me = await newUser()
  const checking = await newAccount(me, { name: 'Everyday' })
  const savings = await newAccount(me, { name: 'Rainy day', iban: IBAN })
  return { me, checking, savings }
}

describe('a transfer across two files', () => {
  const heading = 'Date,Payee,Counterparty IBAN,Amount'
  const checkings = csv([`2026-03-20,STANDING ORDER,${IBAN},-500.00`], heading)
  const savingss = csv(['2026-03-22,STANDING ORDER,500.00'])

  it.each(['suggest', 'match'] as const)(
    'is told, and joined as the commit says: %s',
    async (transfers) => {
      const { me, checking, savings } = await twoAccounts()
      const first = await uploaded(me, checkings, { accountId: checking.id })
      expect((await committed(me, first.id, { transfers })).counts).toMatchObject({ new: 1 })
      expect(await balanceOf(me, checking)).toBe('-500.00')
      const second = await uploaded(me, savingss, { accountId: savings.id })
      expect(second.questions.map(({ key }) => key)).toEqual(['sign'])
      const read = { as: me, id: second.id, json: { sign: 'asIs' as const } }
      expect((await ok(setImportMapping, read)).counts).toMatchObject({ transfer: 1 })
      expect((await committed(me, second.id, { transfers })).counts).toMatchObject({ transfer: 1 })
      expect([await balanceOf(me, checking), await balanceOf(me, savings)]).toEqual([
        ...['-500.00', '500.00'],
      ])
      const { transfers: found } = await ok(listTransfers, { as: me })
      expect(found.map(({ date }) => date)).toEqual(transfers === 'match' ? ['2026-03-20'] : [])
      const again = await uploaded(me, checkings, { accountId: checking.id })
      expect(again.counts).toMatchObject({ duplicate: 1 })
      const [transfer] = found
      if (transfer) {
        // What goes to the trash with the transfer stays there.
        await ok(deleteTransfer, { as: me, id: transfer.id })
        const query = { accountId: checking.id, again: 'true' }
        const trashed = await uploaded(me, checkings, query)
        const { rows: shown } = await ok(listImportRows, { as: me, id: trashed.id })
        expect(shown).toMatchObject([
          { verdict: 'duplicate', reason: 'inTrash', matchedId: transfer.id },
        ])
        await committed(me, trashed.id)
        expect(await balanceOf(me, checking)).toBe('0.00')
      }
    },
  )
})

describe('a transfer typed by hand', () => {
  it('is told of by a file of each account, and never doubled', async () => {
    const { me, checking, savings } = await twoAccounts()
    const typed = await ok(createTransfer, {
      as: me,
      json: {
        ...{ fromAccountId: checking.id, toAccountId: savings.id, amount: '500.00' },
        ...{ date: '2026-03-20', description: 'For a rainy day' },
      },
    })
    const send = async (line: string, { id: accountId }: { id: string }) => {
      const { id } = await uploaded(me, csv(['2026-02-01,BREAD,-1.00', line]), { accountId })
      await ok(setImportMapping, { as: me, id, json: { sign: 'asIs' } })
      expect((await committed(me, id)).counts).toMatchObject({ new: 1, matched: 1 })
      return id
    }
    const first = await send('2026-03-20,SEPA 77,-500.00', checking)
    await send('2026-03-21,EINGANG 77,500.00', savings)
    expect([await balanceOf(me, checking), await balanceOf(me, savings)]).toEqual([
      ...['-501.00', '499.00'],
    ])
    const now = await ok(getTransfer, { as: me, id: typed.id })
    expect(now).toMatchObject({ date: '2026-03-20', description: 'For a rainy day' })
    await ok(revertImport, { as: me, id: first, json: {} })
    expect(await settled(me, first)).toMatchObject({ reverted: { removed: 1, restored: 1 } })
    expect([await balanceOf(me, checking), await balanceOf(me, savings)]).toEqual([
      ...['-500.00', '499.00'],
    ])
  })
})

describe('a part of a split that is a transfer', () => {
  it('is told of by the file of its other account, and keeps what is of the whole', async () => {
    const { me, checking, savings } = await twoAccounts()
    const whole = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: checking.id, date: '2026-03-20', amount: '37.00' },
        ...{ payeeRaw: 'SUPERMARKET', status: 'uncleared' },
        splits: [{ amount: '7.00' }, { amount: '30.00', transferAccountId: savings.id }],
      },
    })
    const file = csv(['2026-02-01,BREAD,-1.00', '2026-03-20,CASH IN,30.00'])
    const { id } = await uploaded(me, file, { accountId: savings.id })
    await ok(setImportMapping, { as: me, id, json: { sign: 'asIs' } })
    expect((await committed(me, id)).counts).toMatchObject({ new: 1, matched: 1 })
    expect([await balanceOf(me, checking), await balanceOf(me, savings)]).toEqual([
      ...['-37.00', '29.00'],
    ])
    const now = await ok(getTransaction, { as: me, id: whole.id })
    expect(now).toMatchObject({ payeeRaw: 'SUPERMARKET', status: 'uncleared' })
    expect(now.splits?.[1]?.transfer).toMatchObject({ status: 'cleared' })
    await ok(revertImport, { as: me, id, json: {} })
    expect(await settled(me, id)).toMatchObject({ reverted: { removed: 1, restored: 1 } })
    const { splits } = await ok(getTransaction, { as: me, id: whole.id })
    expect(splits).toEqual(whole.splits)
  })
})

describe('the words of a split', () => {
  it('stay where the file of the other account also matches a transaction of its own', async () => {
    const { me, checking, savings } = await twoAccounts()
    const json = { kind: 'expense', date: '2026-03-20' } as const
    const words = { payeeRaw: 'SUPERMARKET', note: 'For the week', time: '10:30' }
    const whole = await ok(createTransaction, {
      as: me,
      json: {
        ...{ ...json, ...words, accountId: checking.id, amount: '37.00' },
        splits: [{ amount: '7.00' }, { amount: '30.00', transferAccountId: savings.id }],
      },
    })
    await ok(createTransaction, {
      as: me,
      json: { ...json, accountId: savings.id, amount: '1.00', payeeRaw: 'BREAD' },
    })
    const file = csv(['2026-03-20,BREAD,-1.00', '2026-03-20,CASH IN,30.00'])
    const { id } = await uploaded(me, file, { accountId: savings.id })
    await ok(setImportMapping, { as: me, id, json: { sign: 'asIs' } })
    expect((await committed(me, id)).counts).toMatchObject({ matched: 2 })
    expect(await ok(getTransaction, { as: me, id: whole.id })).toMatchObject(words)
    await ok(revertImport, { as: me, id, json: {} })
    expect(await settled(me, id)).toMatchObject({ reverted: { restored: 2 } })
    expect(await ok(getTransaction, { as: me, id: whole.id })).toMatchObject(words)
  })
})

describe('a file with several sides of one transaction', () => {
  const sidesOf = (transactionId: string) =>
    rows<{ line: number; status: string; payee: string | null }>(
      `SELECT line, status, payee_raw AS payee FROM entries
        WHERE transaction_id = ? AND side = 'account' ORDER BY line`,
      transactionId,
    )
  const uncleared = (lines: number[]) =>
    lines.map((line) => ({ line, status: 'uncleared', payee: null }))

  it('confirms both legs of a transfer that was typed, in one version, and takes that back', async () => {
    const { me, checking, savings } = await twoAccounts()
    const json = { fromAccountId: checking.id, toAccountId: savings.id, date: '2026-03-20' }
    const transfer = await ok(createTransfer, { as: me, json: { ...json, amount: '50' } })
    const file = csv(
      ['A,2026-03-20,OUT,-50.00', 'B,2026-03-20,IN,50.00', 'A,2026-03-22,TEA,-2.00'],
      'Account,Date,Payee,Amount',
    )
    const { id } = await uploaded(me, file)
    const accountMap = { A: checking.id, B: savings.id }
    await ok(setImportMapping, { as: me, id, json: { accountMap } })
    expect(await committed(me, id)).toMatchObject({
      state: 'done',
      counts: { matched: 2, new: 1 },
    })
    const { version, from, to } = await ok(getTransfer, { as: me, id: transfer.id })
    expect([version, from.status, to.status]).toEqual([2, 'cleared', 'cleared'])
    expect([from.payeeRaw, to.payeeRaw]).toEqual(['OUT', 'OUT'])
    await ok(revertImport, { as: me, id, json: {} })
    expect(await settled(me, id)).toMatchObject({ reverted: { removed: 1, restored: 2 } })
    expect(await sidesOf(transfer.id)).toEqual(uncleared([1, 2]))
    const reverted = await ok(getTransfer, { as: me, id: transfer.id })
    expect([reverted.version, reverted.from.payeeRaw]).toEqual([3, null])
    expect([await differencesOf(me), await flawsOfLog(me)]).toEqual([[], []])
  })

  it('confirms two parts on one account, each with its own words, and takes that back', async () => {
    const { me, checking, savings } = await twoAccounts()
    const part = (amount: string) => ({ amount, transferAccountId: savings.id })
    const whole = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: checking.id, date: '2026-03-20', amount: '70.00' },
        splits: [part('30.00'), part('40.00')],
      },
    })
    const file = csv(['2026-03-20,SECOND,40.00', '2026-03-20,FIRST,30.00'])
    const { id } = await uploaded(me, file, { accountId: savings.id })
    await ok(setImportMapping, { as: me, id, json: { sign: 'asIs' } })
    expect(await committed(me, id)).toMatchObject({ state: 'done', counts: { matched: 2 } })
    expect(await sidesOf(whole.id)).toEqual([
      ...uncleared([1]),
      { line: 4, status: 'cleared', payee: 'FIRST' },
      { line: 6, status: 'cleared', payee: 'SECOND' },
    ])
    await ok(revertImport, { as: me, id, json: {} })
    expect(await settled(me, id)).toMatchObject({ reverted: { restored: 2 } })
    expect(await sidesOf(whole.id)).toEqual(uncleared([1, 4, 6]))
    expect([await differencesOf(me), await flawsOfLog(me)]).toEqual([[], []])
  })
})

describe('a QIF file with both sides', () => {
  const rowsOf = (amount: string, other: string, count: number) =>
    Array.from({ length: count }, () => `D2/14'26\nT${amount}\nL[${other}]\n^`).join('\n')
  const file = (savings: number) =>
    `!Account\nNChecking\nTBank\n^\n!Type:Bank\nD2/25'26\nT-1.00\nPBREAD\n^\n${rowsOf('-200.00', 'Savings', 2)}\n` +
    `!Account\nNSavings\nTBank\n^\n!Type:Bank\n${rowsOf('200.00', 'Checking', savings)}\n`

  async function sent(count: number) {
    const me = await newUser()
    const checking = await newAccount(me, { name: 'Checking' })
    const savings = await newAccount(me, { name: 'Savings' })
    let found = await uploaded(me, file(count))
    if (found.state === 'questions') {
      found = (await ok(setImportMapping, {
        as: me,
        id: found.id,
        json: { dateOrder: 'MDY', accountMap: { Checking: checking.id, Savings: savings.id } },
      })) as unknown as typeof found
    }
    expect(found).toMatchObject({ state: 'previewed', counts: { transfer: 4 } })
    return { me, checking, savings, id: found.id }
  }

  it('becomes two transfers, not four', async () => {
    const { me, checking, savings, id } = await sent(2)
    expect(await committed(me, id, { transfers: 'match' })).toMatchObject({ state: 'done' })
    expect(await matchedIn(me)).toBe(2)
    expect([await balanceOf(me, checking), await balanceOf(me, savings)]).toEqual([
      ...['-401.00', '400.00'],
    ])
    const logged = await rows(
      `SELECT DISTINCT l.resource_id FROM log_events l JOIN transactions t ON replace(t.id, 'trf_', 'txn_') || '-1' = l.resource_id
        WHERE t.owner_id = ? AND t.kind = 'transfer'`,
      me.id,
    )
    expect(logged).toHaveLength(2)
  })

  it('joins as many transfers as there are', async () => {
    const me = await newUser()
    const [checking, savings] = [
      await newAccount(me, { name: 'Checking' }),
      await newAccount(me, { name: 'Savings' }),
    ]
    const side = (name: string, other: string, sign: string) =>
      `!Account\nN${name}\nTBank\n^\n!Type:Bank\n${Array.from({ length: 130 }, (_, at) => `D2/${(at % 28) + 1}'26\nT${sign}${at + 1}.00\nL[${other}]\n^`).join('\n')}\n`
    const file = side('Checking', 'Savings', '-') + side('Savings', 'Checking', '')
    const { id } = await uploaded(me, file)
    const accountMap = { Checking: checking.id, Savings: savings.id }
    await ok(setImportMapping, { as: me, id, json: { dateOrder: 'MDY', accountMap } })
    expect(await committed(me, id, { transfers: 'match' })).toMatchObject({ state: 'done' })
    expect(await matchedIn(me)).toBe(130)
    expect([await balanceOf(me, checking), await balanceOf(me, savings)]).toEqual([
      ...['-8515.00', '8515.00'],
    ])
  })

  it.each([true, false])(
    'is joined once, wherever it is killed; after the trip: %s',
    async (isDone) => {
      const { me, checking, savings, id } = await sent(2)
      await call(commitImport, { as: me, id, json: { transfers: 'match', vanished: 'trash' } })
      for (let at = 1; at < 22; at++) {
        const killing = databaseWith(async (trip, go) => {
          if (trip !== at) {
            return go()
          }
          await (isDone ? go() : undefined)
          throw new Error('killed')
        }).withSession('first-primary')
        await Promise.resolve(
          commitImportJob.run(contextWith({ database: killing }), { importId: id }, []),
        ).catch(() => undefined)
        expect([0, 2]).toContain(await matchedIn(me))
      }
      expect(await settled(me, id)).toMatchObject({
        state: 'done',
        counts: { transfer: 4, new: 1 },
      })
      expect(await matchedIn(me)).toBe(2)
      expect([await balanceOf(me, checking), await balanceOf(me, savings)]).toEqual([
        ...['-401.00', '400.00'],
      ])
    },
  )
})

describe('a pending transaction that the next file does not tell of', () => {
  it('goes to the trash where the commit says so, and comes back with a revert', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const heading = 'Date,Payee,Amount,Status'
    const send = async (lines: string[]) => {
      const { id } = await uploaded(me, csv(lines, heading), { accountId: account.id })
      return ok(setImportMapping, { as: me, id, json: { pending: 'import' } })
    }
    const first = await send(['2026-03-02,HOTEL,-50.00,Pending', '2026-03-01,TEA,-2.00,Booked'])
    await committed(me, first.id)
    expect(await balanceOf(me, account)).toBe('-52.00')
    const next = [
      ...['2026-03-01,TEA,-2.00,Booked', '2026-02-25,MILK,-1.00,Booked'],
      '2026-03-20,BREAD,-4.00,Booked',
    ]
    const second = await send(next)
    await committed(me, second.id)
    expect(await balanceOf(me, account)).toBe('-57.00')
    const third = await send([...next, '2026-03-21,CAKE,-5.00,Booked'])
    await committed(me, third.id, { vanished: 'trash' })
    expect(await balanceOf(me, account)).toBe('-12.00')
    expect((await ok(listTrash, { as: me })).count).toBe(1)
    await ok(revertImport, { as: me, id: third.id, json: {} })
    expect(await settled(me, third.id)).toMatchObject({ reverted: { removed: 1, restored: 1 } })
    expect(await balanceOf(me, account)).toBe('-57.00')
  })
})

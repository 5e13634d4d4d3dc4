import { describe, expect, it } from 'vitest'
import {
  previewImport,
  revertImport,
  setImportMapping,
  listImportRows,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  deleteTransaction,
  getTransaction,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { lock } from '../period-locks/locking.ts'
import { bothOf, committed, ofx, settled, uploaded } from './importing.ts'

const hotel = { id: '77', date: '2025-03-10', amount: '-100.00', name: 'HOTEL' }
const coffee = { id: '78', date: '2025-03-10', amount: '-3.00', name: 'COFFEE' }
const withdrawal = {
  ...{ id: '90', date: '2025-03-12', amount: '-100.00', name: 'HOTEL' },
  corrects: { id: '77', action: 'DELETE' as const },
}

async function scene() {
  const me = await newUser()
  const account = await newAccount(me)
  const query = { accountId: account.id }
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  const first = await uploaded(me, ofx([hotel, coffee]), query)
  await committed(me, first.id)
  const [booked] = await rows<{ id: string }>(
    "SELECT id FROM transactions WHERE import_id = ? AND payee_raw = 'HOTEL'",
    first.id,
  )
  const correct = () => uploaded(me, ofx([withdrawal]), query)
  return { me, account, balance, query, first, id: booked?.id ?? '', correct }
}

describe('a row that the bank withdraws', () => {
  it('may have the amount zero', async () => {
    const { me, balance, query } = await scene()
    const none = { ...withdrawal, amount: '0.00' }
    const unknown = { ...none, id: '91', corrects: { id: '99', action: 'DELETE' as const } }
    const sent = await uploaded(me, ofx([none, unknown]), query)
    expect(sent.counts).toMatchObject({ rows: 2, updated: 1, ignored: 1 })
    expect((await committed(me, sent.id)).counts).toMatchObject({ updated: 1, ignored: 1 })
    expect(await balance()).toBe('-3.00')
    expect((await uploaded(me, ofx([none]), query)).counts).toMatchObject({ duplicate: 1 })
  })

  it('goes to the trash once, and comes back with a revert', async () => {
    const { me, balance, query, id, correct } = await scene()
    const sent = await correct()
    expect(sent.counts).toMatchObject({ rows: 1, updated: 1 })
    const [shown] = (await ok(listImportRows, { as: me, id: sent.id })).rows
    expect(shown).toMatchObject({ verdict: 'updated', matchedId: id })
    expect((await committed(me, sent.id)).counts).toMatchObject({ updated: 1, new: 0 })
    expect(await balance()).toBe('-3.00')
    expect((await ok(listTrash, { as: me })).items.map((one) => one.id)).toEqual([id])
    expect((await correct()).counts).toMatchObject({ duplicate: 1, updated: 0 })
    const again = await uploaded(me, ofx([hotel, coffee]), query)
    expect(again.counts).toMatchObject({ duplicate: 2, new: 0 })
    await ok(revertImport, { as: me, id: sent.id, json: {} })
    expect(await settled(me, sent.id)).toMatchObject({
      state: 'reverted',
      reverted: { removed: 0, restored: 1, kept: [] },
    })
    expect(await balance()).toBe('-103.00')
    expect((await ok(listTrash, { as: me })).items).toEqual([])
    expect((await ok(getTransaction, { as: me, id })).amount).toBe('100.00')
  })

  it('comes back once where two rows of an import were the same transaction', async () => {
    const { me, balance, correct } = await scene()
    const { id } = await correct()
    await committed(me, id)
    // As an archive may have it.
    await rows(
      `INSERT INTO import_identities (account_id, identity, date, amount_minor, pending, transaction_id, import_id, added)
        SELECT account_id, 'x', date, amount_minor, pending, transaction_id, import_id, added
        FROM import_identities WHERE import_id = ? AND added IS NOT NULL`,
      id,
    )
    await ok(revertImport, { as: me, id, json: {} })
    expect(await settled(me, id)).toMatchObject({ state: 'reverted', reverted: { restored: 1 } })
    expect(await balance()).toBe('-103.00')
  })

  it('is left alone where somebody deleted it first', async () => {
    const { me, balance, id, correct } = await scene()
    const sent = await correct()
    await call(deleteTransaction, { as: me, id })
    expect((await committed(me, sent.id)).counts).toMatchObject({ ignored: 1, updated: 0 })
    const { rows: shown } = await ok(listImportRows, { as: me, id: sent.id })
    expect(shown).toMatchObject([{ verdict: 'ignored', reason: 'notWithdrawn' }])
    expect(await balance()).toBe('-3.00')
  })

  it('stays on a locked day, and where it is reconciled, unless that is forced', async () => {
    const { me, balance, id, correct } = await scene()
    await rows("UPDATE entries SET status = 'reconciled' WHERE transaction_id = ?", id)
    const reconciled = await correct()
    expect((await committed(me, reconciled.id)).counts).toMatchObject({ ignored: 1, updated: 0 })
    await ok(updateTransaction, { as: me, id, json: { status: 'cleared', force: true } })
    await lock(me)
    const locked = await correct()
    expect(locked.counts).toMatchObject({ locked: 1, updated: 0 })
    expect((await committed(me, locked.id)).counts).toMatchObject({ locked: 1, updated: 0 })
    expect(await balance()).toBe('-103.00')
    const forced = await correct()
    expect((await committed(me, forced.id, { force: true })).counts).toMatchObject({ updated: 1 })
    expect(await balance()).toBe('-3.00')
    await ok(revertImport, { as: me, id: forced.id, json: {} })
    expect(await settled(me, forced.id)).toMatchObject({
      reverted: { restored: 0, kept: [{ id, reason: 'locked' }] },
    })
    expect(await balance()).toBe('-3.00')
  })
})

describe('a row that is corrected in the file that has it', () => {
  const late = { id: '91', date: '2025-03-12', amount: '-90.00', name: 'HOTEL' }
  const replaced = { ...late, corrects: { id: '77', action: 'REPLACE' as const } }
  const last = { id: '92', date: '2025-03-13', amount: '-80.00', name: 'HOTEL' }
  const ofLate = (action: 'REPLACE' | 'DELETE') => ({ ...last, corrects: { id: '91', action } })

  it('is booked as its correction says, also where the file comes again', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
    const send = async () => {
      const { id } = await uploaded(me, ofx([hotel, replaced]), { accountId: account.id })
      return (await committed(me, id)).counts
    }
    expect(await send()).toMatchObject({ new: 1, ignored: 1 })
    expect(await balance()).toBe('-90.00')
    expect(await send()).toMatchObject({ new: 0, ignored: 0, duplicate: 2 })
    expect(await balance()).toBe('-90.00')
  })

  it.each([
    ['REPLACE', false, '-83.00'],
    ['REPLACE', true, '-83.00'],
    ['DELETE', false, '-3.00'],
    ['DELETE', true, '-3.00'],
  ] as const)(
    'is as the last of two corrections says: %s, backwards %j',
    async (action, isBackwards, result) => {
      const { me, balance, query } = await scene()
      const file = [replaced, ofLate(action)]
      const sent = await uploaded(me, ofx(isBackwards ? file.toReversed() : file), query)
      expect(sent.counts).toMatchObject({ updated: 1, ignored: 1 })
      expect((await committed(me, sent.id)).counts).toMatchObject({ updated: 1, ignored: 1 })
      expect(await balance()).toBe(result)
      const again = await uploaded(me, ofx([hotel, coffee, ...file]), query)
      expect(again.counts).toMatchObject({ new: 0, updated: 0, duplicate: 4, ignored: 0 })
      await ok(revertImport, { as: me, id: sent.id, json: {} })
      expect((await settled(me, sent.id)).reverted).toMatchObject({ restored: 1, kept: [] })
      expect(await balance()).toBe('-103.00')
      expect((await uploaded(me, ofx(file), query)).counts).toMatchObject(sent.counts)
    },
  )

  it('stays as the last correction says where one of the others comes alone', async () => {
    const { me, balance, query } = await scene()
    const sent = await uploaded(me, ofx([replaced, ofLate('REPLACE')]), query)
    await committed(me, sent.id)
    expect((await uploaded(me, ofx([replaced]), query)).counts).toMatchObject({ duplicate: 1 })
    const third = { ...last, id: '93', amount: '-70.00' }
    const ofFirst = { ...third, corrects: { id: '91', action: 'REPLACE' as const } }
    const { id } = await uploaded(me, ofx([ofFirst]), query)
    expect((await committed(me, id)).counts).toMatchObject({ updated: 1, new: 0 })
    expect(await balance()).toBe('-73.00')
  })

  it('is known where it comes alone, until its correction is taken back', async () => {
    const me = await newUser()
    const query = { accountId: (await newAccount(me)).id }
    const sent = await uploaded(me, ofx([hotel, replaced]), query)
    await committed(me, sent.id)
    expect((await uploaded(me, ofx([hotel]), query)).counts).toMatchObject({ duplicate: 1 })
    await ok(revertImport, { as: me, id: sent.id, json: {} })
    await settled(me, sent.id)
    const again = { ...query, again: 'true' }
    expect((await uploaded(me, ofx([hotel]), again)).counts).toMatchObject({ new: 1 })
  })

  it('is not booked where it corrects its own correction', async () => {
    const me = await newUser()
    const query = { accountId: (await newAccount(me)).id }
    const correcting91 = { ...hotel, corrects: { id: '91', action: 'REPLACE' as const } }
    const sent = await uploaded(me, ofx([correcting91, replaced, coffee]), query)
    expect((await committed(me, sent.id)).counts).toMatchObject({ new: 1, ignored: 2 })
  })
})

describe('a row that is corrected twice', () => {
  const file = (action: 'REPLACE' | 'DELETE') => [
    { ...hotel, id: '91', amount: '-90.00', corrects: { id: '77', action: 'REPLACE' as const } },
    { ...hotel, id: '92', amount: '-80.00', corrects: { id: '77', action } },
  ]

  it.each([
    ['REPLACE', '-83.00'],
    ['DELETE', '-3.00'],
  ] as const)(
    'is as the last correction says, as the preview shows: %s',
    async (action, result) => {
      const { me, balance, query } = await scene()
      const sent = await uploaded(me, ofx(file(action)), query)
      expect(sent.counts).toMatchObject({ updated: 1, ignored: 1 })
      const { accounts } = await ok(previewImport, { as: me, id: sent.id })
      expect(accounts).toMatchObject([{ balanceAfter: result }])
      expect((await committed(me, sent.id)).counts).toMatchObject(sent.counts)
      expect(await balance()).toBe(result)
      const again = await uploaded(me, ofx([hotel, coffee, ...file(action)]), query)
      expect(again.counts).toMatchObject({ rows: 4, duplicate: 4 })
      const dry = await ok(revertImport, { as: me, id: sent.id, json: { dryRun: true } })
      expect(dry.report).toMatchObject({ restored: 1, kept: [] })
      await ok(revertImport, { as: me, id: sent.id, json: {} })
      expect((await settled(me, sent.id)).reverted).toMatchObject({ restored: 1, kept: [] })
      expect(await balance()).toBe('-103.00')
    },
  )

  it('is booked once where one file has it all', async () => {
    const me = await newUser()
    const query = { accountId: (await newAccount(me)).id }
    const all = [hotel, coffee, ...file('REPLACE')]
    const { id } = await uploaded(me, ofx(all), query)
    expect((await committed(me, id)).counts).toMatchObject({ new: 2, ignored: 2 })
    expect((await ok(getAccountByID, { as: me, id: query.accountId })).balance).toBe('-83.00')
    expect((await uploaded(me, ofx(all), query)).counts).toMatchObject({ duplicate: 4 })
  })

  it('is known on its own account, where another one has equal rows', async () => {
    const me = await newUser()
    const equal = [hotel, ...file('REPLACE').slice(0, 1)]
    const { id } = await uploaded(me, bothOf(equal, equal))
    const [one, other] = [await newAccount(me), await newAccount(me)]
    const accountMap = { '1/11': one.id, '1/22': other.id }
    await ok(setImportMapping, { as: me, id, json: { accountMap } })
    expect((await committed(me, id)).counts).toMatchObject({ new: 2, ignored: 2 })
    expect(
      await rows(
        `SELECT 1 FROM import_identities i JOIN entries e USING (transaction_id)
          WHERE i.import_id = ? AND e.side = 'account' AND e.account_id <> i.account_id`,
        id,
      ),
    ).toEqual([])
  })
})

it('a backup of what a file corrected very often can be restored', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const chain = Array.from({ length: 120 }, (_, at) => ({
    ...{ id: `c${at}`, date: '2026-03-10', amount: `-${10 + at}.00`, name: 'Shop' },
    ...(at === 0 ? {} : { corrects: { id: `c${at - 1}`, action: 'REPLACE' as const } }),
  }))
  const { id } = await uploaded(me, ofx(chain), { accountId: account.id })
  await committed(me, id)
  const { archive } = await backedUp(me)
  expect(await restored(await newUser(), archive)).toMatchObject({ state: 'done', error: null })
})

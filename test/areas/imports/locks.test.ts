import { describe, expect, it } from 'vitest'
import { commitImportJob } from '../../../src/areas/intake/imports/imports.jobs.ts'
import {
  commitImport,
  previewImport,
  revertImport,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { share } from '../sharing/sharing.ts'
import { lock, unlock } from '../period-locks/locking.ts'
import { committed, csv, settled, uploaded } from './importing.ts'

const FILE = csv(['2025-12-31,COFFEE,-3.00', '2026-01-02,TEA,-2.00'])

async function scene(file = FILE) {
  const me = await newUser()
  const account = await newAccount(me)
  const balance = async () => (await ok(getAccountByID, { as: me, id: account.id })).balance
  const verdicts = async (id: string) =>
    (await ok(listImportRows, { as: me, id })).rows.map(({ verdict }) => verdict)
  const send = () => uploaded(me, file, { accountId: account.id })
  return { me, account, balance, verdicts, send }
}

describe('a row on a locked day', () => {
  it('is locked, and the others are booked; without the lock it is new again', async () => {
    const { me, balance, verdicts, send } = await scene()
    const held = await lock(me)
    const sent = await send()
    expect(sent.counts).toMatchObject({ rows: 2, new: 1, locked: 1 })
    expect(await verdicts(sent.id)).toEqual(['locked', 'new'])
    const preview = await ok(previewImport, { as: me, id: sent.id })
    expect(preview.accounts[0]?.balanceAfter).toBe('-2.00')
    expect((await committed(me, sent.id)).counts).toMatchObject({ new: 1, locked: 1 })
    expect(await balance()).toBe('-2.00')
    await unlock(me, held)
    const again = await send()
    expect(again.counts).toMatchObject({ new: 1, duplicate: 1, locked: 0 })
    expect((await committed(me, again.id)).counts).toMatchObject({ new: 1, duplicate: 1 })
    expect(await balance()).toBe('-5.00')
  })

  it('is booked with force, and the log says so of it alone', async () => {
    const { me, balance, verdicts, send } = await scene()
    await lock(me)
    const sent = await send()
    const done = await committed(me, sent.id, { force: true })
    expect(done.counts).toMatchObject({ rows: 2, new: 2, locked: 0 })
    expect(await verdicts(sent.id)).toEqual(['new', 'new'])
    expect(await balance()).toBe('-5.00')
    const forced = await rows<{ date: string; forced: number | null }>(
      `SELECT t.date, l.facts->>'forced' AS forced FROM log_events l JOIN transactions t ON t.id = l.resource_id
        WHERE t.import_id = ? ORDER BY t.date`,
      sent.id,
    )
    expect(forced).toEqual([
      { date: '2025-12-31', forced: 1 },
      { date: '2026-01-02', forced: null },
    ])
  })

  it('stays locked under a hard lock, whatever is forced', async () => {
    const { me, balance, verdicts, send } = await scene()
    await lock(me, { kind: 'hard' })
    const sent = await send()
    expect((await committed(me, sent.id, { force: true })).counts).toMatchObject({
      ...{ new: 1, locked: 1 },
    })
    expect(await verdicts(sent.id)).toEqual(['locked', 'new'])
    expect(await balance()).toBe('-2.00')
  })

  it('is forced only by somebody who may', async () => {
    const { me, account, send } = await scene()
    await lock(me)
    const writer = await newUser()
    await share(me, account, writer, { permission: 'write' })
    const theirs = await uploaded(writer, FILE, { accountId: account.id })
    expect(theirs.counts).toMatchObject({ new: 1, locked: 1 })
    const refused = await call(commitImport, { as: writer, id: theirs.id, json: { force: true } })
    expect([refused.status, refused.error.code]).toEqual([403, 'locks.forceNotAllowed'])
    expect((await committed(writer, theirs.id)).counts).toMatchObject({ new: 1, locked: 1 })
    expect((await send()).counts).toMatchObject({ duplicate: 1, locked: 1 })
  })

  it('is no way around the lock for decisions, unless they move it to another day', async () => {
    const { me, balance, send, verdicts } = await scene()
    await lock(me)
    const sent = await send()
    const path = { id: sent.id, rowId: `irw_${sent.id.slice(4)}_1` }
    const decide = (json: object) => ok(updateImportRow, { as: me, path, json })
    expect(await decide({ decision: 'book' })).toMatchObject({ verdict: 'locked' })
    expect(await decide({ decision: null, date: '2026-01-01' })).toMatchObject({ verdict: 'new' })
    expect(await verdicts(sent.id)).toEqual(['new', 'new'])
    expect((await committed(me, sent.id)).counts).toMatchObject({ new: 2, locked: 0 })
    expect(await balance()).toBe('-5.00')
  })

  it('confirms what was typed there, as that moves no balance', async () => {
    const { me, account, balance, send } = await scene()
    const typed = await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, date: '2025-12-31', amount: '3.00' },
        ...{ description: 'Coffee', status: 'uncleared' },
      },
    })
    await lock(me)
    const sent = await send()
    expect(sent.counts).toMatchObject({ matched: 1, new: 1, locked: 0 })
    await committed(me, sent.id)
    expect(await ok(getTransaction, { as: me, id: typed.id })).toMatchObject({ status: 'cleared' })
    expect(await balance()).toBe('-5.00')
  })
})

describe('a lock that is made after the preview', () => {
  it('keeps rows out, at whatever moment it comes', async () => {
    for (let at = 0; at < 9; at++) {
      const { me, balance, verdicts, send } = await scene()
      const { id } = await send()
      await call(commitImport, { as: me, id, json: {} })
      const lockedAt = databaseWith(async (trip, go) => {
        if (trip === at) {
          await lock(me)
        }
        return go()
      })
      if (at === 0) {
        await lock(me)
      }
      await commitImportJob.run(
        contextWith({ database: lockedAt.withSession('first-primary') }),
        { importId: id },
        [],
      )
      const done = await settled(me, id)
      expect(done.state).toBe('done')
      const isEarly = done.counts['locked'] === 1
      expect(done.counts).toMatchObject(isEarly ? { new: 1, locked: 1 } : { new: 2, locked: 0 })
      expect(await verdicts(id)).toEqual([isEarly ? 'locked' : 'new', 'new'])
      expect(await balance()).toBe(isEarly ? '-2.00' : '-5.00')
    }
  })
})

describe('a revert', () => {
  it('keeps what is on locked days, and takes it back with force', async () => {
    const { me, balance, send } = await scene()
    const sent = await send()
    await committed(me, sent.id)
    await lock(me)
    const foreseen = await ok(revertImport, { as: me, id: sent.id, json: { dryRun: true } })
    expect(foreseen.report).toMatchObject({ removed: 1, kept: [{ reason: 'locked' }] })
    await ok(revertImport, { as: me, id: sent.id, json: { force: true } })
    expect(await settled(me, sent.id)).toMatchObject({ reverted: { removed: 2, kept: [] } })
    expect(await balance()).toBe('0.00')
    const more = await send()
    await committed(me, more.id, { force: true })
    await ok(revertImport, { as: me, id: more.id, json: {} })
    expect(await settled(me, more.id)).toMatchObject({
      reverted: { removed: 1, kept: [{ reason: 'locked' }] },
    })
    expect(await balance()).toBe('-3.00')
  })
})

describe('a file of twelve records', () => {
  it('accounts for each of them', async () => {
    const { me, account } = await scene()
    const query = { accountId: account.id }
    await ok(createTransaction, {
      as: me,
      json: {
        ...{ kind: 'expense', accountId: account.id, date: '2026-03-09', amount: '9.50' },
        ...{ description: 'Lunch at Roma', status: 'uncleared' },
      },
    })
    const known = ['2026-03-10,COFFEE,-3.00', '2026-03-11,TEA,-2.00', '2026-03-12,CAKE,-5.00']
    await committed(me, (await uploaded(me, csv(known), query)).id)
    await lock(me)
    const sent = await uploaded(
      me,
      csv([
        '2026-03-01,Opening balance,100.00',
        '2025-12-30,IN A LOCKED MONTH,-8.00',
        ...known,
        '2026-03-09,LUNCH ROMA,-9.50',
        '2026-03-13,TOO FINE,-12.345',
        ...[1, 2, 3, 4, 5].map((day) => `2026-03-1${day + 3},SHOP ${day},-${day}.00`),
      ]),
      query,
    )
    const counts = {
      ...{ rows: 12, new: 5, duplicate: 3, matched: 1, updated: 0, transfer: 0 },
      ...{ ignored: 1, locked: 1, error: 1, skipped: 0 },
    }
    expect(sent.counts).toEqual(counts)
    expect((await committed(me, sent.id)).counts).toEqual(counts)
  })
})

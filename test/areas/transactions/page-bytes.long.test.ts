import { expect, it } from 'vitest'
import { getRegister, updateAccount } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import { listOwnAuditLog } from '../../../src/areas/insight/audit-log/audit-log.routes.ts'
import {
  listTransactions,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { listImportRows } from '../../../src/areas/intake/imports/imports.routes.ts'
import { listPeriodLocks } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { rowPages } from '../../../src/areas/data-rights/backups/making/making.usecases.ts'
import {
  type ArchivedTable,
  tableNameOf,
} from '../../../src/platform/owned-data/archived-tables.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { PAGE_BYTES } from '../../../src/platform/database/paging.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeCommit } from '../audit-log/stored-log.ts'
import { csv, uploaded } from '../imports/importing.ts'
import { lock } from '../period-locks/locking.ts'
import { share } from '../sharing/sharing.ts'
import { book, change } from './booking.ts'

// A page ends early behind the row with which it passes a mebibyte.

/** A hundred parts whose notes take 150,000 bytes. */
const longSplits = (letter: string) =>
  Array.from({ length: 100 }, () => ({ amount: '0.10', note: letter.repeat(500) }))

interface Listed {
  nextCursor: string | null
}

/** The ids on each page of a list, asked for by as many rows as a page may have. */
async function pagesOf<Page extends Listed>(
  ask: (query: { limit: number; cursor?: string }) => Promise<Page>,
  rowsOf: (page: Page) => { id: string }[],
): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | null | undefined
  do {
    const page = await ask({ limit: 200, ...(cursor ? { cursor } : {}) })
    pages.push(rowsOf(page).map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor)
  return pages
}

/** How many rows of this size a page has: the last is the one that passes the mebibyte. */
const fitting = (bytes: number) => Math.floor(PAGE_BYTES / bytes) + 1

it('long transactions end a page early in every order, and none is lost between pages', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const ids: string[] = []
  for (let day = 10; day < 20; day++) {
    const date = `2026-11-${day}`
    const { id } = await book(me, account, { date, amount: '10', splits: longSplits('€') })
    ids.unshift(id)
  }
  const short = await book(me, account, { date: '2026-11-01' })
  const all = [...ids, short.id]
  const lists = [
    (query: object) => ok(listTransactions, { as: me, query: { ...query } }),
    (query: object) => ok(listTransactions, { as: me, query: { sort: '-createdAt', ...query } }),
    (query: object) => ok(listTransactions, { as: me, query: { accountId: account.id, ...query } }),
    (query: object) => ok(listTransactions, { as: me, query: { from: '2026-01-01', ...query } }),
    (query: object) => ok(getRegister, { as: me, id: account.id, query: { ...query } }),
  ]
  for (const [at, list] of lists.entries()) {
    const pages = await pagesOf(list, ({ transactions }) => transactions)
    // The short one was created last.
    expect(pages.map((page) => page.length)).toEqual(at === 1 ? [8, 3] : [7, 4])
    const inOrder = at === 1 ? [short.id, ...ids] : all
    expect(pages.flat()).toEqual(inOrder)
    expect((await list({ limit: 200 })).count).toBe(11)
  }
  const { text } = await call(listTransactions, { as: me, query: { limit: 200 } })
  expect(new TextEncoder().encode(text).length).toBeLessThan(2 * PAGE_BYTES)
})

it('long changes end a page of the history of a transaction early', async () => {
  const me = await newUser()
  const booked = await book(me, await newAccount(me), { amount: '10', splits: longSplits('€') })
  for (const letter of ['ä', '€', 'ä', '€', 'ä', '€', 'ä']) {
    expect((await change(me, booked, { splits: longSplits(letter) })).status).toBe(200)
  }
  const ask = (query: object) =>
    ok(listTransactionVersions, { as: me, id: booked.id, query: { ...query } })
  const pages = await pagesOf(ask, ({ versions }) => versions)
  expect(pages.length).toBeGreaterThan(1)
  expect(new Set(pages.flat()).size).toBe(8)
  expect((await ask({})).count).toBe(8)
})

it('long changes that somebody may not know of end no page of theirs', async () => {
  const [me, friend] = [await newUser(), await newUser()]
  const [hidden, shared] = [await newAccount(me), await newAccount(me)]
  const booked = await book(me, hidden, { amount: '10', splits: longSplits('€') })
  for (const letter of ['ä', '€', 'ä', '€', 'ä', '€', 'ä']) {
    expect((await change(me, booked, { splits: longSplits(letter) })).status).toBe(200)
  }
  expect((await change(me, booked, { accountId: shared.id, splits: [] })).status).toBe(200)
  await share(me, shared, friend, { permission: 'view' })
  const pagesFor = (as: Principal) =>
    pagesOf(
      (query: object) => ok(listTransactionVersions, { as, id: booked.id, query: { ...query } }),
      ({ versions }) => versions,
    )
  const [own, theirs] = [await pagesFor(me), await pagesFor(friend)]
  expect(own.length).toBeGreaterThan(1)
  expect(theirs).toEqual([own.flat()])
})

it('long contents end a page of the own log early, exactly at the bound', async () => {
  const me = await newUser()
  const bytes = PAGE_BYTES / 64
  const content = { name: ['a', ''] }
  content.name[1] = 'b'.repeat(bytes - JSON.stringify(content).length)
  for (let at = 0; at < 70; at++) {
    await storeCommit({ actorId: me.id, ownerId: me.id, events: [{ content }] })
  }
  const ask = (query: object) => ok(listOwnAuditLog, { as: me, query: { ...query } })
  const pages = await pagesOf(ask, ({ entries }) => entries)
  expect(pages.map((page) => page.length)).toEqual([fitting(bytes), 71 - fitting(bytes)])
  expect(new Set(pages.flat()).size).toBe(71)
})

it('locks of many accounts end a page early, and are read page by page for a backup', async () => {
  const me = await newUser()
  await newAccount(me)
  const { id } = await lock(me)
  const balances = JSON.stringify([{ text: '€'.repeat(150_000) }])
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5)
      INSERT INTO period_locks (id, owner_id, through, kind, reason, created_by, balances, version, created_at, updated_at)
      SELECT printf('plk_%026d', i), owner_id, through, kind, reason, created_by, ?, version, created_at, updated_at
      FROM n CROSS JOIN period_locks WHERE id = ?`,
    balances,
    id,
  )
  const ask = (query: object) => ok(listPeriodLocks, { as: me, query: { ...query } })
  const pages = await pagesOf(ask, ({ periodLocks }) => periodLocks)
  expect(pages.map((page) => page.length)).toEqual([4, 2])
  expect(new Set(pages.flat()).size).toBe(6)
  expect((await ask({})).count).toBe(6)

  const table = archivedTables().find((one) => tableNameOf(one) === 'period_locks') as ArchivedTable
  const read: string[][] = []
  for await (const page of rowPages(await contextOf(me, 'backups.read'), table)) {
    read.push(page.map((row) => String(row['id'])))
  }
  expect(read.map((page) => page.length)).toEqual([3, 3])
  expect(read.flat()).toEqual(pages.flat().toSorted())
})

it('long rows of an import end a page early, and none is lost between pages', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const lines = Array.from({ length: 110 }, (_, at) => `2026-03-14,${at} ${'b'.repeat(8500)},-1.00`)
  const { id } = await uploaded(me, csv(lines), { accountId: account.id })
  const ask = (query: object) => ok(listImportRows, { as: me, id, query: { ...query } })
  const pages = await pagesOf(ask, (page) => page.rows.map(({ line }) => ({ id: String(line) })))
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.flat()).toEqual(lines.map((_, at) => String(at + 2)))
})

it('long comments end a page of the history of accounts early', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  for (let at = 0; at < 199; at++) {
    await ok(updateAccount, { as: me, id: account.id, json: { name: `Name ${at}` } })
  }
  await rows(
    `INSERT INTO history_notes (event_id, account_id, comment, hidden_at, version, updated_at)
      SELECT id, account_id, ?, NULL, 2, 0 FROM log_entries WHERE account_id = ? AND history IS NOT NULL`,
    '€'.repeat(2000),
    account.id,
  )
  const ask = async (query: object) => {
    const { body, headers } = await call(getAccountHistory, { as: me, query: { ...query } })
    const next = /cursor=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1]
    return { records: body, nextCursor: next === undefined ? null : decodeURIComponent(next) }
  }
  const pages = await pagesOf(ask, ({ records }) => records)
  expect(pages.map((page) => page.length)).toEqual([fitting(6000), 200 - fitting(6000)])
  expect(new Set(pages.flat()).size).toBe(200)
})

import { describe, expect, it } from 'vitest'
import { mergeDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import {
  deleteAttachment,
  linkAttachment,
  listAttachments,
  restoreAttachment,
  unlinkAttachment,
} from '../../../src/areas/files/attachments/attachments.routes.ts'
import {
  deleteTransaction,
  getTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { eraseFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { RowCheck } from '../../../src/areas/data-rights/backups/verifying/rows.usecases.ts'
import { type ArchivedRow, tableNameOf } from '../../../src/platform/owned-data/archived-tables.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { attachmentData } from '../../../src/areas/files/attachments/attachments.data.ts'
import type { SignedIn } from '../../../src/platform/context.ts'
import { sum } from '../../../src/domain/money.ts'
import { contextWith } from '../../support/service.ts'
import { someId } from '../../support/of-file.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { backedUp, restored, rowsOf } from '../backups/restoring.ts'
import { contentsOf } from '../backups/archives.ts'
import { forged } from '../backups/forging.fixtures.ts'
import { packed } from '../backups/packing.ts'
import { book, refusal } from '../transactions/booking.ts'
import { file, upload } from './filing.ts'
import { unmatch } from '../transfers/matched.ts'

const MANY_LINKS = [409, 'attachments.tooManyLinks']
const MANY_FILES = [409, 'attachments.tooManyFiles']

type Thing = { id: string }

const to = ({ id }: Thing) => ({
  kind: id.startsWith('acc_') ? ('account' as const) : ('transaction' as const),
  id,
})
const at = (thing: Thing) => ({ query: { linkKind: to(thing).kind, linkId: thing.id } })
const attach = (as: TestUser, { id }: Thing, thing: Thing) =>
  call(linkAttachment, { as, id, json: to(thing) })
const detach = (as: TestUser, { id }: Thing, linkId = '') =>
  ok(unlinkAttachment, { as, path: { id, linkId } })
const filesOf = async ({ id }: Thing) =>
  (
    await rows<{ id: string }>(
      'SELECT attachment_id AS id FROM attachment_links WHERE target_id = ? ORDER BY 1',
      id,
    )
  ).length
const linksOf = async ({ id }: Thing) =>
  (await rows('SELECT id FROM attachment_links WHERE attachment_id = ?', id)).length

/** Attaches a file, or all of a user, to so many transactions that are not there. */
const attachMany = (me: Thing, { id }: Thing, count: number, all = false) =>
  rows(
    `WITH RECURSIVE serial (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM serial WHERE n < ?3)
      INSERT INTO attachment_links (id, attachment_id, kind, target_id, owner_id, created_by, created_at)
      SELECT 'lnk_' || n || id, id, 'transaction', 'txn_' || n || id, ?2, ?2, 0 FROM attachments, serial
      WHERE owner_id = ?2 AND (id = ?1 OR ?4)`,
    id,
    me.id,
    count,
    Number(all),
  )

/** Gives a thing so many more files, copies of one, without their objects. */
async function fileMany(me: Thing, thing: Thing, { id }: Thing, count: number): Promise<void> {
  const columns = (
    await rows<{ name: string }>(
      "SELECT name FROM pragma_table_info('attachments') WHERE name NOT IN ('id', 'object_key')",
    )
  )
    .map(({ name }) => name)
    .join()
  const serial = `WITH RECURSIVE serial (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM serial WHERE n < ?2)`
  await rows(
    `${serial} INSERT INTO attachments (id, object_key, ${columns})
      SELECT id || n || ?3, object_key || n || ?3, ${columns} FROM attachments, serial WHERE id = ?1`,
    id,
    count,
    thing.id,
  )
  await rows(
    `${serial} INSERT INTO attachment_links (id, attachment_id, kind, target_id, owner_id, created_by, created_at)
      SELECT 'lnk_' || n || ?3, ?1 || n || ?3, ?4, ?3, ?5, ?5, 0 FROM serial`,
    id,
    count,
    thing.id,
    to(thing).kind,
    me.id,
  )
}

async function household() {
  const me = await newUser()
  const [account, other] = [await newAccount(me), await newAccount(me)]
  return { me, account, other, loose: await file(me) }
}

describe('a file', () => {
  it('is attached to 100 things at most', async () => {
    const { me, account, loose } = await household()
    const [one, two] = [await book(me, account), await book(me, account)]
    await attachMany(me, loose, 99)
    expect((await attach(me, loose, one)).status).toBe(201)
    expect(refusal(await attach(me, loose, two))).toEqual(MANY_LINKS)
    expect(await linksOf(loose)).toBe(100)
    const { attachments } = await ok(listAttachments, { as: me })
    expect(attachments.map(({ links }) => links.length)).toEqual([100])
    const { linkId = '' } = attachments[0]?.links[0] ?? {}
    await detach(me, loose, linkId)
    expect((await attach(me, loose, two)).status).toBe(201)
  })

  it('is attached to 100 things at most by requests at the same time', async () => {
    const { me, account, loose } = await household()
    await attachMany(me, loose, 99)
    const booked = [await book(me, account), await book(me, account), await book(me, account)]
    const sent = await Promise.all(booked.map((one) => attach(me, loose, one)))
    expect(sent.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(await linksOf(loose)).toBe(100)
  })
})

describe.each([
  ['a transaction', 100],
  ['an account', 500],
])('%s', (what, most) => {
  const thingIn = async ({ me, account }: Awaited<ReturnType<typeof household>>) =>
    what === 'an account' ? account : await book(me, account)

  it(`has ${most} files at most`, async () => {
    const home = await household()
    const { me, loose } = home
    const thing = await thingIn(home)
    await fileMany(me, thing, loose, most - 1)
    const last = await file(me, at(thing))
    expect(refusal(await upload(me, at(thing)))).toEqual(MANY_FILES)
    expect(refusal(await attach(me, loose, thing))).toEqual(MANY_FILES)
    expect(await filesOf(thing)).toBe(most)
    expect(await rows('SELECT id FROM attachments WHERE owner_id = ?', me.id)).toHaveLength(
      most + 1,
    )
    // Restoring one must not be refused, so files in the trash count.
    await ok(deleteAttachment, { as: me, id: last.id })
    expect(refusal(await attach(me, loose, thing))).toEqual(MANY_FILES)
    await ok(restoreAttachment, { as: me, id: last.id })
    const { linkId = '' } = last.links[0] ?? {}
    await detach(me, last, linkId)
    expect((await attach(me, loose, thing)).status).toBe(201)
  })
})

describe('what takes the place of transactions', () => {
  it('keeps all their files, or is refused where these are too many', async () => {
    const { me, account, other, loose } = await household()
    const [keep, drop] = [await book(me, account), await book(me, account)]
    const arrived = await book(me, other, { kind: 'income' })
    await fileMany(me, keep, loose, 60)
    await fileMany(me, drop, loose, 40)
    await file(me, at(arrived))
    const counted = async (...things: Thing[]) => {
      const counts = []
      for (const { id } of things) {
        counts.push((await ok(getTransaction, { as: me, id })).attachmentCount)
      }
      return counts
    }
    const extra = await file(me, at(drop))
    const merge = () => call(mergeDuplicate, { as: me, json: { keepId: keep.id, dropId: drop.id } })
    expect(refusal(await merge())).toEqual(MANY_FILES)
    expect(await counted(keep, drop)).toEqual([60, 41])
    await detach(me, extra, extra.links[0]?.linkId)
    expect((await merge()).status).toBe(200)
    expect(await counted(keep)).toEqual([100])
    const match = () =>
      call(matchTransfer, {
        as: me,
        json: { fromTransactionId: keep.id, toTransactionId: arrived.id },
      })
    expect(refusal(await match())).toEqual(MANY_FILES)
    expect(await counted(keep, arrived)).toEqual([100, 1])
    const { attachments } = await ok(listAttachments, { as: me, query: { linkId: arrived.id } })
    const [last] = attachments
    await detach(me, { id: last?.id ?? '' }, last?.links[0]?.linkId)
    const { body, status } = await match()
    expect(status).toBe(201)
    const parted = await unmatch(me, body)
    expect(await counted(parted.from, parted.to)).toEqual([100, 0])
  })
})

describe('an archive', () => {
  it('has 100 links of a file at most, and 100 files of a transaction', async () => {
    const { me, account } = await household()
    const booked = [await book(me, account)]
    while (booked.length < 100) {
      booked.push(await book(me, account))
    }
    const filed = await file(me, at(account))
    const files = await contentsOf(me, (await backedUp(me)).id)
    const sent = async (count: number) => {
      const other = await newUser()
      const more = (some: ArchivedRow[]) =>
        [
          ...some,
          ...booked.slice(0, count).map(({ id }) => ({
            ...some[0],
            ...{ id: someId('lnk'), kind: 'transaction', target_id: id },
          })),
        ].toSorted((one, two) => (String(one['id']) < String(two['id']) ? -1 : 1))
      const archive = await packed(forged(files, { rows: { attachment_links: more } }))
      const { state, error } = await restored(other, archive)
      return [state, error?.message ?? null, (await rowsOf(other))['transactions'] ?? 0]
    }
    expect(filed.links).toHaveLength(1)
    expect(await sent(99)).toEqual(['done', null, 100])
    expect(await sent(100)).toEqual([
      'failed',
      expect.stringContaining('more than 100 attachment_links with the attachment_id'),
      0,
    ])
  })

  it('has 100 files of a transaction at most, and 500 of an account', () => {
    const table = archivedTables().find((one) => tableNameOf(one) === 'attachment_links')
    if (!table) {
      throw new Error('no archive has links')
    }
    const mostOf = (target: string, kind: string) => {
      const check = new RowCheck(Date.now())
      return Array.from({ length: 600 }, () =>
        check
          .take(table, {
            ...{ id: someId('lnk'), attachment_id: someId('att'), kind, target_id: target },
            ...{ created_by: someId('usr'), created_at: 0 },
          })
          .some(({ message }) => message.includes('attachment_links with the target_id')),
      ).indexOf(true)
    }
    expect(mostOf(someId('txn'), 'transaction')).toBe(100)
    // Whatever kind is said.
    expect(mostOf(someId('txn'), 'account')).toBe(100)
    expect(mostOf(someId('acc'), 'account')).toBe(500)
  })

  it('is not merged where its links are too many together with those that are there', async () => {
    const { me, account, loose } = await household()
    const booked = await book(me, account)
    await attach(me, loose, booked)
    const { archive } = await backedUp(me)
    await ok(deleteTransaction, { as: me, id: booked.id })
    await ok(eraseFromTrash, { as: me, id: booked.id, path: { kind: 'transaction' } })
    await attachMany(me, loose, 100)
    const merged = () => restored(me, archive, { mode: 'merge' })
    expect(await merged()).toMatchObject({
      state: 'failed',
      error: { code: 'backups.tooManyRows' },
    })
    const isThere = async () => (await call(getTransaction, { as: me, id: booked.id })).status
    expect([await linksOf(loose), await isThere()]).toEqual([100, 404])
    await rows("DELETE FROM attachment_links WHERE target_id LIKE 'txn_100' || ?", loose.id)
    expect(await merged()).toMatchObject({ state: 'done', error: null })
    expect([await linksOf(loose), await isThere()]).toEqual([100, 200])
  })
})

describe('a page', () => {
  it('ends early where files have many links, in the list and in an export', async () => {
    const { me, loose } = await household()
    await fileMany(me, { id: someId('txn') }, loose, 99)
    await fileMany(me, { id: someId('txn') }, loose, 99)
    const all = await rows<{ id: string }>('SELECT id FROM attachments WHERE owner_id = ?', me.id)
    await rows('UPDATE attachments SET note = ? WHERE owner_id = ?', 'n'.repeat(2000), me.id)
    await attachMany(me, loose, 99, true)
    const first = await ok(listAttachments, { as: me, query: { limit: '200' } })
    expect(first.count).toBe(all.length)
    expect(first.attachments.length).toBeLessThan(150)
    const seen = new Set(first.attachments.map(({ id }) => id))
    let { nextCursor } = first
    while (nextCursor !== null) {
      const page = await ok(listAttachments, {
        as: me,
        query: { limit: '200', cursor: nextCursor },
      })
      page.attachments.forEach(({ id }) => seen.add(id))
      nextCursor = page.nextCursor
    }
    expect(seen.size).toBe(all.length)
    const caller = { userId: me.id, sessionId: null, tokenHash: null, profile: {} }
    const owner = { ...contextWith(), caller } as SignedIn
    const pages: number[] = []
    for (const content of attachmentData.exports ?? []) {
      for await (const page of content.pages(owner, () => undefined)) {
        pages.push(page.length)
      }
    }
    expect(pages.length).toBeGreaterThan(1)
    expect(sum(pages)).toBe(all.length)
  })
})

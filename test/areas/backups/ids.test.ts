import { beforeAll, describe, expect, it } from 'vitest'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { coreOf, stemOf, transactionIdFrom } from '../../../src/domain/ids.ts'
import { again } from '../../support/again.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { deleteAttachment } from '../../../src/areas/files/attachments/attachments.routes.ts'
import { file } from '../attachments/filing.ts'
import { newOwner, type Owner } from '../own-user/owners.fixtures.ts'
import { contentsOf } from './archives.ts'
import { type Files, packed, text, withManifest } from './packing.ts'
import {
  backedUp,
  emptied,
  finishRestore,
  heldBack,
  restored,
  rowsOf,
  sendRestore,
} from './restoring.ts'

type Row = Record<string, unknown>

let me: Owner
let files: Files
let archive: Uint8Array
beforeAll(async () => {
  me = await newOwner()
  const made = await backedUp(me)
  archive = made.archive
  files = await contentsOf(me, made.id)
})

/** Somebody else with data. */
const newUserWithData = again(newOwner)

const linesOf = (table: string): Row[] =>
  text(files[`data/${table}.ndjson`])
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)

const withLines = (table: string, lines: Row[]) =>
  packed(
    withManifest(files, {
      [`data/${table}.ndjson`]: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    }),
  )

const accountsOf = async (as: Principal) =>
  (await ok(getUserAccounts, { as })).accounts.filter(({ permission }) => permission === 'owner')

const idsIn = (all: Files) =>
  new Set(
    Object.entries(all)
      .filter(([path]) => path.startsWith('data/'))
      .flatMap(
        ([, lines]) => text(lines).match(/\b[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g) ?? [],
      ),
  )

describe('an archive without a valid seal', () => {
  it('leaves none of its ids, and gives the same user the same ones each time', async () => {
    const [one, other] = [await newUser(), await newUser()]
    const { idMap } = await restored(one, archive)
    const again = await restored(other, archive)
    expect(idMap.length).toBeGreaterThan(10)
    for (const { from, to } of idMap) {
      expect([stemOf(to), coreOf(to) === coreOf(from)]).toEqual([stemOf(from), false])
    }
    expect(again.idMap.map(({ from }) => from)).toEqual(idMap.map(({ from }) => from))
    expect(again.idMap.filter(({ to }, at) => to === idMap[at]?.to)).toEqual([])
    await emptied(one)
    expect((await restored(one, archive)).idMap).toEqual(idMap)
    const { id } = await backedUp(one)
    const left = idsIn(await contentsOf(one, id))
    expect([...idsIn(files)].filter((each) => left.has(each))).toEqual([])
  })

  it('is one that the service made for somebody else, although its ids are free', async () => {
    const [maker, user] = [await newUserWithData(), await newUser()]
    const made = await backedUp(maker)
    const own = await contentsOf(maker, made.id)
    await emptied(maker)
    const report = await restored(user, made.archive)
    expect(report).toMatchObject({ state: 'done', error: null })
    const left = idsIn(await contentsOf(user, (await backedUp(user)).id))
    expect([...idsIn(own)].filter((each) => left.has(each))).toEqual([])
  })

  it('is one that was changed, or is sealed otherwise or not at all', async () => {
    const user = await newUserWithData()
    const made = await backedUp(user)
    const own = await contentsOf(user, made.id)
    const [tag] = text(own['data/tags.ndjson']).split('\n')
    const renamed = `${tag?.replace('"name":"', '"name":"X') ?? ''}\n`
    for (const forged of [
      withManifest(own, { 'data/tags.ndjson': renamed }),
      withManifest(own, {}, { seal: 'x' }),
      withManifest(own, {}, { seal: undefined }),
      withManifest(own, {}, { seal: (JSON.parse(text(files['manifest.json'])) as Row)['seal'] }),
    ]) {
      await emptied(user)
      const report = await restored(user, await packed(forged))
      expect(report.idMap.length).toBeGreaterThan(10)
    }
    await emptied(user)
    expect((await restored(user, await packed(withManifest(own, {})))).idMap).toEqual([])
  })

  it('keeps what follows from an account and a transfer with them', async () => {
    const user = await newUser()
    await newAccount(me, { name: 'Opened', openingBalance: '5', openingDate: '2026-01-01' })
    await restored(user, (await backedUp(me)).archive)
    const account = (await accountsOf(user)).find(({ name }) => name === 'Opened')
    const { transactions } = await ok(listTransactions, {
      ...{ as: user, query: { accountId: account?.id ?? '', limit: 200 } },
    })
    expect(transactions.map(({ id }) => id)).toEqual([transactionIdFrom(account?.id ?? '')])
  })

  it.each([
    [
      'an account has the id of a transaction that is no opening',
      'transactions',
      (row: Row) => ({ ...row, kind: 'opening' }),
    ],
    [
      'an id of another kind stands in a row',
      'transactions',
      (row: Row) => ({ ...row, id: transactionIdFrom(String(linesOf('accounts')[0]?.['id'])) }),
    ],
  ])('is refused where %s', async (_, table, change) => {
    const user = await newUser()
    const lines = linesOf(table)
    const at = lines.findIndex(({ kind }) => kind === 'expense')
    const forged = lines.with(at, change(lines[at] ?? {}))
    const report = await restored(user, await withLines(table, forged))
    expect(report.error).toMatchObject({
      code: 'backups.brokenArchive',
      member: 'data/transactions.ndjson',
    })
    expect(await rowsOf(user)).toEqual({})
  })
})

describe('an archive with a seal', () => {
  it.each(['empty', 'merge'] as const)(
    'keeps its ids (%s) but those of what is somebody else’s by now',
    async (mode) => {
      const [user, other] = [await newUserWithData(), await newUser()]
      const made = await backedUp(user)
      await emptied(user)
      const [tag] = text((await contentsOf(user, made.id))['data/tags.ndjson']).split('\n')
      const { id } = JSON.parse(tag ?? '') as { id: string }
      await rows(
        `INSERT INTO tags (id, owner_id, name, name_key, created_at, updated_at) VALUES (?, ?, 'T', 't', 0, 0)`,
        id,
        other.id,
      )
      const report = await restored(user, made.archive, mode === 'merge' ? { mode } : {})
      expect(report).toMatchObject({ state: 'done', error: null })
      expect(report.idMap.map(({ from }) => from)).toEqual([id])
      expect(await rows('SELECT name FROM tags WHERE id = ?', id)).toEqual([{ name: 'T' }])
    },
  )

  it('is refused where the opening balance of an account would get the id of somebody else', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const account = await newAccount(user)
    const made = await backedUp(user)
    await emptied(user)
    const taken = transactionIdFrom(account.id)
    await rows(
      `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
        VALUES (?1, ?2, 'expense', '2026-01-01', 'user', ?2, 0, 0)`,
      taken,
      other.id,
    )
    expect(await restored(user, made.archive)).toMatchObject({
      state: 'failed',
      error: { code: 'backups.foreignRow' },
    })
    expect(await rowsOf(user)).toEqual({})
    // It has no entries, which the check of the ledger would tell of.
    await rows('DELETE FROM transactions WHERE id = ?', taken)
  })

  it('is taken back where one of its ids becomes somebody else’s while it is restored', async () => {
    const [user, other] = [await newUserWithData(), await newUser()]
    const made = await backedUp(user)
    await emptied(user)
    const [tag] = text((await contentsOf(user, made.id))['data/tags.ndjson']).split('\n')
    const { id } = JSON.parse(tag ?? '') as { id: string }
    const { body } = await sendRestore(user, made.archive)
    await heldBack(body.job.id)
    expect(await finishRestore(user, body.id, 1)).toMatchObject({ state: 'writing' })
    await rows(
      `INSERT INTO tags (id, owner_id, name, name_key, created_at, updated_at) VALUES (?, ?, 'T', 't', 0, 0)`,
      id,
      other.id,
    )
    expect(await finishRestore(user, body.id)).toMatchObject({
      state: 'failed',
      error: { code: 'backups.foreignRow' },
    })
    expect(await rows('SELECT name FROM tags WHERE id = ?', id)).toEqual([{ name: 'T' }])
  })

  it('stores its files under keys that do not follow from it', async () => {
    const user = await newUserWithData()
    await file(user)
    const stored = () =>
      rows<{ id: string; key: string }>(
        'SELECT id, object_key AS key FROM attachments WHERE owner_id = ? ORDER BY id',
        user.id,
      )
    const before = await stored()
    const made = await backedUp(user)
    await emptied(user)
    await restored(user, made.archive)
    const after = await stored()
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const cores = [...idsIn(await contentsOf(user, (await backedUp(user)).id))].map(coreOf)
    const followed = after.filter(
      ({ key }) =>
        before.some((one) => one.key === key) || cores.some((core) => key.includes(core)),
    )
    expect(followed).toEqual([])
  })

  it('is refused where one of its files waits in the trash, which stays there', async () => {
    const user = await newUserWithData()
    const waiting = await file(user)
    const made = await backedUp(user)
    await ok(deleteAttachment, { as: user, id: waiting.id })
    await emptied(user, 'files')
    const report = await restored(user, made.archive)
    expect([report.state, report.error?.code]).toEqual(['failed', 'backups.notEmpty'])
    const left = await rows('SELECT id FROM attachments WHERE owner_id = ?', user.id)
    expect(left).toContainEqual({ id: waiting.id })
  })
})

it.each([
  ['of another kind', (id: string) => id.replace('tag_', 'acc_')],
  ['with a number behind it', (id: string) => `${id}-2`],
])('a row has no id %s', async (_, change) => {
  const lines = linesOf('tags').map((row, at) =>
    at === 0 ? { ...row, id: change(String(row['id'])) } : row,
  )
  const report = await restored(await newUser(), await withLines('tags', lines))
  expect(report.error).toMatchObject({ code: 'backups.brokenArchive', member: 'data/tags.ndjson' })
})

import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createTag } from '../../../src/areas/money/tags/tags.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { file } from '../attachments/filing.ts'
import { newOwner, type Owner } from '../own-user/owners.fixtures.ts'
import { contentsOf } from './archives.ts'
import { bytes, packed, text, withManifest } from './packing.ts'
import { deflated } from '../../support/archives.ts'
import { backedUp, restored, rowsOf, sendRestore } from './restoring.ts'
import { someId } from '../../support/of-file.ts'

type Files = Record<string, Uint8Array>
type Row = Record<string, unknown>

let me: Owner
let victim: TestUser
let files: Files

beforeAll(async () => {
  me = await newOwner()
  await file(me, { query: { linkKind: 'account', linkId: me.one } })
  files = await contentsOf(me, (await backedUp(me)).id)
  victim = await newUser()
})

const linesOf = (table: string): Row[] =>
  text(files[`data/${table}.ndjson`])
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)

const ndjson = (all: Row[]) => all.map((row) => `${JSON.stringify(row)}\n`).join('')

/** The archive with another first row of a table that fits, and everything made to fit that. */
const withRow = (table: string, change: (row: Row) => Row, at = 0) => ({
  [`data/${table}.ndjson`]: ndjson(
    linesOf(table).map((row, place) => (place === at ? change(row) : row)),
  ),
})

/** What becomes of an archive for a new user, who has nothing then. */
async function refusedFor(changed: Record<string, string>) {
  const user = await newUser()
  const { state, error } = await restored(user, await packed(withManifest(files, changed)))
  expect(state).toBe('failed')
  expect(await rowsOf(user)).toEqual({})
  return error
}

describe('an archive that was changed', () => {
  it('is refused for a flipped byte, by the name of the file', async () => {
    const flipped = text(files['transactions.ndjson']).replace('10.00', '10.01')
    const archive = await packed({ ...files, 'transactions.ndjson': bytes(flipped) })
    const user = await newUser()
    expect(await restored(user, archive)).toMatchObject({
      state: 'failed',
      error: { code: 'backups.hashMismatch', member: 'transactions.ndjson' },
    })
    expect(await rowsOf(user)).toEqual({})
  })

  it('is refused for lines that do not sum, by their number', async () => {
    const lines = linesOf('entries')
    const at = lines.findIndex(({ side }) => side === 'expense')
    const of = lines[at]?.['transaction_id']
    const last = lines.findLastIndex((row) => row['transaction_id'] === of)
    const error = await refusedFor(
      withRow('entries', (row) => ({ ...row, amount_minor: Number(row['amount_minor']) + 1 }), at),
    )
    expect(error).toMatchObject({
      code: 'backups.unbalanced',
      member: 'data/entries.ndjson',
      // Known once the next transaction begins.
      line: last + 2,
    })
    const signed = text(files['transactions.ndjson']).replace(/"signedAmount":"[^"]*"/, (found) =>
      found.replace(/\d/, '9'),
    )
    expect(await refusedFor({ 'transactions.ndjson': signed })).toMatchObject({
      code: 'backups.unbalanced',
      member: 'transactions.ndjson',
      line: 1,
    })
  })

  it.each<[string, () => Promise<Record<string, string>> | Record<string, string>, string]>([
    [
      'an account of another user',
      async () => {
        const { id } = await newAccount(victim)
        return withRow('valuations', (row) => ({ ...row, account_id: id }))
      },
      'unknownReference',
    ],
    [
      'an identity of an import on an account of another user',
      async () => {
        const { id } = await newAccount(victim, { name: 'Second' })
        return withRow('import_identities', (row) => ({ ...row, account_id: id }))
      },
      'unknownReference',
    ],
    [
      'a file on an account of another user',
      async () => {
        const { id } = await newAccount(victim, { name: 'Third' })
        return withRow('attachment_links', (row) => ({ ...row, target_id: id }))
      },
      'unknownReference',
    ],
    [
      'an owner',
      () => withRow('tags', (row) => ({ ...row, owner_id: victim.id })),
      'malformedLine',
    ],
    ['an unknown field', () => withRow('tags', (row) => ({ ...row, '"x"': 1 })), 'malformedLine'],
    [
      'a field of every object',
      () => ({
        'data/tags.ndjson': text(files['data/tags.ndjson']).replace('{', '{"__proto__":{"id":1},'),
      }),
      'malformedLine',
    ],
    [
      'a wrong choice',
      () => withRow('accounts', (row) => ({ ...row, type: 'x' })),
      'malformedLine',
    ],
    [
      'a wrong type',
      () => withRow('accounts', (row) => ({ ...row, sort_order: '1' })),
      'malformedLine',
    ],
    [
      'a fraction',
      () => withRow('entries', (row) => ({ ...row, amount_minor: 0.5 })),
      'malformedLine',
    ],
    ['no name', () => withRow('tags', (row) => ({ ...row, name: null })), 'malformedLine'],
    ['a zero byte', () => withRow('tags', (row) => ({ ...row, name: 'a\0b' })), 'malformedLine'],
    [
      'no such day',
      () => withRow('entries', (row) => ({ ...row, date: '2026-02-30' })),
      'malformedLine',
    ],
    [
      'no such currency',
      () => withRow('accounts', (row) => ({ ...row, currency: 'XYZ' })),
      'malformedLine',
    ],
    ['no rate', () => withRow('exchange_rates', (row) => ({ ...row, rate: 'x' })), 'malformedLine'],
    ['no JSON', () => withRow('budgets', (row) => ({ ...row, cards: '{' })), 'malformedLine'],
    ['another id', () => withRow('tags', (row) => ({ ...row, id: `tag_' OR 1` })), 'malformedLine'],
    [
      'a lock with the balance of an account twice',
      () =>
        withRow('period_locks', (row) => {
          const one = { accountId: me.one, currency: 'EUR', balanceMinor: 0, reconciledMinor: 0 }
          return { ...row, balances: JSON.stringify([one, one]) }
        }),
      'malformedLine',
    ],
    [
      'an id twice',
      () => ({ 'data/tags.ndjson': ndjson([...linesOf('tags'), ...linesOf('tags')]) }),
      'malformedLine',
    ],
    [
      'two open reconciliations of one account',
      () => {
        const open = { ...linesOf('reconciliations')[0], state: 'open', finished_at: null }
        const two = [open, { ...open, id: someId('rcn') }]
        return { 'data/reconciliations.ndjson': ndjson(two), 'data/reconciliation_rows.ndjson': '' }
      },
      'malformedLine',
    ],
    [
      'a huge line',
      () => withRow('tags', (row) => ({ ...row, name: 'x'.repeat(2 * 1024 ** 2) })),
      'malformedLine',
    ],
    [
      'a category below itself',
      () => withRow('categories', (row) => ({ ...row, parent_id: row['id'] })),
      'unknownReference',
    ],
    [
      'a transfer with one side',
      () => {
        const at = linesOf('transactions').findIndex(({ kind }) => kind === 'expense')
        return withRow('transactions', (row) => ({ ...row, kind: 'transfer' }), at)
      },
      'unbalanced',
    ],
    [
      'another file than its row says',
      () => withRow('attachments', (row) => ({ ...row, sha256: '0'.repeat(64) })),
      'missingMember',
    ],
  ])('is refused for %s, before anything is stored', async (_, changed, fault) => {
    const error = await refusedFor(await changed())
    expect(error?.code).toBe(
      fault === 'unbalanced' ? 'backups.unbalanced' : 'backups.brokenArchive',
    )
    expect(error?.message).toContain(`(${fault})`)
  })

  it.each<[string, () => Record<string, string>, string]>([
    [
      'two tags of one name',
      () => {
        const again = linesOf('tags').map((row) => ({ ...row, id: someId('tag') }))
        return { 'data/tags.ndjson': ndjson([...linesOf('tags'), ...again]) }
      },
      'backups.brokenArchive',
    ],
    [
      'a file of another type',
      () => withRow('attachments', (row) => ({ ...row, content_type: 'text/html' })),
      'attachments.typeNotAllowed',
    ],
    [
      'lines that contradict each other',
      () =>
        withRow(
          'entries',
          (row) => ({ ...row, flow_minor: 4711 }),
          linesOf('entries').findIndex((row) => row['flow_minor'] !== null),
        ),
      'backups.brokenArchive',
    ],
  ])('is taken back for %s', async (_, changed, code) => {
    expect((await refusedFor(changed()))?.code).toBe(code)
  })

  it('is restored with lines in another order, as those of earlier versions may have', async () => {
    const reversed = { 'data/categories.ndjson': ndjson(linesOf('categories').toReversed()) }
    const user = await newUser()
    const archive = await packed(withManifest(files, reversed))
    const { state, archiveHash, contentHash, ...report } = await restored(user, archive)
    expect(state, JSON.stringify(report.error)).toBe('done')
    expect(contentHash).not.toBe(archiveHash)
    const { manifest } = await backedUp(user)
    expect(manifest?.contentHash).toBe(contentHash)
  })

  it('is taken back where a row is stored as something else', async () => {
    await rows(
      "CREATE TRIGGER spoil AFTER INSERT ON tags BEGIN UPDATE tags SET name = 'spoilt'; END",
    )
    try {
      const error = await refusedFor({})
      expect(error).toMatchObject({
        code: 'backups.different',
        message: expect.stringContaining('tags') as string,
      })
    } finally {
      await rows('DROP TRIGGER spoil')
    }
  })

  it('is refused for members that are missing, too many, or there twice', async () => {
    const { 'data/tags.ndjson': _, ...fewer } = files
    const user = await newUser()
    expect((await restored(user, await packed(fewer))).error).toMatchObject({
      member: 'data/tags.ndjson',
      message: expect.stringContaining('missingMember') as string,
    })
    const more = await packed({ ...files, 'data/users.ndjson': bytes('{}') })
    expect((await restored(user, more)).error?.message).toContain('unknownMember')
    const twice = Buffer.from(await packed({ ...files, 'README.txT': bytes('x') }))
    for (let at = twice.indexOf('README.txT'); at >= 0; at = twice.indexOf('README.txT')) {
      twice.write('README.txt', at)
    }
    const before = (await env.FILES.list({ prefix: 'archives/' })).objects.length
    const cases: [Uint8Array, string][] = [
      [twice, 'backups.brokenArchive'],
      [deflated({ 'manifest.json': bytes('x'.repeat(3_000_000)) }), 'backups.brokenArchive'],
      [await packed({ a: bytes('a') }), 'backups.notABackup'],
      [await packed(withManifest(files, {}, { formatVersion: 3 })), 'backups.newerVersion'],
    ]
    for (const [archive, code] of cases) {
      const { status, error } = await sendRestore(user, archive)
      expect([status, error.code]).toEqual([400, code])
    }
    expect((await env.FILES.list({ prefix: 'archives/' })).objects.length).toBe(before)
  })
})

describe('what an archive says of others', () => {
  it('is not stored: a deleted tag comes back as one of whoever restores it', async () => {
    const dropped = linesOf('trashed_rows').find(({ kind }) => kind === 'tag')
    const image = JSON.parse(String(dropped?.['image'])) as { row: Row }
    const stolen = JSON.stringify({ ...image, row: { ...image.row, ownerId: victim.id } }).replace(
      'usr_',
      String.raw`\u0075sr_`,
    )
    const at = linesOf('trashed_rows').findIndex(({ kind }) => kind === 'tag')
    const changed = withRow('trashed_rows', (row) => ({ ...row, image: stolen }), at)
    const user = await newUser()
    const report = await restored(user, await packed(withManifest(files, changed)))
    expect(report.error).toBeNull()
    const [trashed] = await rows<{ id: string }>(
      "SELECT id FROM trashed_rows WHERE owner_id = ? AND kind = 'tag'",
      user.id,
    )
    await ok(restoreFromTrash, { as: user, id: trashed?.id ?? '', path: { kind: 'tag' } })
    expect(await rows('SELECT id FROM tags WHERE owner_id = ?', victim.id)).toEqual([])
    expect((await rows('SELECT id FROM tags WHERE owner_id = ?', user.id)).length).toBe(2)
  })

  it('leads nowhere: an id of somebody else in a budget is replaced', async () => {
    const theirs = await newAccount(victim, { name: 'Theirs' })
    const tag = await ok(createTag, { as: victim, json: { name: 'Theirs' } })
    const budget = JSON.parse(text(files['data/budgets.ndjson'])) as Row
    const scope = JSON.parse(text(files['data/budget_line_scopes.ndjson'])) as Row
    const archive = withManifest(files, {
      'data/budgets.ndjson': ndjson([{ ...budget, account_ids: JSON.stringify([theirs.id]) }]),
      'data/budget_line_scopes.ndjson': ndjson([{ ...scope, target_id: tag.id }]),
    })
    const user = await newUser()
    const report = await restored(user, await packed(archive))
    expect(report).toMatchObject({ error: null, state: 'done' })
    const [stored] = await rows<{ account_ids: string; target_id: string }>(
      `SELECT b.account_ids, s.target_id FROM budgets b JOIN budget_line_scopes s ON s.budget_id = b.id
        WHERE b.owner_id = ?`,
      user.id,
    )
    expect(stored?.account_ids).toMatch(/^\["acc_/)
    expect(stored?.account_ids).not.toContain(theirs.id)
    expect(stored?.target_id).not.toBe(tag.id)
    expect((await ok(getUserAccounts, { as: victim })).accounts.length).toBeGreaterThan(0)
  })
})

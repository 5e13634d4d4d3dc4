import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { runScript, temporaryFolder } from '../support/running.ts'
import { findingsIn } from './findings.ts'
import { files, insert, splitAt, sqlOf } from './old-database.ts'

const database = new DatabaseSync(':memory:')
for (const file of files) {
  database.exec(sqlOf(file))
}
const copy = temporaryFolder()
afterAll(() => {
  database.close()
  copy.remove()
})

it('makes exactly these tables, indexes and triggers of an empty database', async () => {
  const made = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2")
    .all()
    .map(({ type, name }) => `${String(type)} ${String(name)}\n`)
  await expect(made.join('')).toMatchFileSnapshot('schema.txt')
})

it('brings no user, and no invite code that lets one in', () => {
  for (const table of ['users', 'invite_codes']) {
    expect(database.prepare(`SELECT * FROM ${table}`).all()).toEqual([])
  }
})

it('makes every table strict', () => {
  const lax = database
    .prepare(
      "SELECT name FROM pragma_table_list WHERE strict = 0 AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all()
  expect(lax).toEqual([])
})

it('leaves a sound database', () => {
  expect(database.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
})

/** Tables that ended: nothing refers to them, and what they held is kept elsewhere, or was nothing. */
const ENDED =
  /DROP TABLE `(?:write_guard|account_history_notes|audit_chain|audit_log_items|audit_log|trashed_entries|category_months)`/g

it.each([
  ['rebuilds or drops a table', /DROP\s+TABLE/i],
  ['switches foreign keys off', /foreign_keys\s*=\s*off/i],
  ['deletes what belongs to a deleted row', /ON\s+DELETE\s+CASCADE/i],
  ['replaces rows', /\bREPLACE\b(?!\s*\()/i],
])('never %s', (_, forbidden) => {
  const textOf = (file: string) => sqlOf(file).replaceAll(/--.*$/gm, '').replaceAll(ENDED, '')
  const guilty = files.filter((file) => forbidden.test(textOf(file)))
  expect(guilty).toEqual([])
})

it('takes into the trash what the log had of it, and drops what cannot come back whole', () => {
  const old = new DatabaseSync(':memory:')
  const { before, after } = splitAt('0008_ledger_complete.sql')
  for (const file of before) {
    old.exec(sqlOf(file))
  }
  insert(old, 'users', { id: 'usr' })
  for (const [id, currency] of [
    ['one', 'EUR'],
    ['two', 'EUR'],
    // Its transactions were in dollars.
    ['changed', 'EUR'],
  ] as const) {
    insert(old, 'accounts', { id, owner_id: 'usr', name_key: id, currency })
  }
  const line = (at: number, accountId: string, end: string, amountMinor: number) => ({
    ...{ line: at, accountId, end, amountMinor, ownerId: 'usr', date: '2026-01-01' },
    ...{ currency: accountId === 'changed' ? 'USD' : 'EUR', status: 'cleared', categoryId: 'gone' },
  })
  const trash = (id: string, kind: string, action: string, entries: object[]) => {
    insert(old, 'transactions', { id, owner_id: 'usr', kind, deleted_at: 1 })
    const changes = JSON.stringify({ before: { entries } })
    insert(old, 'audit_log', { id: `log ${id}`, action, resource_id: id, changes })
  }
  const transfer = (other: string) => [
    ...[line(1, 'one', 'account', -5), line(2, other, 'account', 5)],
    ...[line(3, 'one', 'exchange', 5), line(4, other, 'exchange', -5)],
  ]
  trash('expense', 'expense', 'transaction.deleted', transfer('one').slice(0, 2))
  trash('whole', 'transfer', 'transfer.deleted', transfer('two'))
  trash('half', 'transfer', 'transfer.deleted', transfer('changed'))
  trash('none', 'income', 'transaction.deleted', [
    line(1, 'changed', 'account', 5),
    line(2, 'changed', 'income', -5),
  ])
  for (const file of after) {
    old.exec(sqlOf(file))
  }
  const left = old
    .prepare(
      `SELECT t.id || ' ' || count(*) || ' ' || sum(e.amount_minor) AS found
      FROM transactions t LEFT JOIN unbooked_entries e ON e.transaction_id = t.id GROUP BY t.id`,
    )
    .all()
    .map(({ found }) => found)
  expect(left).toEqual(['expense 2 0', 'whole 4 0'])
  expect(old.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  old.close()
})

it('keeps the lines that there are, and says of each why it is not booked and what lacks a category', () => {
  const old = new DatabaseSync(':memory:')
  const { before, after } = splitAt('0022_lines_in_place.sql')
  for (const file of before) {
    old.exec(sqlOf(file))
  }
  insert(old, 'users', { id: 'usr' })
  insert(old, 'categories', { id: 'food', owner_id: 'usr' })
  for (const id of ['one', 'two']) {
    insert(old, 'accounts', { id, owner_id: 'usr', name_key: id, currency: 'EUR' })
    insert(old, 'account_balances', { account_id: id })
  }
  const of = { owner_id: 'usr', currency: 'EUR', date: '2026-01-01', status: 'cleared' }
  const lines = (id: string, table: string, categories: (string | null)[], more: object = {}) => {
    insert(old, 'transactions', { id, owner_id: 'usr', kind: 'expense', ...more })
    const own = { ...of, transaction_id: id, account_id: 'one' }
    const amount_minor = -categories.length
    insert(old, table, { ...own, line: 1, end: 'account', amount_minor })
    for (const [at, category_id] of categories.entries()) {
      insert(old, table, { ...own, line: at + 2, end: 'expense', amount_minor: 1, category_id })
    }
  }
  lines('whole', 'entries', ['food'])
  lines('parts', 'entries', ['food', null])
  lines('gone', 'trashed_entries', [null], { deleted_at: 1 })
  lines('matched', 'trashed_entries', ['food'], { matched_into: 'parts' })
  const images = (table: string, side: string, more = '') =>
    old
      .prepare(
        `SELECT concat_ws(' ', transaction_id, line, account_id, "${side}", date, amount_minor, status, category_id${more})
          AS line FROM ${table} ORDER BY transaction_id, line`,
      )
      .all()
      .map(({ line }) => line)
  const kept = [images('entries', 'end'), images('trashed_entries', 'end')]
  const balances = old.prepare('SELECT * FROM account_balances').all()
  for (const file of after) {
    old.exec(sqlOf(file))
  }
  expect([images('entries', 'side'), images('unbooked_entries', 'side')]).toEqual(kept)
  expect(images('unbooked_entries', 'side', ', reason')).toEqual(
    kept[1]?.map((line, at) => `${String(line)} ${at < 2 ? 'trash' : 'match'}`),
  )
  const lacking = old.prepare('SELECT transaction_id, line FROM entries WHERE uncategorised').all()
  expect(lacking).toEqual([{ transaction_id: 'parts', line: 1 }])
  expect(old.prepare('SELECT * FROM account_balances').all()).toEqual(balances)
  expect(old.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  old.close()
})

it('tells external ids of what is private from those that all see', () => {
  const old = new DatabaseSync(':memory:')
  const { before, after } = splitAt('0023_external_scope.sql')
  for (const file of before) {
    old.exec(sqlOf(file))
  }
  insert(old, 'users', { id: 'usr' })
  insert(old, 'accounts', { id: 'one', owner_id: 'usr', currency: 'EUR' })
  const of = { owner_id: 'usr', account_id: 'one', currency: 'EUR', date: '2026-01-01' }
  for (const [id, isPrivate, externalId] of [
    ['hidden', 1, 'x'],
    ['nameless', 1, null],
    ['open', 0, 'y'],
  ] as const) {
    insert(old, 'transactions', { id, owner_id: 'usr', private: isPrivate, created_by: 'friend' })
    const own = { ...of, transaction_id: id, status: 'cleared' }
    insert(old, 'entries', {
      ...own,
      line: 1,
      side: 'account',
      amount_minor: 1,
      external_id: externalId,
    })
    insert(old, 'entries', { ...own, line: 2, side: 'income', amount_minor: -1 })
  }
  for (const file of after) {
    old.exec(sqlOf(file))
  }
  const scoped = old
    .prepare("SELECT transaction_id, line, external_scope FROM entries WHERE external_scope <> ''")
    .all()
  expect(scoped).toEqual([{ transaction_id: 'hidden', line: 1, external_scope: 'friend' }])
  old.close()
})

it('counts the flows of what was booked before', () => {
  const old = new DatabaseSync(':memory:')
  const { before, after } = splitAt('0025_flow_periods.sql')
  for (const file of before) {
    old.exec(sqlOf(file))
  }
  insert(old, 'users', { id: 'usr' })
  insert(old, 'categories', { id: 'food', owner_id: 'usr' })
  for (const [id, currency] of Object.entries({ one: 'EUR', two: 'EUR', far: 'JPY' })) {
    insert(old, 'accounts', { id, owner_id: 'usr', name_key: id, currency })
    insert(old, 'account_balances', { account_id: id })
  }
  type Line = [line: number, account: string, side: string, amount: number, category?: string]
  const book = (id: string, kind: string, date: string, status: string, lines: Line[]) => {
    insert(old, 'transactions', { id, owner_id: 'usr', kind, date })
    for (const [line, account, side, amount, category = null] of lines) {
      const isUncategorised =
        side === 'account' &&
        lines.some((one) => one[1] === account && one[2] === 'expense' && !one[4])
      insert(old, 'entries', {
        ...{ transaction_id: id, line, owner_id: 'usr', account_id: account, side, date, status },
        ...{
          amount_minor: amount,
          currency: account === 'far' ? 'JPY' : 'EUR',
          category_id: category,
        },
        uncategorised: Number(isUncategorised),
      })
    }
  }
  const spent: Line[] = [
    [1, 'one', 'account', -30],
    [2, 'one', 'expense', 10, 'food'],
    [3, 'one', 'expense', 20],
  ]
  book('spent', 'expense', '2026-01-05', 'pending', spent)
  book('again', 'expense', '2026-01-06', 'cleared', spent)
  book('never', 'expense', '2026-01-06', 'void', spent)
  book('start', 'opening', '2026-01-01', 'cleared', [
    [1, 'one', 'account', 500],
    [2, 'one', 'opening', -500],
  ])
  book('moved', 'transfer', '2026-01-06', 'cleared', [
    [1, 'one', 'account', -101],
    [2, 'two', 'account', 100],
    [5, 'one', 'expense', 1, 'food'],
  ])
  book('changed', 'transfer', '2026-02-01', 'cleared', [
    [1, 'two', 'account', -50],
    [2, 'far', 'account', 8000],
    [3, 'two', 'exchange', 50],
    [4, 'far', 'exchange', -8000],
  ])
  for (const file of after) {
    old.exec(sqlOf(file))
  }
  const months = old
    .prepare(
      `SELECT concat_ws(' ', account_id, period, flow, nullif(category_id, ''), nullif(counter_account_id, ''), amount_minor,
        pending_minor, entry_count) AS flow FROM flow_periods WHERE grain = 'month' ORDER BY 1`,
    )
    .all()
    .map(({ flow }) => flow)
  expect(months).toEqual([
    'far 2026-02 transfer two 8000 0 1',
    'one 2026-01 expense -40 -20 2',
    'one 2026-01 expense food -21 -10 3',
    'one 2026-01 opening 500 0 1',
    'one 2026-01 transfer two -100 0 1',
    'two 2026-01 transfer one 100 0 1',
    'two 2026-02 transfer far -50 0 1',
  ])
  expect(findingsIn(old)).toEqual([])
  old.close()
})

it('says all that drizzle/schema says', async () => {
  for (const entry of ['drizzle', 'migrations', 'scripts', 'package.json']) {
    cpSync(inProject(entry), join(copy.path, entry), { recursive: true })
  }
  symlinkSync(inProject('node_modules'), join(copy.path, 'node_modules'))
  const { code, printed } = await runScript('scripts/generate-migration.ts', [], {
    cwd: copy.path,
    env: { PATH: `${inProject('node_modules/.bin')}:${process.env['PATH']}` },
  })
  expect(code, printed).toBe(0)
  expect(
    readdirSync(join(copy.path, 'migrations')).filter((name) => name.endsWith('.sql')),
  ).toEqual(files)
})

it('forgets what an older version has counted', () => {
  const old = new DatabaseSync(':memory:')
  const { before, after } = splitAt('0016_forget_statistics.sql')
  for (const file of before) {
    old.exec(sqlOf(file))
  }
  old.exec(`INSERT INTO roles (id, name, name_key, created_at, updated_at) VALUES ('rol', 'x', 'x', 0, 0);
    INSERT INTO tasks (id, kind, payload, max_attempts, created_at, next_attempt_at) VALUES
      ('tsk_1', 'database.optimize', '{}', 5, 0, 0), ('tsk_2', 'platform.purge', '{}', 5, 0, 0);
    ANALYZE`)
  const count = (from: string) =>
    old.prepare(`SELECT count(*) AS count FROM ${from}`).get()?.['count']
  expect(count('sqlite_stat1')).toBeGreaterThan(0)
  old.exec(sqlOf(after[0] ?? ''))
  expect(count('sqlite_stat1')).toBe(0)
  expect(old.prepare('SELECT id FROM tasks').all()).toEqual([{ id: 'tsk_2' }])
  old.close()
})

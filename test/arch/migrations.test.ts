import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import {
  changesOf,
  declaredViewsAndTriggers,
  migratedViewsAndTriggers,
} from '../../scripts/lib/views-and-triggers.ts'
import { findingsIn } from './findings.ts'
import { files, insert, sqlOf } from './migrated-rows.ts'

const database = new DatabaseSync(':memory:')
for (const file of files) {
  database.exec(sqlOf(file))
}
afterAll(() => database.close())

it('makes exactly these tables, indexes and triggers of an empty database', async () => {
  const made = database
    .prepare("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY 1, 2")
    .all()
    .map(({ type, name }) => `${String(type)} ${String(name)}\n`)
  await expect(made.join('')).toMatchFileSnapshot(
    'schema.txt',
    'Write schema.txt anew: npx vitest run test/arch/migrations.test.ts -u.',
  )
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

it.each([
  ['rebuilds or drops a table', /DROP\s+TABLE/i],
  ['switches foreign keys off', /foreign_keys\s*=\s*off/i],
  ['deletes what belongs to a deleted row', /ON\s+DELETE\s+CASCADE/i],
  ['replaces rows', /\bREPLACE\b(?!\s*\()/i],
])('never %s', (_, forbidden) => {
  const textOf = (file: string) => sqlOf(file).replaceAll(/--.*$/gm, '')
  const guilty = files.filter((file) => forbidden.test(textOf(file)))
  expect(guilty).toEqual([])
})

it('takes what the baseline holds through all that follows', () => {
  const [baseline = '', ...following] = files
  const used = new DatabaseSync(':memory:')
  used.exec(sqlOf(baseline))
  fill(used)
  const before = countsOf(used)
  for (const file of following) {
    used.exec(sqlOf(file))
  }
  expect(countsOf(used)).toMatchObject(before)
  expect(findingsIn(used)).toEqual([])
  expect(used.prepare('PRAGMA foreign_key_check').all()).toEqual([])
  expect(used.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  used.close()
})

/** A household's books as the baseline has them: rows of each kind that a later migration may have to move. */
function fill(used: DatabaseSync): void {
  const owner_id = 'usr'
  insert(used, 'users', { id: owner_id, email_key: 'me', base_currency: 'EUR' })
  insert(used, 'users', { id: 'friend', email_key: 'friend', base_currency: 'EUR' })
  insert(used, 'categories', { id: 'food', owner_id, kind: 'expense', depth: 1 })
  insert(used, 'payees', { id: 'shop', owner_id })
  insert(used, 'tags', { id: 'trip', owner_id })
  for (const id of ['giro', 'cash']) {
    insert(used, 'accounts', { id, owner_id, name_key: id, currency: 'EUR', opening_date: DAY })
    insert(used, 'account_balances', { account_id: id })
  }
  const line = { owner_id, account_id: 'giro', currency: 'EUR', date: DAY, status: 'cleared' }
  const book = (id: string, kind: string, lines: Record<string, string | number>[]) => {
    insert(used, 'transactions', {
      id,
      owner_id,
      kind,
      date: DAY,
      source: 'user',
      created_by: owner_id,
    })
    for (const one of lines) {
      insert(used, 'entries', { ...line, transaction_id: id, ...one })
    }
  }
  book('spent', 'expense', [
    { line: 1, side: 'account', amount_minor: -30 },
    { line: 2, side: 'expense', amount_minor: 30, category_id: 'food' },
  ])
  book('moved', 'transfer', [
    { line: 1, side: 'account', amount_minor: -70, counter_account_id: 'cash', flow_minor: -70 },
    {
      line: 2,
      account_id: 'cash',
      side: 'account',
      amount_minor: 70,
      counter_account_id: 'giro',
      flow_minor: 70,
    },
  ])
  insert(used, 'transaction_tags', { transaction_id: 'spent', tag_id: 'trip' })
  insert(used, 'transaction_payees', { transaction_id: 'spent', payee_id: 'shop' })
  insert(used, 'budgets', {
    id: 'plan',
    owner_id,
    name_key: 'plan',
    unit: 'month',
    currency: 'EUR',
  })
  insert(used, 'log_commits', { id: 'log', first_event: 1, event_count: 1 })
  insert(used, 'log_events', { commit_number: 1 })
}

const DAY = '2026-01-05'

/** How many rows each table has. */
const countsOf = (of: DatabaseSync) =>
  Object.fromEntries(
    of
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all()
      .map(({ name }) => [
        name,
        of.prepare(`SELECT count(*) AS count FROM "${String(name)}"`).get()?.['count'],
      ]),
  )

it('makes a migration of a trigger that changed, and of it alone', () => {
  const declared = declaredViewsAndTriggers()
  expect(changesOf(migratedViewsAndTriggers(), declared)).toEqual([])
  const { type = '', sql = '' } = declared.get('transactions_delete_ticks') ?? {}
  const other = sql.replace('OLD.id', 'NEW.id')
  const changed = new Map(declared).set('transactions_delete_ticks', { type, sql: other })
  changed.delete('entries_no_replace')
  expect(changesOf(declared, changed)).toEqual([
    'DROP TRIGGER transactions_delete_ticks;',
    'DROP TRIGGER entries_no_replace;',
    `${other};`,
  ])
})

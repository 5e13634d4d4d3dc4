import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { isAmong } from '../support/rounds.ts'
import { plantsIn } from './planted-bugs.fixtures.ts'

// Processes keep rules by the number that these triggers count. So each of them is broken in every way that somebody could write it
// wrong, and each time a step is counted wrong.

const database = new DatabaseSync(':memory:')
for (const file of readdirSync(inProject('migrations')).toSorted()) {
  if (file.endsWith('.sql')) {
    database.exec(readFileSync(inProject('migrations', file), 'utf8'))
  }
}
afterAll(() => database.close())

const account = (id: string, owner: string) =>
  `INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget, include_in_net_worth, opening_date,
    created_at, updated_at) VALUES ('${id}', '${owner}', '${id}', '${id}', 'cash', 'EUR', 1, 1, '2026-01-01', 0, 0)`
const label = (table: string, id: string, more: Record<string, string> = {}) =>
  `INSERT INTO ${table} (id, owner_id, name, name_key, created_at, updated_at ${Object.keys(more)
    .map((column) => `, ${column}`)
    .join('')}) VALUES ('${id}', 'usr', '${id}', '${id}', 0, 0 ${Object.values(more)
    .map((value) => `, ${value}`)
    .join('')})`
const category = (id: string) => label('categories', id, { kind: "'expense'", depth: '1' })
const rule = (id: string, position: number, definition: string) =>
  label('rules', id, { position: String(position), active: '1', definition: `'${definition}'` })
const set = (table: string, id: string, what: string) =>
  `UPDATE ${table} SET ${what} WHERE id = '${id}'`
const erase = (table: string, id: string) => `DELETE FROM ${table} WHERE id = '${id}'`

for (const id of ['usr', 'other']) {
  database.exec(`INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
    VALUES ('${id}', '${id}', '${id}', 'Ada', 'EUR', 'en', 'UTC', 0, 0)`)
}

const triggers = database
  .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%rule_set'")
  .all()
  .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))

/** Many changes in a commit, which count as one. */
const asOne = (...changes: string[]) =>
  [
    set('users', 'usr', 'rule_set = -rule_set - 1'),
    ...changes,
    set('users', 'usr', 'rule_set = -rule_set'),
  ].join(';')

/** What is done, and whether it changes what rules say of bookings. */
const STEPS: [sql: string, counts: 0 | 1][] = [
  [account('one', 'usr'), 0],
  [account('theirs', 'other'), 0],
  // There are no rules yet whose names of periods would depend on it.
  [set('users', 'usr', "time_zone = 'Europe/Dublin'"), 0],
  // No rule names these.
  [category('cat_a'), 0],
  [label('tags', 'tag_a'), 0],
  [label('payees', 'pay_a'), 0],
  [set('categories', 'cat_a', 'archived = 1'), 0],
  [set('tags', 'tag_a', 'archived = 1'), 0],
  [set('payees', 'pay_a', 'archived = 1'), 0],
  [rule('first', 1, 'cat_a tag_a pay_a two'), 1],
  [rule('second', 2, '{payee} cat_b tag_b pay_b'), 1],
  [account('two', 'usr'), 0],
  [set('rules', 'first', "name = 'x'"), 0],
  [set('rules', 'first', "definition = 'cat_a tag_a pay_a two x'"), 1],
  [set('rules', 'first', 'active = 0'), 1],
  [set('rules', 'first', 'active = 0, definition = definition'), 1],
  [set('users', 'usr', "time_zone = 'Asia/Tokyo'"), 1],
  [set('users', 'usr', "time_zone = 'Asia/Tokyo'"), 0],
  // A new order.
  ['UPDATE rules SET position = 3 - position', 1],
  [set('rules', 'first', 'position = 7'), 0],
  // Labels that rules name.
  ...['categories cat_a', 'tags tag_a', 'payees pay_a'].flatMap((one): typeof STEPS => {
    const [table = '', id = ''] = one.split(' ')
    return [
      [set(table, id, 'archived = 0'), 1],
      [set(table, id, 'archived = archived'), 0],
      [erase(table, id), 1],
    ]
  }),
  [category('cat_b'), 1],
  [label('tags', 'tag_b'), 1],
  [label('payees', 'pay_b'), 1],
  [label('tags', 'tag_c'), 0],
  [set('tags', 'tag_c', 'archived = 1'), 0],
  [erase('tags', 'tag_c'), 0],
  [category('cat_c'), 0],
  [set('categories', 'cat_c', 'archived = 1'), 0],
  [set('categories', 'cat_c', 'archived = 0'), 0],
  // Names of payees in texts.
  [label('payees', 'pay_c'), 1],
  [set('payees', 'pay_c', "name = 'x'"), 1],
  [set('payees', 'pay_c', "name = 'x', note = 'x'"), 0],
  [erase('rules', 'second'), 1],
  [label('payees', 'pay_d'), 0],
  [set('payees', 'pay_d', "name = 'x'"), 0],
  [set('payees', 'pay_d', 'archived = 1'), 0],
  [set('payees', 'pay_d', 'archived = 0'), 0],
  // Usual categories.
  [set('payees', 'pay_d', "default_category_id = 'cat_c'"), 1],
  [set('payees', 'pay_d', "default_category_id = 'cat_c'"), 0],
  [set('categories', 'cat_c', 'archived = 1'), 1],
  [label('payees', 'pay_e', { default_category_id: "'cat_c'" }), 1],
  [set('payees', 'pay_e', 'default_category_id = NULL'), 1],
  [erase('payees', 'pay_e'), 0],
  [erase('categories', 'cat_c'), 1],
  // Accounts that rules name.
  [set('accounts', 'two', 'deleted_at = 1'), 1],
  [set('accounts', 'two', 'deleted_at = 2'), 0],
  [set('accounts', 'two', 'deleted_at = NULL'), 1],
  [set('accounts', 'one', 'deleted_at = 1'), 0],
  [account('three', 'usr'), 0],
  // Many at once: each of them alone, as two would hide each other.
  [asOne(), 1],
  [asOne(rule('third', 3, 'cat_d tag_d pay_f')), 1],
  [asOne(set('rules', 'third', "definition = 'cat_d tag_d pay_f x'")), 1],
  [asOne(category('cat_d')), 1],
  [asOne(label('tags', 'tag_d')), 1],
  [asOne(label('payees', 'pay_f')), 1],
  [asOne(set('payees', 'pay_f', "default_category_id = 'cat_d'")), 1],
  [asOne(account('four', 'usr')), 1],
  [asOne(erase('tags', 'tag_d')), 1],
  [asOne(erase('payees', 'pay_f')), 1],
  [asOne(erase('categories', 'cat_d')), 1],
  [rule('fourth', 4, 'x'), 1],
  [asOne(erase('rules', 'fourth')), 1],
  [erase('rules', 'third'), 1],
  [erase('rules', 'first'), 1],
  [set('accounts', 'two', 'deleted_at = 1'), 0],
]

/** The steps that are counted wrong with this in place of a trigger. */
function countedWrong({ name }: { name: string }, planted: string | null): string[] {
  const wrong: string[] = []
  database.exec('BEGIN')
  try {
    database.exec(planted === null ? '' : `DROP TRIGGER ${name}; ${planted}`)
    let count = 0
    for (const [sql, counts] of STEPS) {
      database.exec(sql)
      count += counts
      const found = database
        .prepare(
          `SELECT id FROM users WHERE rule_set <> iif(id = 'usr', ?1, 0)
            UNION ALL SELECT id FROM accounts WHERE rule_set <> iif(owner_id = 'usr', ?1, 0)`,
        )
        .all(count)
      wrong.push(...(found.length === 0 ? [] : [sql]))
    }
  } catch (error) {
    wrong.push(String(error))
  } finally {
    database.exec('ROLLBACK')
  }
  return wrong
}

describe('the count of rule sets', () => {
  it('rises with every change of what rules say, and with no other', () => {
    expect(triggers.length).toBeGreaterThan(10)
    expect(countedWrong({ name: '' }, null)).toEqual([])
  })

  const plants = triggers.flatMap((trigger, place) =>
    plantsIn(trigger.sql)
      .filter((_, at) => isAmong(at + place, 8))
      .map(({ bug, sql }) => [`${trigger.name} with ${bug}`, trigger, sql] as const),
  )

  it.each(plants)('is wrong by %s', (_, trigger, sql) => {
    expect(countedWrong(trigger, sql)).not.toEqual([])
  })
})

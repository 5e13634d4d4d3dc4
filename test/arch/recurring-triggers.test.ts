import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { plantsIn } from './planted-bugs.fixtures.ts'

// Recurring items rest while one of their accounts is in the trash, and go with it. Each trigger is broken in every way that
// somebody could write it wrong, and each time a step leaves something else.

const database = new DatabaseSync(':memory:')
for (const file of readdirSync(inProject('migrations')).toSorted()) {
  if (file.endsWith('.sql')) {
    database.exec(readFileSync(inProject('migrations', file), 'utf8'))
  }
}
afterAll(() => database.close())

for (const id of ['usr', 'other']) {
  database.exec(`INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
    VALUES ('${id}', '${id}', '${id}', 'Ada', 'EUR', 'en', 'UTC', 0, 0)`)
}
for (const [id, owner] of [
  ['acc_one', 'usr'],
  ['acc_two', 'usr'],
  ['acc_six', 'other'],
]) {
  database.exec(`INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget, include_in_net_worth, opening_date,
    created_at, updated_at) VALUES ('${id}', '${owner}', '${id}', '${id}', 'cash', 'EUR', 1, 1, '2026-01-01', 0, 0)`)
}
for (const [id, owner, accounts] of [
  ['rec_one', 'usr', '["acc_one"]'],
  ['rec_both', 'usr', '["acc_two","acc_one"]'],
  ['rec_two', 'usr', '["acc_two"]'],
  ['rec_any', 'usr', '[]'],
  // No item names an account of somebody else.
  ['rec_other', 'other', '["acc_one"]'],
]) {
  database.exec(`INSERT INTO recurring (id, owner_id, created_by, name, purpose, mode, active, private, account_ids, currency,
      definition, first_day, created_at, updated_at)
    VALUES ('${id}', '${owner}', '${owner}', 'x', 'bill', 'post', 1, 0, '${accounts}', 'EUR', '{}', '2026-01-01', 0, 0);
    INSERT INTO recurring_occurrences (recurring_id, owner_id, nominal_date, state, updated_at)
    VALUES ('${id}', '${owner}', '2026-01-15', 'booked', 0)`)
}

/** Whatever is done, and then all items with the time at which something has to be done next, and all occurrences. */
const LEFT = `SELECT group_concat(one, ' ') AS left FROM (
  SELECT id || ':' || ifnull(next_at, '-') AS one FROM recurring UNION ALL
  SELECT recurring_id || '/' || nominal_date FROM recurring_occurrences ORDER BY 1)`

const trash = (id: string, at: number | null, now: number) =>
  `UPDATE accounts SET deleted_at = ${at ?? 'NULL'}, updated_at = ${now} WHERE id = '${id}'`

const STEPS = [
  "UPDATE accounts SET deleted_at = NULL, name = 'x', updated_at = 3 WHERE id = 'acc_one'",
  trash('acc_one', 5, 5),
  trash('acc_one', 6, 7),
  trash('acc_one', null, 9),
  "DELETE FROM accounts WHERE id = 'acc_six'",
  "DELETE FROM accounts WHERE id = 'acc_one'",
]

function walked(planted: { name: string; sql: string } | undefined): unknown[] {
  database.exec('BEGIN')
  try {
    database.exec(planted ? `DROP TRIGGER ${planted.name}; ${planted.sql}` : '')
    return STEPS.map((sql) => {
      database.exec(sql)
      return database.prepare(LEFT).get()?.['left']
    })
  } catch (error) {
    return [String(error)]
  } finally {
    database.exec('ROLLBACK')
  }
}

const triggers = database
  .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND name LIKE '%_recurring'")
  .all()
  .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))

const itemsAt = (at: number | '-') =>
  `rec_any/2026-01-15 rec_any:- rec_both/2026-01-15 rec_both:${at} rec_one/2026-01-15 rec_one:${at} rec_other/2026-01-15 rec_other:- rec_two/2026-01-15 rec_two:-`

it('wakes and erases items with their accounts', () => {
  expect(walked(undefined)).toEqual([
    ...[itemsAt('-'), itemsAt(5), itemsAt(5), itemsAt(9), itemsAt(9)],
    'rec_any/2026-01-15 rec_any:- rec_other/2026-01-15 rec_other:- rec_two/2026-01-15 rec_two:-',
  ])
})

it.each(
  triggers.flatMap(({ name, sql }) =>
    plantsIn(sql).map((plant) => [`${name} with ${plant.bug}`, { name, sql: plant.sql }] as const),
  ),
)('is not the same with %s', (_, planted) => {
  expect(walked(planted)).not.toEqual(walked(undefined))
})

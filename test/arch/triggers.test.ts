import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { randomFrom } from '../support/random.ts'
import { findingsIn, ledgerStatements } from './findings.ts'
import { isAmong, rounds } from '../support/rounds.ts'
import { plantsIn } from './planted-bugs.fixtures.ts'

// What the triggers keep is only worth as much as the check that looks after them. So every trigger is
// broken in every way that somebody could write it wrong, and each time the check must tell.

const database = new DatabaseSync(':memory:')
for (const file of readdirSync(inProject('migrations')).toSorted()) {
  if (file.endsWith('.sql')) {
    database.exec(readFileSync(inProject('migrations', file), 'utf8'))
  }
}
afterAll(() => database.close())

const columns = 'id, owner_id, name, name_key'
database.exec(`
  INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
    VALUES ('usr', 'a@b', 'a@b', 'Ada', 'EUR', 'en', 'UTC', 0, 0);
  INSERT INTO accounts (${columns}, type, currency, on_budget, include_in_net_worth, opening_date, created_at, updated_at)
    SELECT value, 'usr', value, value, 'checking', 'EUR', 1, 1, '2026-01-01', 0, 0 FROM json_each('["one", "two"]');
  INSERT INTO account_balances (account_id) VALUES ('one'), ('two');
  INSERT INTO categories (${columns}, kind, depth, created_at, updated_at)
    SELECT value, 'usr', value, value, 'expense', 1, 0, 0 FROM json_each('["food", "fuel"]');
  INSERT INTO tags (${columns}, created_at, updated_at) VALUES ('tag', 'usr', 'tag', 'tag', 0, 0);
  INSERT INTO payees (${columns}, created_at, updated_at) VALUES ('pay', 'usr', 'pay', 'pay', 0, 0)`)

const triggers = database
  .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
  .all()
  .map(({ name, sql }) => ({ name: String(name), sql: String(sql) }))
  // What ends checkpoints of budgets, and marks budgets, is broken in test/areas/budgets; what counts changes of rules, in
  // rule-set-triggers.test.ts; what happens to recurring items with their accounts, in recurring-triggers.test.ts.
  .filter(({ name }) => !/_(?:checkpoints|watch|rule_set|recurring)$/.test(name))

/** Where the checks look. */
const ofLedger = triggers.filter(({ name }) => name.startsWith('entries_'))
/** Foreign keys look there. */
const ofErasure = triggers.filter(
  ({ name }) =>
    /^(?:transactions_|shares_of_)/.test(name) || name === 'reconciliations_delete_rows',
)

/** They are looked after below. */
const ofLocks = triggers.filter(({ name }) => name.endsWith('_days'))
const ofFiles = triggers.filter(({ name }) => name.startsWith('attachment'))

const insertHeader = database.prepare(
  `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
    VALUES (?, 'usr', ?, ?, 'user', 'usr', 0, 0)`,
)
const insertEntry = database.prepare(
  `INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status, category_id,
    uncategorised, counter_account_id, flow_minor) VALUES (?, ?, 'usr', ?, ?, ?, ?, 'EUR', ?, ?, ?, ?, ?)`,
)
const NO_FLOW = [null, null] as const
const deleteEntries = database.prepare('DELETE FROM entries WHERE transaction_id = ?')
const deleteHeader = database.prepare('DELETE FROM transactions WHERE id = ?')

const STATUSES = ['pending', 'uncleared', 'cleared', 'reconciled', 'void'] as const
const SIDES = ['expense', 'income', 'opening', 'adjustment', 'exchange'] as const

interface Booked {
  date: string
  account: string
  amount: number
  status: string
  side: string
  /** That of the side, unless told otherwise. */
  kind?: string
  category?: string | null
  /** The account on the other side, and what moves. */
  flow?: readonly [string, number]
}

function book(id: string, booked: Booked): void {
  const { date, account, amount, status, side, category = null, flow = NO_FLOW } = booked
  insertHeader.run(id, booked.kind ?? side, date)
  const isUncategorised = category === null && ['expense', 'income'].includes(side)
  insertEntry.run(
    id,
    1,
    account,
    'account',
    date,
    amount,
    status,
    null,
    Number(isUncategorised),
    ...flow,
  )
  insertEntry.run(id, 2, account, side, date, -amount, status, category, 0, ...NO_FLOW)
}

/** Moves money to the other account, with a fee of 1 in what leaves. */
function move(
  id: string,
  { date, account, amount, status, category = null }: Omit<Booked, 'side'>,
): void {
  insertHeader.run(id, 'transfer', date)
  const to = account === 'one' ? 'two' : 'one'
  insertEntry.run(id, 1, account, 'account', date, -amount - 1, status, category, 1, to, -amount)
  insertEntry.run(id, 2, to, 'account', date, amount, status, category, 0, account, amount)
  insertEntry.run(id, 5, account, 'expense', date, 1, status, null, 0, ...NO_FLOW)
}

function takeBack(id: string): void {
  deleteEntries.run(id)
  deleteHeader.run(id)
}

/** Books, changes and takes back: every status meets every side and both signs, and months become empty. */
function useLedger(): void {
  const random = randomFrom(7)
  const ids: string[] = []
  for (let at = 0; at < rounds(50, 150); at++) {
    const id = `txn_${at}`
    const amount = random.whole(1, 900)
    const booked = {
      date: `2026-0${random.whole(1, 4)}-0${random.whole(1, 3)}`,
      account: random.pick(['one', 'one', 'two']),
      amount,
      status: STATUSES[at % STATUSES.length] ?? 'void',
      side: SIDES[Math.floor(at / STATUSES.length) % SIDES.length] ?? 'expense',
      category: random.pick(['food', 'fuel', null]),
    }
    book(id, { ...booked, amount: amount * random.pick([-1, 1]) })
    move(`trf_${at}`, booked)
    setCategory.run(random.pick(['food', 'fuel', null]), `trf_${at}`, random.pick([1, 2, 5]))
    ids.push(id)
    changeInPlace(random, random.pick(ids))
    if (random.chance(0.6)) {
      const [gone = ''] = ids.splice(random.whole(0, ids.length - 1), 1)
      takeBack(gone)
      takeBack(gone.replace('txn', 'trf'))
    }
  }
  // The newest of one account stays, that of the other goes.
  const newest = { amount: 5, status: 'cleared', side: 'income' }
  book('stays', { ...newest, account: 'one', date: '2027-03-01' })
  book('goes', { ...newest, account: 'two', date: '2027-04-01' })
  takeBack('goes')
  changeParts()
  refund()
  attemptAll()
}

/** Parts of an income that become refunds by their categories, and are none any more. */
function refund(): void {
  const date = '2026-01-02'
  for (const id of ['refund', 'no refund', 'void refund']) {
    const status = id === 'void refund' ? 'void' : 'pending'
    book(id, { date, account: 'one', amount: 7, status, side: 'income' })
    setSide.run('expense', 'food', id)
  }
  setSide.run('income', null, 'no refund')
}

/** Parts with and without categories, beside another account's line and what can have no category. */
function changeParts(): void {
  const date = '2026-01-01'
  const own = { date, account: 'two', amount: 5, status: 'cleared', side: 'income' }
  book('parts', { ...own, kind: 'transfer', flow: ['one', 0] })
  insertEntry.run('parts', 3, 'two', 'expense', date, -5, 'cleared', 'food', 0, ...NO_FLOW)
  insertEntry.run('parts', 4, 'two', 'exchange', date, 4, 'cleared', null, 0, ...NO_FLOW)
  insertEntry.run('parts', 5, 'one', 'account', date, 1, 'cleared', null, 0, 'two', 1)
  setCategory.run(null, 'parts', 3)
  setCategory.run('fuel', 'parts', 2)
  setCategory.run('fuel', 'parts', 3)
  setCategory.run('food', 'parts', 4)
  setCategory.run(null, 'parts', 4)
  book('lacking', { ...own, kind: 'transfer', flow: ['one', 4] })
  insertEntry.run('lacking', 3, 'one', 'account', date, 1, 'cleared', null, 0, 'two', 1)
  insertEntry.run('lacking', 4, 'two', 'expense', date, -1, 'cleared', null, 0, ...NO_FLOW)
  setCategory.run('food', 'lacking', 4)
}

/** What is refused, unless it is the trigger that is broken. */
function attemptAll(): void {
  const status = { uncleared: 'uncleared', pending: 'pending', void: 'void' }
  for (const [id, own] of Object.entries(status)) {
    book(id, { date: '2026-01-01', account: 'two', amount: 5, status: own, side: 'opening' })
  }
  const changes = [
    ["transaction_id = 'uncleared'", 'line = 9', "owner_id = 'usr2'", "account_id = 'two'"],
    ["side = 'exchange'", "date = '2026-02-02'", 'amount_minor = amount_minor * 2'],
    ["currency = 'USD'", "external_id = 'x'"],
    // A line changes its side with its category alone, between incomes and expenses.
    ["side = 'expense'", "side = 'opening', category_id = 'food'"],
  ].flat()
  for (const change of changes) {
    attempt(`UPDATE OR IGNORE entries SET ${change} WHERE transaction_id = 'stays' AND line = 2`)
  }
  for (const [from, to] of [
    ...[
      ['uncleared', 'pending'],
      ['uncleared', 'void'],
    ],
    ...[
      ['pending', 'cleared'],
      ['void', 'cleared'],
    ],
  ]) {
    attempt(`UPDATE entries SET status = '${to}' WHERE transaction_id = '${from}'`)
  }
  attempt(
    "UPDATE entries SET side = 'income', category_id = 'food' WHERE transaction_id = 'pending' AND line = 2",
  )
  move('moved', { date: '2026-01-01', account: 'one', amount: 5, status: 'cleared' })
  for (const change of ["counter_account_id = 'one'", 'flow_minor = 5']) {
    attempt(`UPDATE entries SET ${change} WHERE transaction_id = 'moved' AND line = 1`)
  }
  changePaired()
  changeScopes()
  attempt("INSERT OR REPLACE INTO entries SELECT * FROM entries WHERE transaction_id = 'stays'")
}

/** A part that is a transfer keeps its other side, whatever its category is. */
function changePaired(): void {
  insertHeader.run('paired', 'expense', '2026-01-01')
  database.exec(`INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
      pair, counter_account_id, flow_minor)
    SELECT 'paired', value->>0, 'usr', value->>1, value->>2, '2026-01-01', value->>3, 'EUR', 'cleared', value->>4, value->>5, value->>6
    FROM json_each('[[1, "one", "account", -9], [2, "one", "expense", 4], [3, "one", "exchange", 5, null, "two", -5],
      [4, "two", "account", 5, 3], [5, "two", "exchange", -5, 3, "one", 5]]')`)
  database.exec(`UPDATE entries SET uncategorised = 1 WHERE transaction_id = 'paired' AND line = 1`)
  for (const line of [3, 5]) {
    setCategory.run('food', 'paired', line)
  }
  attempt("UPDATE entries SET pair = NULL WHERE transaction_id = 'paired' AND line = 4")
}

/** An external id is unique among other lines when its transaction becomes private, or is no more. */
function changeScopes(): void {
  insertHeader.run('named', 'opening', '2026-01-01')
  database.exec(`INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
      external_id)
    VALUES ('named', 1, 'usr', 'two', 'account', '2026-01-01', 5, 'EUR', 'cleared', 'x'),
      ('named', 2, 'usr', 'two', 'opening', '2026-01-01', -5, 'EUR', 'cleared', NULL)`)
  const setScope = (scope: string) =>
    `UPDATE entries SET external_scope = '${scope}' WHERE transaction_id = 'named' AND line = 1`
  for (const [isPrivate, scope] of [
    [1, 'usr'],
    [0, ''],
  ] as const) {
    database.exec(`UPDATE transactions SET private = ${isPrivate} WHERE id = 'named'`)
    attempt(setScope('usr2'))
    database.exec(setScope(scope))
  }
}

const setStatus = database.prepare('UPDATE entries SET status = ? WHERE transaction_id = ?')
const setCategory = database.prepare(
  'UPDATE entries SET category_id = ? WHERE transaction_id = ? AND line = ?',
)
const setSide = database.prepare(
  'UPDATE entries SET side = ?, category_id = ? WHERE transaction_id = ? AND line = 2',
)
const IN_PLACE = ['uncleared', 'cleared', 'reconciled']

/** Gives a transaction a category, and a status where its own may change in place. */
function changeInPlace(random: ReturnType<typeof randomFrom>, id: string): void {
  const [own] = database
    .prepare('SELECT status FROM entries WHERE transaction_id = ? ORDER BY line')
    .all(id)
  setCategory.run(random.pick(['food', 'fuel', null]), id, 2)
  if (IN_PLACE.includes(String(own?.['status']))) {
    setStatus.run(random.pick(IN_PLACE), id)
  }
}

/** What no trigger refused. */
let unrefused: string[] = []

function attempt(sql: string): void {
  try {
    database.exec(sql)
    unrefused.push(sql)
  } catch (error) {
    unrefused.push(...(String(error).includes('entries are never') ? [] : [String(error)]))
  }
}

/** Erases a transaction on which hangs all that can. */
function eraseWithAll(): void {
  for (const id of ['aaa', 'mmm', 'zzz', 'part']) {
    insertHeader.run(id, 'expense', '2026-01-01')
  }
  database.exec(`
    INSERT INTO transaction_tags VALUES ('mmm', 0, 'tag');
    INSERT INTO transaction_payees VALUES ('mmm', 0, 'pay');
    INSERT INTO transaction_links (id, owner_id, kind, source_id, target_id, created_at, updated_at)
      VALUES ('to', 'usr', 'custom', 'mmm', 'aaa', 0, 0), ('from', 'usr', 'custom', 'aaa', 'mmm', 0, 0);
    INSERT INTO distinct_pairs VALUES ('duplicate', 'aaa', 'mmm', 'usr', 0), ('duplicate', 'mmm', 'zzz', 'usr', 0);
    INSERT INTO unbooked_entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status, reason)
      VALUES ('mmm', 1, 'usr', 'one', 'account', '2026-01-01', 1, 'EUR', 'cleared', 'trash');
    INSERT INTO valuations (id, owner_id, account_id, date, value_minor, transaction_id, created_at, updated_at)
      VALUES ('val', 'usr', 'one', '2026-01-01', 1, 'mmm', 0, 0);
    INSERT INTO import_identities (account_id, identity, date, amount_minor, pending, transaction_id, import_id)
      VALUES ('one', 'f1', '2026-01-01', 1, 0, 'mmm', 'imp');
    INSERT INTO reconciliations (id, owner_id, account_id, statement_date, opening_minor, closing_minor, state, created_by,
        created_at, updated_at)
      SELECT value, 'usr', value, '2026-01-31', 0, 1, 'open', 'usr', 0, 0 FROM json_each('["one", "two"]');
    INSERT INTO reconciliation_rows (reconciliation_id, transaction_id, line) VALUES ('one', 'mmm', 1), ('two', 'aaa', 1);
    UPDATE transactions SET matched_into = 'mmm' WHERE id = 'part';
    DELETE FROM reconciliations WHERE id = 'two';
    INSERT INTO budgets (id, owner_id, created_by, name, name_key, mode, currency, unit, unit_count, anchor, weekend, first_period,
        first_day, starts_on, time_zone, accounts, strict, count_pending, count_transfers, created_at, updated_at)
      VALUES ('bud', 'usr', 'usr', 'b', 'b', 'limit', 'EUR', 'month', 1, '2026-01-01', 'keep', '2026-01-01', '2026-01-01',
        '2026-01-01', 'UTC', 'onBudget', 0, 1, 0, 0, 0);
    INSERT INTO attachments (id, owner_id, storage_class_id, object_key, file_name, content_type, size, sha256, created_at, updated_at)
      VALUES ('att', 'usr', 'stc_standard', 'k', 'f', 't', 1, 'x', 0, 0);
    INSERT INTO shares (id, budget_id, attachment_id, owner_id, email, email_key, permission, created_by, created_at, updated_at)
      VALUES ('one', 'bud', NULL, 'usr', 'x', 'x', 'view', 'usr', 0, 0), ('two', NULL, 'att', 'usr', 'x', 'x', 'view', 'usr', 0, 0);
    DELETE FROM budgets; DELETE FROM attachments`)
  deleteHeader.run('mmm')
  for (const id of ['aaa', 'zzz']) {
    deleteHeader.run(id)
  }
}

const KEPT = `SELECT storage_class_id, ifnull(group_id, owner_id), sum(size), count(*) FROM attachments GROUP BY 1, 2`
const USED = 'SELECT storage_class_id, holder_id, bytes, objects FROM storage_usage'
/** What is not kept as it is counted, and links to what is gone, or gone from what is there. */
const fileChecks = [
  `SELECT 'not counted' AS finding FROM (${KEPT} EXCEPT ${USED})`,
  `SELECT 'not kept' AS finding FROM (${USED} EXCEPT ${KEPT})`,
  `SELECT 'link' AS finding FROM (SELECT group_concat(target_id ORDER BY target_id) AS left FROM attachment_links)
    WHERE left <> 'stays,stays too'`,
].map((sql) => ({ sql, values: [] as never[] }))

/** Keeps files for people and groups, changes and erases some, and erases what some are attached to. */
function useFiles(): void {
  database.exec(
    `INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
      VALUES ('usr2', 'c@d', 'c@d', 'Bob', 'EUR', 'en', 'UTC', 0, 0);
    INSERT INTO storage_classes SELECT 'stc_other', 'o', 'o', r2_storage_class, prefix, quota_bytes, max_object_bytes,
      allowed_types, retention_days, 0, 1, 0, 0 FROM storage_classes;
    INSERT INTO attachments SELECT value, iif(value % 2, 'usr', 'usr2'), iif(value % 3, NULL, 'grp'),
      iif(value % 5, 'stc_standard', 'stc_other'), value, 'f', 't', value * 7, 'x', NULL, NULL, 1, 0, 0, NULL
      FROM generate_numbers;
    UPDATE attachments SET size = size + 1000 WHERE id IN ('3', '4');
    UPDATE attachments SET group_id = 'grp2' WHERE id IN ('5', '6');
    UPDATE attachments SET group_id = NULL WHERE id = '9';
    UPDATE attachments SET storage_class_id = 'stc_other' WHERE id IN ('7', '12');
    UPDATE attachments SET owner_id = 'usr2' WHERE id = '11';
    DELETE FROM attachments WHERE id IN ('1', '2', '5', '15', '20', '12');`.replace(
      'generate_numbers',
      `json_each('${JSON.stringify(Array.from({ length: 24 }, (_, at) => at + 1))}')`,
    ),
  )
  for (const id of ['goes', 'stays']) {
    insertHeader.run(id, 'expense', '2026-01-01')
  }
  database.exec(`INSERT INTO accounts (${columns}, type, currency, on_budget, include_in_net_worth, opening_date, created_at, updated_at)
      SELECT value, 'usr', value, value, 'checking', 'EUR', 1, 1, '2026-01-01', 0, 0 FROM json_each('["goes too", "stays too"]');
    INSERT INTO attachment_links (id, attachment_id, kind, target_id, owner_id, created_by, created_at)
      SELECT value, '3', 'account', value, 'usr', 'usr', 0 FROM json_each('["goes", "stays", "goes too", "stays too"]');
    DELETE FROM accounts WHERE id = 'goes too'`)
  deleteHeader.run('goes')
}

/** Accounts whose days are not those of their locks. */
const lockChecks = [
  `SELECT a.id AS finding FROM accounts a WHERE (a.locked_through, a.hard_locked_through) IS NOT (
    SELECT max(k.through), max(iif(k.kind = 'hard', k.through, NULL)) FROM period_locks k
      WHERE k.owner_id = a.owner_id AND (k.account_id IS NULL OR k.account_id = a.id))`,
].map((sql) => ({ sql, values: [] as never[] }))

/** Makes and ends locks of two owners, in every order of their days, and opens accounts in between. */
function useLocks(): void {
  const open = (id: string, owner: string) =>
    database.exec(`INSERT INTO accounts (${columns}, type, currency, on_budget, include_in_net_worth, opening_date, created_at, updated_at)
      VALUES ('${id}', '${owner}', '${id}', '${id}', 'checking', 'EUR', 1, 1, '2026-01-01', 0, 0)`)
  const lock = (id: string, owner: string, account: string | null, through: string, kind: string) =>
    database
      .prepare(
        `INSERT INTO period_locks (id, owner_id, account_id, through, kind, reason, created_by, balances, created_at, updated_at)
          VALUES (?, ?, ?, ?, ?, 'x', 'usr', '[]', 0, 0)`,
      )
      .run(id, owner, account, through, kind)
  const look = () => unrefused.push(...findingsIn(database, lockChecks))
  database.exec(`INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
    VALUES ('usr3', 'e@f', 'e@f', 'Cleo', 'EUR', 'en', 'UTC', 0, 0)`)
  open('theirs', 'usr3')
  lock('own', 'usr', 'one', '2025-06-30', 'soft')
  open('three', 'usr')
  look()
  lock('hard', 'usr', 'one', '2025-01-31', 'hard')
  lock('later', 'usr', 'one', '2025-03-31', 'hard')
  lock('earlier', 'usr', 'one', '2025-02-28', 'hard')
  look()
  lock('their', 'usr3', null, '2025-12-31', 'hard')
  lock('all', 'usr', null, '2025-04-30', 'soft')
  lock('all hard', 'usr', null, '2024-12-31', 'hard')
  open('four', 'usr')
  open('four of theirs', 'usr3')
  look()
  for (const id of ['own', 'later', 'all', 'hard', 'earlier', 'all hard', 'their']) {
    database.prepare('DELETE FROM period_locks WHERE id = ?').run(id)
    look()
  }
}

/** What the check, or the database itself, says after some use of a ledger with this in place of a trigger. */
function toldWith(
  { name }: { name: string },
  planted: string | null,
  use: () => void,
  looking = ledgerStatements,
): string[] {
  unrefused = []
  database.exec('BEGIN')
  try {
    database.exec(planted === null ? '' : `DROP TRIGGER ${name}; ${planted}`)
    use()
    return [...unrefused, ...findingsIn(database, looking)]
  } catch (error) {
    const text = String(error)
    expect(text).toMatch(/constraint failed|no such column|entries are never/)
    return [text]
  } finally {
    database.exec('ROLLBACK')
  }
}

/** In `npm test` some bugs of each trigger, of all kinds in turn. */
const withPlants = (some: typeof triggers) =>
  some.flatMap((trigger, place) =>
    plantsIn(trigger.sql)
      .filter((_, at) => isAmong(at + place, 8))
      .map(({ bug, sql }) => [`${trigger.name} with ${bug}`, trigger, sql] as const),
  )

it('breaks all triggers but those of the log and its chain', () => {
  const broken = [...ofLedger, ...ofErasure, ...ofFiles, ...ofLocks]
  const rest = triggers.filter((one) => !broken.includes(one))
  expect(rest.map(({ name }) => name).filter((name) => !name.startsWith('log_'))).toEqual([])
})

describe('the check of the ledger', () => {
  it('has nothing to say of triggers as they are', () => {
    expect(toldWith({ name: '' }, null, useLedger)).toEqual([])
    expect(toldWith({ name: '' }, null, eraseWithAll)).toEqual([])
  })

  it.each(withPlants(ofLedger))('tells of %s', (_, trigger, sql) => {
    expect(toldWith(trigger, sql, useLedger)).not.toEqual([])
  })
})

describe('the database refuses to erase a transaction but not all that hangs on it', () => {
  it.each(withPlants(ofErasure))('by %s', (_, trigger, sql) => {
    const told = toldWith(trigger, sql, eraseWithAll)
    // A session has no column of a transaction.
    expect(told).toEqual([expect.stringMatching(/FOREIGN KEY|no such column/)])
  })
})

describe('the sums of files and their links', () => {
  it('are as they should be', () => {
    expect(toldWith({ name: '' }, null, useFiles, fileChecks)).toEqual([])
  })

  it.each(withPlants(ofFiles))('tell of %s', (_, trigger, sql) => {
    expect(toldWith(trigger, sql, useFiles, fileChecks)).not.toEqual([])
  })
})

describe('the days of locks', () => {
  it('are as they should be', () => {
    expect(toldWith({ name: '' }, null, useLocks, lockChecks)).toEqual([])
  })

  it.each(withPlants(ofLocks))('tell of %s', (_, trigger, sql) => {
    expect(toldWith(trigger, sql, useLocks, lockChecks)).not.toEqual([])
  })
})

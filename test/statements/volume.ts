import { env } from 'cloudflare:workers'
import { rounds } from '../support/rounds.ts'

// What ten years of a large household leave behind: 100,000 transactions in ten accounts, on each of 4,000 days in each
// of them, among 50 users. In `npm test` a twentieth of the years. Stored past the service, with the triggers on.

const TRANSACTIONS = rounds(5_000, 100_000)
const DAYS = TRANSACTIONS / 25
const USERS = 50
const LOGGED = rounds(3_000, 60_000)
const LOGGED_IN_BULK = rounds(4, 80)
const THROWN_AWAY = rounds(300, 6_000)
const RATES = rounds(3_000, 60_000)

const TABLES = ['used_accounts', 'used_categories', 'used_payees', 'used_tags', 'booked']

const LAST_DAY = '2026-03-31'

/** Runs the statements of a text in one batch; each ends with a line. */
const run = (text: string) =>
  env.DB.batch(
    text.split(/;\s*$/m).flatMap((sql) => (sql.trim() === '' ? [] : env.DB.prepare(sql))),
  )

const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`

/** In the part of an id that a restore keeps, so that restored pairs are in the order of their ids, too. */
const id = (prefix: string, number = 'i') =>
  `'${prefix}_' || printf('%015d', ${number}) || '${'0'.repeat(11)}'`
const date = (day: string) => `date('${LAST_DAY}', '-' || (${day}) || ' days')`

/**
 * Gives somebody who has one of everything very much of it: their accounts become ten, and what they have is used as
 * often as it may be.
 */
export async function fill(ownerId: string): Promise<void> {
  const owner = `'${ownerId}'`
  await run(`
    INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget, include_in_net_worth, opening_date,
        created_at, updated_at)
      ${numbers(10)} SELECT ${id('acc')}, ${owner}, 'Big ' || i, 'big ' || i, 'checking',
        iif(i % 3 = 2, 'USD', 'EUR'), 1, 1, '2000-01-01', 0, 0
      FROM n WHERE i < 10 - (SELECT count(*) FROM accounts WHERE owner_id = ${owner} AND status = 'open'
        AND type <> 'property' AND currency = 'EUR' AND deleted_at IS NULL);
    INSERT INTO account_balances (account_id) SELECT id FROM accounts WHERE name_key LIKE 'big %';
    INSERT INTO categories (id, owner_id, name, name_key, kind, depth, created_at, updated_at)
      ${numbers(60)} SELECT ${id('cat')}, ${owner}, 'Category ' || i, 'category ' || i,
        iif(i < 45, 'expense', 'income'), 1, 0, 0 FROM n;
    INSERT INTO payees (id, owner_id, name, name_key, created_at, updated_at)
      ${numbers(800)} SELECT ${id('pay')}, ${owner}, 'Payee ' || i, 'payee ' || i, 0, 0 FROM n;
    INSERT INTO payee_aliases (id, owner_id, payee_id, raw, raw_key, created_at)
      ${numbers(800)} SELECT ${id('pal')}, ${owner}, ${id('pay')}, 'PAYEE ' || i, 'payee no ' || i, 0 FROM n;
    INSERT INTO tags (id, owner_id, name, name_key, created_at, updated_at)
      ${numbers(40)} SELECT ${id('tag')}, ${owner}, 'Tag ' || i, 'tag ' || i, 0, 0 FROM n;
    CREATE TEMP TABLE used_accounts AS SELECT id, currency, row_number() OVER (ORDER BY id DESC) - 1 AS place
      FROM accounts WHERE owner_id = ${owner} AND status = 'open' AND type <> 'property' AND deleted_at IS NULL
        AND (currency = 'EUR' OR name_key LIKE 'big %');
    CREATE TEMP TABLE used_categories AS SELECT id, row_number() OVER (ORDER BY id DESC) - 1 AS place
      FROM categories WHERE owner_id = ${owner} AND kind = 'expense';
    CREATE TEMP TABLE used_payees AS SELECT id, row_number() OVER (ORDER BY id DESC) - 1 AS place
      FROM payees WHERE owner_id = ${owner};
    CREATE TEMP TABLE used_tags AS SELECT id, row_number() OVER (ORDER BY id DESC) - 1 AS place
      FROM tags WHERE owner_id = ${owner};
    -- One in ten is a transfer to the account after its own, one in four of the others an income.
    CREATE TEMP TABLE booked AS ${numbers(TRANSACTIONS)} SELECT i,
        ${date(`i / (${TRANSACTIONS} / ${DAYS})`)} AS date,
        CASE WHEN i % 50 > 44 THEN 'transfer' WHEN i % 4 = 0 THEN 'income' ELSE 'expense' END AS kind,
        a.id AS account_id, a.currency, b.id AS other_id, b.currency AS other_currency,
        1 + i * 7919 % 20000 AS amount,
        CASE i % 20 WHEN 0 THEN 'void' WHEN 1 THEN 'pending' WHEN 2 THEN 'uncleared' WHEN 3 THEN 'reconciled'
          ELSE 'cleared' END AS status
      FROM n JOIN used_accounts a ON a.place = i % 10 JOIN used_accounts b ON b.place = (i + 1) % 10;
    ALTER TABLE booked ADD COLUMN id TEXT;
    UPDATE booked SET id = iif(kind = 'transfer', ${id('trf', 'i + 1000000')}, ${id('txn', 'i + 1000000')});
    INSERT INTO transactions (id, owner_id, kind, date, description, payee_raw, reviewed, source, note, metadata,
        created_by, created_at, updated_at, search_text)
      SELECT id, ${owner}, kind, date, 'Bought ' || i, 'SHOP ' || (i % 800), i % 2, 'import',
        iif(i % 5, NULL, 'a note of number ' || i), iif(i % 50, NULL, '{"trip":"' || (i % 7) || '"}'), ${owner}, i, i,
        'bought ' || i || char(10) || 'shop ' || (i % 800) || char(10) || iif(i % 5, '', 'a note of number ' || i) FROM booked;
    INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
        external_id, uncategorised, counter_account_id, flow_minor)
      SELECT id, 1, ${owner}, account_id, 'account', date, iif(kind = 'income', amount, -amount), currency, status,
        iif(i % 2, NULL, 'bank-' || i), kind = 'income' OR kind = 'expense' AND i % 9 = 0,
        iif(kind = 'transfer', other_id, NULL), iif(kind = 'transfer', -amount, NULL) FROM booked;
    INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
        category_id)
      SELECT b.id, 2, ${owner}, account_id, kind, date, iif(kind = 'income', -amount, amount), currency, status, c.id
      FROM booked b LEFT JOIN used_categories c ON c.place = b.i % (SELECT count(*) FROM used_categories)
        AND kind = 'expense' AND b.i % 9 <> 0
      WHERE kind <> 'transfer';
    INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
        counter_account_id, flow_minor)
      SELECT id, 2, ${owner}, other_id, 'account', date, amount, other_currency, status, account_id, amount FROM booked
        WHERE kind = 'transfer'
      UNION ALL SELECT id, 3, ${owner}, account_id, 'exchange', date, amount, currency, status, NULL, NULL FROM booked
        WHERE kind = 'transfer' AND currency <> other_currency
      UNION ALL SELECT id, 4, ${owner}, other_id, 'exchange', date, -amount, other_currency, status, NULL, NULL FROM booked
        WHERE kind = 'transfer' AND currency <> other_currency;
    INSERT INTO transaction_payees SELECT b.id, 0, p.id FROM booked b
      JOIN used_payees p ON p.place = iif(b.i % 25, 2 + b.i % 797, b.i / 25 % 2) WHERE b.i % 2;
    -- A payee of a thousand transactions, and some rows.
    UPDATE payees SET exclude_from_reports = 1 WHERE id = (SELECT id FROM used_payees WHERE place = 1);
    UPDATE transactions SET exclude_from_reports = 1 WHERE id IN (SELECT id FROM booked WHERE i % 500 = 7);
    INSERT INTO transaction_tags SELECT b.id, 0, t.id FROM booked b
      JOIN used_tags t ON t.place = b.i / 3 % (SELECT count(*) FROM used_tags) WHERE b.i % 3 = 0;
    INSERT INTO transaction_links (id, owner_id, kind, source_id, target_id, created_at, updated_at)
      SELECT ${id('lnk', 'b.i')}, ${owner}, 'custom', b.id, c.id, 0, 0 FROM booked b JOIN booked c ON c.i = b.i + 1
      WHERE b.i % 50 = 0;
    INSERT INTO distinct_pairs SELECT 'duplicate', min(b.id, c.id), max(b.id, c.id), ${owner}, 0
      FROM booked b JOIN booked c ON c.i = b.i + 10 WHERE b.i % 100 = 3;
    -- What was thrown away, most of it long ago.
    INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at, deleted_at)
      ${numbers(THROWN_AWAY)} SELECT ${id('txn', 'i + 5000000')}, ${owner}, 'expense', ${date('i % 300')}, 'user', ${owner}, 0, 0,
        iif(i % 2, 1, unixepoch() * 1000) FROM n;
    INSERT INTO unbooked_entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
        reason)
      SELECT t.id, line, ${owner}, a.id, iif(line = 1, 'account', 'expense'), t.date, iif(line = 1, -5, 5), a.currency,
        'cleared', 'trash' FROM transactions t, used_accounts a, (SELECT 1 AS line UNION ALL SELECT 2)
      WHERE t.deleted_at IS NOT NULL AND t.id LIKE 'txn_0000%' AND a.place = 3;
    INSERT INTO system_exchange_rates (id, from_currency, to_currency, date, rate, created_at, updated_at)
      ${numbers(RATES)} SELECT ${id('rte')}, 'EUR', c.value, ${date('i / 30')}, '1.' || (1000 + i % 900), 0, 0
      FROM n JOIN json_each('["USD","JPY","BGN","CZK","DKK","GBP","HUF","PLN","RON","SEK","CHF","ISK","NOK","TRY","AUD",
        "BRL","CAD","CNY","HKD","IDR","ILS","INR","KRW","MXN","MYR","NZD","PHP","SGD","THB","ZAR"]') c ON c.key = i % 30;
    INSERT INTO attachments (id, owner_id, storage_class_id, object_key, file_name, content_type, size, sha256,
        created_at, updated_at)
      ${numbers(1_000)} SELECT ${id('att')}, ${owner}, 'stc_standard', 'files/' || i, 'bill ' || i || '.pdf',
        'application/pdf', 10, printf('%064x', i), i, i FROM n;
    INSERT INTO attachment_links (id, attachment_id, kind, target_id, owner_id, created_by, created_at)
      ${numbers(1_000)} SELECT ${id('lnk', 'n.i + 8000000')}, ${id('att', 'n.i')}, 'transaction', b.id, ${owner}, ${owner}, 0
      FROM n JOIN booked b ON b.i = n.i * ${TRANSACTIONS / 2_000} + 1`)
  await people(owner)
  await logged(owner)
  await budgeted(owner)
  await run(TABLES.map((table) => `DROP TABLE ${table};`).join('\n'))
}

/** The others, each with an account that they share with the owner, and all of them in one group. */
async function people(owner: string): Promise<void> {
  const user = id('usr')
  await run(`
    INSERT INTO users (id, email, email_key, name, base_currency, locale, time_zone, created_at, updated_at)
      ${numbers(USERS)} SELECT ${user}, i || '@many.test', i || '@many.test', 'Ada ' || i, 'EUR', 'en', 'UTC', 0, 0 FROM n;
    INSERT INTO user_roles (user_id, role_id) ${numbers(USERS)} SELECT ${user}, 'rol_user' FROM n;
    INSERT INTO accounts (id, owner_id, name, name_key, type, currency, on_budget, include_in_net_worth, opening_date,
        created_at, updated_at)
      ${numbers(USERS * 2)} SELECT ${id('acc', 'i + 1000')}, ${id('usr', 'i / 2')}, 'Own ' || i, 'own ' || i, 'checking', 'EUR', 1,
        1, '2000-01-01', 0, 0 FROM n;
    INSERT INTO account_balances (account_id) SELECT id FROM accounts WHERE name_key LIKE 'own %';
    INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      ${numbers(USERS * 20)} SELECT ${id('txn', 'i + 3000000')}, ${id('usr', 'i / 20')}, 'expense', ${date('i % 20')}, 'user',
        ${id('usr', 'i / 20')}, 0, 0 FROM n;
    INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status,
        uncategorised)
      ${numbers(USERS * 20)} SELECT ${id('txn', 'i + 3000000')}, line, ${id('usr', 'i / 20')}, ${id('acc', '1000 + i / 20 * 2')},
        iif(line = 1, 'account', 'expense'), ${date('i % 20')}, iif(line = 1, -5, 5), 'EUR', 'cleared', line = 1
      FROM n, (SELECT 1 AS line UNION ALL SELECT 2);
    INSERT INTO shares (id, account_id, owner_id, grantee_user_id, permission, accepted_at, created_by, created_at, updated_at)
      ${numbers(USERS)} SELECT ${id('shr')}, ${id('acc', '1000 + i * 2')}, ${user}, ${owner}, 'write', 0, ${user}, 0, 0 FROM n;
    INSERT INTO groups (id, name, kind, base_currency, created_at, updated_at) VALUES ('grp_many', 'All', 'household', 'EUR', 0, 0);
    INSERT INTO group_members (group_id, user_id, role, joined_at) VALUES ('grp_many', ${owner}, 'owner', 0);
    INSERT INTO group_members (group_id, user_id, role, joined_at)
      ${numbers(USERS)} SELECT 'grp_many', ${user}, 'member', 0 FROM n`)
}

/** Budgets as old as all that: a line for each category, a tag and a payee, and an amount of each line in each month. */
async function budgeted(owner: string): Promise<void> {
  const months = Math.ceil(DAYS / 30)
  const first = `date('${LAST_DAY}', 'start of month', '-${months - 1} months')`
  const line = `'bln_' || substr(b.id, 5, 20) || printf('%06d', i)`
  await run(`
    UPDATE budgets SET first_period = ${first}, first_day = ${first}, starts_on = ${first}
      WHERE owner_id = ${owner} AND NOT EXISTS (SELECT 1 FROM budget_closings c WHERE c.budget_id = budgets.id);
    INSERT INTO budget_lines (id, budget_id, kind, name, name_key, scope_kind, sort_order, created_at, updated_at)
      ${numbers(47)} SELECT ${line}, b.id, 'line', 'Big ' || i, 'big ' || i,
        CASE i WHEN 45 THEN 'tag' WHEN 46 THEN 'payee' ELSE 'category' END, i, 0, 0
      FROM n, budgets b WHERE b.owner_id = ${owner} AND (b.mode = 'limit' OR i < 45);
    INSERT INTO budget_line_scopes (line_id, target_id, budget_id, exclusive)
      SELECT l.id, CASE l.scope_kind WHEN 'category' THEN ${id('cat', 'l.sort_order')} WHEN 'tag' THEN ${id('tag', '3')}
          ELSE ${id('pay', '7')} END, b.id, b.mode = 'envelope'
      FROM budget_lines l JOIN budgets b ON b.id = l.budget_id WHERE l.name_key LIKE 'big %';
    INSERT INTO budget_line_changes (budget_id, line_id, from_period, amount_minor)
      SELECT budget_id, id, '', 5000 FROM budget_lines WHERE name_key LIKE 'big %';
    INSERT INTO budget_amounts (budget_id, period, line_id, amount_minor)
      ${numbers(months)} SELECT budget_id, date(${first}, '+' || i || ' months'), id, 5000
      FROM n, budget_lines WHERE name_key LIKE 'big %'`)
}

/** What was written down of it: most one by one, and some by commits on many. */
async function logged(owner: string): Promise<void> {
  const content = `json_object('after', json_object('kind', 'expense', 'date', '2026-01-01', 'amountMinor', -i,
    'description', 'Bought ' || i, 'payeeRaw', 'SHOP ' || i, 'categoryId', ${id('cat', 'i % 45')}, 'status', 'cleared'))`
  const commits = 'number, id, at, operation, actor_type, actor_id, type, owner_id, request_id'
  const who = `'user', ${owner}, 'transaction.created', ${owner}, 'req_' || i`
  const events = 'number, commit_number, resource_id, account_id, version, content'
  await run(`
    INSERT INTO log_commits (${commits}, ip, user_agent, first_event, event_count)
      ${numbers(LOGGED)} SELECT last.number + i + 1, ${id('log')}, unixepoch() * 1000 - (${LOGGED} - i) * 30000,
        'createTransaction', ${who}, '192.0.2.1', 'a browser', last.event + i + 1, 1
        FROM n, (SELECT ifnull(max(number), 0) AS number, ifnull(max(first_event + event_count - 1), 0) AS event FROM log_commits) last;
    INSERT INTO log_commits (${commits}, first_event, event_count)
      ${numbers(LOGGED_IN_BULK)} SELECT last.number + i + 1, ${id('log', 'i + 1000000')}, unixepoch() * 1000 - 600000 + i,
        'createTransactions', ${who}, last.event + i * 500 + 1, 500
        FROM n, (SELECT max(number) AS number, max(first_event + event_count - 1) AS event FROM log_commits) last;
    INSERT INTO log_events (${events})
      SELECT c.first_event + i, c.number, ${id('txn', 'c.first_event + i + 1000000')}, ${id('acc', 'i % 10')}, 1, ${content}
        FROM log_commits c, (${numbers(500)} SELECT i FROM n) many WHERE many.i < c.event_count AND c.id GLOB 'log_0000000*'`)
}

/** Books very much on one account of somebody; each tenth is private. */
export async function crowd(ownerId: string, accountId: string): Promise<void> {
  const [owner, account] = [`'${ownerId}'`, `'${accountId}'`]
  const day = date(`i / (${TRANSACTIONS} / ${DAYS})`)
  const many = numbers(TRANSACTIONS)
  await run(`
    INSERT INTO transactions (id, owner_id, kind, date, description, payee_raw, reviewed, private, source, created_by,
        created_at, updated_at, search_text)
      ${many} SELECT ${id('txn', 'i + 9000000')}, ${owner}, 'expense', ${day}, 'Bought ' || i, 'SHOP ' || (i % 800), i % 2,
        i % 10 = 9, 'import', ${owner}, i, i, 'bought ' || i || char(10) || 'shop ' || (i % 800) || char(10) FROM n;
    INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status, uncategorised)
      ${many} SELECT ${id('txn', 'i + 9000000')}, line, ${owner}, ${account}, iif(line = 1, 'account', 'expense'), ${day},
        iif(line = 1, -1, 1) * (1 + i * 7919 % 20000), 'EUR', 'cleared', line = 1
      FROM n, (SELECT 1 AS line UNION ALL SELECT 2)`)
}

/** Shares an account with somebody, who accepts. */
export async function share(accountId: string, receiverId: string): Promise<void> {
  await run(`INSERT INTO shares (id, account_id, owner_id, grantee_user_id, permission, accepted_at, created_by, created_at,
        updated_at)
      SELECT 'shr_' || substr(id, 5), id, owner_id, '${receiverId}', 'write', 0, owner_id, 0, 0 FROM accounts
      WHERE id = '${accountId}'`)
}

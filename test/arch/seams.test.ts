import { readdirSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { files, sqlOf } from './migrated-rows.ts'

// What must hold so that users can be moved to databases of their own. Statements over all users are in
// test/support/statements-over-all.ts, numbers of the log in test/sweeps/operations.test.ts, and that requests start at the primary
// in test/http/protocol.test.ts.

const sourcesOf = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(inProject('src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [`src/${file}`, readFileSync(inProject('src', file), 'utf8')]),
  )

const database = new DatabaseSync(':memory:')
for (const file of files) {
  database.exec(sqlOf(file))
}
afterAll(() => database.close())

const tablesOf = (of: DatabaseSync) =>
  of
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all()
    .map(({ name }) => String(name))

/** Foreign keys as `table.column -> table`. */
const foreignKeysOf = (of: DatabaseSync): string[] =>
  tablesOf(of)
    .flatMap((table) =>
      of
        .prepare(`PRAGMA foreign_key_list("${table}")`)
        .all()
        .map((key) => `${table}.${String(key['from'])} -> ${String(key['table'])}`),
    )
    .toSorted()

const LOG = ['log_commits', 'log_events', 'log_seals']
const intoLog = (of: DatabaseSync) =>
  foreignKeysOf(of).filter((key) => LOG.some((table) => key.endsWith(` -> ${table}`)))

/** A copy of the schema in which to plant a violation. */
function planted(sql: string): DatabaseSync {
  const copy = new DatabaseSync(':memory:')
  for (const file of files) {
    copy.exec(sqlOf(file))
  }
  copy.exec(sql)
  return copy
}

describe('the log', () => {
  it('is referenced by no foreign key, so that its older part can be cut off', () => {
    expect(intoLog(database)).toEqual([])
  })

  it.each(LOG)('would not be referenced unseen: %s', (table) => {
    const copy = planted(
      `CREATE TABLE planted_in_test (number INTEGER REFERENCES ${table}(number))`,
    )
    expect(intoLog(copy)).toEqual([`planted_in_test.number -> ${table}`])
    copy.close()
  })
})

/** What reads the log must go on in what was cut off: by `platform/log/log-reading.ts`, or for one of these reasons. */
const RECENT: Record<string, string> = {
  'src/areas/data-rights/backups/making/making.queries.ts': 'whether something changed meanwhile',
  'src/areas/data-rights/backups/restoring/restoring.queries.ts':
    'whether something changed meanwhile',
  'src/areas/events/changes/changes.queries.ts': 'a change can be undone for 30 days',
  'src/areas/events/change-feed/change-feed.queries.ts':
    'what changed since a cursor, which is good for 30 days',
  'src/areas/intake/imports/candidates.queries.ts':
    'what changed since a file was read, which is 30 days ago at most',
  'src/areas/intake/imports/reverting/reverting.queries.ts':
    'an import can be taken back for 30 days; what changed is known by its version',
  'src/areas/intake/imports/rows/rows.queries.ts':
    'which rules changed a row, which is erased 30 days after the last step of its import',
  'src/areas/money/reconciliations/reconciliations.queries.ts':
    'who changed a row, which the answer says is not known for ever',
  'src/areas/operations/metrics/metrics.queries.ts':
    'of the last year at most, of tasks that are not purged yet, and how many rows there are',
}

/** The log itself: how it is written, sealed, cut, and taken out of for those who were erased. */
const OF_THE_LOG =
  /^src\/(?:platform\/(?:log\/log(?:-\w+)?|work\/reader-rows)\.ts|areas\/insight\/audit-log\/(?:chain|segments|redaction)\/)/

const readingTablesOf = (sources: Record<string, string>) =>
  Object.entries(sources)
    .filter(([file]) => !OF_THE_LOG.test(file))
    .filter(
      ([, text]) =>
        /\blog_(?:entries|events|commits)\b|\blog(?:Events|Commits)\b/.test(text) &&
        !/^import \{[^}]*\b(?:LogList|LogEntry)\b[^}]*\} from '[./]+\/platform\/log\/log-reading\.ts'/m.test(
          text,
        ),
    )
    .map(([file]) => file)

describe('the tables of the log', () => {
  it('are read alone only where what was cut off does not matter', () => {
    expect(readingTablesOf(sourcesOf()).toSorted()).toEqual(Object.keys(RECENT).toSorted())
  })

  it.each([
    'sql`SELECT 1 FROM log_entries l`',
    'sql`SELECT 1 FROM log_commits`',
    'db.select().from(logEvents)',
  ])('would not be read unseen: %s', (text) => {
    expect(readingTablesOf({ 'src/areas/money/tags/tags.queries.ts': text })).toHaveLength(1)
    const list = "import { BY_EVENT, type LogList } from '../../../platform/log/log-reading.ts'\n"
    expect(readingTablesOf({ 'src/areas/money/tags/tags.queries.ts': list + text })).toEqual([])
  })
})

/** Columns that say whose a row is: a foreign key of such a column stays within one owner's data. */
const OWNER = /\.(?:owner_id|user_id) -> users$/

/** Within one owner's data, as the rows of the first belong to a row of the second, or its owner is checked with it. */
const WITHIN_OWNER = [
  'account_balances.account_id -> accounts',
  'account_periods.account_id -> accounts',
  'accounts.account_group_id -> account_groups',
  'attachment_links.attachment_id -> attachments',
  'backup_upload_parts.upload_id -> backup_uploads',
  'budget_alerts.budget_id -> budgets',
  'budget_alerts.line_id -> budget_lines',
  'budget_amounts.budget_id -> budgets',
  'budget_amounts.line_id -> budget_lines',
  'budget_checkpoint_accounts.budget_id -> budgets',
  'budget_checkpoints.budget_id -> budgets',
  'budget_closings.budget_id -> budgets',
  'budget_line_changes.budget_id -> budgets',
  'budget_line_scopes.budget_id -> budgets',
  'balance_assertions.account_id -> accounts',
  'budget_line_scopes.line_id -> budget_lines',
  'budget_lines.budget_id -> budgets',
  'budget_movements.budget_id -> budgets',
  'budget_periods.budget_id -> budgets',
  'budget_templates.budget_id -> budgets',
  'categories.parent_id -> categories',
  'flow_periods.account_id -> accounts',
  'distinct_pairs.one_id -> transactions',
  'distinct_pairs.other_id -> transactions',
  'import_chunks.import_id -> imports',
  'import_identities.transaction_id -> transactions',
  'import_row_notes.import_id -> imports',
  'entries.account_id -> accounts',
  'entries.category_id -> categories',
  'entries.currency -> accounts',
  'entries.owner_id -> accounts',
  'entries.transaction_id -> transactions',
  'payee_aliases.payee_id -> payees',
  'payees.default_category_id -> categories',
  'period_locks.account_id -> accounts',
  'reconciliation_rows.reconciliation_id -> reconciliations',
  'reconciliation_rows.transaction_id -> transactions',
  'reconciliations.account_id -> accounts',
  'refresh_tokens.session_id -> sessions',
  'transaction_links.source_id -> transactions',
  'transaction_links.target_id -> transactions',
  'transaction_payees.payee_id -> payees',
  'transaction_payees.transaction_id -> transactions',
  'transaction_tags.tag_id -> tags',
  'transaction_tags.transaction_id -> transactions',
  'transactions.matched_into -> transactions',
  'unbooked_entries.account_id -> accounts',
  'unbooked_entries.category_id -> categories',
  'unbooked_entries.currency -> accounts',
  'unbooked_entries.owner_id -> accounts',
  'unbooked_entries.transaction_id -> transactions',
  'valuations.account_id -> accounts',
  'valuations.transaction_id -> transactions',
]

/** To rows of somebody else, of a group or of the system. A new one needs a reason as good as these; an id needs none. */
const ACROSS_OWNERS: Record<string, string> = {
  'account_alerts.account_id -> accounts': 'people who share live in one database',
  'account_choices.account_id -> accounts': 'people who share live in one database',
  'budgets.group_id -> groups': 'the members of a group live in one database',
  'shares.account_id -> accounts': 'people who share live in one database',
  'shares.budget_id -> budgets': 'people who share live in one database',
  'shares.attachment_id -> attachments': 'people who share live in one database',
  'shares.grantee_user_id -> users': 'people who share live in one database',
  'shares.group_id -> groups': 'the members of a group live in one database',
  'group_members.group_id -> groups': 'the members of a group live in one database',
  'group_invites.group_id -> groups': 'a group and its invitations stay together',
  'group_invites.invited_by -> users': 'a member of the group',
  'group_invites.accepted_by -> users': 'a member of the group',
  'invite_codes.group_id -> groups': 'whoever uses the code becomes a member',
  'invite_codes.issued_by -> users': 'codes of registration are of the database that they lead to',
  'invite_codes.role_id -> roles': 'roles are of the system, in each database',
  'invite_redemptions.invite_id -> invite_codes':
    'codes of registration are of the database that they lead to',
  'identity_providers.default_role_id -> roles': 'both are of the system, in each database',
  'role_permissions.role_id -> roles': 'both are of the system, in each database',
  'user_roles.role_id -> roles': 'roles are of the system, in each database',
  'attachments.storage_class_id -> storage_classes': 'classes are of the system, in each database',
  'groups.storage_class_id -> storage_classes': 'classes are of the system, in each database',
  'storage_usage.storage_class_id -> storage_classes':
    'classes are of the system, in each database',
}

const unexplained = (of: DatabaseSync) =>
  foreignKeysOf(of).filter(
    (key) => !OWNER.test(key) && !WITHIN_OWNER.includes(key) && !(key in ACROSS_OWNERS),
  )

describe('foreign keys', () => {
  it("stay within one owner's data, but for those that are known", () => {
    expect(unexplained(database)).toEqual([])
    const known = foreignKeysOf(database)
    const gone = [...WITHIN_OWNER, ...Object.keys(ACROSS_OWNERS)].filter(
      (key) => !known.includes(key),
    )
    expect(gone, 'listed and not there').toEqual([])
  })

  it.each([
    ['another user', 'paid_by TEXT REFERENCES users(id)', 'planted_splits.paid_by -> users'],
    [
      'an account',
      'account_id TEXT REFERENCES accounts(id)',
      'planted_splits.account_id -> accounts',
    ],
    [
      'a category',
      'category_id TEXT REFERENCES categories',
      'planted_splits.category_id -> categories',
    ],
    ['a group', 'group_id TEXT REFERENCES groups(id)', 'planted_splits.group_id -> groups'],
  ])('of a new table would not lead to %s unseen', (_, column, key) => {
    const copy = planted(
      `CREATE TABLE planted_splits (owner_id TEXT NOT NULL REFERENCES users(id), ${column})`,
    )
    // Of this table alone: the test above tells of others.
    expect(unexplained(copy).filter((one) => one.startsWith('planted_splits.'))).toEqual([key])
    copy.close()
  })
})

/** Who may touch the binding or its session: the two functions, what makes a context for them, and the hosts. */
const TOUCHES = [
  /^src\/hosts\//,
  // The two functions, what makes statements for their batches, and what moves them from a replica to the primary.
  /^src\/platform\/(?:database\/(?:database|idempotency|session|statements|replicas)|context)\.ts$/,
  // A request and a task get a session of their own.
  /^src\/http\/gate\.ts$/,
  /^src\/platform\/system-context\.ts$/,
]

const BINDING =
  /\.DB\b|\bctx\.database\b|\bdatabase\b[^;\n]*\} = ctx\b|\bwithSession\(|D1Database|D1PreparedStatement|\.(?:prepare|batch)\(/

const touching = (sources: Record<string, string>) =>
  Object.entries(sources)
    .filter(([file]) => !TOUCHES.some((allowed) => allowed.test(file)))
    .filter(([, text]) => BINDING.test(text))
    .map(([file]) => file)

describe('the database binding', () => {
  it('is touched by the two functions, by what makes contexts, and by the hosts alone', () => {
    expect(Object.keys(sourcesOf()).length).toBeGreaterThan(300)
    expect(touching(sourcesOf())).toEqual([])
  })

  it.each([
    'const { results } = await env.DB.prepare(sql).all()',
    'await ctx.database.batch(statements)',
    'const { now, database } = ctx',
    "const session = binding.withSession('first-primary')",
    'function run(database: D1DatabaseSession) {}',
    'const bound = session.prepare(text)',
  ])('would not be touched unseen: %s', (text) => {
    expect(touching({ 'src/areas/money/tags/tags.queries.ts': text })).toHaveLength(1)
    expect(touching({ 'src/platform/work/tasks.ts': text })).toHaveLength(1)
    expect(touching({ 'src/platform/database/database.ts': text })).toEqual([])
  })
})

/** Who is asked, or looks, by any of the names that the code has for them. */
const PERSON = String.raw`\b(?:caller|viewer|looking)\.userId`

/** An owner beside the caller, as SQL, by the query builder or in JavaScript. */
const COMPARISONS = [
  String.raw`\bowner_?id\}?\s*(?:=|<>|!=|IS(?: NOT)?|IN)\s*\$\{[^}]*PERSON`,
  String.raw`\b(?:eq|ne)\(\s*[\w.]+\.ownerId,\s*[^)]*PERSON`,
  String.raw`\bownerId\s*[!=]==\s*[\w.]*PERSON`,
  String.raw`PERSON\s*[!=]==\s*[\w.]*\bownerId`,
  String.raw`\[[^\]]*\bownerId\b[^\]]*\]\.includes\([\w.]*PERSON`,
]

/** Names that a file gives to the id of the caller. */
const aliasesIn = (text: string): string[] => [
  ...[...text.matchAll(new RegExp(`\\bconst (\\w+) = [\\w.]*${PERSON}$`, 'gm'))].map(
    ([, name = '']) => String.raw`\b${name}\b`,
  ),
  ...(/\bconst \{[^}]*\buserId\b[^}]*\} = (?:\w+\.)*(?:caller|viewer)\b/.test(text)
    ? [String.raw`(?<!\.)\buserId\b`]
    : []),
]

const comparing = (sources: Record<string, string>) =>
  Object.entries(sources)
    .filter(([file]) => !file.startsWith('src/areas/identity/access/'))
    .filter(([, text]) =>
      [PERSON, ...aliasesIn(text)].some((person) =>
        COMPARISONS.some((comparison) =>
          new RegExp(
            comparison.replace('PERSON', () => person),
            'i',
          ).test(text),
        ),
      ),
    )
    .map(([file]) => file)

describe('an owner', () => {
  it('is compared with the caller by the area access alone', () => {
    expect(comparing(sourcesOf())).toEqual([])
  })

  it.each([
    'sql`SELECT 1 FROM tags WHERE owner_id = ${ctx.caller.userId}`',
    'sql`t.owner_id <> ${caller.userId}`',
    'sql`${tags.ownerId} = ${ctx.caller.userId}`',
    'const isMine = (ctx: SignedIn) => eq(tags.ownerId, ctx.caller.userId)',
    'where(ne(tags.ownerId, caller.userId))',
    'if (file.ownerId !== ctx.caller.userId) {',
    'const isOwn = caller.userId === row.ownerId',
    '[row.ownerId, row.createdBy].includes(ctx.caller.userId)',
    'sql`accounts.owner_id = ${looking.userId}`',
    'sql`accounts.owner_id = ${viewer.userId}`',
    'const { userId } = ctx.caller\nsql`e.owner_id = ${userId} AND e.line = 1`',
    'const owner = ctx.caller.userId\nsql`c.owner_id = ${owner}`',
  ])('would not be compared elsewhere unseen: %s', (text) => {
    expect(comparing({ 'src/areas/money/tags/tags.queries.ts': text })).toHaveLength(1)
    expect(comparing({ 'src/areas/identity/access/access.queries.ts': text })).toEqual([])
  })

  it('may be given by the caller, and found by an id that is not', () => {
    const allowed = 'const row = { ownerId: ctx.caller.userId }; sql`owner_id = ${ownerId}`'
    expect(comparing({ 'src/areas/money/tags/tags.usecases.ts': allowed })).toEqual([])
  })
})

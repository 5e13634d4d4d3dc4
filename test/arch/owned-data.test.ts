import { readdirSync } from 'node:fs'
import { getTableName, is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { ownedByAreas } from '../../src/areas/owned-data.ts'
import { TRASH_KINDS, WIPE_KINDS } from '../../src/domain/owned-data.ts'
import {
  type ArchivedColumn,
  tableNameOf,
  shapeOf,
} from '../../src/platform/owned-data/archived-tables.ts'
import {
  archivedTables,
  type OwnedData,
  registerOwnedData,
} from '../../src/platform/owned-data/owned-data.ts'
import { readSources } from './sources.ts'
import { type Claims, foreignWrites } from './writes.ts'

/** Tables of no area, with the reason. */
const OF_THE_PLATFORM: Record<string, string> = {
  idempotency_keys: 'answers, sealed, that end by themselves',
  log_commits: 'the log, which stays when its owner goes; the audit log takes out what it says',
  log_events: 'as log_commits',
  log_readers: 'how far each reader of the log has come',
  rate_limits: 'keyed hashes that end by themselves',
  tasks: 'work, which its runs end; an erasure takes off who asked for it',
  write_guard: 'holds no row',
}

const schema: object[] = await Promise.all(
  readdirSync(inProject('drizzle/schema')).map((file) => import(inProject('drizzle/schema', file))),
)

/** The tables of the schema, by the names under which files import them. */
const TABLES = new Map(
  schema.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      is(value, SQLiteTable) ? [[name, value] as const] : [],
    ),
  ),
)

/** Which tables are claimed by none, by two, or by one and the platform. */
function misclaimed(all: readonly OwnedData[]): string[] {
  const claimed = [
    ...all.flatMap(({ tables }) => tables.map(getTableName)),
    ...Object.keys(OF_THE_PLATFORM),
  ]
  return [...TABLES.values()].flatMap((table) => {
    const name = getTableName(table)
    const times = claimed.filter((one) => one === name).length
    return times === 1 ? [] : [`${name} is claimed ${times} times`]
  })
}

/** What stands behind what it refers to: a foreign key would stop its erasure. */
function misplaced(all: readonly OwnedData[]): string[] {
  const placeOf = new Map(
    all.flatMap(({ tables }, at) => tables.map((table) => [getTableName(table), at] as const)),
  )
  return all.flatMap(({ tables }, at) =>
    tables.flatMap((table) =>
      getTableConfig(table).foreignKeys.flatMap((key) => {
        const to = getTableName(key.reference().foreignTable)
        return (placeOf.get(to) ?? at) < at ? [`${getTableName(table)} refers to ${to}`] : []
      }),
    ),
  )
}

describe('the tables of the schema', () => {
  it('are each claimed by one area, or the platform', () => {
    expect(TABLES.size).toBeGreaterThan(40)
    expect(
      misclaimed(ownedByAreas),
      'Name each table once, in `tables` of its x.data.ts, and list that file in src/areas/owned-data.ts.',
    ).toEqual([])
  })

  it('would not be without a claim, or with two, unseen', () => {
    const [, ...fewer] = ownedByAreas
    expect(misclaimed(fewer)).toEqual(['export_schedules is claimed 0 times'])
    const tags = ownedByAreas.filter(({ area }) => area === 'tags')
    expect(misclaimed([...ownedByAreas, ...tags])).toEqual(['tags is claimed 2 times'])
  })

  it('are erased before what they refer to', () => {
    expect(
      misplaced(ownedByAreas),
      'Move the area that refers to the other before it in src/areas/owned-data.ts.',
    ).toEqual([])
    expect(misplaced(ownedByAreas.toReversed())).toContain('payees refers to categories')
  })
})

/** Tables whose rows no archive has, with the reason. */
const NOT_ARCHIVED: Record<string, string> = {
  account_balances: 'kept by triggers',
  account_periods: 'kept by triggers',
  flow_periods: 'kept by triggers',
  storage_usage: 'kept by triggers',
  budget_checkpoints: 'made of what is archived',
  budget_checkpoint_accounts: 'made of what is archived',
  budget_watch: 'kept by triggers',
  history_notes: 'on events of the log, which is not restored',
  import_chunks: 'of imports that are under way',
  import_row_notes: 'of imports that are under way',
  notifications: 'what was told once',
  user_avatars: 'the user is another one',
  archives: 'made again',
  backup_uploads: 'archives themselves',
  backup_upload_parts: 'archives themselves',
  restores: 'about archives',
  restored_rows: 'about archives',
  shares: 'their receivers did not agree to another owner',
  account_choices: 'of those with whom something is shared',
  webhooks: 'their secrets are in no archive',
  webhook_deliveries: 'of webhooks',
}

/** Of areas of the system, of groups, and of how people sign in. */
const AREAS_NOT_ARCHIVED = [
  ...['access-tokens', 'audit-log', 'auth', 'groups', 'identity-providers', 'invites', 'metrics'],
  ...['roles', 'settings', 'storage-classes'],
]
const SYSTEM_TABLES = ['rate_coverage', 'system_exchange_rates']

/** Which tables are neither in archives nor known not to be, and the other way round. */
function misarchived(all: readonly OwnedData[]): string[] {
  const archived = all.flatMap((data) => (data.archived ?? []).map(tableNameOf))
  const known = new Set([...Object.keys(NOT_ARCHIVED), ...SYSTEM_TABLES])
  return all
    .filter(({ area }) => !AREAS_NOT_ARCHIVED.includes(area))
    .flatMap(({ tables }) => tables.map(getTableName))
    .filter((name) => archived.includes(name) === known.has(name))
}

describe('archived tables', () => {
  it('are all that have rows of an owner, but for those with a reason', () => {
    expect(
      misarchived(ownedByAreas),
      'Add each table to `archived` in its x.data.ts, or with the reason to NOT_ARCHIVED in this test.',
    ).toEqual([])
    const fewer = ownedByAreas.map((data) =>
      data.area === 'tags' ? { ...data, archived: [] } : data,
    )
    expect(misarchived(fewer)).toEqual(['tags'])
  })

  it('come after those that they refer to, and say what no foreign key says', () => {
    registerOwnedData(ownedByAreas)
    const before = new Set<string>()
    const unsaid: string[] = []
    for (const archived of archivedTables()) {
      const { name, columns, owner } = shapeOf(archived)
      before.add(name)
      for (const column of columns.filter(({ refersTo }) => refersTo)) {
        expect(column.refersTo?.filter((table) => !before.has(table))).toEqual([])
      }
      // Whoever adds a column of ids decides what becomes of it: otherwise ids of others would be stored as they are.
      unsaid.push(
        ...columns
          .filter(
            (column) => /(?:_id|_by)$/.test(column.name) && !column.refersTo && !column.isUser,
          )
          .map((column) => `${name}.${column.name}`),
      )
      expect(archived.of !== undefined || owner.length > 0, name).toBe(true)
    }
    expect(unsaid.toSorted()).toEqual(LOOSE)
  })
})

/** Names that say what a column holds; `platform/owned-data/archived-rows.ts` checks it. */
const SAYS_FORM =
  /(?:^|_)(?:date|period|time_zone|currency)$|_(?:key|id|by|at|minor)$|^(?:version|through|closed_through|first_day|starts_on|anchor|archived_from|period_end|next_on)$/

/** The declarations without which rows that the service stores could not be restored. */
function undeclared(all: readonly OwnedData[]): string[] {
  return all.flatMap(({ area, archived = [] }) =>
    archived.flatMap((table) => {
      const { name, id, prefixes, columns } = shapeOf(table)
      const isOpen = (column: ArchivedColumn) =>
        ['text', 'integer'].includes(column.kind) &&
        ![column.check, column.values, column.refersTo].some(Boolean) &&
        !column.isUser &&
        column.name !== id &&
        !SAYS_FORM.test(column.name)
      return [
        ...(id !== undefined && prefixes.length === 0
          ? [`Add the prefix of the ids of ${name} to \`prefixes\` in ${area}.data.ts.`]
          : []),
        ...columns
          .filter(isOpen)
          .map(
            (column) => `Add a check of ${name}.${column.name} to \`holds\` in ${area}.data.ts.`,
          ),
      ]
    }),
  )
}

describe('the rows of archived tables', () => {
  it('can be restored whatever their ids, texts and numbers are', () => {
    const missing = undeclared(ownedByAreas)
    expect(missing, missing.join('\n')).toEqual([])
  })

  it('would not be without a declaration unseen', () => {
    const tags = ownedByAreas.filter(({ area }) => area === 'tags')
    const bare = tags.map((data) => ({
      ...data,
      archived: data.archived?.map((table) => ({ ...table, prefixes: [], holds: {} })) ?? [],
    }))
    expect(undeclared(bare)).toEqual([
      'Add the prefix of the ids of tags to `prefixes` in tags.data.ts.',
      'Add a check of tags.name to `holds` in tags.data.ts.',
      'Add a check of tags.color to `holds` in tags.data.ts.',
    ])
  })
})

/** Columns of ids without a foreign key, of what may be gone: the ids of others in them lead nowhere after restoring. */
const LOOSE = [
  'balance_assertions.lock_id',
  'budget_line_changes.line_id',
  'budget_line_scopes.target_id',
  'budget_lines.account_id',
  'budget_movements.from_line_id',
  'budget_movements.to_line_id',
  'budget_movements.undone_by',
  'entries.external_id',
  'import_identities.import_id',
  'import_profiles.account_id',
  'import_statements.account_id',
  'import_statements.import_id',
  'imports.account_id',
  'imports.profile_id',
  'reconciliations.adjustment_id',
  'reconciliations.assertion_id',
  'reconciliations.attachment_id',
  'reconciliations.import_id',
  'recurring.account_id',
  'recurring.previous_id',
  'transactions.import_id',
  'transactions.recurring_id',
  'unbooked_entries.external_id',
]

describe('the declarations', () => {
  it('say of every kind of the trash and of a wipe what it means', () => {
    const inTrash = ownedByAreas.flatMap(({ trash }) => Object.keys(trash?.kinds ?? {}))
    const where =
      'List each kind in src/domain/owned-data.ts, and declare it in the x.data.ts of its area.'
    expect(inTrash.toSorted(), where).toEqual([...TRASH_KINDS].toSorted())
    const shelved = ownedByAreas.flatMap(({ trash }) =>
      (trash?.shelves ?? []).flatMap(({ kinds }) => kinds),
    )
    expect(shelved.toSorted(), where).toEqual([...TRASH_KINDS].toSorted())
    const wiped = ownedByAreas.flatMap(({ erase = [], reset }) => [
      ...erase.flatMap(({ wipedWith = [] }) => wipedWith),
      ...(reset ? [reset.wipedWith] : []),
    ])
    expect([...new Set(wiped)].toSorted(), where).toEqual([...WIPE_KINDS].toSorted())
  })

  it('name each area once, and nothing twice that is told or stored by its name', () => {
    for (const names of [
      ownedByAreas.map(({ area }) => area),
      ownedByAreas.flatMap(({ erase = [] }) => erase.map(({ name }) => name)),
      ownedByAreas.flatMap(({ exports = [] }) => exports.map(({ name }) => name)),
    ]) {
      expect(names).toEqual([...new Set(names)])
    }
  })
})

const CLAIMS: Claims = new Map(
  [...TABLES].map(([name, table]) => {
    const { area } = ownedByAreas.find(({ tables }) => tables.includes(table)) ?? {}
    return [getTableName(table), { area, name }]
  }),
)

/** Who writes tables of another area, and why. */
const OTHER_WRITERS: Record<string, string> = {
  'src/areas/insight/audit-log/exports/exports.queries.ts writes archives':
    'an export of the log is an archive, and lower areas keep and expire them',
  'src/areas/identity/auth/registration.queries.ts writes invite_codes':
    'who registers by a code uses it up in that commit, and invites stand lower',
  'src/areas/identity/auth/registration.queries.ts writes invite_redemptions':
    'who registers by a code uses it up in that commit, and invites stand lower',
  'src/areas/identity/auth/sessions/sessions.queries.ts writes personal_access_tokens':
    'what ends the sign-ins of a user ends its tokens, and those stand lower',
  'src/areas/money/categories/removal/removal.queries.ts writes payees':
    'a category is taken off the payees whose usual one it is, and payees stand lower',
  'src/areas/money/categories/removal/budget-lines.queries.ts writes budget_amounts':
    'lines of budgets follow a category that another one takes over',
  'src/areas/money/categories/removal/budget-lines.queries.ts writes budget_checkpoints':
    'lines of budgets follow a category that another one takes over',
  'src/areas/money/categories/removal/budget-lines.queries.ts writes budget_line_scopes':
    'lines of budgets follow a category that another one takes over',
  'src/areas/money/categories/removal/budget-lines.queries.ts writes budget_lines':
    'lines of budgets follow a category that another one takes over',
  'src/areas/money/categories/removal/budget-lines.queries.ts writes budget_periods':
    'lines of budgets follow a category that another one takes over',
  'src/areas/money/categories/removal/budget-lines.queries.ts writes budgets':
    'budgets follow an income category that is merged',
  'src/areas/planning/budgets/trash/trash.queries.ts writes any table': 'each of its own',
  'src/areas/sharing/groups/groups.queries.ts writes budgets':
    'budgets of a deleted group go to the trash of its owner',
  'src/areas/money/currencies/currencies.queries.ts writes users':
    'the base currency is a column of the user, and changes only while it is what was read',
  'src/ledger/hooks/outdated.queries.ts writes users':
    'the number that counts changes of rules, as triggers write it, where many changes count as one',
  'src/areas/sharing/groups/groups.queries.ts writes attachments':
    'a group that goes is taken off its files, and attachments stand lower',
  'src/areas/identity/memberships/memberships.queries.ts writes group_members':
    'who registers by a code joins its group in that commit, and groups stand lower',
  'src/areas/files/storage-classes/storage-classes.queries.ts writes groups':
    'where the files of a group go is a column of the group, and groups stand lower',
  'src/platform/work/reader-rows.ts writes log_listeners':
    'areas keep whether an owner listens by `keepListener`, and readers how far each has come',
  'src/platform/database/session.ts writes personal_access_tokens':
    'the session check marks when a token was used',
  ...Object.fromEntries(
    [
      'src/areas/money/exchange-rates/bulk/bulk.queries.ts',
      'src/ledger/labels/labels.queries.ts',
      'src/ledger/labels/reassignment.queries.ts',
      'src/ledger/books/lines.queries.ts',
    ].map((file) => [`${file} writes any table`, 'one of two of its own']),
  ),
  'src/platform/owned-data/archived-storing.ts writes any table': 'what the declarations name',
  'src/platform/database/bulk-inserts.ts writes any table': 'what `inserterInto` is given',
  'src/platform/owned-data/owned-data.ts writes any table': 'what the declarations name',
  'src/platform/database/owned-tables.ts writes any table':
    'what `writesOf` and `ownedTable` are given',
  'src/platform/owned-data/with-accounts.ts writes any table': 'what the declarations name',
  'src/platform/owned-data/single-rows.ts writes any table': 'what the declarations name',
  'src/platform/secrets/reseal.ts writes any table': 'each sealed column',
  'src/platform/database/statements.ts writes any table': 'what `insertInto` is given',
}

describe('the tables of an area', () => {
  it('are written by nobody else but for a few', () => {
    expect(foreignWrites(readSources(), CLAIMS).toSorted()).toEqual(
      Object.keys(OTHER_WRITERS).toSorted(),
    )
  })

  it.each<[string, string]>([
    ['INTO', 'db.run(sql`INSERT INTO entries (line) VALUES (1)`)'],
    ['OR IGNORE', 'db.run(sql`INSERT OR IGNORE INTO entries (line) VALUES (1)`)'],
    ['UPDATE', 'db.run(sql`UPDATE entries SET note = NULL`)'],
    ['OR FAIL', 'db.run(sql`UPDATE OR FAIL entries SET note = NULL`)'],
    ['DELETE', 'db.run(sql`DELETE FROM entries WHERE line = 1`)'],
    ['a line', 'db.run(sql`DELETE FROM\n  entries WHERE line = 1`)'],
    ['quotes', 'db.run(sql`DELETE FROM "entries"`)'],
    ['insert', 'db.insert(entries).values(row)'],
    ['update', 'db\n  .update(entries)\n  .set(row)'],
    ['delete', 'db.delete(entries)'],
    ['insertInto', 'const insert = insertInto(entries)'],
    ['inserterInto', "const insert = inserterInto<Entry>(entries, [['line', 'line']])"],
    ['writesOf', 'const rows = writesOf(entries)'],
    ['ownedTable', 'const rows = ownedTable(entries, { isSeen })'],
    ['an alias', "import { entries as lines } from 'x'\ndb.insert(lines)"],
    ['the table in SQL', 'db.run(sql`DELETE FROM ${entries} WHERE line = 1`)'],
  ])('would not go unseen: %s', (_, text) => {
    const path = 'src/areas/money/tags/tags.queries.ts'
    expect(foreignWrites({ [path]: text }, CLAIMS)).toEqual([`${path} writes entries`])
    expect(foreignWrites({ 'src/ledger/books/a.queries.ts': text }, CLAIMS)).toEqual([])
    expect(foreignWrites({ 'src/platform/a.ts': text }, CLAIMS)).toHaveLength(1)
  })

  it.each([
    'db.run(sql`DELETE FROM ${sql.raw(table)}`)',
    'db.run(sql`UPDATE OR IGNORE ${table} SET a = 1`)',
    'db.delete(table)',
  ])('would not be written under a name that nobody knows: %s', (text) => {
    const path = 'src/areas/money/tags/tags.queries.ts'
    expect(foreignWrites({ [path]: text }, CLAIMS)).toEqual([`${path} writes any table`])
  })
})

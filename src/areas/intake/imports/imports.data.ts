import { and, eq, gt, type SQL, sql } from 'drizzle-orm'
import { accounts } from '../../../../drizzle/schema/accounts.ts'
import {
  importChunks,
  importIdentities,
  importProfiles,
  importRowNotes,
  imports,
  importStatements,
} from '../../../../drizzle/schema/imports.ts'
import { formatMoney } from '../../../domain/money.ts'
import { presentStamps, toInstant } from '../../../http/fields.ts'
import type { ArchivedTable } from '../../../platform/owned-data/archived-tables.ts'
import { byId, stored } from '../../../platform/owned-data/exports.ts'
import {
  keysOfScope,
  type OwnedData,
  type OwnedRows,
  ownRows,
  rowsOfScope,
} from '../../../platform/owned-data/owned-data.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { among, db, pageUpToBytes } from '../../../platform/database/statements.ts'
import { MOST_OF_TRANSACTION, MOST_ROWS, MOST_STATEMENTS } from './imports.rules.ts'
import { MOST_PROFILES } from './profiles/profiles.queries.ts'
import * as checks from './stored.contract.ts'
import { presentStatement } from './preview.contract.ts'

const ROWS_PER_STEP = sql.raw('250')

/** The object with the rows of a file is named by its pieces; it goes before them. */
const ownChunks: OwnedRows = {
  name: 'importChunks',
  find: (scope) =>
    db.all(sql`SELECT DISTINCT c.import_id AS id, c.object_key AS objectKey
      FROM ${rowsOfScope(scope, sql`imports i`, sql`i.id`)} JOIN import_chunks c ON c.import_id = i.id
      WHERE i.owner_id = ${scope.ownerId} AND i.created_at <= ${scope.before} LIMIT ${ROWS_PER_STEP}`),
  erase: (ids, { ownerId }) => [
    db.run(sql`DELETE FROM import_chunks WHERE import_id IN (SELECT i.id FROM imports i
      WHERE i.id IN ${among(ids)} AND i.owner_id = ${ownerId})`),
  ],
  wipedWith: ['transactions', 'accounts'],
}

const accountOf = (key: string): string => key.slice(0, Math.max(key.indexOf(' '), 0))
const identityOf = (key: string): string => key.slice(key.indexOf(' ') + 1)

/**
 * SQL of an owner's identities `i` behind one of them. The indices that they are sought in give their order: SQLite would sort
 * all of an account for each page.
 */
const identitiesBehind = (ownerId: string, [account, identity]: readonly [string, string]): SQL =>
  sql`accounts a CROSS JOIN import_identities i
    ON i.account_id = a.id AND i.identity > iif(a.id = ${account}, ${identity}, '')
    WHERE a.owner_id = ${ownerId} AND a.id >= ${account}`

/** The rows of a table with a key of two columns, by its first and an owner. What newer imports know is not erased. */
const ownIdentities: OwnedRows = {
  name: 'importIdentities',
  find: ({ ownerId, before, addedBy }, after) =>
    addedBy === undefined
      ? db.all(sql`SELECT i.account_id || ' ' || i.identity AS id
          FROM ${identitiesBehind(ownerId, [accountOf(after), identityOf(after)])} AND NOT EXISTS (
            SELECT 1 FROM imports f WHERE f.id = i.import_id AND f.created_at > ${before}) LIMIT ${ROWS_PER_STEP}`)
      : keysOfScope(addedBy, importIdentities, after),
  erase: (ids, { ownerId }) => [
    db.run(sql`DELETE FROM import_identities WHERE (account_id, identity) IN (
      SELECT substr(value, 1, instr(value, ' ') - 1), substr(value, instr(value, ' ') + 1)
      FROM json_each(${JSON.stringify(ids)}))
      AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = account_id AND a.owner_id = ${ownerId})`),
  ],
  wipedWith: ['transactions', 'accounts'],
}

const ownStatements: OwnedRows = {
  name: 'importStatements',
  find: ({ ownerId, before, addedBy }, after) =>
    addedBy === undefined
      ? db.all(sql`SELECT import_id || ' ' || place AS id FROM import_statements
          WHERE owner_id = ${ownerId} AND created_at <= ${before} LIMIT ${ROWS_PER_STEP}`)
      : keysOfScope(addedBy, importStatements, after),
  // The id of an import in an archive may have spaces; the place is the text after the last of them.
  erase: (ids, { ownerId }) => [
    db.run(sql`DELETE FROM import_statements WHERE +owner_id = ${ownerId} AND (import_id, place) IN (
      SELECT substr(value, 1, length(named) - 1), CAST(substr(value, length(named) + 1) AS INTEGER)
      FROM (SELECT value, rtrim(value, '0123456789') AS named FROM json_each(${JSON.stringify(ids)})))`),
  ],
  wipedWith: ['transactions', 'accounts'],
}

const pageOfProfiles = (ownerId: string, { after, limit }: PageRequest) =>
  pageUpToBytes(
    db
      .select()
      .from(importProfiles)
      .where(and(eq(importProfiles.ownerId, ownerId), gt(importProfiles.id, after?.[0] ?? '')))
      .orderBy(importProfiles.id)
      .limit(limit + 1),
  )

const pageOfImports = (ownerId: string, { after, limit }: PageRequest) =>
  pageUpToBytes(
    db
      .select()
      .from(imports)
      .where(and(eq(imports.ownerId, ownerId), gt(imports.id, after?.[0] ?? '')))
      .orderBy(imports.id)
      .limit(limit + 1),
  )

type ExportedIdentity = Pick<
  typeof importIdentities.$inferSelect,
  'accountId' | 'identity' | 'bankKey' | 'date' | 'amountMinor' | 'transactionId' | 'importId'
> & { pending: number; skipped: number; currency: string }

/** A position is `[accountId, identity]`. */
const pageOfIdentities = (ownerId: string, { after = ['', ''], limit }: PageRequest) =>
  db.all<ExportedIdentity>(
    sql`SELECT i.account_id AS accountId, i.identity, i.bank_key AS bankKey, i.date, i.amount_minor AS amountMinor,
        i.pending, i.skipped, i.transaction_id AS transactionId, i.import_id AS importId, a.currency
      FROM ${identitiesBehind(ownerId, [after[0] ?? '', after[1] ?? ''])} LIMIT ${limit + 1}`,
  )

/** A position is `[importId, place]`. */
const pageOfStatements = (ownerId: string, { after = ['', '0'], limit }: PageRequest) =>
  pageUpToBytes(
    db
      .select()
      .from(importStatements)
      .where(
        and(
          eq(importStatements.ownerId, ownerId),
          sql`(${importStatements.importId}, ${importStatements.place}) > (${after[0]}, CAST(${after[1]} AS INTEGER))`,
        ),
      )
      .orderBy(importStatements.importId, importStatements.place)
      .limit(limit + 1),
  )

const parsed = (json: string) => JSON.parse(json) as unknown

/** The imports that have ended. The rows of others are only in the bucket. */
const archivedImports: ArchivedTable = {
  table: imports,
  prefixes: ['imp'],
  owner: [imports.ownerId],
  order: [imports.id],
  where: sql`${imports.state} IN ('done', 'reverted', 'failed', 'cancelled')`,
  leftOut: [imports.objectKey, imports.taskId],
  holds: checks.importColumns,
  json: checks.importJson,
}

/** The most identities of an account: five files of the most rows, and 20 times the imports of a household in 20 years. */
const MOST_IDENTITIES = 5 * MOST_ROWS

/** The parent of tables whose rows belong to an account. */
const owningAccount: ArchivedTable = {
  table: accounts,
  owner: [accounts.ownerId],
  order: [accounts.id],
}

export const importData: OwnedData = {
  area: 'imports',
  tables: [
    imports,
    importChunks,
    importRowNotes,
    importStatements,
    importIdentities,
    importProfiles,
  ],
  erase: [
    ownChunks,
    ownRows('imports', imports, {
      referredToBy: [importChunks.importId, importRowNotes.importId],
      wipedWith: ['transactions', 'accounts'],
    }),
    ownIdentities,
    ownStatements,
    ownRows('importProfiles', importProfiles, { wipedWith: ['preferences'] }),
  ],
  goWithAccount: [importIdentities, importStatements],
  archived: [
    archivedImports,
    {
      table: importStatements,
      owner: [importStatements.ownerId],
      order: [importStatements.importId, importStatements.place],
      holds: checks.statementColumns,
      json: { content: checks.statementContent },
      most: [{ rows: MOST_STATEMENTS, per: [importStatements.importId] }],
      merge: { with: [importStatements.accountId, importStatements.importId] },
    },
    {
      table: importIdentities,
      of: { column: importIdentities.accountId, parent: owningAccount },
      order: [importIdentities.identity],
      holds: checks.identityColumns,
      json: { added: checks.addedJson },
      most: [
        { rows: MOST_IDENTITIES, per: [importIdentities.accountId] },
        {
          // Files that come later add to it.
          rows: 5 * MOST_OF_TRANSACTION,
          per: [importIdentities.transactionId],
          counts: (row) => row['transaction_id'] !== null,
        },
      ],
      merge: { with: [importIdentities.accountId, importIdentities.transactionId] },
    },
    {
      table: importProfiles,
      prefixes: ['ipr'],
      owner: [importProfiles.ownerId],
      order: [importProfiles.id],
      holds: checks.importProfileColumns,
      json: checks.profileJson,
      most: [{ rows: MOST_PROFILES }],
      merge: { same: [importProfiles.nameKey] },
    },
  ],
  exports: [
    stored(
      'importProfiles',
      pageOfProfiles,
      (row) => ({
        ...{ id: row.id, name: row.name, accountId: row.accountId, format: row.format },
        ...{ mapping: parsed(row.mapping), shape: parsed(row.shape), ...presentStamps(row) },
      }),
      byId,
    ),
    stored(
      'imports',
      pageOfImports,
      (row) => ({
        ...{ id: row.id, state: row.state, fileName: row.fileName, size: row.size },
        ...{ sha256: row.sha256, mapping: parsed(row.mapping), counts: parsed(row.counts) },
        ...{ accounts: parsed(row.accounts), ...presentStamps(row) },
        expiresAt: toInstant(row.expiresAt),
      }),
      byId,
    ),
    stored(
      'importIdentities',
      pageOfIdentities,
      ({ amountMinor, currency, pending, skipped, ...row }) => ({
        ...row,
        amount: formatMoney(amountMinor, currency),
        currency,
        pending: pending === 1,
        skipped: skipped === 1,
      }),
      ({ accountId, identity }) => [accountId, identity],
    ),
    stored(
      'importStatements',
      pageOfStatements,
      (row) => ({ importId: row.importId, ...presentStatement(row) }),
      ({ importId, place }) => [importId, String(place)],
    ),
  ],
}

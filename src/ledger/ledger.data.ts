import { sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  distinctPairs,
  entries,
  transactions,
  trashedRows,
  unbookedEntries,
} from '../../drizzle/schema/ledger.ts'
import { accountBalances, accountPeriods, flowPeriods } from '../../drizzle/schema/projections.ts'
import { transactionPayees } from '../../drizzle/schema/payees.ts'
import { transactionTags } from '../../drizzle/schema/tags.ts'
import { toInstant } from '../domain/calendar.ts'
import { LONGEST_TEXTS } from '../domain/ledger-ids.ts'
import { SNAPSHOT_PREFIXES } from '../domain/owned-data.ts'
import { textThat, textUpTo } from '../domain/stored-values.ts'
import type { ArchivedTable } from '../platform/owned-data/archived-tables.ts'
import { stored } from '../platform/owned-data/exports.ts'
import { type OwnedData, trashedKindOf } from '../platform/owned-data/owned-data.ts'
import type { PageRequest } from '../platform/database/paging.ts'
import { among, db } from '../platform/database/statements.ts'
import { MOST_DISMISSED } from './pairs/pairs.queries.ts'
import {
  entryColumns,
  lineColumns,
  lineOrWhole,
  MOST_LINES_OF_ONE,
  transactionColumns,
  transactionJson,
} from './rows/stored-rows.rules.ts'
import { compareRestored } from './integrity/checks.usecases.ts'
import { trashedImages, trashedTransactions } from './trash/trash.queries.ts'
import {
  bookedOf,
  erasableOf,
  eraseOwned,
  unbookedOf,
  eraseKept,
  keptAccountsFrom,
  withRangeAtTheEnd,
} from './trash/owned.queries.ts'
import { trashedTransaction } from './trash/trash.usecases.ts'

/** Tags of a transaction and of its parts, or payees: several times what a request may send. */
const MOST_LABELS_OF_ONE = 1000

interface DistinctPair {
  kind: 'duplicate' | 'transfer'
  oneId: string
  otherId: string
  createdAt: number
}

/** A position is `[oneId, otherId, kind]`. */
const pageOfDistinctPairs = (ownerId: string, { after = ['', '', ''], limit }: PageRequest) =>
  db.all<DistinctPair>(
    sql`SELECT kind, one_id AS oneId, other_id AS otherId, created_at AS createdAt FROM distinct_pairs
      WHERE owner_id = ${ownerId} AND (one_id, other_id, kind) > (${after[0]}, ${after[1]}, ${after[2]})
      ORDER BY one_id, other_id, kind LIMIT ${limit + 1}`,
  )

const presentPair = ({ kind, oneId, otherId, createdAt }: DistinctPair) => ({
  kind,
  transactionIds: [oneId, otherId],
  createdAt: toInstant(createdAt),
})

/** A transfer replaces two rows, and each part that is a transfer one. Erasing it erases all of them in one statement. */
const MOST_MATCHED_INTO_ONE = 100

const archivedTransactions: ArchivedTable = {
  table: transactions,
  prefixes: ['txn', 'trf'],
  owner: [transactions.ownerId],
  order: [transactions.id],
  users: [transactions.createdBy],
  json: transactionJson,
  holds: transactionColumns,
  trees: [transactions.matchedInto],
  // A transfer that replaced rows cannot be replaced itself: the trigger that erases replaced rows goes one level down.
  levels: 2,
  most: [
    {
      rows: MOST_MATCHED_INTO_ONE,
      per: [transactions.matchedInto],
      counts: (row) => row['matched_into'] !== null,
    },
  ],
  late: [transactions.matchedInto, transactions.matchedPart],
}

/** Declares a table of a transaction's details; its rows are restored together with the rest of the transaction. */
const ofTransaction = (
  table: SQLiteTable,
  column: SQLiteColumn,
  more: Omit<ArchivedTable, 'table' | 'of'>,
): ArchivedTable => ({
  ...{ table, of: { column, parent: archivedTransactions }, together: column, ...more },
})

export const ledgerData: OwnedData = {
  area: 'ledger',
  tables: [
    ...[transactions, entries, unbookedEntries, transactionTags, transactionPayees, distinctPairs],
    ...[trashedRows, accountBalances, accountPeriods, flowPeriods],
  ],
  erase: [
    // With a user all of it goes.
    {
      name: 'balances',
      find: ({ ownerId }, after) => keptAccountsFrom(ownerId, after),
      erase: (ids, { ownerId }) => eraseKept(ids, ownerId),
    },
    {
      name: 'transactions',
      ...{ find: bookedOf, findErasable: erasableOf, erase: eraseOwned },
      wipedWith: ['transactions', 'accounts'],
    },
    {
      name: 'trash',
      ...{ find: unbookedOf, erase: eraseOwned },
      wipedWith: ['transactions', 'accounts'],
    },
  ],
  goWithAccount: [accountBalances, accountPeriods, flowPeriods],
  archived: [
    archivedTransactions,
    ofTransaction(entries, entries.transactionId, {
      owner: [entries.ownerId],
      order: [entries.line],
      users: [entries.externalScope],
      names: [[entries.counterAccountId, ['accounts']]],
      // Private rows of several authors may have the same bank id, as none of them sees the others.
      onceForUser: {
        user: entries.externalScope,
        value: entries.externalId,
        within: entries.accountId,
      },
      holds: entryColumns,
      most: [{ rows: MOST_LINES_OF_ONE, per: [entries.transactionId] }],
      // They come in the order of ids, not in that in which they were booked.
      around: (ownerId, rows, statements) =>
        withRangeAtTheEnd(
          [ownerId],
          among([...new Set(rows.map((row) => String(row['account_id'])))]),
          statements,
        ),
    }),
    ofTransaction(unbookedEntries, unbookedEntries.transactionId, {
      owner: [unbookedEntries.ownerId],
      order: [unbookedEntries.line],
      holds: lineColumns,
      most: [{ rows: MOST_LINES_OF_ONE, per: [unbookedEntries.transactionId] }],
    }),
    ofTransaction(transactionTags, transactionTags.transactionId, {
      order: [transactionTags.line, transactionTags.tagId],
      holds: { line: lineOrWhole },
      most: [{ rows: MOST_LABELS_OF_ONE, per: [transactionTags.transactionId] }],
    }),
    ofTransaction(transactionPayees, transactionPayees.transactionId, {
      order: [transactionPayees.line],
      holds: { line: lineOrWhole },
      most: [{ rows: MOST_LABELS_OF_ONE, per: [transactionPayees.transactionId] }],
    }),
    {
      table: distinctPairs,
      owner: [distinctPairs.ownerId],
      order: [distinctPairs.oneId, distinctPairs.otherId, distinctPairs.kind],
      most: [
        { rows: MOST_DISMISSED, per: [distinctPairs.oneId, distinctPairs.otherId], ofEither: true },
      ],
      holds: { otherId: (value, row) => String(value) > String(row['one_id']) },
      merge: { with: [distinctPairs.oneId, distinctPairs.otherId] },
    },
    {
      table: trashedRows,
      prefixes: Object.values(SNAPSHOT_PREFIXES),
      owner: [trashedRows.ownerId],
      order: [trashedRows.deletedAt, trashedRows.id],
      holds: {
        name: textUpTo(LONGEST_TEXTS.payeeRaw),
        kind: textThat((kind) => Object.hasOwn(SNAPSHOT_PREFIXES, kind)),
      },
      // The area that stored the row knows the form of its snapshot.
      json: {
        image: (value, row) => trashedKindOf(String(row['kind']))?.isImage?.(value, row) ?? false,
      },
    },
  ],
  exports: [
    stored('distinctPairs', pageOfDistinctPairs, presentPair, ({ oneId, otherId, kind }) => [
      oneId,
      otherId,
      kind,
    ]),
  ],
  readBack: compareRestored,
  trash: {
    kinds: {
      transaction: trashedTransaction('transaction'),
      transfer: trashedTransaction('transfer'),
    },
    shelves: [trashedTransactions, trashedImages],
  },
}

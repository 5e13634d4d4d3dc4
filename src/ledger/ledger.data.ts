import { sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import {
  distinctPairs,
  entries,
  transactions,
  trashedRows,
  unbookedEntries,
} from '../../drizzle/schema/ledger.ts'
import { MAX_MINOR_SQL } from '../../drizzle/columns.ts'
import { accountBalances, accountPeriods, flowPeriods } from '../../drizzle/schema/projections.ts'
import { transactionPayees } from '../../drizzle/schema/payees.ts'
import { transactionTags } from '../../drizzle/schema/tags.ts'
import { toInstant } from '../domain/calendar.ts'
import { LONGEST_TEXTS } from '../domain/ledger-texts.ts'
import { textUpTo } from '../domain/stored-values.ts'
import type { ArchivedTable } from '../platform/archived-tables.ts'
import { stored } from '../platform/exports.ts'
import { rowsOfScope, type OwnedData, trashedKindOf } from '../platform/owned-data.ts'
import type { PageRequest } from '../platform/paging.ts'
import { db } from '../platform/statements.ts'
import {
  entryColumns,
  lineColumns,
  lineOrWhole,
  MOST_LINES_OF_ONE,
  transactionColumns,
  transactionJson,
} from './rows/stored-rows.rules.ts'
import { compareRestored } from './integrity/restored.usecases.ts'
import { trashedImages, trashedTransactions } from './trash/shelf.queries.ts'
import { eraseKept, keptAccountsFrom, withRangeAtTheEnd } from './trash/projections.queries.ts'
import { eraseTransactionsOf } from './trash/trash.queries.ts'
import { trashedTransaction } from './trash/trash.usecases.ts'

/** Transactions of one commit. */
const ROWS_PER_STEP = sql.raw('250')
/** Transactions that are looked at for one that can be erased alone. */
const LOOKED_AT = sql.raw('1000')

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

/** Whether the account `b` would leave the range of amounts without the lines of a transaction on it, in a group. */
const LEAVES_RANGE = sql.raw(
  [
    ['balance', `e.status <> 'void'`],
    ['cleared', `e.status IN ('cleared', 'reconciled')`],
    ['reconciled', `e.status = 'reconciled'`],
  ]
    .map(
      ([part, counts]) =>
        `abs(b.${part}_minor - sum(iif(${counts}, e.amount_minor, 0))) > ${MAX_MINOR_SQL}`,
    )
    .join(' OR '),
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

/** What belongs to a transaction: it is stored with the rest of the same. */
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
      // All that is booked but opening balances, which belong to their accounts.
      name: 'transactions',
      find: (scope, after) =>
        db.all(sql`SELECT DISTINCT e.transaction_id AS id
          FROM ${rowsOfScope(scope, sql`entries e`, sql`e.transaction_id`, after)} JOIN transactions t ON t.id = e.transaction_id
          WHERE e.owner_id = ${scope.ownerId} AND e.side = 'account' AND t.kind <> 'opening'
            AND t.created_at <= ${scope.before} LIMIT ${ROWS_PER_STEP}`),
      erase: (ids, { ownerId }) =>
        withRangeAtTheEnd(
          ids.map((id) => ({ id, ownerId })),
          eraseTransactionsOf(ids, ownerId),
        ),
      findOne: (scope, after) =>
        db.all(sql`SELECT t.id, NOT EXISTS (SELECT 1 FROM entries e JOIN account_balances b ON b.account_id = e.account_id
              WHERE e.transaction_id = t.id AND e.side = 'account' GROUP BY e.account_id HAVING ${LEAVES_RANGE}) AS canGo
          FROM ${rowsOfScope(scope, sql`transactions t`, sql`t.id`, after)}
          WHERE t.owner_id = ${scope.ownerId} AND t.id > ${after} AND t.kind <> 'opening' AND t.created_at <= ${scope.before}
            AND EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id AND e.side = 'account')
          ORDER BY ${scope.addedBy === undefined ? sql`t.id` : sql`added.row_id`} LIMIT ${LOOKED_AT}`),
      wipedWith: ['transactions', 'accounts'],
    },
    {
      // What hangs on a transaction in the trash goes with it by a trigger, and so do rows that a transfer stands for:
      // they are its, however much older.
      name: 'trash',
      find: (scope, after) =>
        db.all(sql`SELECT t.id FROM ${rowsOfScope(scope, sql`transactions t`, sql`t.id`, after)} WHERE t.owner_id = ${scope.ownerId}
          AND t.created_at <= ${scope.before} AND t.matched_into IS NULL
          AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.id) LIMIT ${ROWS_PER_STEP}`),
      erase: (ids, { ownerId }) => eraseTransactionsOf(ids, ownerId),
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
      holds: { otherId: (value, row) => String(value) > String(row['one_id']) },
      merge: { with: [distinctPairs.oneId, distinctPairs.otherId] },
    },
    {
      table: trashedRows,
      prefixes: ['cat', 'tag', 'pay'],
      owner: [trashedRows.ownerId],
      order: [trashedRows.deletedAt, trashedRows.id],
      holds: { name: textUpTo(LONGEST_TEXTS.payeeRaw) },
      // As the area that has such rows stored it.
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

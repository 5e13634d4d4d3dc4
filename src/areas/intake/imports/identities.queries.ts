import { type SQL, sql } from 'drizzle-orm'
import { importIdentities } from '../../../../drizzle/schema/imports.ts'
import { addressOf } from '../../../domain/ledger-ids.ts'
import { inserterInto } from '../../../platform/database/bulk-inserts.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import {
  among,
  db,
  inParameters,
  nothing,
  type Statement,
} from '../../../platform/database/statements.ts'
import type { LedgerRow } from '../../../ledger/ledger.public.ts'
import { importErrors } from './imports.errors.ts'
import { MOST_OF_TRANSACTION, type HeldIdentity } from './imports.rules.ts'

/** A row that an account knows, with what became of it. */
export interface KnownIdentity {
  accountId: string
  identity: string
  bankKey: string | null
  importId: string
  date: string
  amountMinor: number
  balanceMinor: number | null
  pending: number
  skipped: number
  transactionId: string | null
  /** 1 if the transaction is in the trash, by itself or with the transfer that it is half of. */
  isInTrash: number
}

/** SQL that is true if the transaction `t`, or the transfer that it was joined into, is in the trash. */
export const IS_IN_TRASH = sql.raw(`(CASE WHEN t.matched_into IS NULL THEN t.deleted_at
    ELSE (SELECT g.deleted_at FROM transactions g WHERE g.id = t.matched_into) END) IS NOT NULL`)

const COLUMNS = sql`i.account_id AS accountId, i.identity, i.bank_key AS bankKey, i.import_id AS importId, i.date,
  i.amount_minor AS amountMinor, i.balance_minor AS balanceMinor, i.pending, i.skipped,
  ifnull(t.matched_into, i.transaction_id) AS transactionId, ${IS_IN_TRASH} AS isInTrash`

const OF_TRANSACTION = sql.raw('LEFT JOIN transactions t ON t.id = i.transaction_id')

/** Finds the identities that accounts know among pairs of an account and an identity. */
export const knownIdentities = (pairs: [accountId: string, identity: string][]) =>
  pairs.length === 0
    ? nothing<KnownIdentity>()
    : db.all<KnownIdentity>(
        sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(pairs)}) w
          CROSS JOIN import_identities i ON i.account_id = w.value->>0 AND i.identity = w.value->>1 ${OF_TRANSACTION}`,
      )

/** So many identities with one bank key show what it stands for. */
const MOST_OF_KEY = sql.raw('10')

/** Finds the identities that have one of these bank keys: a few of each, as a bank may give one id to all of its rows. */
export const identitiesByBankKeys = (pairs: [accountId: string, bankKey: string][]) =>
  pairs.length === 0
    ? nothing<KnownIdentity>()
    : db.all<KnownIdentity>(
        sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(pairs)}) w
          CROSS JOIN import_identities i ON i.account_id = w.value->>0 AND i.identity IN (
            SELECT k.identity FROM import_identities k
            WHERE k.account_id = w.value->>0 AND k.bank_key = w.value->>1 LIMIT ${MOST_OF_KEY}) ${OF_TRANSACTION}`,
      )

/** A line of an account that has one of these external ids. */
export interface TakenId {
  accountId: string
  externalId: string
  transactionId: string
  date: string
  amountMinor: number
  isInTrash: number
  isItself: number
}

export const takenExternalIds = (pairs: [accountId: string, externalId: string][]) =>
  pairs.length === 0
    ? nothing<TakenId>()
    : db.all<TakenId>(
        sql`SELECT e.account_id AS accountId, e.external_id AS externalId, e.transaction_id AS transactionId,
            e.date, e.amount_minor AS amountMinor, 0 AS isInTrash, 0 AS isItself
          FROM json_each(${JSON.stringify(pairs)}) w
          CROSS JOIN entries e ON e.account_id = w.value->>0 AND e.external_id = w.value->>1`,
      )

/**
 * Finds the lines of accounts whose own ids these are: exports of the service say them, OFX as the bank's id. What is in the trash,
 * or was matched into a transfer, is found, too.
 */
export const linesWithOwnIds = (pairs: [accountId: string, externalId: string][]) => {
  const addressed = pairs.flatMap(([accountId, externalId]) => {
    const { transactionId, line } = addressOf(externalId.replace(COFFER, ''))
    return line === 0 ? [] : [[accountId, externalId, transactionId, line]]
  })
  const from = (table: 'entries' | 'unbooked_entries') =>
    sql`SELECT e.account_id AS accountId, w.value->>1 AS externalId, ifnull(t.matched_into, t.id) AS transactionId,
        e.date, e.amount_minor AS amountMinor, ${IS_IN_TRASH} AS isInTrash, 1 AS isItself
      FROM json_each(${JSON.stringify(addressed)}) w
      CROSS JOIN ${sql.raw(table)} e ON e.transaction_id = w.value->>2 AND e.line = w.value->>3 AND e.account_id = w.value->>0
      JOIN transactions t ON t.id = e.transaction_id`
  return addressed.length === 0
    ? nothing<TakenId>()
    : db.all<TakenId>(sql`${from('entries')} UNION ALL ${from('unbooked_entries')}`)
}

/** The prefix of ids in our own exports. */
const COFFER = /^coffer:/

/** An identity of a row that a file has reported, with its transaction. */
export interface ImportedIdentity extends HeldIdentity {
  accountId: string
  /** The transaction, or the transfer that it is half of by now. */
  nowId: string
  pending: number
}

const IMPORTED_COLUMNS =
  sql.raw(`i.account_id AS accountId, i.transaction_id AS transactionId, i.identity, i.bank_key AS bankKey,
  i.date, i.amount_minor AS amountMinor, i.balance_minor AS balanceMinor, i.import_id AS importId, i.pending`)

/** Finds the imported rows of these transactions, and of the halves of these transfers. */
export const importedRowsOf = (transactionIds: string[]) =>
  transactionIds.length === 0
    ? nothing<ImportedIdentity>()
    : db.all<ImportedIdentity>(
        sql`SELECT ${IMPORTED_COLUMNS}, i.transaction_id AS nowId FROM import_identities i
            WHERE i.transaction_id IN ${among(transactionIds)}
          UNION ALL SELECT ${IMPORTED_COLUMNS}, half.matched_into FROM transactions half
            JOIN import_identities i ON i.transaction_id = half.id
            WHERE half.matched_into IN ${among(transactionIds)}`,
      )

/** A row that an account is to know from now on. */
export interface NewIdentity {
  accountId: string
  identity: string
  bankKey: string | null
  date: string
  amountMinor: number
  balanceMinor: number | null
  pending: boolean
  skipped: boolean
  transactionId: string | null
  importId: string
  /** JSON of what a transaction was before it was matched. */
  added: string | null
}

const insertInOrder = inserterInto<NewIdentity>(importIdentities, [
  ['account_id', 'accountId'],
  ['identity', 'identity'],
  ['bank_key', 'bankKey'],
  ['date', 'date'],
  ['amount_minor', 'amountMinor'],
  ['balance_minor', 'balanceMinor'],
  ['pending', 'pending'],
  ['skipped', 'skipped'],
  ['transaction_id', 'transactionId'],
  ['import_id', 'importId'],
  ['added', 'added'],
])

/** Breaks a UNIQUE where another import was faster. They are hashes: in their order each page of the table is visited once. */
export const insertIdentities = (all: NewIdentity[]): Statement[] =>
  insertInOrder(all.toSorted((a, b) => (a.identity < b.identity ? -1 : 1)))

/** Stores identities of rows that are booked already. If the transaction was erased meanwhile, only the identity is stored. */
export const rememberIdentities = (all: NewIdentity[]): Statement[] =>
  inParameters(all).map(({ json }) =>
    db.run(sql`INSERT INTO import_identities
        (account_id, identity, bank_key, date, amount_minor, balance_minor, pending, skipped, transaction_id, import_id)
      SELECT value->>'accountId', value->>'identity', value->>'bankKey', value->>'date', value->>'amountMinor',
        value->>'balanceMinor', value->>'pending', value->>'skipped',
        (SELECT t.id FROM transactions t WHERE t.id = value->>'transactionId'), value->>'importId'
      FROM json_each(${json}) WHERE true ON CONFLICT DO NOTHING`),
  )

/** A row that a bank has booked, and what it was known by while it was pending. */
export interface PostedRow {
  posted: Pick<NewIdentity, 'accountId' | 'identity' | 'date' | 'amountMinor'>
  held: HeldIdentity[]
}

/**
 * Ends what pending rows were known by: from now on it stands for the booked row, and is no candidate for another one. What is
 * known by the same identity makes room for it.
 */
export function settleHeld(all: PostedRow[]): Statement[] {
  const held = all.flatMap(({ posted: { accountId, identity, date, amountMinor }, held: some }) =>
    some.map((one) => ({
      ...{ accountId, identity: one.identity, isSame: one.identity === identity },
      ...{ date, amountMinor },
    })),
  )
  return inParameters(held).flatMap(({ json }) => [
    db.run(sql`DELETE FROM import_identities WHERE pending = 1 AND (account_id, identity) IN (
      SELECT value->>'accountId', value->>'identity' FROM json_each(${json}) WHERE value->>'isSame')`),
    db.run(sql`UPDATE import_identities SET pending = 0, date = w.value->>'date', amount_minor = w.value->>'amountMinor'
      FROM json_each(${json}) w
      WHERE account_id = w.value->>'accountId' AND identity = w.value->>'identity' AND pending = 1`),
  ])
}

/** Restores the identities that pending rows had before they were booked, of transactions of the account's owner. */
export function holdAgain(all: (HeldIdentity & { accountId: string })[]): Statement[] {
  return inParameters(all).map(({ json }) =>
    db.run(sql`INSERT INTO import_identities
        (account_id, identity, bank_key, date, amount_minor, balance_minor, pending, transaction_id, import_id)
      SELECT value->>'accountId', value->>'identity', value->>'bankKey', value->>'date', value->>'amountMinor',
        value->>'balanceMinor', 1, (SELECT t.id FROM accounts a JOIN transactions t ON t.id = value->>'transactionId'
            AND +t.owner_id = a.owner_id WHERE a.id = value->>'accountId'),
          value->>'importId' FROM json_each(${json}) WHERE true
      ON CONFLICT DO UPDATE SET pending = 1, date = excluded.date, amount_minor = excluded.amount_minor`),
  )
}

/** The key under which an account knows a row, with the owner of the account. */
export interface KnownRow {
  accountId: string
  ownerId: string
  identity: string
}

const isOnAccountOf = (owners: string[]): SQL =>
  sql`EXISTS (SELECT 1 FROM accounts a WHERE a.id = import_identities.account_id
    AND +a.owner_id IN ${among([...new Set(owners)])})`

/** True if an identity is one of these, on an account of the same owner. */
export const isKnownRow = (all: KnownRow[]): SQL =>
  sql`(account_id, identity) IN (SELECT value->>0, value->>1
      FROM json_each(${JSON.stringify(all.map(({ accountId, identity }) => [accountId, identity]))}))
    AND ${isOnAccountOf(all.map(({ ownerId }) => ownerId))}`

/** Lets accounts forget rows of an import, so that the next file can bring them again. */
export const forgetIdentities = (importId: string, all: KnownRow[]): Statement[] =>
  all.length === 0
    ? []
    : [
        db.run(sql`DELETE FROM import_identities
          WHERE import_id = ${importId} AND ${isKnownRow(all)}`),
      ]

/** Lets accounts forget what these transactions were imported as. */
export const forgetTransactions = (
  rows: Pick<LedgerRow, 'transactionId' | 'ownerId'>[],
): Statement =>
  db.run(sql`DELETE FROM import_identities
    WHERE transaction_id IN ${among(rows.map(({ transactionId }) => transactionId))}
      AND ${isOnAccountOf(rows.map(({ ownerId }) => ownerId))}`)

/** Moves the identities of these transactions to another transaction. */
export const moveIdentities = (fromIds: string[], toId: string): Statement =>
  db.run(
    sql`UPDATE import_identities SET transaction_id = ${toId} WHERE transaction_id IN ${among(fromIds)}`,
  )

/** Refuses when one of these transactions stands for too many imported rows. */
export const mustStandForFew = (ids: string[]): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM import_identities WHERE transaction_id IN ${among(ids)}
      GROUP BY transaction_id HAVING count(*) > ${MOST_OF_TRANSACTION})`,
    importErrors.tooManyMerged,
  )

/** Moves the identities of the legs of a transfer to the transactions that replace them on the same accounts. */
export const returnIdentities = (fromId: string, toIds: string[]): Statement =>
  db.run(sql`UPDATE import_identities SET transaction_id = ifnull((SELECT e.transaction_id FROM entries e
      WHERE e.transaction_id IN ${among(toIds)} AND e.side = 'account' AND e.account_id = import_identities.account_id),
    transaction_id)
    WHERE transaction_id = ${fromId}`)

import { sql } from 'drizzle-orm'
import { importIdentities } from '../../../../../drizzle/schema/imports.ts'
import { inserterInto } from '../../../../platform/bulk-inserts.ts'
import { among, db, nothing, type Statement } from '../../../../platform/statements.ts'

/** A row that an account knows, with what became of it. */
export interface KnownIdentity {
  accountId: string
  identity: string
  bankKey: string | null
  date: string
  amountMinor: number
  balanceMinor: number | null
  pending: number
  skipped: number
  transactionId: string | null
  /** Of the transaction, 1 where it is in the trash, by itself or with the transfer that it is half of. */
  isInTrash: number
}

/** Whether the transaction `t` is in the trash, or the transfer that it is half of by now. */
export const IS_IN_TRASH = sql.raw(`(CASE WHEN t.matched_into IS NULL THEN t.deleted_at
    ELSE (SELECT g.deleted_at FROM transactions g WHERE g.id = t.matched_into) END) IS NOT NULL`)

const COLUMNS = sql`i.account_id AS accountId, i.identity, i.bank_key AS bankKey, i.date,
  i.amount_minor AS amountMinor, i.balance_minor AS balanceMinor, i.pending, i.skipped,
  ifnull(t.matched_into, i.transaction_id) AS transactionId, ${IS_IN_TRASH} AS isInTrash`

const OF_TRANSACTION = sql.raw('LEFT JOIN transactions t ON t.id = i.transaction_id')

/** Those of these identities that accounts know, as pairs with the account. */
export const knownIdentities = (pairs: [accountId: string, identity: string][]) =>
  pairs.length === 0
    ? nothing<KnownIdentity>()
    : db.all<KnownIdentity>(
        sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(pairs)}) w
          CROSS JOIN import_identities i ON i.account_id = w.value->>0 AND i.identity = w.value->>1 ${OF_TRANSACTION}`,
      )

/** Those with one of these bank's ids. */
export const identitiesByBankKeys = (pairs: [accountId: string, bankKey: string][]) =>
  pairs.length === 0
    ? nothing<KnownIdentity>()
    : db.all<KnownIdentity>(
        sql`SELECT ${COLUMNS} FROM json_each(${JSON.stringify(pairs)}) w
          CROSS JOIN import_identities i ON i.account_id = w.value->>0 AND i.bank_key = w.value->>1 ${OF_TRANSACTION}`,
      )

/** A line of an account that has one of these external ids. */
export interface TakenId {
  accountId: string
  externalId: string
  transactionId: string
  date: string
  amountMinor: number
  isInTrash: number
}

export const takenExternalIds = (pairs: [accountId: string, externalId: string][]) =>
  pairs.length === 0
    ? nothing<TakenId>()
    : db.all<TakenId>(
        sql`SELECT e.account_id AS accountId, e.external_id AS externalId, e.transaction_id AS transactionId,
            e.date, e.amount_minor AS amountMinor, 0 AS isInTrash
          FROM json_each(${JSON.stringify(pairs)}) w
          CROSS JOIN entries e ON e.account_id = w.value->>0 AND e.external_id = w.value->>1`,
      )

/** Of these transactions those that files have told of, by account. */
export const toldOf = (transactionIds: string[]) =>
  transactionIds.length === 0
    ? nothing<{ accountId: string; transactionId: string }>()
    : db.all<{ accountId: string; transactionId: string }>(
        sql`SELECT i.account_id AS accountId, i.transaction_id AS transactionId FROM import_identities i
          WHERE i.transaction_id IN ${among(transactionIds)}`,
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

/** Lets an account forget rows, so that the next file can bring them again. */
export const forgetIdentities = (pairs: [accountId: string, identity: string][]): Statement[] =>
  pairs.length === 0
    ? []
    : [
        db.run(sql`DELETE FROM import_identities WHERE (account_id, identity) IN (
          SELECT value->>0, value->>1 FROM json_each(${JSON.stringify(pairs)}))`),
      ]

/** What was imported of these transactions is another one from now on. */
export const moveIdentities = (fromIds: string[], toId: string): Statement =>
  db.run(
    sql`UPDATE import_identities SET transaction_id = ${toId} WHERE transaction_id IN ${among(fromIds)}`,
  )

/** What was imported as a leg of a transfer is the transaction on the same account that takes its place. */
export const returnIdentities = (fromId: string, toIds: string[]): Statement =>
  db.run(sql`UPDATE import_identities SET transaction_id = ifnull((SELECT e.transaction_id FROM entries e
      WHERE e.transaction_id IN ${among(toIds)} AND e.side = 'account' AND e.account_id = import_identities.account_id),
    transaction_id)
    WHERE transaction_id = ${fromId}`)

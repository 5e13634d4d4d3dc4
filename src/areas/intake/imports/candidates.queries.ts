import { type SQL, sql } from 'drizzle-orm'
import type { StoredEnd } from '../../../domain/imports/continuing.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { among, db, nothing, type Statement } from '../../../platform/database/statements.ts'
import { ownAccountIds, ownedBy, visibleAccountIds } from '../../identity/access/access.public.ts'
import { IS_OF_COMMIT } from '../../../platform/log/log-tables.ts'
import { IS_IN_TRASH } from './identities.queries.ts'

// Finds the stored rows that the rows of a file are compared with, beyond their identities.

/** A stored row, imported or typed, as the account sees it. */
export interface StoredCandidate {
  accountId: string
  /** Null once it was erased. */
  transactionId: string | null
  /** Null of a typed row. */
  identity: string | null
  bankKey: string | null
  /** Null of a typed row. */
  importId: string | null
  /** The bank's id, if it identifies the row. */
  externalId: string | null
  pending: number
  skipped: number
  isInTrash: number
  date: string
  amountMinor: number
  balanceMinor: number | null
  text: string | null
  payeeId: string | null
  /** The number of a cheque, or another reference. */
  number: string | null
  otherAccountId: string | null
}

export interface RowSpan {
  accountId: string
  from: string
  through: string
  minors: number[]
}

const TEXT = `trim(ifnull(t.payee_raw, '') || ' ' || t.description)`
const PAYEE = `(SELECT p.payee_id FROM transaction_payees p WHERE p.transaction_id = t.id AND p.line = 0)`

/** The names of such a number in files and for people, the most specific first. */
const NUMBER = `CAST(coalesce(t.metadata->>'checkNumber', t.metadata->>'number', t.metadata->>'reference') AS TEXT)`

/** The account on the other side of a transfer, or of a part that is one. */
const OTHER_ACCOUNT = `iif(e.pair IS NULL, e.counter_account_id, (SELECT w.account_id FROM entries w
  WHERE w.transaction_id = e.transaction_id AND w.line = 1))`

const EXTERNAL_ID = `iif(i.bank_key IS NULL, NULL, (SELECT e.external_id FROM entries e
  WHERE e.transaction_id = ifnull(t.matched_into, t.id) AND e.account_id = i.account_id AND e.external_id IS NOT NULL LIMIT 1))`

/** Imported rows of an account with one of these amounts. */
const importedIn = (span: RowSpan): Statement<StoredCandidate[]> =>
  span.minors.length === 0
    ? nothing()
    : importedWhere(span, sql`i.amount_minor IN ${among(span.minors)}`)

/** Pending ones with any other amount. */
const pendingIn = (span: RowSpan): Statement<StoredCandidate[]> =>
  importedWhere(span, sql`i.pending = 1 AND i.amount_minor NOT IN ${among(span.minors)}`)

const importedWhere = (
  { accountId, from, through }: RowSpan,
  where: SQL,
): Statement<StoredCandidate[]> =>
  db.all(sql`SELECT i.account_id AS accountId, ifnull(t.matched_into, t.id) AS transactionId, i.identity,
      i.bank_key AS bankKey, i.import_id AS importId, ${sql.raw(EXTERNAL_ID)} AS externalId, i.pending, i.skipped,
      ${IS_IN_TRASH} AS isInTrash, i.date, i.amount_minor AS amountMinor, i.balance_minor AS balanceMinor,
      ${sql.raw(TEXT)} AS text,
      ${sql.raw(PAYEE)} AS payeeId, ${sql.raw(NUMBER)} AS "number", NULL AS otherAccountId
    FROM import_identities i LEFT JOIN transactions t ON t.id = i.transaction_id
    WHERE i.account_id = ${accountId} AND i.date BETWEEN ${from} AND ${through}
      AND ${where}`)

/** Booked rows of an account with one of these amounts that no file has reported, and pending ones of any. */
const typedIn = (
  ctx: SignedIn,
  { accountId, from, through, minors }: RowSpan,
): Statement<StoredCandidate[]> =>
  minors.length === 0
    ? nothing()
    : db.all(sql`SELECT e.account_id AS accountId, e.transaction_id AS transactionId, NULL AS identity, NULL AS bankKey,
      NULL AS importId, NULL AS externalId,
      e.status = 'pending' AS pending, 0 AS skipped, 0 AS isInTrash, e.date, e.amount_minor AS amountMinor,
      NULL AS balanceMinor, ${sql.raw(TEXT)} AS text, ${sql.raw(PAYEE)} AS payeeId, ${sql.raw(NUMBER)} AS "number",
      ${sql.raw(OTHER_ACCOUNT)} AS otherAccountId
    FROM entries e JOIN transactions t ON t.id = e.transaction_id
    WHERE e.account_id = ${accountId} AND e.side = 'account' AND e.date BETWEEN ${from} AND ${through}
      AND e.account_id IN (${visibleAccountIds(ctx)})
      AND e.amount_minor IN ${among(minors)} AND e.status <> 'void'
      AND t.kind <> 'opening'
      AND NOT EXISTS (SELECT 1 FROM import_identities k
        WHERE k.account_id = e.account_id AND k.transaction_id = e.transaction_id)
      AND NOT EXISTS (SELECT 1 FROM transactions m JOIN import_identities l ON l.transaction_id = m.id
        WHERE m.matched_into = e.transaction_id AND l.account_id = e.account_id)`)

export const candidatesIn = (ctx: SignedIn, span: RowSpan): Statement<StoredCandidate[]>[] => [
  importedIn(span),
  pendingIn(span),
  typedIn(ctx, span),
]

/** A row on an own open account that may be half of a transfer. */
export interface HalfRow {
  accountId: string
  transactionId: string
  date: string
  amountMinor: number
  text: string
  isUncategorised: number
  /** The account on the other side, as the file that it is from named it. */
  counterAccount: string | null
}

/** @param importId of the import whose rows look for their halves: what it has booked itself is none */
export const halvesIn = (
  ctx: SignedIn,
  { currency, from, through, minors }: Omit<RowSpan, 'accountId'> & { currency: string },
  importId: string,
): Statement<HalfRow[]> =>
  db.all(sql`SELECT e.account_id AS accountId, e.transaction_id AS transactionId, e.date,
      e.amount_minor AS amountMinor, ${sql.raw(TEXT)} AS text, e.uncategorised AS isUncategorised,
      t.metadata->>'counterAccount' AS counterAccount
    FROM accounts o CROSS JOIN entries e ON e.account_id = o.id AND e.side = 'account'
    JOIN transactions t ON t.id = e.transaction_id
    WHERE o.id IN (${ownAccountIds(ctx)}) AND o.status = 'open' AND o.currency = ${currency}
      AND e.date BETWEEN ${from} AND ${through} AND e.amount_minor IN ${among(minors)}
      AND t.kind IN ('expense', 'income') AND e.pair IS NULL AND e.status NOT IN ('void', 'reconciled')
      AND t.import_id IS NOT ${importId}`)

/** Identities with these particulars, whatever their text. */
export const identitiesLike = (wanted: { accountId: string; date: string; minor: number }[]) =>
  wanted.length === 0
    ? nothing<StoredCandidate>()
    : db.all<StoredCandidate>(
        sql`SELECT i.account_id AS accountId, ifnull(t.matched_into, t.id) AS transactionId, i.identity,
            i.bank_key AS bankKey, i.import_id AS importId, NULL AS externalId, i.pending, i.skipped,
            ${IS_IN_TRASH} AS isInTrash, i.date,
            i.amount_minor AS amountMinor, i.balance_minor AS balanceMinor, NULL AS text, NULL AS payeeId,
            NULL AS "number", NULL AS otherAccountId
          FROM json_each(${JSON.stringify(wanted)}) w CROSS JOIN import_identities i
            ON i.account_id = w.value->>'accountId' AND i.date = w.value->>'date' AND i.amount_minor = w.value->>'minor'
          LEFT JOIN transactions t ON t.id = i.transaction_id`,
      )

/** The amount moved on the last day of a statement. A row that is known by several identities counts once. */
const MOVED_ON_LAST_DAY = sql.raw(`(SELECT ifnull(sum(amount_minor), 0) FROM (
  SELECT DISTINCT i.transaction_id, i.amount_minor FROM import_identities i
  WHERE i.account_id = s.account_id AND i.date = s.through_date AND i.pending = 0))`)

/** The closing balances that earlier files tell of these accounts, of those that were booked. */
export const closingsOf = (importId: string, accountIds: string[]) =>
  accountIds.length === 0
    ? nothing<StoredEnd>()
    : db.all<StoredEnd>(
        sql`SELECT s.import_id AS importId, s.account_id AS accountId, s.from_date AS "from", s.through_date AS "to",
            ifnull(s.opening_minor, s.content->>'derivedMinor') AS openingMinor, s.closing_minor AS closingMinor,
            s.content->>'isInterim' AS isInterim, ${MOVED_ON_LAST_DAY} AS movedMinor
          FROM import_statements s WHERE s.account_id IN ${among(accountIds)} AND s.import_id <> ${importId}
            AND s.through_date IS NOT NULL AND s.closing_minor IS NOT NULL AND s.content->>'closingDate' IS NULL
            AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.id = s.import_id AND o.state <> 'done')`,
      )

/** A row of a file that its import booked and that may be half of a transfer, as it is now. */
export interface OpenHalf {
  accountId: string
  identity: string
  transactionId: string
  date: string
  amountMinor: number
  isUncategorised: number
}

/** Finds which rows with these identities this import booked, and are in no transfer yet. */
export const openHalvesOf = (
  importId: string,
  pairs: [accountId: string, identity: string][],
): Statement<OpenHalf[]> =>
  pairs.length === 0
    ? nothing()
    : db.all(sql`SELECT i.account_id AS accountId, i.identity, t.id AS transactionId, e.date,
        e.amount_minor AS amountMinor, e.uncategorised AS isUncategorised
      FROM json_each(${JSON.stringify(pairs)}) w
      CROSS JOIN import_identities i ON i.account_id = w.value->>0 AND i.identity = w.value->>1
      JOIN transactions t ON t.id = i.transaction_id
      JOIN entries e ON e.transaction_id = t.id AND e.line = 1 AND e.account_id = i.account_id
      WHERE t.import_id = ${importId} AND t.kind IN ('expense', 'income') AND e.pair IS NULL
        AND e.status NOT IN ('void', 'reconciled')`)

/** A request that began shortly before the reading may have ended after it. */
const MARGIN_MS = sql.raw('5000')

/**
 * Tells whether rows of the accounts of an import were booked or changed by somebody else, by the log of their owners, and
 * the last commit that there is.
 * @param watched the last commit that was looked at before; undefined for all since the file was read
 */
export function changesBeside(
  importId: string,
  watched: number | undefined,
): Statement<{ isChanged: number; last: number }[]> {
  const since =
    watched === undefined
      ? sql`at >= (SELECT ifnull(analysed_at, 0) - ${MARGIN_MS} FROM imports WHERE id = ${importId}) ORDER BY at`
      : sql`number > ${watched} ORDER BY number`
  // Commits of pieces of the import itself begin with an event of the import.
  const isOther = sql`NOT EXISTS (SELECT 1 FROM log_events own
    WHERE own.number = c.first_event AND own.resource_id = ${importId})`
  // Events of the accounts themselves concern no row.
  const isOfRows = sql`e.account_id IN (SELECT id FROM own_accounts) AND ifnull(e.type, c.type) NOT LIKE 'account.%'`
  return db.all(sql`WITH own_accounts AS MATERIALIZED (SELECT DISTINCT f.value->>'accountId' AS id
        FROM imports, json_each(imports.accounts) f WHERE imports.id = ${importId} AND f.value->>'accountId' IS NOT NULL),
      owners AS MATERIALIZED (SELECT owner_id AS id FROM accounts WHERE id IN (SELECT id FROM own_accounts)),
      since AS MATERIALIZED (SELECT number, first_event AS event FROM log_commits WHERE ${since} LIMIT 1)
    SELECT (EXISTS (SELECT 1 FROM since CROSS JOIN log_commits c ON c.number >= since.number
        CROSS JOIN log_events e ON ${IS_OF_COMMIT}
        WHERE c.owner_id IN (SELECT id FROM owners) AND ${isOther} AND ${isOfRows})
      OR EXISTS (SELECT 1 FROM since CROSS JOIN log_events e ON e.number >= since.event
        CROSS JOIN log_commits c ON c.number = e.commit_number
        WHERE e.owner_id IN (SELECT id FROM owners) AND ${isOther} AND ${isOfRows})) AS isChanged,
      ifnull((SELECT max(number) FROM log_commits), 0) AS last`)
}

/** Schemes of bank ids that earlier files have shown to identify nothing, by account. */
export const untrustedSchemes = ({ caller }: SignedIn) =>
  db.all<{ accountId: string; scheme: string }>(
    sql`SELECT DISTINCT u.value->>'accountId' AS accountId, u.value->>'scheme' AS scheme
      FROM imports, json_each(imports.untrusted) u WHERE ${ownedBy(caller, 'imports.owner_id')}`,
  )

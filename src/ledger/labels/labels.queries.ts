import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { refuseIf, requireChanged } from '../../platform/database/premises.ts'
import { conflicting, nothingHere, type Refusal } from '../../platform/database/refusals.ts'
import { among, db, isAmong, type Statement } from '../../platform/database/statements.ts'
import {
  ownedBy,
  requireHistory,
  visibleAccountIds,
} from '../../areas/identity/access/access.public.ts'
import type { LineTable } from '../books/lines.queries.ts'
import { type LabelledLine, MOST_RELABELLED, WHOLE } from './labels.rules.ts'

/** The labels of the transaction of an entry `e`, as columns: two seeks, and a row for each that there is. */
export const LABEL_COLUMNS = `
  (SELECT json_group_array(json_object('line', l.line, 'payeeId', l.payee_id))
    FROM transaction_payees l WHERE l.transaction_id = e.transaction_id) AS payees,
  (SELECT json_group_array(json_object('line', l.line, 'tagId', l.tag_id))
    FROM transaction_tags l WHERE l.transaction_id = e.transaction_id) AS tags`

/** A kind of label on transactions and their parts. */
export type LabelKind = 'tag' | 'payee'

const TABLES = {
  tag: { table: sql.raw('transaction_tags'), target: sql.raw('tag_id'), of: sql.raw('tags') },
  payee: {
    table: sql.raw('transaction_payees'),
    target: sql.raw('payee_id'),
    of: sql.raw('payees'),
  },
}

/** The labels that are removed, and the label that replaces them. */
export interface LabelMove {
  from: string[]
  to: string | undefined
  /** The refusal when `to` is no longer the caller's. */
  targetGone?: Refusal
}

/** A line that has a payee or tag. */
export interface Label extends LabelledLine {
  targetId: string
}

/** The labels to these of the caller, one more than a commit moves; also those of transactions in the trash. */
export const labelsTo = (ctx: SignedIn, kind: LabelKind, targetIds: string[]) => {
  const { table, target, of } = TABLES[kind]
  return db.all<Label>(
    withTransactions(
      ctx,
      sql`SELECT l.transaction_id AS transactionId, l.line, l.line = ${WHOLE} AS isWhole,
        l.${target} AS targetId
      FROM ${of} o JOIN ${table} l ON l.${target} = o.id
      WHERE ${ownedBy(ctx.caller, 'o.owner_id')} AND o.id IN ${among(targetIds)}
      LIMIT ${MOST_RELABELLED + 1}`,
    ),
  )
}

/**
 * The transactions that have it, on the whole or a part: a subquery of their ids, beside `seen`. None is looked at of a label whose
 * owner has no account there, so that the time tells nothing of it.
 */
export function transactionIdsWith(kind: LabelKind, id: string): SQL {
  const { table, target, of } = TABLES[kind]
  return sql`SELECT l.transaction_id FROM ${table} l WHERE l.${target} = (
    SELECT own.id FROM ${of} own WHERE own.id = ${id} AND own.owner_id IN (SELECT owner_id FROM seen))`
}

/**
 * True if the transaction of an entry `e` has one of these labels, or any at all.
 * @param isThere a condition of a label `l`
 */
export function hasLabel(kind: LabelKind, ids?: readonly string[], isThere: SQL = sql`TRUE`): SQL {
  const { table, target } = TABLES[kind]
  // The plus keeps the transaction from being looked up by each of the labels.
  return sql`EXISTS (SELECT 1 FROM ${table} l WHERE l.transaction_id = e.transaction_id AND ${isThere}
    ${ids === undefined ? sql`` : sql`AND +l.${target} ${isAmong(ids)}`})`
}

/** The number of transactions with the label, as an expression. For an access token, only the transactions that it sees count. */
export function transactionsWith(ctx: SignedIn, kind: LabelKind, targetId: SQL): SQL {
  const { table, target } = TABLES[kind]
  return sql`(SELECT count(DISTINCT l.transaction_id) FROM ${table} l
    WHERE l.${target} = ${targetId} AND ${isSeen(ctx)})`
}

/** When the newest transaction with it was recorded, as an expression: their ids are in that order. */
export function lastUseOf(ctx: SignedIn, kind: LabelKind, targetId: SQL): SQL {
  const { table, target } = TABLES[kind]
  return sql`(SELECT t.created_at FROM ${table} l JOIN transactions t ON t.id = l.transaction_id
    WHERE l.${target} = ${targetId} AND t.deleted_at IS NULL AND t.matched_into IS NULL
      AND ${isSeen(ctx)}
    ORDER BY l.transaction_id DESC LIMIT 1)`
}

/** Only a token may see less than its owner, so only for one it is looked up. */
const isSeen = (ctx: SignedIn) =>
  ctx.caller.tokenHash === null
    ? sql`true`
    : sql`EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = l.transaction_id
        AND e.account_id IN (${visibleAccountIds(ctx)}))`

/**
 * Moves all labels of some to another, or without one removes them, and gives their transactions a new version.
 * Refuses unless these are all there are, when an access token does not see all accounts of what is not booked, and when
 * what they would go to is no longer the caller's; of what is booked a guard refuses it.
 */
export function updateLabels(
  ctx: SignedIn,
  kind: LabelKind,
  { from, to, targetGone = nothingHere }: LabelMove,
  labels: Label[],
): Statement[] {
  const { table, target, of } = TABLES[kind]
  const known = JSON.stringify(
    labels.map(({ transactionId, line, targetId }) => [transactionId, line, targetId]),
  )
  const isOld = sql`${target} IN (SELECT o.id FROM ${of} o
    WHERE o.id IN ${among(from)} AND ${ownedBy(ctx.caller, '+o.owner_id')})`
  return [
    refuseIf(
      sql`(SELECT count(*) FROM ${table} WHERE ${isOld}) <> ${labels.length}
        OR (SELECT count(*) FROM json_each(${known}) k JOIN ${table} l ON l.transaction_id = k.value->>0
          AND l.line = k.value->>1 AND l.${target} = k.value->>2) <> ${labels.length}`,
      conflicting,
    ),
    requireHistory(
      ctx,
      sql`SELECT e.account_id FROM ${table} l JOIN unbooked_entries e ON e.transaction_id = l.transaction_id
        WHERE l.${isOld}`,
    ),
    ...touchTransactions(ctx, labels, conflicting),
    // Rows that would become duplicates are left for the deletion of the old label.
    ...(to === undefined
      ? []
      : [
          refuseIf(
            sql`NOT EXISTS (SELECT 1 FROM ${of} WHERE id = ${to} AND ${ownedBy(ctx.caller, 'owner_id')})`,
            targetGone,
          ),
          db.run(sql`UPDATE OR IGNORE ${table} SET ${target} = ${to} WHERE ${isOld}`),
          ...(kind === 'payee' ? [replaceInMatchedParts(ctx, 'payeeId', from, to)] : []),
        ]),
    db.run(sql`DELETE FROM ${table} WHERE ${isOld}`),
  ]
}

/** The account of a line of a transaction `t`, wherever its lines are. */
const accountAt = (line: number) =>
  sql.raw(`ifnull((SELECT e.account_id FROM entries e WHERE e.transaction_id = t.id AND e.line = ${line}),
    (SELECT e.account_id FROM unbooked_entries e WHERE e.transaction_id = t.id AND e.line = ${line}))`)

const legsIn = (table: LineTable) => `SELECT e.line, e.account_id, e.pair FROM ${table} e
  WHERE e.transaction_id = t.id AND e.side = 'account' AND e.pair IS NOT NULL`

/** JSON of the other sides of the parts of a transaction `t`, wherever its lines are. */
const LEGS =
  sql.raw(`CASE WHEN t.kind IN ('expense', 'income') THEN (SELECT json_group_array(json_array(line, account_id))
  FROM (${legsIn('entries')} UNION ALL ${legsIn('unbooked_entries')} ORDER BY line)) ELSE '[]' END`)

/**
 * Adds the other fields of `LabelledLine` to a SELECT of `transactionId`, `line`, `isWhole` and `targetId`. What a transfer has as
 * a whole is on the lines of its two accounts; the lines of its fees come behind them. Lines of transactions that are not the
 * caller's are left out: what a deleted label hung on is known from JSON alone.
 */
export const withTransactions = ({ caller }: SignedIn, lines: SQL): SQL =>
  sql`SELECT f.transactionId, f.line, CASE t.kind WHEN 'transfer' THEN f.line <= 2 ELSE f.isWhole END AS isWhole, f.targetId, t.kind, t.version, t.private,
      ${accountAt(1)} AS accountId, CASE t.kind WHEN 'transfer' THEN ${accountAt(2)} END AS toAccountId,
      ${LEGS} AS legs
    FROM (${lines}) f CROSS JOIN transactions t ON t.id = f.transactionId AND ${ownedBy(caller, '+t.owner_id')}`

/** Gives these lines' transactions, which are the caller's, a new version; refuses unless each has the one that was read. */
export function touchTransactions(
  { caller, now }: SignedIn,
  lines: Pick<LabelledLine, 'transactionId' | 'version'>[],
  changed: Refusal,
): Statement[] {
  const versions = new Map(lines.map(({ transactionId, version }) => [transactionId, version]))
  return [
    db.run(sql`UPDATE transactions SET version = version + 1, updated_at = ${now}
      FROM json_each(${JSON.stringify([...versions])}) seen
      WHERE transactions.id = seen.value->>0 AND version = seen.value->>1 AND ${ownedBy(caller, '+owner_id')}`),
    requireChanged(versions.size, changed),
  ]
}

/** Puts a label in the place of others in what parts were before rows were matched into them. Those rows get a new version. */
export const replaceInMatchedParts = (
  { caller, now }: SignedIn,
  field: 'categoryId' | 'payeeId',
  from: string[],
  to: string,
): Statement =>
  db.run(sql`UPDATE transactions SET version = version + 1, updated_at = ${now},
      matched_part = json_set(matched_part, ${`$.${field}`}, ${to})
    WHERE matched_part IS NOT NULL AND matched_part->>${sql.raw(`'${field}'`)} IN ${among(from)}
      AND ${ownedBy(caller, '+owner_id')}`)

/**
 * Lines as a SELECT of `transaction_id`, `line`, `account_id` and `date`, which gives the same rows before and after a change of
 * their labels. What the whole of a transaction has is on the line of each of its accounts.
 */
export type BookedLines = SQL

/** Selects the booked lines among the given ones. */
export const bookedAmong = (lines: Pick<LabelledLine, 'transactionId' | 'line'>[]): BookedLines =>
  sql`SELECT e.transaction_id, e.line, e.account_id, e.date
    FROM json_each(${JSON.stringify(lines.map(({ transactionId, line }) => [transactionId, line]))}) named
      CROSS JOIN entries e ON e.transaction_id = named.value->>0
        AND (e.line = named.value->>1 OR named.value->>1 = ${WHOLE} AND e.side = 'account')`

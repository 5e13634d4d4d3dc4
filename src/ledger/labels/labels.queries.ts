import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../platform/context.ts'
import { refuseIf } from '../../platform/database/premises.ts'
import { conflicting, nothingHere, type Refusal } from '../../platform/database/refusals.ts'
import { among, db, isAmong, type Statement } from '../../platform/database/statements.ts'
import {
  ownedBy,
  requireHistory,
  visibleAccountIds,
} from '../../areas/identity/access/access.public.ts'
import { replaceInMatchedParts, touchTransactions, withTransactions } from './labelled.queries.ts'
import { type LabelledLine, MOST_RELABELLED, WHOLE } from './labels.rules.ts'

/** The labels of the transaction of an entry `e`, as columns: two seeks, and a row for each that there is. */
export const LABELS = `
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

/** The transactions that have it, on the whole or a part: a subquery of their ids. */
export function transactionIdsWith(kind: LabelKind, id: string): SQL {
  const { table, target } = TABLES[kind]
  return sql`SELECT l.transaction_id FROM ${table} l WHERE l.${target} = ${id}`
}

/**
 * Whether the transaction of an entry `e` has one of these labels, or any at all.
 * @param isThere a condition of a label `l`
 */
export function hasLabel(kind: LabelKind, ids?: readonly string[], isThere: SQL = sql`TRUE`): SQL {
  const { table, target } = TABLES[kind]
  return sql`EXISTS (SELECT 1 FROM ${table} l WHERE l.transaction_id = e.transaction_id AND ${isThere}
    ${ids === undefined ? sql`` : sql`AND l.${target} ${isAmong(ids)}`})`
}

/** How many transactions have it, as an expression; of an access token those that it sees. */
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
    // What would be there twice is left to the deletion.
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

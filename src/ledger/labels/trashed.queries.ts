import { and, eq, type SQL, sql } from 'drizzle-orm'
import { trashedRows } from '../../../drizzle/schema/ledger.ts'
import type { SnapshotKind, WipeKind } from '../../domain/owned-data.ts'
import type { SignedIn } from '../../platform/context.ts'
import { type OwnedRows, ownRows } from '../../platform/owned-data/owned-data.ts'
import { requireChanged, requireChangedOne, refuseIf } from '../../platform/database/premises.ts'
import type { Refusal } from '../../platform/database/refusals.ts'
import { db, type Statement } from '../../platform/database/statements.ts'
import { isTrashedRow } from '../trash/trash.queries.ts'
import { isOfOtherKind } from './bookable.queries.ts'
import { touchTransactions, withTransactions } from './labels.queries.ts'
import type { LabelledLine } from './labels.rules.ts'
import { ownedBy } from '../../areas/identity/access/access.public.ts'

// Categories, tags and payees are deleted at once, and live on in the trash as an image of what they were.

/** Lines by the id of their transaction. */
type LinesByTransaction = Record<string, number[]>

/** The former usage of a row in the trash: its lines, and the label that replaced it on them. */
export interface TrashedUsage {
  lines: LinesByTransaction
  into: string | null
  /**
   * Lines of incomes that a category for expenses was taken off: they are on the side of incomes since, unless they are of a part
   * that is a transfer.
   */
  refunds?: LinesByTransaction
}

export const putInTrash = (
  ctx: SignedIn,
  { id, kind, name }: { id: string; kind: SnapshotKind; name: string },
  image: Pick<TrashedUsage, 'into'> & {
    row: { version: number }
    lines: LabelledLine[]
    refunds?: LabelledLine[]
    [more: string]: unknown
  },
): Statement =>
  db.insert(trashedRows).values({
    id,
    ownerId: ctx.caller.userId,
    kind,
    name,
    image: JSON.stringify({
      ...image,
      lines: linesByTransaction(image.lines),
      ...(image.refunds ? { refunds: linesByTransaction(image.refunds) } : {}),
    }),
    deletedAt: ctx.now,
  })

const linesByTransaction = (lines: LabelledLine[]): LinesByTransaction =>
  Object.fromEntries(
    [...Map.groupBy(lines, ({ transactionId }) => transactionId)].map(([id, some]) => [
      id,
      some.map(({ line }) => line),
    ]),
  )

export const trashedRowOf = (ctx: SignedIn, kind: SnapshotKind, id: string) =>
  db.all<{ image: string }>(
    sql`SELECT r.image FROM trashed_rows r WHERE r.id = ${id} AND ${isTrashedRow(ctx, kind)}`,
  )

/** The trashed rows of a kind, as owned rows for erasure and wipes. */
export const trashedRowsOf = (kind: SnapshotKind, wipedWith: WipeKind): OwnedRows =>
  ownRows(`trash.${kind}`, trashedRows, {
    where: eq(trashedRows.kind, kind),
    wipedWith: [wipedWith],
  })

/** JSON without an id: null as the value of a field, and not in a list. @param quote with a backslash for JSON that is a text of JSON */
export const withoutId = (column: SQL, id: string, quote: '"' | '\\"' = '"'): SQL => {
  const named = quote + id + quote
  const inside = [`,${named},`, ',']
  return [
    [`:${named}`, ':null'],
    // Labels that were merged may stand in a list twice. As the name of a field, an id stays.
    ...[inside, inside, [`,${named}]`, ']'], [`[${named},`, '['], [`[${named}]`, '[]']],
  ].reduce((json, [found, instead]) => sql`replace(${json}, ${found}, ${instead})`, column)
}

/** Puts one label in the place of another in things of a kind in the trash, or takes it off JSON in them. They get a new version. */
export const relabelTrashed = (
  { caller }: SignedIn,
  kind: SnapshotKind,
  { from, to }: { from: string; to: string | null },
): Statement => {
  const image =
    to === null ? withoutId(sql`image`, from, '\\"') : sql`replace(image, ${from}, ${to})`
  return db.run(sql`UPDATE trashed_rows SET image = json_set(${image}, '$.row.version', image ->> '$.row.version' + 1)
    WHERE kind = ${kind} AND instr(image, ${from}) > 0 AND json_valid(image) AND ${ownedBy(caller, 'owner_id')}`)
}

/** Refuses unless it is still there as it was read; it may have been restored, changed and deleted again. */
export const takeFromTrash = (
  ctx: SignedIn,
  { id, version }: { id: string; version: number },
  changed: Refusal,
): Statement[] => [
  db
    .delete(trashedRows)
    .where(
      and(
        eq(trashedRows.id, id),
        ownedBy(ctx.caller, trashedRows.ownerId),
        sql`${trashedRows.image} ->> '$.row.version' = ${version}`,
      ),
    ),
  requireChangedOne(changed),
]

/**
 * The lines of an image, as `key` of a transaction and `n.value` of a line. What else is asked of the image is taken out of
 * it once, not for each line: a subquery with a limit is not merged into the statement. Of a damaged image nothing is found.
 */
const inImage = (
  ctx: SignedIn,
  id: string,
  kind: SnapshotKind,
  which: 'lines' | 'refunds' = 'lines',
) =>
  sql`FROM (SELECT image, image->>'into' AS taker, image->>'$.row.kind' AS categoryKind
      FROM trashed_rows WHERE id = ${id} AND ${ownedBy(ctx.caller, 'owner_id')} AND kind = ${kind} LIMIT 1) r,
    json_each(r.image, '$.${sql.raw(which)}') t, json_each(iif(t.type = 'array', t.value, '[]')) n`

const LINE = sql`t.key AS transactionId, n.value AS line`

/**
 * Finds the remaining lines that had a tag before it went to the trash. A transfer has the tags of the rows that it
 * was matched from; a part has not.
 */
export const linesOfTag = (ctx: SignedIn, id: string) =>
  db.all<LabelledLine>(
    withTransactions(
      ctx,
      sql`SELECT ${LINE}, n.value = 0 AS isWhole, NULL AS targetId
      ${inImage(ctx, id, 'tag')} WHERE (n.value = 0
        OR EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.key AND e.line = n.value)
        OR EXISTS (SELECT 1 FROM unbooked_entries e WHERE e.transaction_id = t.key AND e.line = n.value))
      UNION SELECT x.matched_into, 0, 1, NULL
      FROM (SELECT t.key AS id ${inImage(ctx, id, 'tag')} WHERE n.value = 0) had
        CROSS JOIN transactions x ON x.id = had.id WHERE x.matched_into IS NOT NULL AND x.matched_part IS NULL`,
    ),
  )

/**
 * Finds the lines that had a payee in the trash and still have the payee that replaced it. Rows matched since have
 * become a transfer with the replacing payee, and would return from it as if they had been changed there.
 */
export const linesOfPayee = (ctx: SignedIn, id: string) =>
  db.all<LabelledLine>(
    withTransactions(
      ctx,
      sql`SELECT ${LINE}, n.value = 0 AS isWhole, r.taker AS targetId
      ${inImage(ctx, id, 'payee')}
      WHERE EXISTS (SELECT 1 FROM transaction_payees l WHERE l.transaction_id = t.key AND l.line = n.value
        AND l.payee_id = r.taker)
      AND NOT EXISTS (SELECT 1 FROM transactions x WHERE x.id = t.key AND x.matched_into IS NOT NULL AND x.matched_part IS NULL
        AND x.matched_into NOT IN (SELECT key FROM json_each(r.image, '$.lines')))`,
    ),
  )

/** Finds lines that had a trashed category and still have its replacement, or no category if there was none. */
export const linesOfTrashedCategory = (ctx: SignedIn, id: string) => {
  const inLines = (which: 'lines' | 'refunds', isOnSide: SQL) => {
    const isSame = sql`e.transaction_id = t.key AND e.line = n.value AND ${isOnSide}
      AND e.category_id IS r.taker`
    return sql`SELECT ${LINE}, r.taker AS targetId, NOT EXISTS (SELECT 1 FROM entries o
          WHERE o.transaction_id = t.key AND o.line NOT IN (1, n.value))
        AND NOT EXISTS (SELECT 1 FROM unbooked_entries o
          WHERE o.transaction_id = t.key AND o.line NOT IN (1, n.value)) AS isWhole
      ${inImage(ctx, id, 'category', which)} WHERE (EXISTS (SELECT 1 FROM entries e WHERE ${isSame})
        OR EXISTS (SELECT 1 FROM unbooked_entries e WHERE ${isSame}))`
  }
  return db.all<LabelledLine>(
    withTransactions(
      ctx,
      sql`${inLines('lines', sql`NOT ${isOfOtherKind('r.categoryKind', 'e.side')}`)} UNION ALL ${inLines('refunds', sql`e.side IN ('income', 'exchange')`)}`,
    ),
  )
}

const pairsOf = (lines: LabelledLine[]) =>
  sql`(SELECT value->>0, value->>1
    FROM json_each(${JSON.stringify(lines.map(({ transactionId, line }) => [transactionId, line]))}))`

/** Puts a tag that came back on the lines that had it. */
export const insertTagOn = (
  ctx: SignedIn,
  { id }: { id: string },
  lines: LabelledLine[],
  changed: Refusal,
): Statement[] => [
  ...touchTransactions(ctx, lines, changed),
  db.run(sql`INSERT INTO transaction_tags (transaction_id, line, tag_id)
    SELECT value->>0, value->>1, ${id}
    FROM json_each(${JSON.stringify(lines.map(({ transactionId, line }) => [transactionId, line]))})`),
]

/** Gives the lines that had a payee back to it; refuses unless all of them still are as they were read. */
export const updatePayeeOn = (
  ctx: SignedIn,
  { id, into }: { id: string; into: string | null },
  lines: LabelledLine[],
  changed: Refusal,
): Statement[] => [
  db.run(sql`UPDATE transaction_payees SET payee_id = ${id}
    WHERE (transaction_id, line) IN ${pairsOf(lines)} AND payee_id = ${into} AND EXISTS (SELECT 1 FROM transactions t
      WHERE t.id = transaction_payees.transaction_id AND ${ownedBy(ctx.caller, '+t.owner_id')})`),
  requireChanged(lines.length, changed),
  ...touchTransactions(ctx, lines, changed),
]

/** True if a line with a category belongs to a transfer, or to a part that is one: its side stays. */
const MOVES = sql.raw(`side IN ('account', 'exchange')`)

/** Gives the lines that had a category back to it, likewise. An income that gets one for expenses is a refund again. */
export const updateCategoryOn = (
  ctx: SignedIn,
  { id, into }: { id: string; into: string | null },
  lines: LabelledLine[],
  changed: Refusal,
): Statement[] => {
  const isOne = sql`(transaction_id, line) IN ${pairsOf(lines)} AND ${ownedBy(ctx.caller, '+owner_id')}`
  const kind = sql`(SELECT kind FROM categories WHERE id = ${id} AND ${ownedBy(ctx.caller, 'owner_id')})`
  const asRead = sql`${isOne} AND category_id IS ${into}
    AND (side = ${kind} OR ${kind} = 'expense' AND ${MOVES} OR ${into} IS NULL AND side = 'income')`
  return [
    refuseIf(
      sql`(SELECT count(*) FROM entries WHERE ${asRead}) + (SELECT count(*) FROM unbooked_entries WHERE ${asRead})
        <> CAST(${lines.length} AS INTEGER)`,
      changed,
    ),
    ...touchTransactions(ctx, lines, changed),
    db.run(
      sql`UPDATE entries SET category_id = ${id}, side = iif(${MOVES}, side, ${kind}) WHERE ${isOne}`,
    ),
    db.run(
      sql`UPDATE unbooked_entries SET category_id = ${id}, side = iif(${MOVES}, side, ${kind}) WHERE ${isOne}`,
    ),
  ]
}

import { and, eq, sql } from 'drizzle-orm'
import { trashedRows } from '../../../../drizzle/schema/ledger.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChanged, requireChangedOne, refuseIf } from '../../../platform/premises.ts'
import type { Refusal } from '../../../platform/refusals.ts'
import { among, db, type Statement } from '../../../platform/statements.ts'
import type { CategorisedLine } from '../reassignment/reassignment.queries.ts'

// Categories, tags and payees are deleted at once, and live on in the trash as an image of what they were.

export type TrashedRow = typeof trashedRows.$inferSelect

/** What hung on a row: its lines by transaction, and what took its place on them. */
export interface Hung {
  lines: Record<string, number[]>
  into: string | null
}

export const putInTrash = (
  ctx: SignedIn,
  { id, kind, name }: Pick<TrashedRow, 'id' | 'kind' | 'name'>,
  image: Hung & { row: { version: number }; [more: string]: unknown },
): Statement =>
  db.insert(trashedRows).values({
    id,
    ownerId: ctx.caller.userId,
    kind,
    name,
    image: JSON.stringify(image),
    deletedAt: ctx.now,
  })

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
        eq(trashedRows.ownerId, ctx.caller.userId),
        sql`${trashedRows.image} ->> '$.row.version' = ${version}`,
      ),
    ),
  requireChangedOne(changed),
]

export type Hanging = Omit<CategorisedLine, 'isWhole'>

/** The lines of an image, as `key` of a transaction and `n.value` of a line. */
const inImage = (ctx: SignedIn, id: string) =>
  sql`FROM trashed_rows r, json_each(r.image, '$.lines') t, json_each(t.value) n
    WHERE r.id = ${id} AND r.owner_id = ${ctx.caller.userId}`

const LINE = sql`t.key AS transactionId, n.value AS line`

/** Of what had a tag in the trash, what is still there; a transfer has the tags of the rows that it stands for. */
export const linesOfTag = (ctx: SignedIn, id: string) =>
  db.all<Hanging>(
    sql`SELECT ${LINE} ${inImage(ctx, id)} AND r.kind = 'tag'
      AND EXISTS (SELECT 1 FROM transactions x WHERE x.id = t.key)
      AND (n.value = 0
        OR EXISTS (SELECT 1 FROM entries e WHERE e.transaction_id = t.key AND e.line = n.value)
        OR EXISTS (SELECT 1 FROM trashed_entries e WHERE e.transaction_id = t.key AND e.line = n.value))
      UNION SELECT x.matched_into, 0
      FROM (SELECT t.key AS id ${inImage(ctx, id)} AND r.kind = 'tag' AND n.value = 0) had
        CROSS JOIN transactions x ON x.id = had.id WHERE x.matched_into IS NOT NULL`,
  )

/**
 * Of what had a payee in the trash, what still has the one that took its place. What was matched since has become
 * a transfer with that one, and would come back from it as if it had been changed there.
 */
export const linesOfPayee = (ctx: SignedIn, id: string) =>
  db.all<Hanging>(
    sql`SELECT ${LINE} ${inImage(ctx, id)} AND r.kind = 'payee'
      AND EXISTS (SELECT 1 FROM transaction_payees l WHERE l.transaction_id = t.key AND l.line = n.value
        AND l.payee_id = r.image->>'into')
      AND NOT EXISTS (SELECT 1 FROM transactions x WHERE x.id = t.key AND x.matched_into IS NOT NULL
        AND x.matched_into NOT IN (SELECT key FROM json_each(r.image, '$.lines')))`,
  )

/** Of what had a category in the trash, what still has the one that took its place, or none if none did. */
export const linesOfTrashedCategory = (ctx: SignedIn, id: string) => {
  const isSame = sql`e.transaction_id = t.key AND e.line = n.value AND e."end" = r.image->>'$.row.kind'
    AND e.category_id IS r.image->>'into'`
  return db.all<CategorisedLine>(
    sql`SELECT ${LINE}, NOT EXISTS (SELECT 1 FROM entries o
          WHERE o.transaction_id = t.key AND o.line NOT IN (1, n.value))
        AND NOT EXISTS (SELECT 1 FROM trashed_entries o
          WHERE o.transaction_id = t.key AND o.line NOT IN (1, n.value)) AS isWhole
      ${inImage(ctx, id)} AND r.kind = 'category' AND (EXISTS (SELECT 1 FROM entries e WHERE ${isSame})
        OR EXISTS (SELECT 1 FROM trashed_entries e WHERE ${isSame}))`,
  )
}

const pairsOf = (lines: Hanging[], sign = 1) =>
  sql`(SELECT value->>0, value->>1
    FROM json_each(${JSON.stringify(lines.map(({ transactionId, line }) => [transactionId, sign * line]))}))`

/** The transactions of some lines get a new version. */
const touch = (ctx: SignedIn, lines: Hanging[]): Statement =>
  db.run(sql`UPDATE transactions SET version = version + 1, updated_at = ${ctx.now}
    WHERE id IN ${among(lines.map((one) => one.transactionId))}`)

/** Puts a tag that came back on the lines that had it. */
export const tagLines = (ctx: SignedIn, id: string, lines: Hanging[]): Statement[] => [
  db.run(sql`INSERT INTO transaction_tags (transaction_id, line, tag_id)
    SELECT value->>0, value->>1, ${id}
    FROM json_each(${JSON.stringify(lines.map(({ transactionId, line }) => [transactionId, line]))})`),
  touch(ctx, lines),
]

/** Gives the lines that had a payee back to it; refuses unless all of them still are as they were read. */
export const payLines = (
  ctx: SignedIn,
  { id, into }: { id: string; into: string | null },
  lines: Hanging[],
  changed: Refusal,
): Statement[] => [
  db.run(sql`UPDATE transaction_payees SET payee_id = ${id}
    WHERE (transaction_id, line) IN ${pairsOf(lines)} AND payee_id = ${into}`),
  requireChanged(lines.length, changed),
  touch(ctx, lines),
]

const LINES = sql.raw(
  'owner_id, account_id, date, amount_minor, currency, status, note, external_id',
)

/** The same of a category, as `reassignLines` does it. */
export const categoriseLines = (
  ctx: SignedIn,
  { id, into }: { id: string; into: string | null },
  lines: Hanging[],
  changed: Refusal,
): Statement[] => {
  const isOne = sql`(transaction_id, line) IN ${pairsOf(lines)}`
  const isCopy = sql`(transaction_id, line) IN ${pairsOf(lines, -1)}`
  const asRead = sql`${isOne} AND category_id IS ${into}
    AND "end" = (SELECT kind FROM categories WHERE id = ${id})`
  return [
    refuseIf(
      sql`(SELECT count(*) FROM entries WHERE ${asRead}) + (SELECT count(*) FROM trashed_entries WHERE ${asRead})
        <> CAST(${lines.length} AS INTEGER)`,
      changed,
    ),
    touch(ctx, lines),
    db.run(sql`UPDATE trashed_entries SET category_id = ${id} WHERE ${isOne}`),
    db.run(sql`INSERT INTO entries (transaction_id, line, "end", ${LINES})
      SELECT transaction_id, -line, 'exchange', ${LINES} FROM entries WHERE ${isOne}`),
    db.run(sql`DELETE FROM entries WHERE ${isOne}`),
    db.run(sql`INSERT INTO entries (transaction_id, line, "end", category_id, ${LINES})
      SELECT transaction_id, -line, (SELECT kind FROM categories WHERE id = ${id}), ${id}, ${LINES}
      FROM entries WHERE ${isCopy}`),
    db.run(sql`DELETE FROM entries WHERE ${isCopy}`),
  ]
}

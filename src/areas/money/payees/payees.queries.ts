import { and, eq, type SQL, sql } from 'drizzle-orm'
import { payeeAliases, payees } from '../../../../drizzle/schema/payees.ts'
import { foldKey } from '../../../domain/text.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { ownedTable, type SeenRow } from '../../../platform/database/owned-tables.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import {
  db,
  nothing,
  prepared,
  type Statement,
  among,
} from '../../../platform/database/statements.ts'
import { type WideSum, wideSum } from '../../../platform/database/wide-sums.ts'
import {
  annotatedOwnerIds,
  type Viewer,
  viewerParams,
  viewerOf,
  ownedBy,
  visibleAccountIds,
} from '../../identity/access/access.public.ts'
import { type Bookable, lastUseOf } from '../../../ledger/labels/labels.public.ts'
import { payeeErrors } from './payees.errors.ts'

/** Finds out if there is any payee for transactions that the caller books. */
export const anyPayee = (ctx: SignedIn): Statement<{ found: number }[]> =>
  db.all(
    sql`SELECT 1 AS found FROM payees WHERE owner_id IN (${annotatedOwnerIds(viewerOf(ctx))}) LIMIT 1`,
  )

export interface PayeeFilter {
  search?: string | undefined
  archived?: boolean | undefined
}

/** Folded on both sides, and no pattern: `%` and `_` are letters like others. */
function contains(search: string): SQL {
  const key = foldKey(search)
  return sql`(instr(${payees.nameKey}, ${key}) > 0 OR EXISTS (SELECT 1 FROM payee_aliases a
    WHERE a.payee_id = ${payees.id} AND instr(a.raw_key, ${key}) > 0))`
}

export const payeesMatching = ({ search, archived }: PayeeFilter): SQL | undefined =>
  and(
    archived === undefined ? undefined : eq(payees.archived, archived),
    search === undefined ? undefined : contains(search),
  )

export const payeeRows = ownedTable(payees, {
  isSeen: ({ caller }) => ownedBy(caller, payees.ownerId),
  computed: (ctx) => ({
    /** JSON, in the order in which they were added. */
    aliases: sql<string>`(SELECT json_group_array(a.raw ORDER BY a.id) FROM payee_aliases a
      WHERE a.payee_id = payees.id)`.as('aliases'),
    lastUsedAt: sql<number | null>`${lastUseOf(ctx, 'payee', sql`${payees.id}`)}`.as(
      'last_used_at',
    ),
  }),
  hasLongRows: true,
})

export type StoredPayee = typeof payees.$inferSelect

/** Columns that may be null can be left out. */
export type NewPayeeRow = typeof payees.$inferInsert

export type PayeeRow = StoredPayee & { aliases: string; lastUsedAt: number | null }

/** The caller's payees among these, by a SELECT of their ids. */
export const payeesWhere = (ctx: SignedIn, ids: SQL) =>
  payeeRows.where(ctx, sql`${payees.id} IN (${ids})`)

export const payeesByIds = (ctx: SignedIn, ids: string[]): Statement<PayeeRow[]> =>
  ids.length === 0
    ? nothing()
    : payeesWhere(ctx, sql`SELECT value FROM json_each(${JSON.stringify(ids)})`)

/** The payees among these ids that the caller may put on transactions: each on its owner's. */
export const payeesForBooking = (ctx: SignedIn, ids: string[]): Statement<Bookable[]> =>
  ids.length === 0 ? nothing() : bookablePayees({ ...viewerOf(ctx), ids: JSON.stringify(ids) })

const bookablePayees = prepared<Viewer & { ids: string }, Bookable[]>(() =>
  db
    .select({ id: payees.id, ownerId: payees.ownerId, archived: payees.archived })
    .from(payees)
    .where(
      sql`${payees.id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))
        AND +${payees.ownerId} IN (${annotatedOwnerIds(viewerParams)})`,
    ),
)

export interface TotalRow {
  currency: string
  paid: WideSum
  received: WideSum
  transactionCount: number
}

/**
 * Finds the amounts moved with a payee, by currency: the parts that name it, and for transactions that name it, all
 * parts without another payee. It reads every booking with the payee.
 */
export const totalsOfPayee = (ctx: SignedIn, id: string) =>
  db.all<TotalRow>(
    sql`SELECT e.currency, count(DISTINCT e.transaction_id) AS transactionCount,
        ${wideSum(sql`max(e.amount_minor, 0)`)} AS paid,
        ${wideSum(sql`max(-e.amount_minor, 0)`)} AS received
      FROM transaction_payees l JOIN entries e ON e.transaction_id = l.transaction_id
      WHERE l.payee_id = ${id} AND ${ownedBy(ctx.caller, 'e.owner_id')}
        AND e.side IN ('expense', 'income', 'adjustment') AND e.status <> 'void'
        AND e.account_id IN (${visibleAccountIds(ctx)})
        AND (e.line = l.line OR l.line = 0 AND NOT EXISTS (SELECT 1 FROM transaction_payees o
          WHERE o.transaction_id = e.transaction_id AND o.line = e.line))
      GROUP BY e.currency ORDER BY e.currency`,
  )

/** Refuses when the usual category that was sent, if one was, is no longer the caller's. */
export const mustOwnCategory = (
  { caller }: SignedIn,
  categoryId: string | null | undefined,
): Statement[] =>
  categoryId
    ? [
        refuseIf(
          sql`NOT EXISTS (SELECT 1 FROM categories WHERE id = ${categoryId} AND ${ownedBy(caller, 'owner_id')})`,
          () => payeeErrors.unknownCategory({ field: 'defaultCategoryId' }),
        ),
      ]
    : []

export interface NewAlias {
  id: string
  raw: string
  rawKey: string
}

export const insertAliases = (ctx: SignedIn, payeeId: string, aliases: NewAlias[]): Statement =>
  db.run(sql`INSERT INTO payee_aliases (id, owner_id, payee_id, raw, raw_key, created_at)
    SELECT value->>'id', ${ctx.caller.userId}, ${payeeId}, value->>'raw', value->>'rawKey', ${ctx.now}
    FROM json_each(${JSON.stringify(aliases)})`)

/** Deletes a payee with its aliases. */
export const deletePayeeRow = (ctx: SignedIn, payee: SeenRow): Statement[] => [
  db
    .delete(payeeAliases)
    .where(and(eq(payeeAliases.payeeId, payee.id), ownedBy(ctx.caller, payeeAliases.ownerId))),
  ...payeeRows.delete(payee),
]

/** Gives the aliases of some payees to another one. */
export const moveAliases = ({ caller }: SignedIn, fromIds: string[], to: string): Statement =>
  db.run(sql`UPDATE payee_aliases SET payee_id = ${to}
    WHERE payee_id IN ${among(fromIds)} AND ${ownedBy(caller, '+owner_id')}`)

/** Makes the names of some payees aliases of another one, where nobody has that alias yet. */
export const namesToAliases = (
  { caller, now }: SignedIn,
  named: { id: string; aliasId: string }[],
  to: string,
): Statement =>
  db.run(sql`INSERT INTO payee_aliases (id, owner_id, payee_id, raw, raw_key, created_at)
    SELECT w.value->>'aliasId', ${caller.userId}, ${to}, p.name, p.name_key, ${now}
    FROM json_each(${JSON.stringify(named)}) w JOIN payees p ON p.id = w.value->>'id'
    WHERE true ON CONFLICT DO NOTHING`)

/** A payee as it was when it was deleted. */
export interface PayeeImage {
  row: typeof payees.$inferSelect
  aliases: { id: string; raw: string; createdAt: number }[]
}

/** Stores it again, without a usual category that is gone, and without aliases that another one has now. */
export const restorePayee = (ctx: SignedIn, { row, aliases }: PayeeImage): Statement[] => [
  db.insert(payees).values({
    ...row,
    ownerId: ctx.caller.userId,
    defaultCategoryId: sql`(SELECT id FROM categories
      WHERE id = ${row.defaultCategoryId} AND ${ownedBy(ctx.caller, 'owner_id')})`,
    version: row.version + 1,
    updatedAt: ctx.now,
  }),
  db.run(sql`INSERT INTO payee_aliases (id, owner_id, payee_id, raw, raw_key, created_at)
    SELECT value->>'id', ${ctx.caller.userId}, ${row.id}, value->>'raw', value->>'rawKey', value->>'createdAt'
    FROM json_each(${JSON.stringify(aliases.map((one) => ({ ...one, rawKey: foldKey(one.raw) })))})
    WHERE true ON CONFLICT DO NOTHING`),
]

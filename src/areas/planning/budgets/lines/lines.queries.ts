import type { StoredBudget } from '../budgets.rules.ts'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import {
  budgetLineChanges,
  budgetLines,
  budgetLineScopes,
} from '../../../../../drizzle/schema/budgets.ts'
import { categories } from '../../../../../drizzle/schema/categories.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../../platform/database/refusals.ts'
import {
  among,
  db,
  itemsOf,
  nothing,
  type Statement,
} from '../../../../platform/database/statements.ts'
import {
  annotatedOwnerIds,
  isInside,
  isNotPrivateEntry,
  ownedBy,
  viewerOf,
  visibleAccountIds,
} from '../../../identity/access/access.public.ts'
import { budgetErrors } from '../budgets.errors.ts'
import {
  LEVELS,
  type LineRow,
  MOST_BUDGET_LINES,
  type ScopeKind,
  type StoredLine,
  type LineTerms,
  type TermsRow,
  type CategoryForLine,
  type FirstLines,
  storedLine,
} from './lines.rules.ts'
import {
  budgetWithAccounts,
  type FiguresRequest,
  IS_ITEM_COUNTABLE,
  ofOne,
} from '../figures/figures.queries.ts'

interface PackedLine extends Omit<LineRow, 'targetIds' | 'items'> {
  targetIds: string
  items: string
}

/**
 * SQL that is true if the budget can count the target of a row `s` of the scope of a line `l`: it exists and belongs to
 * a user whose accounts are inside.
 */
const IS_COUNTABLE = sql.raw(`CASE l.scope_kind
  WHEN 'account' THEN (l.budget_id, s.target_id) IN (SELECT budget_id, id FROM inside)
  WHEN 'category' THEN EXISTS (SELECT 1 FROM categories x WHERE x.id = s.target_id AND (l.budget_id, x.owner_id) IN owners)
  WHEN 'tag' THEN EXISTS (SELECT 1 FROM tags y WHERE y.id = s.target_id AND (l.budget_id, y.owner_id) IN owners)
  ELSE EXISTS (SELECT 1 FROM payees z WHERE z.id = s.target_id AND (l.budget_id, z.owner_id) IN owners) END`)

/**
 * The stored lines of budgets, in their order, with the newest change of each. Payment lines of cards that nobody has used are not among them. What a line names
 * but the budget cannot have now is not among its targets: it counts again when it comes back.
 */
export const linesOfBudgets = ({
  budgets,
  now,
}: Pick<FiguresRequest, 'budgets' | 'now'>): Statement<PackedLine[]> =>
  db.all<PackedLine>(sql`WITH ${budgetWithAccounts({ budgets, now })},
      owners AS MATERIALIZED (SELECT budget_id, owner_id FROM inside UNION SELECT id, owner_id FROM b)
    SELECT l.id, l.budget_id AS budgetId, l.kind, l.account_id AS accountId, l.name,
      l.name_key AS nameKey, l.scope_kind AS scopeKind, l.parent_line_id AS parentLineId, l.thresholds, l.target, l.note,
      l.sort_order AS "order", l.color, l.icon, l.archived_from AS archivedFrom, l.archived_into AS archivedInto,
      l.version, l.created_at AS createdAt, l.updated_at AS updatedAt,
      (SELECT json_group_array(s.target_id) FROM budget_line_scopes s
        WHERE s.line_id = l.id AND s.until_period IS l.archived_from AND ${IS_COUNTABLE}) AS targetIds,
      (SELECT json_group_object(recurring.id, recurring.account_id) FROM json_each(l.target, '$.recurringIds') named
        CROSS JOIN recurring ON recurring.id = named.value WHERE ${IS_ITEM_COUNTABLE}) AS items,
      c.policy, c.cap_minor AS capMinor, c.amount_minor AS amountMinor
    FROM b CROSS JOIN budget_lines l ON l.budget_id = b.id LEFT JOIN budget_line_changes c ON c.budget_id = l.budget_id AND c.line_id = l.id
      AND c.from_period = (SELECT max(n.from_period) FROM budget_line_changes n
        WHERE n.budget_id = l.budget_id AND n.line_id = l.id)
    ORDER BY l.sort_order, l.id`)

/** Reads the lines of one budget. */
export const linesOfBudget = ofOne(linesOfBudgets)

export const unpackLine = (line: PackedLine): LineRow => ({
  ...line,
  targetIds: (JSON.parse(line.targetIds) as string[]).toSorted(),
  items: JSON.parse(line.items) as LineRow['items'],
})

/**
 * Tells whether the caller can know of a row `x`, so that no answer tells whether somebody else has it: they can book with it, or see what
 * is booked with it. What groups name they need not see.
 * @param named entries `e` that are booked with it
 */
const isKnownTo = (ctx: SignedIn, named: string): SQL =>
  sql`(b.group_id IS NOT NULL OR x.owner_id IN (${annotatedOwnerIds(viewerOf(ctx))}) OR EXISTS (
    SELECT 1 FROM ${sql.raw(named)} AND e.account_id IN (${visibleAccountIds(ctx)}) AND ${isNotPrivateEntry(ctx)}))`

const BOOKED_WITH = {
  category: 'entries e WHERE e.category_id = x.id',
  tag: 'transaction_tags k CROSS JOIN entries e ON e.transaction_id = k.transaction_id WHERE k.tag_id = x.id',
  payee:
    'transaction_payees k CROSS JOIN entries e ON e.transaction_id = k.transaction_id WHERE k.payee_id = x.id',
}

/** Finds those of the ids that a line of the budget can count. */
export function countableIds(
  ctx: SignedIn,
  budgetId: string,
  kind: ScopeKind,
  ids: string[],
): Statement<{ id: string }[]> {
  const owners = sql`SELECT accounts.owner_id FROM accounts WHERE ${isInside(ctx.now, 'b')} UNION SELECT b.owner_id`
  const owned = (named: keyof typeof BOOKED_WITH, table: string) =>
    sql`SELECT x.id FROM ${sql.raw(table)} x WHERE x.owner_id IN (${owners})
      AND (${isKnownTo(ctx, BOOKED_WITH[named])} OR EXISTS (SELECT 1 FROM budget_line_scopes s
        WHERE s.budget_id = b.id AND s.target_id = x.id))`
  const found: Record<Exclude<ScopeKind, 'everything'>, SQL> = {
    category: sql`${owned('category', 'categories')} AND x.kind = 'expense'`,
    tag: owned('tag', 'tags'),
    payee: owned('payee', 'payees'),
    account: sql`SELECT accounts.id FROM accounts WHERE ${isInside(ctx.now, 'b')}
      AND (b.group_id IS NOT NULL OR accounts.id IN (${visibleAccountIds(ctx)}))`,
  }
  return db.all(sql`SELECT found.id FROM (SELECT * FROM budgets WHERE id = ${budgetId}) b
    CROSS JOIN (SELECT value AS id FROM json_each(${JSON.stringify(ids)})) found
    WHERE ${kind === 'everything' ? sql`false` : sql`found.id IN (${found[kind]})`}`)
}

/**
 * Income categories, among these ids, of the owners of accounts that are inside.
 * @param shown ids that the caller was shown
 */
export const incomeCategories = (
  ctx: SignedIn,
  budget: Pick<StoredBudget, 'ownerId' | 'groupId' | 'accounts' | 'accountIds'>,
  ids: string[],
  shown: string[],
): Statement<{ id: string }[]> =>
  db.all(sql`SELECT x.id FROM (SELECT ${budget.ownerId} AS owner_id, ${budget.groupId} AS group_id,
      ${budget.accounts} AS accounts, ${budget.accountIds} AS account_ids) b JOIN categories x
    WHERE x.id IN ${among(ids)} AND x.kind = 'income' AND x.owner_id IN (SELECT accounts.owner_id FROM accounts
      WHERE ${isInside(ctx.now, 'b')} UNION SELECT b.owner_id)
      AND (x.id IN ${among(shown)} OR ${isKnownTo(ctx, BOOKED_WITH.category)})`)

/** The caller's expense categories, each level in its order, if the first lines of a budget are made of them. */
export const categoriesForLines = (
  { caller }: SignedIn,
  lines: FirstLines,
): Statement<CategoryForLine[]> =>
  lines === 'none'
    ? nothing()
    : db
        .select({
          ...{ id: categories.id, name: categories.name, parentId: categories.parentId },
          ...{ archived: categories.archived, excluded: categories.excludeFromBudget },
        })
        .from(categories)
        .where(and(ownedBy(caller, 'owner_id'), eq(categories.kind, 'expense')))
        .orderBy(categories.order, categories.id)

export const insertLine = (line: StoredLine): Statement => db.insert(budgetLines).values(line)

/** Refuses when the budget would have more lines than it may. It stands after what inserts them. */
export const mustHaveRoomForLines = (budgetId: string): Statement =>
  refuseIf(
    sql`(SELECT count(*) FROM budget_lines WHERE budget_id = ${budgetId}) > ${sql.raw(String(MOST_BUDGET_LINES))}`,
    () =>
      budgetErrors.tooMany({
        what: `A budget can have at most ${MOST_BUDGET_LINES} lines. Delete one you do not need any more first`,
      }),
  )

/**
 * Makes a line count these ids, and no others of those that were read: in the past, too. An ended line of an envelope budget keeps
 * what it counted in its periods.
 */
export const replaceScope = (
  { id, budgetId, targetIds: before }: Pick<LineRow, 'id' | 'budgetId' | 'targetIds'>,
  targetIds: string[],
  { exclusive, isOfOtherKind = false }: { exclusive: boolean; isOfOtherKind?: boolean },
): Statement[] => [
  db.delete(budgetLineScopes).where(
    and(
      eq(budgetLineScopes.lineId, id),
      sql`+${budgetLineScopes.budgetId} = ${budgetId}`,
      sql`${budgetLineScopes.untilPeriod} IS NULL`,
      // Accounts that whoever changes the line does not see stay on it, unless it is not of accounts any more.
      isOfOtherKind
        ? sql`${budgetLineScopes.targetId} NOT IN ${among(targetIds)}`
        : sql`${budgetLineScopes.targetId} IN ${among(before.filter((one) => !targetIds.includes(one)))}`,
    ),
  ),
  db.run(sql`INSERT INTO budget_line_scopes (line_id, target_id, from_period, budget_id, exclusive)
    SELECT ${id}, wanted.value, iif(${exclusive ? 1 : 0}, ifnull((SELECT max(ended.until_period) FROM budget_line_scopes ended
        WHERE ended.budget_id = ${budgetId} AND ended.target_id = wanted.value), ''), ''), ${budgetId}, ${exclusive ? 1 : 0}
    FROM json_each(${JSON.stringify(targetIds)}) wanted
    WHERE NOT EXISTS (SELECT 1 FROM budget_line_scopes own
      WHERE own.line_id = ${id} AND own.target_id = wanted.value AND own.until_period IS NULL)
    ON CONFLICT (line_id, target_id, from_period) DO NOTHING`),
]

/** Reads the terms of a line, in the order of its periods. */
export const termsOfLine = (budgetId: string, lineId: string): Statement<TermsRow[]> =>
  db.all<TermsRow>(sql`SELECT from_period AS fromPeriod, policy, cap_minor AS capMinor, amount_minor AS amountMinor
    FROM budget_line_changes WHERE budget_id = ${budgetId} AND line_id = ${lineId} ORDER BY from_period`)

/** Stores terms of a line that apply from a period on, until the next stored change. */
export const setLineChange = (
  { id, budgetId }: Pick<StoredLine, 'id' | 'budgetId'>,
  fromPeriod: string,
  change: LineTerms,
): Statement =>
  db
    .insert(budgetLineChanges)
    .values({ budgetId, lineId: id, fromPeriod, ...change })
    .onConflictDoUpdate({
      target: [budgetLineChanges.budgetId, budgetLineChanges.lineId, budgetLineChanges.fromPeriod],
      set: { ...change },
    })

/** Refuses when the line was changed since it was read. */
export const updateLineRow = (
  ctx: SignedIn,
  { id, budgetId, version }: Pick<StoredLine, 'id' | 'budgetId' | 'version'>,
  changed: Partial<StoredLine>,
): Statement[] => [
  db
    .update(budgetLines)
    .set({ ...changed, version: sql`${budgetLines.version} + 1`, updatedAt: ctx.now })
    .where(
      and(
        eq(budgetLines.id, id),
        eq(budgetLines.budgetId, budgetId),
        eq(budgetLines.version, version),
      ),
    ),
  requireChangedOne(changedMeanwhile),
]

/** Shows lines below others, by line; null for below none. Refuses when one of them was changed since it was read. */
export const setParents = (
  ctx: SignedIn,
  lines: readonly Pick<StoredLine, 'id' | 'budgetId' | 'version' | 'parentLineId'>[],
): Statement[] => {
  const wanted = JSON.stringify(
    lines.map(({ id, budgetId, version, parentLineId }) => ({
      ...{ id, budgetId, version, parentLineId },
    })),
  )
  return [
    refuseIf(
      sql`EXISTS (SELECT 1 FROM ${itemsOf(wanted)} WHERE NOT EXISTS (SELECT 1 FROM budget_lines l
        WHERE l.id = value ->> 'id' AND l.version = value ->> 'version'))`,
      changedMeanwhile,
    ),
    db.run(sql`UPDATE budget_lines SET parent_line_id = wanted.value ->> 'parentLineId', version = version + 1,
        updated_at = ${ctx.now}
      FROM ${itemsOf(wanted)} wanted
      WHERE budget_lines.id = wanted.value ->> 'id' AND budget_id = wanted.value ->> 'budgetId'`),
  ]
}

/**
 * Refuses when lines that others moved or archived meanwhile would be below themselves, too deep, or below a line that is gone.
 * It stands after what sets their parents. The payment line of a card that nobody has used is not stored.
 */
export const mustBeNested = (
  budgetId: string,
  parents: readonly Pick<StoredLine, 'id' | 'kind'>[],
): Statement =>
  refuseIf(
    sql`EXISTS (WITH RECURSIVE above AS (
        SELECT parent_line_id AS id, 1 AS level FROM budget_lines
        WHERE budget_id = ${budgetId} AND parent_line_id IS NOT NULL
        UNION ALL SELECT l.parent_line_id, above.level + 1 FROM above CROSS JOIN budget_lines l ON l.id = above.id
        WHERE l.parent_line_id IS NOT NULL AND above.level < ${sql.raw(String(LEVELS))})
      SELECT 1 FROM above WHERE level >= ${sql.raw(String(LEVELS))})
      OR EXISTS (SELECT 1 FROM json_each(${JSON.stringify(parents.filter(({ kind }) => kind === 'line').map(({ id }) => id))}) p
        WHERE NOT EXISTS (SELECT 1 FROM budget_lines l WHERE l.id = p.value AND l.archived_from IS NULL))`,
    changedMeanwhile,
  )

export const setLineOrder = (budgetId: string, lineIds: string[]): Statement =>
  db.run(sql`UPDATE budget_lines SET sort_order = wanted.key
    FROM json_each(${JSON.stringify(lineIds)}) wanted
    WHERE budget_lines.id = wanted.value AND budget_id = ${budgetId}`)

/** Stores the payment line of a card if it is not stored yet. */
export const ensureLine = (line: LineRow): Statement =>
  db
    .insert(budgetLines)
    .values({ ...storedLine(line), name: '' })
    .onConflictDoNothing()

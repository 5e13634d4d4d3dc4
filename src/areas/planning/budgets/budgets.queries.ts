import { and, asc, eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import { budgetLineChanges, budgets } from '../../../../drizzle/schema/budgets.ts'
import type { CarryPolicy } from '../../../domain/budgets/policies.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { refuseIf, requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import { among, db, prepared, type Statement } from '../../../platform/database/statements.ts'
import {
  isForAllInside,
  isInside,
  mayBeInside,
  ownedBy,
  sharedWithMeIds,
  type Viewer,
  viewerOf,
  type ViewerParams,
  viewerParams,
  visibleAccountIds,
  visibleAccountIdsOf,
} from '../../identity/access/access.public.ts'
import {
  groupIdsOf,
  type GroupRole,
  mustBeIn,
} from '../../identity/memberships/memberships.public.ts'
import type { BudgetRow, Inside, StoredBudget } from './budgets.rules.ts'
import { budgetErrors } from './budgets.errors.ts'

/** Owners of accounts inside of a row of `budgets`, and its own. */
const ownersInside = (now: BudgetViewer['now']): SQL => sql`SELECT accounts.owner_id FROM accounts
  WHERE ${isInside(now, 'budgets')} UNION SELECT budgets.owner_id`

const HAS_AMOUNTS =
  sql.raw(`(EXISTS (SELECT 1 FROM budget_amounts a WHERE a.budget_id = budgets.id AND a.amount_minor IS NOT NULL)
    OR EXISTS (SELECT 1 FROM budget_line_changes c WHERE c.budget_id = budgets.id AND c.amount_minor IS NOT NULL)
    OR EXISTS (SELECT 1 FROM budget_periods p WHERE p.budget_id = budgets.id AND p.held_minor <> 0)
    OR EXISTS (SELECT 1 FROM budget_lines l WHERE l.budget_id = budgets.id AND l.target IS NOT NULL)
    OR EXISTS (SELECT 1 FROM budget_templates t WHERE t.budget_id = budgets.id))`)

const CLOSED_THROUGH = sql.raw(
  '(SELECT max(k.period) FROM budget_closings k WHERE k.budget_id = budgets.id)',
)

type BudgetViewer = ViewerParams | Viewer

/** The viewer of budgets; for work that nobody signed in for, one who is nobody. */
const budgetViewerOf = ({ caller, now }: Pick<Context, 'caller' | 'now'>): Viewer => ({
  userId: caller?.userId ?? '',
  tokenHash: caller?.tokenHash ?? null,
  now,
})

/** The columns of a budget, with what follows from others. */
const columns = (viewer: BudgetViewer) => ({
  ...getTableColumns(budgets),
  policy: sql<CarryPolicy>`(SELECT c.policy FROM budget_line_changes c
    WHERE c.budget_id = budgets.id AND c.line_id = '' ORDER BY c.from_period DESC LIMIT 1)`.as(
    'policy',
  ),
  /** The caller's role in its group; of a budget that a person shares, the role with the same rights. */
  role: sql<GroupRole | null>`ifnull((SELECT m.role FROM group_members m
    WHERE m.group_id = budgets.group_id AND m.user_id = ${viewer.userId}),
    (SELECT iif(s.permission = 'manage', 'admin', 'viewer') FROM shares s WHERE s.budget_id = budgets.id
      AND s.grantee_user_id = ${viewer.userId} AND s.accepted_at IS NOT NULL AND (s.expires_at IS NULL OR s.expires_at > ${viewer.now})))`.as(
    'role',
  ),
  groupOwnerId: sql<string | null>`(SELECT o.user_id FROM group_members o
    WHERE o.group_id = budgets.group_id AND o.role = 'owner')`.as('group_owner_id'),
  /** The base currency of its owner or group, which connects two rates. */
  baseCurrency:
    sql<string>`ifnull((SELECT g.base_currency FROM groups g WHERE g.id = budgets.group_id),
    (SELECT u.base_currency FROM users u WHERE u.id = budgets.owner_id))`.as('base_currency'),
  isSuspended: sql<number>`EXISTS (SELECT 1 FROM groups g
    WHERE g.id = budgets.group_id AND g.suspended_at IS NOT NULL)`.as('is_suspended'),
  /** The newest closed period; null where none is closed. */
  closedThrough: sql<string | null>`${CLOSED_THROUGH}`.as('closed_through'),
  hasAmounts: sql<number>`${HAS_AMOUNTS}`.as('has_amounts'),
  /**
   * JSON list of the accounts and income categories that it names but cannot have now, as they are not shared with it any more or
   * are in the trash. They count again when they come back; until then nobody sees them.
   */
  resting: sql<string>`(SELECT json_group_array(named.id) FROM (
      SELECT value AS id FROM json_each(budgets.account_ids) UNION SELECT key FROM json_each(budgets.cards)
      UNION SELECT value FROM json_each(budgets.income_in_next_period)) named
    WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE accounts.id = named.id AND ${mayBeInside(viewer.now, 'budgets')})
      AND NOT EXISTS (SELECT 1 FROM categories c WHERE c.id = named.id AND c.owner_id IN (${ownersInside(viewer.now)})))`.as(
    'resting',
  ),
  isShared: sql<number>`EXISTS (SELECT 1 FROM shares s WHERE s.budget_id = budgets.id)`.as(
    'is_shared',
  ),
  unseen:
    sql<string>`iif(budgets.id IN (${sharedWithMeIds(viewer, 'budget_id')}), (SELECT json_group_array(accounts.id)
    FROM accounts WHERE ${mayBeInside(viewer.now, 'budgets')} AND accounts.id NOT IN (${visibleAccountIdsOf(viewer)})), '[]')`.as(
      'unseen',
    ),
})

/** Tells whether the caller sees a row of `budgets`. A token for some accounts sees no budget that has others, and none of somebody else. */
export const budgetIsSeenBy = (viewer: Viewer | ViewerParams) =>
  and(
    isNull(budgets.deletedAt),
    or(
      and(ownedBy(viewer, budgets.ownerId), isForAllInside(viewer)),
      sql`${budgets.groupId} IN (${groupIdsOf(viewer)})`,
      sql`${budgets.id} IN (${sharedWithMeIds(viewer, 'budget_id')})`,
    ),
  )

export const selectBudgets = (ctx: Pick<Context, 'caller' | 'now'>) =>
  db.select(columns(budgetViewerOf(ctx))).from(budgets)

const seenBudget = prepared<Viewer & { id: string }, BudgetRow[]>(() =>
  db
    .select(columns(viewerParams))
    .from(budgets)
    .where(and(eq(budgets.id, sql.placeholder('id')), budgetIsSeenBy(viewerParams))),
)

export const budgetById = (ctx: SignedIn, id: string): Statement<BudgetRow[]> =>
  seenBudget({ ...viewerOf(ctx), id })

/** A budget, whoever may see it: for work that nobody signed in for. */
export const anyBudget = (ctx: Context, id: string): Statement<BudgetRow[]> =>
  selectBudgets(ctx).where(and(eq(budgets.id, id), isNull(budgets.deletedAt)))

/** A budget as jobs see it, whoever owns it; also one in the trash. */
export const budgetForJobs = (ctx: Context, id: string): Statement<BudgetRow[]> =>
  selectBudgets(ctx).where(eq(budgets.id, id))

export interface BudgetFilter {
  mode?: StoredBudget['mode'] | undefined
  archived?: boolean | undefined
  groupId?: string | undefined
}

const matches = (ctx: SignedIn, { mode, archived, groupId }: BudgetFilter) =>
  and(
    budgetIsSeenBy(viewerOf(ctx)),
    mode === undefined ? undefined : eq(budgets.mode, mode),
    archived === undefined ? undefined : eq(budgets.archived, archived),
    groupId === undefined ? undefined : eq(budgets.groupId, groupId),
  )

const follows = ({ after }: PageRequest): SQL | undefined => {
  const [order, id] = after ?? []
  return order === undefined
    ? undefined
    : sql`(${budgets.order}, ${budgets.id}) > (CAST(${order} AS INTEGER), ${id})`
}

/** By their order, then in order of creation; one row more than the page. */
export const pageOfBudgets = (ctx: SignedIn, filter: BudgetFilter, page: PageRequest) =>
  selectBudgets(ctx)
    .where(and(matches(ctx, filter), follows(page)))
    .orderBy(asc(budgets.order), asc(budgets.id))
    .limit(page.limit + 1)

/** The rows of `budgets` that are on a page, as a query that others select from. */
export const budgetsOfPage = (ctx: SignedIn, filter: BudgetFilter, page: PageRequest): SQL =>
  sql`SELECT * FROM budgets WHERE ${and(matches(ctx, filter), follows(page))}
    ORDER BY ${budgets.order}, ${budgets.id} LIMIT CAST(${page.limit} AS INTEGER)`

export const countOfBudgets = (ctx: SignedIn, filter: BudgetFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(budgets)
    .where(matches(ctx, filter))

/** Refuses where amounts were set or periods closed since the budget was read: they fix the currency and the periods. */
export const mustBeFixedAsBefore = ({
  id,
  hasAmounts,
  closedThrough,
}: Pick<BudgetRow, 'id' | 'hasAmounts' | 'closedThrough'>): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM budgets WHERE id = ${id}
      AND (${HAS_AMOUNTS} <> ${hasAmounts} OR ${CLOSED_THROUGH} IS NOT ${closedThrough}))`,
    budgetErrors.changedMeanwhile,
  )

/** Refuses in a commit what `requireWrite` and `requireManage` refuse before it. */
export const mustChange = (
  ctx: SignedIn,
  { id, groupId }: Pick<StoredBudget, 'id' | 'groupId'>,
  least: GroupRole = 'member',
): Statement[] => [
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM budgets WHERE id = ${id} AND deleted_at IS NULL AND ${
      groupId === null ? isOwnOrShared(ctx, 'view') : sql`group_id = ${groupId}`
    })`,
    budgetErrors.notFound,
  ),
  groupId === null
    ? refuseIf(
        sql`NOT EXISTS (SELECT 1 FROM budgets WHERE id = ${id} AND ${isOwnOrShared(ctx, 'manage')})`,
        budgetErrors.groupReadOnly,
      )
    : mustBeInGroup(ctx, groupId, least),
]

/** True if a row of `budgets` is the caller's own, or shared with the caller by its owner. */
const isOwnOrShared = (ctx: SignedIn, right: 'view' | 'manage'): SQL =>
  sql`(${ownedBy(ctx.caller, 'budgets.owner_id')} OR budgets.id IN (${sharedWithMeIds(viewerOf(ctx), 'budget_id', right)}))`

export const mustBeInGroup = (ctx: SignedIn, groupId: string, least: GroupRole): Statement =>
  mustBeIn(ctx, groupId, least, {
    notIn: budgetErrors.notFound,
    roleTooLow: budgetErrors.groupReadOnly,
    suspended: budgetErrors.groupSuspended,
  })

/** Budgets that a person or a group may have. */
export const MOST = { ofOwner: 50, ofGroup: 20 }

/** Refuses when the person or group has as many budgets as there may be. */
export const mustHaveRoomForBudget = (
  budget: Pick<StoredBudget, 'ownerId' | 'groupId'>,
): Statement =>
  budget.groupId === null
    ? refuseIf(
        sql`(SELECT count(*) FROM budgets WHERE owner_id = ${budget.ownerId} AND deleted_at IS NULL) >= ${MOST.ofOwner}`,
        () =>
          budgetErrors.tooMany({
            what: 'A person can have at most 50 budgets. Delete one you do not need any more first',
          }),
      )
    : refuseIf(
        sql`(SELECT count(*) FROM budgets WHERE group_id = ${budget.groupId} AND deleted_at IS NULL) >= ${MOST.ofGroup}`,
        () =>
          budgetErrors.tooMany({
            what: 'A group can have at most 20 budgets. Delete one you do not need any more first',
          }),
      )

export const insertBudget = (budget: StoredBudget): Statement[] => [
  mustHaveRoomForBudget(budget),
  db.insert(budgets).values(budget),
]

/** Sets the policy of lines that have none of their own, from a period on. */
export const setDefaultPolicy = (
  budgetId: string,
  fromPeriod: string,
  policy: CarryPolicy,
): Statement =>
  db
    .insert(budgetLineChanges)
    .values({ budgetId, lineId: '', fromPeriod, policy, capMinor: null, amountMinor: null })
    .onConflictDoUpdate({
      target: [budgetLineChanges.budgetId, budgetLineChanges.lineId, budgetLineChanges.fromPeriod],
      set: { policy },
    })

/** Refuses when the budget was changed since it was read. */
export const updateBudgetRow = (
  ctx: SignedIn,
  { id, ownerId, version }: Pick<StoredBudget, 'id' | 'ownerId' | 'version'>,
  changed: Partial<StoredBudget>,
): Statement[] => [
  db
    .update(budgets)
    .set({ ...changed, version: sql`${budgets.version} + 1`, updatedAt: ctx.now })
    .where(
      and(
        eq(budgets.id, id),
        // The budget belongs to its owner or, without one, to a group.
        sql`${budgets.ownerId} IS ${ownerId}`,
        eq(budgets.version, version),
        isNull(budgets.deletedAt),
      ),
    ),
  requireChangedOne(changedMeanwhile),
]

/**
 * Finds those of the accounts that a budget of the person or group may contain, and that the caller sees. A token may
 * not see all of them.
 */
export const accountsThatMayBeInside = (
  ctx: SignedIn,
  ids: string[],
  { ownerId, groupId }: Pick<StoredBudget, 'ownerId' | 'groupId'>,
) =>
  db.all<{ id: string; type: string }>(sql`SELECT a.id, a.type FROM accounts a
    WHERE a.id IN ${among(ids)} AND a.id IN (${visibleAccountIds(ctx)}) AND a.deleted_at IS NULL AND (a.owner_id = ${ownerId}
      OR EXISTS (SELECT 1 FROM account_receivers r WHERE r.account_id = a.id AND r.user_id = ${ownerId}
        AND (r.expires_at IS NULL OR r.expires_at > ${ctx.now}))
      OR EXISTS (SELECT 1 FROM shares s WHERE s.account_id = a.id AND s.group_id = ${groupId}
        AND (s.expires_at IS NULL OR s.expires_at > ${ctx.now})))`)

/**
 * Refuses a budget with accounts inside that the caller's access token is not for: it could not see the budget. It stands behind
 * what stores the budget.
 */
export const mustBeForToken = (ctx: SignedIn, id: string): Statement[] =>
  ctx.caller.tokenHash === null
    ? []
    : [
        refuseIf(
          sql`EXISTS (SELECT 1 FROM budgets WHERE budgets.id = ${id} AND NOT ${isForAllInside(viewerOf(ctx))})`,
          budgetErrors.otherAccounts,
        ),
      ]

/** The accounts inside of a budget, in the order of their ids. */
export const accountsInsideOf = (ctx: SignedIn, budgetId: string): Statement<Inside[]> =>
  db.all<Inside>(sql`SELECT accounts.id, accounts.name, accounts.type, accounts.currency, accounts.owner_id AS ownerId
    FROM budgets CROSS JOIN accounts ON ${isInside(ctx.now, 'budgets')}
    WHERE budgets.id = ${budgetId} ORDER BY accounts.id`)

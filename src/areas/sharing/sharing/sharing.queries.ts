import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { accountChoices, shares } from '../../../../drizzle/schema/shares.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, nothing, type Statement } from '../../../platform/database/statements.ts'
import {
  accountIsOwnOf,
  accountIsSeenBy,
  isClosedOverPrivate,
  isForAllInside,
  isUnrestricted,
  ownedBy,
  sharedWithMeIds,
  viewerOf,
} from '../../identity/access/access.public.ts'
import { isAddressedTo } from '../../identity/addresses/addresses.public.ts'
import { activeGroupIds } from '../../identity/memberships/memberships.public.ts'
import { sharingErrors } from './sharing.errors.ts'
import {
  MOST_SHARES,
  type Resource,
  resourceOf,
  SHARED_KINDS,
  type SharedKind,
} from './sharing.rules.ts'

export type ShareRow = typeof shares.$inferSelect

export interface Share extends ShareRow {
  includeInTotals: boolean
}

/** With what a receiver knows it by: its name and its owner. */
export interface NamedShare extends Share {
  resourceName: string
  ownerName: string
}

/** The tables of what can be shared, the column of `shares` that names a row, and the column of its name. */
const TABLES = {
  account: { table: 'accounts', column: 'account_id', name: 'name' },
  budget: { table: 'budgets', column: 'budget_id', name: 'name' },
  attachment: { table: 'attachments', column: 'attachment_id', name: 'file_name' },
} as const satisfies Record<SharedKind, object>

export const tableOf = (kind: SharedKind): SQL => sql.raw(TABLES[kind].table)

/** SQL of a value of what a row of `shares` shares, which a function gives for each kind. */
const ofEachKind = (value: (kind: SharedKind) => SQL, operator: SQL): SQL =>
  sql`(${sql.join(SHARED_KINDS.map(value), operator)})`

const rowOf = (kind: SharedKind) => {
  const { table, column } = TABLES[kind]
  return sql.raw(`FROM ${table} WHERE ${table}.id = shares.${column}`)
}

/** True if the thing that a row of `shares` shares meets a condition of its kind. */
const isOfResource = (condition: (kind: SharedKind) => SQL): SQL =>
  ofEachKind((kind) => sql`EXISTS (SELECT 1 ${rowOf(kind)} AND ${condition(kind)})`, sql` OR `)

const isNotDeleted = (kind: SharedKind) => sql.raw(`${TABLES[kind].table}.deleted_at IS NULL`)

/** True if the thing that a row of `shares` shares is in no trash. */
export const isThere: SQL = isOfResource(isNotDeleted)

/** True if the caller owns and sees a row of the table of a kind. */
function isOwnResource(ctx: SignedIn, kind: SharedKind): SQL {
  const viewer = viewerOf(ctx)
  return {
    account: () => accountIsOwnOf(viewer),
    budget: () =>
      sql`${isNotDeleted(kind)} AND ${ownedBy(viewer, 'budgets.owner_id')} AND ${isForAllInside(viewer)}`,
    attachment: () =>
      sql`${isNotDeleted(kind)} AND ${ownedBy(viewer, 'attachments.owner_id')} AND ${isUnrestricted(ctx)}`,
  }[kind]()
}

/**
 * True if the caller sees a row of the table of a kind. A file that is attached to something visible does not count.
 */
function isSeenResource(ctx: SignedIn, kind: SharedKind): SQL {
  const viewer = viewerOf(ctx)
  const isSeen = (column: 'budget_id' | 'attachment_id') =>
    sql`(${isOwnResource(ctx, kind)} OR ${isNotDeleted(kind)} AND (${tableOf(kind)}.id IN (${sharedWithMeIds(viewer, column)})
      OR ${tableOf(kind)}.group_id IN (${activeGroupIds(ctx)}) AND ${isUnrestricted(ctx)}))`
  return {
    account: () => accountIsSeenBy(viewer),
    budget: () => isSeen('budget_id'),
    attachment: () => isSeen('attachment_id'),
  }[kind]()
}

/** A resource that the caller sees, with its owner; a budget of a group has none. */
export const resourceById = (ctx: SignedIn, { kind, id }: Resource) =>
  db.all<{ ownerId: string | null; isOwn: 0 | 1 }>(
    sql`SELECT owner_id AS ownerId, (${isOwnResource(ctx, kind)}) AS isOwn FROM ${tableOf(kind)}
      WHERE id = ${id} AND ${isSeenResource(ctx, kind)}`,
  )

/** Refuses unless the caller owns the resource still. */
export const mustOwn = (ctx: SignedIn, { kind, id }: Resource, gone: Refusal): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM ${tableOf(kind)} WHERE id = ${id} AND ${isOwnResource(ctx, kind)})`,
    gone,
  )

/** The choice of the share's one receiver, or of the caller for a group's share. */
const chosenBy = (userId: SQL) =>
  sql`EXISTS (SELECT 1 FROM account_choices c WHERE c.user_id = ${userId}
    AND c.account_id = shares.account_id AND c.include_in_totals = 1)`
    .mapWith(Boolean)
    .as('include_in_totals')

const columnsFor = (userId: SQL) => ({
  ...getTableColumns(shares),
  includeInTotals: chosenBy(userId),
})

export const selectShares = (userId: SQL) => db.select(columnsFor(userId)).from(shares)

const receiverOr = ({ caller }: SignedIn) => sql`ifnull(shares.grantee_user_id, ${caller.userId})`

const sharesFor = (ctx: SignedIn) => selectShares(receiverOr(ctx))

const NAMES = {
  resourceName: sql<string>`coalesce${ofEachKind(
    (kind) => sql`(SELECT ${sql.raw(TABLES[kind].name)} ${rowOf(kind)})`,
    sql`, `,
  )}`.as('resource_name'),
  ownerName: sql<string>`(SELECT u.name FROM users u WHERE u.id = shares.owner_id)`.as(
    'owner_name',
  ),
}

/** True if the shared thing is the caller's own, and visible to the caller. */
const isGiven = (ctx: SignedIn): SQL =>
  sql`(${ownedBy(ctx.caller, 'shares.owner_id')} AND ${isOfResource((kind) => isOwnResource(ctx, kind))})`

/**
 * True if somebody shares something with the caller by name, by a confirmed address or through a group, even if it is
 * not accepted yet. Tokens that are restricted to some accounts get none of these.
 */
const isReceived = (ctx: SignedIn): SQL => {
  const { userId } = ctx.caller
  return sql`(shares.id IN (
      SELECT s.id FROM shares s WHERE s.grantee_user_id = ${userId}
      UNION ALL
      SELECT s.id FROM users u JOIN shares s ON ${isAddressedTo('s')}
      WHERE u.id = ${userId} AND u.email_verified_at IS NOT NULL
      UNION ALL
      SELECT s.id FROM shares s WHERE s.group_id IN (${activeGroupIds(ctx)}))
    AND NOT ${ownedBy({ userId }, 'shares.owner_id')} AND (shares.expires_at IS NULL OR shares.expires_at > ${ctx.now})
    AND ${isThere}
    AND ${isUnrestricted(ctx)})`
}

/** Shares that the caller gave, or that it received. */
type Side = 'given' | 'received'

const isOn = (side: Side, ctx: SignedIn) => (side === 'given' ? isGiven(ctx) : isReceived(ctx))

/** Newest first; one row more than the page. */
export const pageOfShares = (ctx: SignedIn, side: Side, page: PageRequest) => {
  const [afterId] = page.after ?? []
  return db
    .select({ ...columnsFor(receiverOr(ctx)), ...NAMES })
    .from(shares)
    .where(and(isOn(side, ctx), afterId === undefined ? undefined : lt(shares.id, afterId)))
    .orderBy(desc(shares.id))
    .limit(page.limit + 1)
}

export const countOfShares = (ctx: SignedIn, side: Side) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(shares)
    .where(isOn(side, ctx))

/** True if the caller gave or received a row of `shares`. */
export const shareIsSeen = (ctx: SignedIn): SQL => sql`(${isGiven(ctx)} OR ${isReceived(ctx)})`

export const shareById = (ctx: SignedIn, id: string) =>
  sharesFor(ctx).where(and(eq(shares.id, id), shareIsSeen(ctx)))

/** The shares of a resource. */
export const isOf = ({ kind, id }: Resource): SQL =>
  sql`shares.${sql.raw(TABLES[kind].column)} = ${id}`

/** The share of an account with a group, if there is one; the account is one that the caller sees. */
export const groupShareOf = (ctx: SignedIn, accountId: string) =>
  sharesFor(ctx).where(and(eq(shares.accountId, accountId), sql`${shares.groupId} IS NOT NULL`))

/** Finds a user with whom something can be shared. */
export const userNamed = (id: string | undefined): Statement<{ id: string }[]> =>
  id === undefined
    ? nothing()
    : db.all<{ id: string }>(
        sql`SELECT u.id FROM users u WHERE u.id = ${id} AND u.status = 'active'`,
      )

/** Refuses when the resource is shared with as many people as it may be, or a closed period of a budget would show private rows. */
export const insertShare = (share: ShareRow): Statement[] => [
  refuseIf(
    sql`${share.groupId} IS NULL AND (SELECT count(*) FROM shares
      WHERE ${isOf(resourceOf(share))} AND group_id IS NULL) >= ${MOST_SHARES}`,
    sharingErrors.tooMany,
  ),
  ...(share.budgetId === null ? [] : [mustHideNothing(share.budgetId)]),
  db.insert(shares).values(share),
]

/** Refuses to show what was closed while nobody else could see the budget, where it may count private transactions. */
const mustHideNothing = (budgetId: string): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM shares WHERE budget_id = ${budgetId}) AND ${isClosedOverPrivate(budgetId)}`,
    sharingErrors.closedPrivate,
  )

/** A share as it was read. */
type ShareAsRead = Pick<ShareRow, 'id' | 'ownerId' | 'version'>

const isUnchanged = ({ id, ownerId, version }: ShareAsRead) =>
  and(eq(shares.id, id), eq(shares.ownerId, ownerId), eq(shares.version, version))

/** Refuses unless the share is as it was read. */
export const updateShareRow = (
  ctx: Context,
  share: ShareAsRead,
  changed: Partial<ShareRow>,
): Statement[] => [
  db
    .update(shares)
    .set({ ...changed, version: sql`${shares.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(share)),
  requireChangedOne(changedMeanwhile),
]

/** Ends a share. Refuses unless it is as it was read. Who sees the account no more chose nothing for it. */
export const deleteShareRow = (share: ShareAsRead & Pick<ShareRow, 'accountId'>): Statement[] => [
  db.delete(shares).where(isUnchanged(share)),
  requireChangedOne(changedMeanwhile),
  db.run(sql`DELETE FROM account_choices WHERE account_id = ${share.accountId} AND user_id NOT IN
    (SELECT r.user_id FROM account_receivers r WHERE r.account_id = ${share.accountId})`),
]

/** Ends all shares with the groups of a list in SQL, or those of one owner. */
export const deleteSharesWith = (groupIds: SQL, ownerId?: string): Statement =>
  db.delete(shares).where(isSharedWith(groupIds, ownerId))

/** The condition of those shares. */
export const isSharedWith = (groupIds: SQL, ownerId?: string): SQL =>
  sql`${shares.groupId} IN ${groupIds} ${ownerId === undefined ? sql`` : sql`AND ${shares.ownerId} = ${ownerId}`}`

/** Refuses unless the caller still receives the share. */
export const mustStillReceive = (ctx: SignedIn, { id }: ShareAsRead): Statement =>
  refuseIf(
    sql`NOT EXISTS (SELECT 1 FROM shares WHERE shares.id = ${id} AND ${isReceived(ctx)})`,
    sharingErrors.notFound,
  )

/** Keeps what the caller chose for an account of somebody else. */
export const setChoice = (
  { caller, now }: SignedIn,
  accountId: string,
  includeInTotals: boolean,
): Statement =>
  db
    .insert(accountChoices)
    .values({ userId: caller.userId, accountId, includeInTotals, updatedAt: now })
    .onConflictDoUpdate({
      target: [accountChoices.userId, accountChoices.accountId],
      set: { includeInTotals, updatedAt: now },
    })

/** A person who sees an account, with the source of the access. */
export interface Person {
  userId: string
  name: string
  /** Null for the owner. */
  shareId: string | null
  groupId: string | null
  /** A rank of domain/sharing.ts. */
  rank: number
  ownRows: 0 | 1
  expiresAt: number | null
}

/**
 * Finds the owner of an account, then everybody else who sees it, by name. The same read must show that the caller
 * sees the account.
 */
export const peopleOf = ({ now }: Context, accountId: string) =>
  db.all<Person>(sql`SELECT u.id AS userId, u.name, NULL AS shareId, NULL AS groupId, 5 AS rank,
      0 AS ownRows, NULL AS expiresAt, '' AS sortKey
    FROM accounts a JOIN users u ON u.id = a.owner_id WHERE a.id = ${accountId}
    UNION ALL
    SELECT u.id, u.name, s.id, s.group_id, r.rank, r.own_rows, r.expires_at, u.name_key
    FROM account_receivers r JOIN shares s ON s.id = r.share_id JOIN users u ON u.id = r.user_id
    WHERE r.account_id = ${accountId} AND (r.expires_at IS NULL OR r.expires_at > ${now})
    ORDER BY rank DESC, sortKey, userId, shareId`)

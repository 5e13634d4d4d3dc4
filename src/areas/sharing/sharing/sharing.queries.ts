import { and, desc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm'
import { accountChoices, shares } from '../../../../drizzle/schema/groups.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/premises.ts'
import { changedMeanwhile } from '../../../platform/refusals.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db, nothing, type Statement } from '../../../platform/statements.ts'
import { isUnrestricted, ownAccountIds, ownedBy } from '../../identity/access/access.public.ts'
import { isAddressedTo } from '../../identity/addresses/addresses.public.ts'
import { activeGroupIds } from '../../identity/memberships/memberships.public.ts'
import { sharingErrors } from './sharing.errors.ts'
import { MOST_SHARES } from './sharing.rules.ts'

export type ShareRow = typeof shares.$inferSelect

export interface Share extends ShareRow {
  includeInTotals: boolean
}

/** With what a receiver knows it by: its account and its owner. */
export interface NamedShare extends Share {
  resourceName: string
  ownerName: string
}

/** What its one receiver chose, or of a group's share the caller. */
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
  resourceName: sql<string>`(SELECT a.name FROM accounts a WHERE a.id = shares.account_id)`.as(
    'resource_name',
  ),
  ownerName: sql<string>`(SELECT u.name FROM users u WHERE u.id = shares.owner_id)`.as(
    'owner_name',
  ),
}

/** Of accounts that the caller owns and sees. */
const isGiven = (ctx: SignedIn): SQL =>
  sql`(${ownedBy(ctx.caller, 'shares.owner_id')} AND shares.account_id IN (${ownAccountIds(ctx)}))`

/**
 * What others share with the caller, by name, by a confirmed address or through a group; also what waits to be
 * accepted. Whatever is restricted to some accounts learns nothing of it.
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
    AND EXISTS (SELECT 1 FROM accounts a WHERE a.id = shares.account_id AND a.deleted_at IS NULL)
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

/** Whether the caller gave or received a row of `shares`. */
export const shareIsSeen = (ctx: SignedIn): SQL => sql`(${isGiven(ctx)} OR ${isReceived(ctx)})`

export const shareById = (ctx: SignedIn, id: string) =>
  sharesFor(ctx).where(and(eq(shares.id, id), shareIsSeen(ctx)))

/** The share of an account with a group, if there is one; the account is one that the caller sees. */
export const groupShareOf = (ctx: SignedIn, accountId: string) =>
  sharesFor(ctx).where(and(eq(shares.accountId, accountId), sql`${shares.groupId} IS NOT NULL`))

/** Whoever can be shared with, and what is said of them. */
export const userNamed = (id: string | undefined): Statement<{ id: string }[]> =>
  id === undefined
    ? nothing()
    : db.all<{ id: string }>(
        sql`SELECT u.id FROM users u WHERE u.id = ${id} AND u.status = 'active'`,
      )

/** Refuses when the account is shared with as many people as it may be. */
export const insertShare = (share: ShareRow): Statement[] => [
  refuseIf(
    sql`${share.groupId} IS NULL AND (SELECT count(*) FROM shares
      WHERE account_id = ${share.accountId} AND group_id IS NULL) >= ${MOST_SHARES}`,
    sharingErrors.tooMany,
  ),
  db.insert(shares).values(share),
]

/** A share as it was read. */
type Seen = Pick<ShareRow, 'id' | 'ownerId' | 'version'>

const isUnchanged = ({ id, ownerId, version }: Seen) =>
  and(eq(shares.id, id), eq(shares.ownerId, ownerId), eq(shares.version, version))

/** Refuses unless the share is as it was read. */
export const updateShareRow = (
  ctx: Context,
  share: Seen,
  changed: Partial<ShareRow>,
): Statement[] => [
  db
    .update(shares)
    .set({ ...changed, version: sql`${shares.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(share)),
  requireChangedOne(changedMeanwhile),
]

/** Ends a share. Refuses unless it is as it was read. Who sees the account no more chose nothing for it. */
export const deleteShareRow = (share: Seen & Pick<ShareRow, 'accountId'>): Statement[] => [
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
export const mustStillReceive = (ctx: SignedIn, { id }: Seen): Statement =>
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

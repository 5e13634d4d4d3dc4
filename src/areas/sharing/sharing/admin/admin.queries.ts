import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { shares } from '../../../../../drizzle/schema/groups.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { db } from '../../../../platform/statements.ts'
import { selectShares } from '../sharing.queries.ts'

export interface ShareFilter {
  accountId?: string | undefined
  ownerId?: string | undefined
  userId?: string | undefined
  groupId?: string | undefined
}

const matches = ({ accountId, ownerId, userId, groupId }: ShareFilter) =>
  and(
    accountId === undefined ? undefined : eq(shares.accountId, accountId),
    ownerId === undefined ? undefined : eq(shares.ownerId, ownerId),
    userId === undefined ? undefined : eq(shares.granteeUserId, userId),
    groupId === undefined ? undefined : eq(shares.groupId, groupId),
  )

const withChoice = () => selectShares(sql`shares.grantee_user_id`)

/** Newest first; one row more than the page. */
export const pageOfAllShares = (filter: ShareFilter, page: PageRequest) => {
  const [afterId] = page.after ?? []
  return withChoice()
    .where(and(matches(filter), afterId === undefined ? undefined : lt(shares.id, afterId)))
    .orderBy(desc(shares.id))
    .limit(page.limit + 1)
}

export const countOfAllShares = (filter: ShareFilter) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(shares)
    .where(matches(filter))

/** The share of an account with a user. */
export const shareBetween = (accountId: string, userId: string) =>
  withChoice().where(matches({ accountId, userId }))

/** Any account that is not in the trash. */
export const accountOf = (id: string) =>
  db.all<{ id: string; ownerId: string; ownerEmail: string }>(
    sql`SELECT a.id, a.owner_id AS ownerId, u.email AS ownerEmail
      FROM accounts a JOIN users u ON u.id = a.owner_id WHERE a.id = ${id} AND a.deleted_at IS NULL`,
  )

/** The ids of the owner of an account and of somebody who receives it, or is to receive it. */
export const peopleOf = (accountId: string, userId: string): SQL =>
  sql`SELECT a.owner_id FROM accounts a WHERE a.id = ${accountId} UNION SELECT ${userId}`

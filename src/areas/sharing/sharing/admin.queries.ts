import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { shares } from '../../../../drizzle/schema/shares.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db } from '../../../platform/database/statements.ts'
import { isOf, selectShares, tableOf } from './sharing.queries.ts'
import type { Resource } from './sharing.rules.ts'

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

/** The share of a resource with a user. */
export const shareBetween = (resource: Resource, userId: string) =>
  withChoice().where(and(isOf(resource), matches({ userId })))

/** Anybody's resource that is not in the trash. */
export const anyResource = ({ kind, id }: Resource) =>
  db.all<{ ownerId: string; ownerEmail: string }>(
    sql`SELECT u.id AS ownerId, u.email AS ownerEmail
      FROM ${tableOf(kind)} r JOIN users u ON u.id = r.owner_id WHERE r.id = ${id} AND r.deleted_at IS NULL`,
  )

/** The ids of the owner of a resource and of somebody who receives it, or is to receive it. */
export const partiesOf = ({ kind, id }: Resource, userId: string): SQL =>
  sql`SELECT r.owner_id FROM ${tableOf(kind)} r WHERE r.id = ${id} AND r.owner_id IS NOT NULL UNION SELECT ${userId}`

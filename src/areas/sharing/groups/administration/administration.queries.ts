import { desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { groups } from '../../../../../drizzle/schema/groups.ts'
import type { PageRequest } from '../../../../platform/paging.ts'
import { refuseIf } from '../../../../platform/premises.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { groupErrors } from '../groups.errors.ts'
import { groupColumns } from '../groups.queries.ts'

const columns = {
  ...groupColumns,
  ownerEmail: sql<string>`(SELECT u.email FROM group_members o JOIN users u ON u.id = o.user_id
    WHERE o.group_id = groups.id AND o.role = 'owner')`.as('owner_email'),
  accountCount: sql<number>`(SELECT count(*) FROM shares s WHERE s.group_id = groups.id)`.as(
    'account_count',
  ),
}

export type AnyGroupRow = Awaited<ReturnType<typeof anyGroup>>[number]

export const anyGroup = (id: string) => db.select(columns).from(groups).where(eq(groups.id, id))

/** Newest first; one row more than the page. */
export function pageOfAllGroups(page: PageRequest) {
  const [id] = page.after ?? []
  return db
    .select(columns)
    .from(groups)
    .where(id === undefined ? undefined : lt(groups.id, id))
    .orderBy(desc(groups.id))
    .limit(page.limit + 1)
}

/** Refuses when the group was deleted. */
export const mustExist = (id: string): Statement =>
  refuseIf(sql`NOT EXISTS (SELECT 1 FROM groups WHERE id = ${id})`, groupErrors.notFound)

/** The ids of all members of a group. */
export const memberIdsOf = (groupId: string): SQL =>
  sql`SELECT m.user_id FROM group_members m WHERE m.group_id = ${groupId}`

export const countOfAllGroups = () =>
  db.all<{ count: number }>(sql`SELECT count(*) AS count FROM groups`)

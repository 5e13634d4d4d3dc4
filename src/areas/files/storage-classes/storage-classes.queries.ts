import { and, asc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { storageClasses } from '../../../../drizzle/schema/files.ts'
import { groups } from '../../../../drizzle/schema/groups.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../platform/database/premises.ts'
import { changedMeanwhile } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db, type Statement } from '../../../platform/database/statements.ts'
import { activeGroupIds } from '../../identity/memberships/memberships.public.ts'
import { storageClassErrors } from './storage-classes.errors.ts'

const { nameKey, ...columns } = getTableColumns(storageClasses)

const shown = {
  ...columns,
  allowedTypes: sql`${storageClasses.allowedTypes}`
    .mapWith((json: string) => JSON.parse(json) as string[])
    .as('types'),
}

/** True if files are kept in a class, or groups use it for theirs. */
const isUsed = (id: SQL): SQL =>
  sql`(EXISTS (SELECT 1 FROM attachments a WHERE a.storage_class_id = ${id})
    OR EXISTS (SELECT 1 FROM groups g WHERE g.storage_class_id = ${id}))`

export type ClassRow = Awaited<ReturnType<typeof classById>>[number]

export const classById = (id: string) =>
  db
    .select({
      ...shown,
      isUsed: isUsed(sql`storage_classes.id`)
        .mapWith(Boolean)
        .as('is_used'),
    })
    .from(storageClasses)
    .where(eq(storageClasses.id, id))

/** By name; one row more than the page. */
export function pageOfClasses(page: PageRequest) {
  const [after] = page.after ?? []
  return db
    .select({ ...shown, nameKey })
    .from(storageClasses)
    .where(after === undefined ? undefined : gt(nameKey, after))
    .orderBy(asc(nameKey))
    .limit(page.limit + 1)
}

export const countOfClasses = () =>
  db.select({ count: sql<number>`count(*)`.as('count') }).from(storageClasses)

/** Finds the classes of the caller's new files: the default one, and its groups'. */
export const classesFor = (ctx: SignedIn) =>
  db
    .select(shown)
    .from(storageClasses)
    .where(
      sql`${storageClasses.id} IN (SELECT id FROM storage_classes WHERE is_default = 1
        UNION SELECT g.storage_class_id FROM groups g WHERE g.id IN (${activeGroupIds(ctx, 'member')}))`,
    )
    .orderBy(asc(nameKey))

export const defaultClass = () =>
  db
    .select({
      id: storageClasses.id,
      maxObjectBytes: storageClasses.maxObjectBytes,
      allowedTypes: shown.allowedTypes,
    })
    .from(storageClasses)
    .where(sql`${storageClasses.isDefault} = 1`)

/** Takes the mark off the class that was read as the default. Refuses when it is not the default any more. */
export const unmarkDefault = (ctx: SignedIn, id: string): Statement[] => [
  db
    .update(storageClasses)
    .set({ isDefault: false, version: sql`${storageClasses.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(storageClasses.id, id), sql`${storageClasses.isDefault} = 1`)),
  requireChangedOne(storageClassErrors.changedMeanwhile),
]

export const insertClass = (row: typeof storageClasses.$inferInsert): Statement =>
  db.insert(storageClasses).values(row)

/** A class as it was read. */
interface ClassAsRead {
  id: string
  version: number
}

const isUnchanged = ({ id, version }: ClassAsRead) =>
  and(eq(storageClasses.id, id), eq(storageClasses.version, version))

export const updateClass = (
  ctx: SignedIn,
  seen: ClassAsRead,
  changed: Partial<typeof storageClasses.$inferInsert>,
): Statement[] => [
  db
    .update(storageClasses)
    .set({ ...changed, version: sql`${storageClasses.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(seen)),
  requireChangedOne(changedMeanwhile),
]

/** Deletes a class. Refuses when it is used. */
export const deleteClass = (seen: ClassAsRead): Statement[] => [
  refuseIf(isUsed(sql`${seen.id}`), storageClassErrors.inUse),
  db.delete(storageClasses).where(isUnchanged(seen)),
  requireChangedOne(changedMeanwhile),
]

export interface UsageAmounts {
  bytes: number
  objects: number
}

export interface Holder extends UsageAmounts {
  id: string
  kind: 'group' | 'user'
}

const isAfter = ([bytes, id]: string[]) =>
  bytes === undefined
    ? sql`true`
    : sql`(-u.bytes, u.holder_id) > (-CAST(${bytes} AS INTEGER), ${id})`

/** The most bytes first; one row more than the page. */
export const pageOfHolders = (classId: string, page: PageRequest) =>
  db.all<Holder>(sql`SELECT u.holder_id AS id, iif(g.id IS NULL, 'user', 'group') AS kind, u.bytes, u.objects
    FROM storage_usage u LEFT JOIN groups g ON g.id = u.holder_id
    WHERE u.storage_class_id = ${classId} AND ${isAfter(page.after ?? [])}
    ORDER BY -u.bytes, u.holder_id LIMIT CAST(${page.limit + 1} AS INTEGER)`)

export const totalOfHolders = (classId: string) =>
  db.all<
    UsageAmounts & { count: number }
  >(sql`SELECT count(*) AS count, ifnull(sum(bytes), 0) AS bytes,
      ifnull(sum(objects), 0) AS objects
    FROM storage_usage WHERE storage_class_id = ${classId}`)

export type AssignedGroupRow = Awaited<ReturnType<typeof assignedGroupById>>[number]

export const assignedGroupById = (id: string) =>
  db
    .select({ id: groups.id, storageClassId: groups.storageClassId, version: groups.version })
    .from(groups)
    .where(eq(groups.id, id))

/** Says where new files of a group go. Refuses when the class was deleted. */
export const assignClass = (
  ctx: SignedIn,
  seen: AssignedGroupRow,
  storageClassId: string | null,
): Statement[] => [
  ...(storageClassId === null ? [] : [mustExist(storageClassId)]),
  db
    .update(groups)
    .set({ storageClassId, version: sql`${groups.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(groups.id, seen.id), eq(groups.version, seen.version))),
  requireChangedOne(changedMeanwhile),
]

const mustExist = (id: string): Statement =>
  refuseIf(sql`NOT EXISTS (SELECT 1 FROM storage_classes WHERE id = ${id})`, () =>
    storageClassErrors.unknown({ field: 'storageClassId' }),
  )

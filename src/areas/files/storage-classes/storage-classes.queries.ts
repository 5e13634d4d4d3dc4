import { and, asc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import { storageClasses } from '../../../../drizzle/schema/files.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../platform/premises.ts'
import { changedMeanwhile } from '../../../platform/refusals.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import { db, type Statement } from '../../../platform/statements.ts'
import { activeGroupIds } from '../../identity/memberships/memberships.public.ts'
import { storageClassErrors } from './storage-classes.errors.ts'

const { nameKey, ...columns } = getTableColumns(storageClasses)

const shown = {
  ...columns,
  allowedTypes: sql`${storageClasses.allowedTypes}`
    .mapWith((json: string) => JSON.parse(json) as string[])
    .as('types'),
}

/** Whether files are kept in a class, or groups put theirs there. */
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

/** Those that new files of the caller go to: the default one, and its groups'. */
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
interface Seen {
  id: string
  version: number
}

const isUnchanged = ({ id, version }: Seen) =>
  and(eq(storageClasses.id, id), eq(storageClasses.version, version))

export const updateClass = (
  ctx: SignedIn,
  seen: Seen,
  changed: Partial<typeof storageClasses.$inferInsert>,
): Statement[] => [
  db
    .update(storageClasses)
    .set({ ...changed, version: sql`${storageClasses.version} + 1`, updatedAt: ctx.now })
    .where(isUnchanged(seen)),
  requireChangedOne(changedMeanwhile),
]

/** Deletes a class. Refuses when it is used. */
export const deleteClass = (seen: Seen): Statement[] => [
  refuseIf(isUsed(sql`${seen.id}`), storageClassErrors.inUse),
  db.delete(storageClasses).where(isUnchanged(seen)),
  requireChangedOne(changedMeanwhile),
]

import { and, eq, sql } from 'drizzle-orm'
import { groups } from '../../../../../drizzle/schema/groups.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile } from '../../../../platform/refusals.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { storageClassErrors } from '../storage-classes.errors.ts'

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

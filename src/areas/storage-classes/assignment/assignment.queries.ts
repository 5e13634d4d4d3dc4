import { and, eq, sql } from 'drizzle-orm'
import { groups } from '../../../../drizzle/schema/groups.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { requireChangedOne } from '../../../platform/premises.ts'
import { changedMeanwhile } from '../../../platform/refusals.ts'
import { db, type Statement } from '../../../platform/statements.ts'

export type GroupRow = Awaited<ReturnType<typeof groupById>>[number]

export const groupById = (id: string) =>
  db
    .select({ id: groups.id, storageClassId: groups.storageClassId, version: groups.version })
    .from(groups)
    .where(eq(groups.id, id))

export const assignClass = (
  ctx: SignedIn,
  seen: GroupRow,
  storageClassId: string | null,
): Statement[] => [
  db
    .update(groups)
    .set({ storageClassId, version: sql`${groups.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(groups.id, seen.id), eq(groups.version, seen.version))),
  requireChangedOne(changedMeanwhile),
]

import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import { nothing } from '../../../../platform/statements.ts'
import { storageClassErrors } from '../storage-classes.errors.ts'
import { groupStorageEvents } from './assignment.events.ts'
import { classById, type ClassRow } from '../storage-classes.queries.ts'
import { assignClass, assignedGroupById } from './assignment.queries.ts'

export interface Assignment {
  groupId: string
  storageClassId: string | null
}

/** Says where new files of a group go; those that it has stay where they are. */
export async function setGroupStorageClass(
  ctx: SignedIn,
  groupId: string,
  storageClassId: string | null,
): Promise<Assignment> {
  const [[group], [wanted]] = await read(
    ctx,
    assignedGroupById(groupId),
    storageClassId === null ? nothing<ClassRow>() : classById(storageClassId),
  )
  if (!group) {
    throw storageClassErrors.groupNotFound()
  }
  requireVersion(ctx, group.version)
  if (storageClassId !== null && !wanted) {
    throw storageClassErrors.unknown({ field: 'storageClassId' })
  }
  return commit(ctx, {
    changes: [
      {
        statements: assignClass(ctx, group, storageClassId),
        events: [
          groupStorageEvents.storageClassSet(
            { id: groupId, groupId, version: group.version + 1 },
            {
              before: { storageClassId: group.storageClassId },
              after: { storageClassId },
            },
          ),
        ],
      },
    ],
    result: { groupId, storageClassId },
  })
}

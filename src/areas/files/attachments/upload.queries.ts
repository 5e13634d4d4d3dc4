import { type SQL, sql } from 'drizzle-orm'
import type { SignedIn } from '../../../platform/context.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { among, db, type Statement } from '../../../platform/database/statements.ts'
import { attachmentErrors } from './attachments.errors.ts'
import { accountOfTarget, type LinkTarget } from './links/links.queries.ts'

/** The storage class of a new file, with its limits. */
export interface StoragePlace {
  id: string
  r2StorageClass: 'Standard' | 'InfrequentAccess'
  prefix: string
  quotaBytes: number | null
  maxObjectBytes: number
  /** JSON array. */
  allowedTypes: string
  /** The bytes that its holder keeps there already. */
  usedBytes: number
}

/**
 * The class that a file goes to: that of its group, or of the group that what it is attached to is shared with; else
 * the default one.
 */
export function placeFor(
  { caller }: SignedIn,
  groupId: string | undefined,
  target: LinkTarget | undefined,
): Statement<StoragePlace[]> {
  const group = groupOf(groupId, target)
  return db.all<StoragePlace>(
    sql`SELECT c.id, c.r2_storage_class AS r2StorageClass, c.prefix, c.quota_bytes AS quotaBytes,
        c.max_object_bytes AS maxObjectBytes, c.allowed_types AS allowedTypes,
        ifnull((SELECT u.bytes FROM storage_usage u WHERE u.storage_class_id = c.id
          AND u.holder_id = ${groupId ?? caller.userId}), 0) AS usedBytes
      FROM storage_classes c WHERE c.id = ifnull(
        (SELECT g.storage_class_id FROM groups g WHERE g.id = (${group}) AND g.suspended_at IS NULL),
        (SELECT d.id FROM storage_classes d WHERE d.is_default = 1))`,
  )
}

function groupOf(groupId: string | undefined, target: LinkTarget | undefined): SQL {
  if (groupId !== undefined || target === undefined) {
    return sql`SELECT ${groupId ?? null}`
  }
  return sql`SELECT s.group_id FROM shares s WHERE s.account_id = (${accountOfTarget(target)})
    AND s.group_id IS NOT NULL`
}

/** Refuses when somebody keeps more in any class than they may. It belongs behind what adds files. */
export const mustBeWithinAllQuotas = (holderId: string): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM storage_usage u JOIN storage_classes c ON c.id = u.storage_class_id
      WHERE u.holder_id = ${holderId} AND u.bytes > c.quota_bytes)`,
    attachmentErrors.quota,
  )

/**
 * Refuses when one of these keeps more in a class than it may. It belongs behind what adds a file. Files of a
 * deleted group come back to their uploaders, so whoever has too much of its own fills no other group.
 */
export const mustBeWithinQuota = (storageClassId: string, holderIds: string[]): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM storage_usage u JOIN storage_classes c ON c.id = u.storage_class_id
      WHERE u.storage_class_id = ${storageClassId} AND u.holder_id IN ${among(holderIds)}
        AND u.bytes > c.quota_bytes)`,
    attachmentErrors.quota,
  )

import type { z } from '@hono/zod-openapi'
import { presentStamps } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type {
  ListStorageClassesResponse,
  OwnStorageClassesResponse,
  StorageClassResponse,
} from './storage-classes.schemas.ts'
import type { StorageClass } from './storage-classes.usecases.ts'

export const presentClass = (found: StorageClass): z.infer<typeof StorageClassResponse> => ({
  id: found.id,
  name: found.name,
  r2StorageClass: found.r2StorageClass,
  prefix: found.prefix,
  quotaBytes: found.quotaBytes,
  maxObjectBytes: found.maxObjectBytes,
  allowedTypes: found.allowedTypes,
  retentionDays: found.retentionDays,
  isDefault: found.isDefault,
  ...presentStamps(found),
})

export const presentClasses = ({
  rows,
  count,
  nextCursor,
}: Listed<StorageClass>): z.infer<typeof ListStorageClassesResponse> => ({
  storageClasses: rows.map(presentClass),
  count,
  nextCursor,
})

export const presentOwnClasses = (
  found: StorageClass[],
): z.infer<typeof OwnStorageClassesResponse> => ({
  storageClasses: found.map(presentClass),
  count: found.length,
})

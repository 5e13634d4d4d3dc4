import { z } from '@hono/zod-openapi'
import { count, id, nextCursor, integerField } from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import type { Usage } from './usage.usecases.ts'

export const StorageClassUsageQuery = z.strictObject(pageQuery())

const amounts = {
  bytes: integerField('Bytes, also of files in the trash.', 52_428_800),
  objects: integerField('Files, also those in the trash.', 12),
}

export const StorageClassUsageResponse = z
  .object({
    storageClassId: id('stc', 'Id of the storage class.'),
    quotaBytes: integerField(
      'Bytes that each may keep; null for any number.',
      1_073_741_824,
    ).nullable(),
    ...amounts,
    holders: z
      .array(
        z.object({
          kind: z
            .enum(['group', 'user'])
            .openapi({ description: 'A group, or a person alone.', example: 'group' }),
          id: id('grp', 'Id of the group or user.'),
          ...amounts,
        }),
      )
      .openapi({ description: 'One page of who keeps files there, the most bytes first.' }),
    count,
    nextCursor,
  })
  .openapi('StorageClassUsageResponse')

export const presentStorageUsage = (
  usage: Usage & { nextCursor: string | null },
): z.infer<typeof StorageClassUsageResponse> => ({
  storageClassId: usage.storageClassId,
  quotaBytes: usage.quotaBytes,
  bytes: usage.bytes,
  objects: usage.objects,
  holders: usage.rows.map(({ kind, id, bytes, objects }) => ({ kind, id, bytes, objects })),
  count: usage.count,
  nextCursor: usage.nextCursor,
})

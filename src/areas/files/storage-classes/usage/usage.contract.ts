import { z } from '@hono/zod-openapi'
import { count, id, nextCursor, integerField } from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import type { Usage } from './usage.usecases.ts'

export const StorageClassUsageQuery = z.strictObject(pageQuery())

const amounts = {
  bytes: integerField('Number of bytes, including files in the trash.', 52_428_800),
  objects: integerField('Number of files, including those in the trash.', 12),
}

export const StorageClassUsageResponse = z
  .object({
    storageClassId: id('stc', 'Id of the storage class.'),
    quotaBytes: integerField(
      'Maximum number of bytes for each group or user; null for no limit.',
      1_073_741_824,
    ).nullable(),
    ...amounts,
    holders: z
      .array(
        z.object({
          kind: z.enum(['group', 'user']).openapi({
            description: 'Whether a group or a user stores the files.',
            example: 'group',
          }),
          id: id('grp', 'Id of the group or user.'),
          ...amounts,
        }),
      )
      .openapi({
        description:
          'One page of the groups and users that store files in the class, most bytes first.',
      }),
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

import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  nameInput,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
  nextCursor,
  idInput,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { MEDIA_TYPE, MOST_OBJECT_BYTES, PREFIX } from './storage-classes.rules.ts'
import type { StorageClass, Usage, Assignment } from './storage-classes.usecases.ts'

export const ListStorageClassesQuery = z.strictObject(pageQuery())

const R2_CLASSES = ['Standard', 'InfrequentAccess'] as const

const number = (least: number, most: number, description: string, example: number) =>
  z.number().int().min(least).max(most).openapi({ description, example })

const content = {
  name: nameInput(64, 'Unique name of the class.', 'Archive'),
  r2StorageClass: z
    .enum(R2_CLASSES)
    .openapi({ description: 'R2 storage class of new files.', example: 'InfrequentAccess' }),
  prefix: z
    .string()
    .max(64)
    .regex(PREFIX, 'must be words of a-z, 0-9, - and _, each followed by a slash, such as archive/')
    .openapi({ description: 'Prefix of the keys of new files.', example: 'archive/' }),
  quotaBytes: number(
    1,
    2 ** 50,
    'Maximum number of bytes for each group or user; null for no limit.',
    1_073_741_824,
  ).nullable(),
  maxObjectBytes: number(1, MOST_OBJECT_BYTES, 'Maximum number of bytes of a file.', 26_214_400),
  allowedTypes: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(127)
        .regex(MEDIA_TYPE, 'must be a media type, such as application/pdf')
        .openapi({ description: 'Media type.', example: 'application/pdf' }),
    )
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)])
    .openapi({ description: 'Allowed media types of files.', example: ['application/pdf'] }),
  retentionDays: number(
    1,
    36_500,
    'Number of days after which a file is deleted; null for never.',
    3650,
  ).nullable(),
  isDefault: booleanField(
    'Whether this is the default class, for files without another class.',
    false,
  ),
}

export const CreateStorageClassRequest = z
  .strictObject({
    ...content,
    r2StorageClass: content.r2StorageClass.default('Standard'),
    quotaBytes: content.quotaBytes.default(null),
    retentionDays: content.retentionDays.default(null),
    isDefault: content.isDefault.default(false),
  })
  .openapi('CreateStorageClassRequest')

export const UpdateStorageClassRequest = z
  .strictObject(content)
  .partial()
  .openapi('UpdateStorageClassRequest')

export const StorageClassResponse = z
  .object({
    id: id('stc', 'Id of the storage class.'),
    name: textField('The name.', 'Archive'),
    r2StorageClass: z
      .enum(R2_CLASSES)
      .openapi({ description: 'R2 storage class of new files.', example: 'Standard' }),
    prefix: textField('Prefix of the keys of new files.', 'archive/'),
    quotaBytes: integerField(
      'Maximum number of bytes for each group or user.',
      1_073_741_824,
    ).nullable(),
    maxObjectBytes: integerField('Maximum number of bytes of a file.', 26_214_400),
    allowedTypes: z
      .array(z.string())
      .openapi({ description: 'Allowed media types of files.', example: ['application/pdf'] }),
    retentionDays: integerField(
      'Number of days after which a file is deleted; null for never.',
      3650,
    ).nullable(),
    isDefault: booleanField(
      'Whether this is the default class, for files without another class.',
      true,
    ),
    ...stamps,
  })
  .openapi('StorageClassResponse')

export const StorageClassesResponse = pageResponse(
  'storageClasses',
  StorageClassResponse,
  'One page of the list, by name.',
).openapi('StorageClassesResponse')

export const OwnStorageClassesResponse = z
  .object({
    storageClasses: z.array(StorageClassResponse).openapi({
      description: 'The default class and the classes of the caller’s groups, by name.',
    }),
    count,
  })
  .openapi('OwnStorageClassesResponse')

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

export const presentClasses = presentPage('storageClasses', presentClass)

export const presentOwnClasses = (
  found: StorageClass[],
): z.infer<typeof OwnStorageClassesResponse> => ({
  storageClasses: found.map(presentClass),
  count: found.length,
})

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

export const SetGroupStorageClassRequest = z
  .strictObject({
    storageClassId: idInput(
      'stc',
      'Storage class of new files of the group; null for the default class.',
    ).nullable(),
  })
  .openapi('SetGroupStorageClassRequest')

export const GroupStorageClassResponse = z
  .object({
    groupId: id('grp', 'Id of the group.'),
    storageClassId: id('stc', 'Storage class of new files; null for the default class.').nullable(),
    message: textField(
      'Readable summary of what was done.',
      'The storage class of the group was set.',
    ),
  })
  .openapi('GroupStorageClassResponse')

export const presentAssignment = ({
  groupId,
  storageClassId,
}: Assignment): z.infer<typeof GroupStorageClassResponse> => ({
  groupId,
  storageClassId,
  message:
    storageClassId === null
      ? 'The storage class of the group was cleared.'
      : 'The storage class of the group was set.',
})

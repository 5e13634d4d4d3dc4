import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  nameInput,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { MEDIA_TYPE, MOST_OBJECT_BYTES, PREFIX } from './storage-classes.rules.ts'
import type { StorageClass } from './storage-classes.usecases.ts'

export const ListStorageClassesQuery = z.strictObject(pageQuery())

const R2_CLASSES = ['Standard', 'InfrequentAccess'] as const

const number = (least: number, most: number, description: string, example: number) =>
  z.number().int().min(least).max(most).openapi({ description, example })

const content = {
  name: nameInput(64, 'The name; no two classes share one.', 'Archive'),
  r2StorageClass: z
    .enum(R2_CLASSES)
    .openapi({ description: 'The class of R2 that new files get.', example: 'InfrequentAccess' }),
  prefix: z
    .string()
    .max(64)
    .regex(PREFIX, 'must be words of a-z, 0-9, - and _, each followed by a slash, such as archive/')
    .openapi({ description: 'What the keys of new files begin with.', example: 'archive/' }),
  quotaBytes: number(
    1,
    2 ** 50,
    'Bytes that one group, or one person, may keep in it; null for any number.',
    1_073_741_824,
  ).nullable(),
  maxObjectBytes: number(1, MOST_OBJECT_BYTES, 'Bytes of one file at most.', 26_214_400),
  allowedTypes: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .max(127)
        .regex(MEDIA_TYPE, 'must be a media type, such as application/pdf')
        .openapi({ description: 'A media type.', example: 'application/pdf' }),
    )
    .min(1)
    .max(100)
    .transform((types) => [...new Set(types)])
    .openapi({ description: 'Media types that a file may have.', example: ['application/pdf'] }),
  retentionDays: number(
    1,
    36_500,
    'Days after which a file is deleted; null for never.',
    3650,
  ).nullable(),
  isDefault: booleanField('Whether files go there that no group puts elsewhere.', false),
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
      .openapi({ description: 'The class of R2 that new files get.', example: 'Standard' }),
    prefix: textField('What the keys of new files begin with.', 'archive/'),
    quotaBytes: integerField(
      'Bytes that one group or one person may keep in it.',
      1_073_741_824,
    ).nullable(),
    maxObjectBytes: integerField('Bytes of one file at most.', 26_214_400),
    allowedTypes: z
      .array(z.string())
      .openapi({ description: 'Media types that a file may have.', example: ['application/pdf'] }),
    retentionDays: integerField(
      'Days after which a file is deleted; null for never.',
      3650,
    ).nullable(),
    isDefault: booleanField('Whether files go there that no group puts elsewhere.', true),
    ...stamps,
  })
  .openapi('StorageClassResponse')

export const ListStorageClassesResponse = z
  .object({
    storageClasses: z
      .array(StorageClassResponse)
      .openapi({ description: 'One page of them, by name.' }),
    count,
    nextCursor,
  })
  .openapi('ListStorageClassesResponse')

export const OwnStorageClassesResponse = z
  .object({
    storageClasses: z
      .array(StorageClassResponse)
      .openapi({ description: 'The default one, and those of own groups, by name.' }),
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

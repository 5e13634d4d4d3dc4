import { z } from '@hono/zod-openapi'
import { id, idInput, textField } from '../../../../http/fields.ts'
import type { Assignment } from './assignment.usecases.ts'

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

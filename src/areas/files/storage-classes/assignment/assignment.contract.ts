import { z } from '@hono/zod-openapi'
import { id, idInput, textField } from '../../../../http/fields.ts'
import type { Assignment } from './assignment.usecases.ts'

export const SetGroupStorageClassRequest = z
  .strictObject({
    storageClassId: idInput(
      'stc',
      'Where new files of the group go; null for the default class.',
    ).nullable(),
  })
  .openapi('SetGroupStorageClassRequest')

export const GroupStorageClassResponse = z
  .object({
    groupId: id('grp', 'Id of the group.'),
    storageClassId: id('stc', 'Where its new files go; null for the default class.').nullable(),
    message: textField('What was done, for people.', 'The storage class of the group was set.'),
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

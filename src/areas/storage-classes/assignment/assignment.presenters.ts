import type { z } from '@hono/zod-openapi'
import type { GroupStorageClassResponse } from './assignment.schemas.ts'
import type { Assignment } from './assignment.usecases.ts'

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

import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import { permission, resourceId, resourceType } from '../sharing.contract.ts'

const userId = idInput('usr', 'User to share with.')

export const ListAllSharesQuery = z.strictObject({
  accountId: idInput('acc', 'Only shares of this account.').optional(),
  ownerId: idInput('usr', 'Only shares of data of this user.').optional(),
  userId: idInput('usr', 'Only shares with this user, not through a group.').optional(),
  groupId: idInput('grp', 'Only shares with this group.').optional(),
  ...pageQuery(),
})

export const ShareResourceRequest = z
  .strictObject({ resourceType, resourceId, userId, permission })
  .openapi('ShareResourceRequest')

export const UnshareResourceRequest = z
  .strictObject({ resourceType, resourceId, userId })
  .openapi('UnshareResourceRequest')

import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import { permission, resourceId, resourceType } from '../sharing.contract.ts'

const userId = idInput('usr', 'With whom.')

export const ListAllSharesQuery = z.strictObject({
  accountId: idInput('acc', 'Only of this account.').optional(),
  ownerId: idInput('usr', 'Only of accounts of this user.').optional(),
  userId: idInput('usr', 'Only with this user, not through a group.').optional(),
  groupId: idInput('grp', 'Only with this group.').optional(),
  ...pageQuery(),
})

export const ShareResourceRequest = z
  .strictObject({ resourceType, resourceId, userId, permission })
  .openapi('ShareResourceRequest')

export const UnshareResourceRequest = z
  .strictObject({ resourceType, resourceId, userId })
  .openapi('UnshareResourceRequest')

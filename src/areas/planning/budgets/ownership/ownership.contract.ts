import { z } from '@hono/zod-openapi'
import { idInput } from '../../../../http/fields.ts'

export const ShareBudgetRequest = z
  .strictObject({
    groupId: idInput('grp', 'Group that the budget belongs to from then on. You must be a member.'),
  })
  .openapi('ShareBudgetRequest')

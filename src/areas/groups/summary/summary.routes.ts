import { answer } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { AccountListResponse, presentAccounts } from '../../accounts/accounts.public.ts'
import { presentSummary } from './summary.presenters.ts'
import { GroupSummaryQuery, GroupSummaryResponse } from './summary.schemas.ts'
import { findGroupAccounts, findSummary } from './summary.usecases.ts'

export const groupSummaryRoutes = newArea()

const params = pathId('grp', 'group')

export const listGroupAccounts = defineRoute('groups.read', {
  method: 'get',
  path: '/group/{id}/account',
  operationId: 'listGroupAccounts',
  summary: 'The accounts that are shared with a group, own ones among them',
  tags: ['Groups'],
  request: { params },
  responses: { 200: json(AccountListResponse, 'The accounts') },
  errors: [404],
})
groupSummaryRoutes.openapi(listGroupAccounts, (c) =>
  answer(c, 200, presentAccounts, (ctx) => findGroupAccounts(ctx, c.req.valid('param').id)),
)

export const getGroupSummary = defineRoute('groups.read', {
  method: 'get',
  path: '/group/{id}/summary',
  operationId: 'getGroupSummary',
  summary: 'Totals over what is shared with a group, per currency and rolled up into its own',
  tags: ['Groups'],
  request: { params, query: GroupSummaryQuery },
  responses: { 200: json(GroupSummaryResponse, 'The totals') },
  errors: [404],
})
groupSummaryRoutes.openapi(getGroupSummary, (c) =>
  answer(c, 200, presentSummary, (ctx) =>
    findSummary(ctx, c.req.valid('param').id, c.req.valid('query').currency),
  ),
)

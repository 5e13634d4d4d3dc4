import { answer } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { AccountListResponse, presentAccounts } from '../../../money/accounts/accounts.public.ts'
import { GroupSummaryQuery, GroupSummaryResponse, presentSummary } from './summary.contract.ts'
import * as summary from './summary.usecases.ts'

const params = pathId('grp', 'group')

export const listGroupAccounts = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group/{id}/account',
    operationId: 'listGroupAccounts',
    summary: 'List the accounts of a group',
    tags: ['Groups'],
    request: { params },
    responses: { 200: json(AccountListResponse, 'The accounts') },
  },
  (c) =>
    answer(c, 200, presentAccounts, (ctx) =>
      summary.listGroupAccounts(ctx, c.req.valid('param').id),
    ),
)

export const getGroupSummary = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group/{id}/summary',
    operationId: 'getGroupSummary',
    summary: 'Get totals of a group',
    tags: ['Groups'],
    request: { params, query: GroupSummaryQuery },
    responses: { 200: json(GroupSummaryResponse, 'The totals') },
  },
  (c) =>
    answer(c, 200, presentSummary, (ctx) =>
      summary.getGroupSummary(ctx, c.req.valid('param').id, c.req.valid('query').currency),
    ),
)

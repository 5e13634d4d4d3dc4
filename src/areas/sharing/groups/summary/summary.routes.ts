import { pathId } from '../../../../http/fields.ts'
import { json, operation } from '../../../../http/route.ts'
import { AccountListResponse, presentAccounts } from '../../../money/accounts/accounts.public.ts'
import { GroupSummaryQuery, GroupSummaryResponse, presentSummary } from './summary.contract.ts'
import * as summary from './summary.usecases.ts'

const params = pathId('grp', 'group')

export const listGroupAccounts = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/account',
  summary: 'List the accounts of a group',
  request: { params },
  responses: { 200: json(AccountListResponse, 'The accounts') },
  run: (ctx, { params }) => summary.listGroupAccounts(ctx, params.id),
  present: presentAccounts,
})

export const getGroupSummary = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/summary',
  summary: 'Get totals of a group',
  request: { params, query: GroupSummaryQuery },
  responses: { 200: json(GroupSummaryResponse, 'The totals') },
  run: (ctx, { params, query }) => summary.getGroupSummary(ctx, params.id, query.currency),
  present: presentSummary,
})

import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { AccountListResponse, presentAccounts } from '../../money/accounts/accounts.public.ts'
import {
  ListActivityQuery,
  ListActivityResponse,
  presentActivity,
} from './activity/activity.contract.ts'
import * as activity from './activity/activity.usecases.ts'
import {
  CreateGroupRequest,
  GroupResponse,
  ListOwnGroupsQuery,
  OwnGroupsResponse,
  presentGroup,
  presentGroups,
  UpdateGroupRequest,
} from './groups.contract.ts'
import * as groups from './groups.usecases.ts'
import {
  GroupSummaryQuery,
  GroupSummaryResponse,
  presentSummary,
} from './summary/summary.contract.ts'
import * as summary from './summary/summary.usecases.ts'

const params = pathId('grp', 'group')

export const listOwnGroups = operation({
  access: 'groups.read',
  on: 'GET /group',
  summary: 'List own groups',
  request: { query: ListOwnGroupsQuery },
  responses: { 200: json(OwnGroupsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => groups.listOwnGroups(ctx, page)),
  present: presentGroups,
})

export const createGroup = operation({
  access: 'groups.write',
  on: 'POST /group',
  summary: 'Create a group',
  request: jsonRequest(CreateGroupRequest),
  responses: { 201: json(GroupResponse, 'The new group') },
  run: (ctx, { body }) => groups.createGroup(ctx, body),
  present: presentGroup,
})

export const getGroup = operation({
  access: 'groups.read',
  on: 'GET /group/{id}',
  summary: 'Get a group',
  request: { params },
  responses: { 200: json(GroupResponse, 'The group') },
  run: (ctx, { params }) => groups.getGroup(ctx, params.id),
  present: presentGroup,
})

export const updateGroup = operation({
  access: 'groups.write',
  on: 'PUT /group/{id}',
  summary: 'Update a group',
  versioned: true,
  request: { params, ...jsonRequest(UpdateGroupRequest) },
  responses: { 200: json(GroupResponse, 'The group as it is now') },
  run: (ctx, { params, body }) => groups.updateGroup(ctx, params.id, body),
  present: presentGroup,
})

export const deleteGroup = operation({
  access: 'groups.write',
  on: 'DELETE /group/{id}',
  summary: 'Delete a group',
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The group was deleted') },
  run: (ctx, { params }) => groups.deleteGroup(ctx, params.id),
  present: () => ({ message: 'The group was deleted.' }),
})

export const listGroupActivity = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/activity',
  summary: 'List the activity of a group',
  request: { params: pathId('grp', 'group'), query: ListActivityQuery },
  responses: { 200: json(ListActivityResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => activity.listGroupActivity(ctx, params.id, page)),
  present: presentActivity,
})

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

import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { AccountListResponse, presentAccounts } from '../../money/accounts/accounts.public.ts'
import {
  CreateGroupRequest,
  GroupResponse,
  ListOwnGroupsQuery,
  OwnGroupsResponse,
  presentGroup,
  presentGroups,
  UpdateGroupRequest,
  GroupSummaryQuery,
  GroupSummaryResponse,
  presentGroupSummary,
  ListActivityQuery,
  ListActivityResponse,
  presentActivity,
  memberParams,
  MemberResponse,
  presentMember,
  ListMembersQuery,
  ListMembersResponse,
  presentMembers,
  TransferGroupRequest,
  UpdateMemberRequest,
} from './groups.contract.ts'
import * as groups from './groups.usecases.ts'
import {
  AddGroupMemberRequest,
  AdminGroupResponse,
  ListGroupsQuery,
  ListGroupsResponse,
  PatchGroupRequest,
  presentAllGroups,
  presentAnyGroup,
} from './administration.contract.ts'
import * as administration from './administration.usecases.ts'
import * as members from './members.usecases.ts'

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
    paged(ctx, query, (page) => groups.listGroupActivity(ctx, params.id, page)),
  present: presentActivity,
})

export const listGroupAccounts = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/account',
  summary: 'List the accounts of a group',
  request: { params },
  responses: { 200: json(AccountListResponse, 'The accounts') },
  run: (ctx, { params }) => groups.listGroupAccounts(ctx, params.id),
  present: presentAccounts,
})

export const getGroupSummary = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/summary',
  summary: 'Get totals of a group',
  request: { params, query: GroupSummaryQuery },
  responses: { 200: json(GroupSummaryResponse, 'The totals') },
  run: (ctx, { params, query }) => groups.getGroupSummary(ctx, params.id, query.currency),
  present: presentGroupSummary,
})

export const listAllGroups = operation({
  access: 'allGroups.read',
  on: 'GET /admin/groups',
  summary: 'List all groups',
  request: { query: ListGroupsQuery },
  responses: { 200: json(ListGroupsResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => administration.listAllGroups(ctx, page)),
  present: presentAllGroups,
})

export const getAnyGroup = operation({
  access: 'allGroups.read',
  on: 'GET /admin/groups/{id}',
  summary: 'Get a group with its members',
  request: { params },
  responses: { 200: json(AdminGroupResponse, 'The group') },
  run: (ctx, { params }) => administration.getAnyGroup(ctx, params.id),
  present: presentAnyGroup,
})

export const updateAnyGroup = operation({
  access: 'allGroups.write',
  on: 'PATCH /admin/groups/{id}',
  summary: 'Rename or suspend a group',
  versioned: true,
  request: { params, ...jsonRequest(PatchGroupRequest) },
  responses: { 200: json(AdminGroupResponse, 'The group as it is now') },
  run: (ctx, { params, body }) => administration.updateAnyGroup(ctx, params.id, body),
  present: presentAnyGroup,
})

export const deleteAnyGroup = operation({
  access: 'allGroups.write',
  on: 'DELETE /admin/groups/{id}',
  summary: 'Delete any group',
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The group was deleted') },
  run: (ctx, { params }) => administration.deleteAnyGroup(ctx, params.id),
  present: () => ({ message: 'The group was deleted.' }),
})

export const addGroupMember = operation({
  access: 'allGroups.write',
  on: 'POST /admin/groups/{id}/members',
  summary: 'Add a user to a group',
  request: { params, ...jsonRequest(AddGroupMemberRequest) },
  responses: { 201: json(MemberResponse, 'The new member') },
  run: (ctx, { params, body }) => administration.addGroupMember(ctx, params.id, body),
  present: presentMember,
})

export const removeAnyGroupMember = operation({
  access: 'allGroups.write',
  on: 'DELETE /admin/groups/{id}/members/{userId}',
  summary: 'Remove a member from any group',
  versioned: true,
  request: { params: memberParams },
  responses: { 200: json(MessageResponse, 'The member was removed') },
  run: (ctx, { params }) => administration.removeAnyGroupMember(ctx, params.id, params.userId),
  present: () => ({ message: 'The member was removed.' }),
})

export const listGroupMembers = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/member',
  summary: 'List the members of a group',
  request: { params, query: ListMembersQuery },
  responses: { 200: json(ListMembersResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => members.listGroupMembers(ctx, params.id, page)),
  present: presentMembers,
})

export const updateGroupMember = operation({
  access: 'groups.write',
  on: 'PATCH /group/{id}/member/{userId}',
  summary: 'Change the role of a member',
  versioned: true,
  request: { params: memberParams, ...jsonRequest(UpdateMemberRequest) },
  responses: { 200: json(MemberResponse, 'The member as it is now') },
  run: (ctx, { params, body }) =>
    members.updateGroupMember(ctx, params.id, params.userId, body.role),
  present: presentMember,
})

export const removeGroupMember = operation({
  access: 'groups.write',
  on: 'DELETE /group/{id}/member/{userId}',
  summary: 'Remove a member from a group',
  versioned: true,
  request: { params: memberParams },
  responses: { 200: json(MessageResponse, 'The member was removed') },
  run: (ctx, { params }) => members.removeGroupMember(ctx, params.id, params.userId),
  present: () => ({ message: 'The member was removed.' }),
})

export const leaveGroup = operation({
  access: 'groups.write',
  on: 'POST /group/{id}/leave',
  summary: 'Leave a group',
  request: { params },
  responses: { 200: json(MessageResponse, 'The caller has left') },
  run: (ctx, { params }) => members.leaveGroup(ctx, params.id),
  present: () => ({ message: 'You have left the group.' }),
})

export const transferGroupOwner = operation({
  access: 'groups.write',
  on: 'POST /group/{id}/transfer-owner',
  summary: 'Transfer a group to another member',
  request: { params, ...jsonRequest(TransferGroupRequest) },
  responses: { 200: json(GroupResponse, 'The group as it is now') },
  run: (ctx, { params, body }) => members.transferGroupOwner(ctx, params.id, body.userId),
  present: presentGroup,
})

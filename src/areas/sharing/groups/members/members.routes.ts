import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { GroupResponse, presentGroup } from '../groups.contract.ts'
import {
  ListMembersQuery,
  ListMembersResponse,
  memberParams,
  MemberResponse,
  presentMember,
  presentMembers,
  TransferGroupRequest,
  UpdateMemberRequest,
} from './members.contract.ts'
import * as members from './members.usecases.ts'

const params = pathId('grp', 'group')

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

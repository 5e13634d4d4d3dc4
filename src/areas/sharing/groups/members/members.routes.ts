import { answer } from '../../../../http/answer.ts'
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

export const listGroupMembers = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group/{id}/member',
    operationId: 'listGroupMembers',
    summary: 'List the members of a group',
    tags: ['Groups'],
    request: { params, query: ListMembersQuery },
    responses: { 200: json(ListMembersResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentMembers, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) =>
        members.listGroupMembers(ctx, c.req.valid('param').id, page),
      ),
    ),
)

export const updateGroupMember = operation(
  'groups.write',
  {
    method: 'patch',
    path: '/group/{id}/member/{userId}',
    operationId: 'updateGroupMember',
    summary: 'Change the role of a member',
    tags: ['Groups'],
    versioned: true,
    request: { params: memberParams, ...jsonRequest(UpdateMemberRequest) },
    responses: { 200: json(MemberResponse, 'The member as it is now') },
  },
  (c) => {
    const { id, userId } = c.req.valid('param')
    return answer(c, 200, presentMember, (ctx) =>
      members.updateGroupMember(ctx, id, userId, c.req.valid('json').role),
    )
  },
)

export const removeGroupMember = operation(
  'groups.write',
  {
    method: 'delete',
    path: '/group/{id}/member/{userId}',
    operationId: 'removeGroupMember',
    summary: 'Remove a member from a group',
    tags: ['Groups'],
    versioned: true,
    request: { params: memberParams },
    responses: { 200: json(MessageResponse, 'The member was removed') },
  },
  (c) => {
    const { id, userId } = c.req.valid('param')
    return answer(
      c,
      200,
      () => ({ message: 'The member was removed.' }),
      (ctx) => members.removeGroupMember(ctx, id, userId),
    )
  },
)

export const leaveGroup = operation(
  'groups.write',
  {
    method: 'post',
    path: '/group/{id}/leave',
    operationId: 'leaveGroup',
    summary: 'Leave a group',
    tags: ['Groups'],
    request: { params },
    responses: { 200: json(MessageResponse, 'The caller has left') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'You have left the group.' }),
      (ctx) => members.leaveGroup(ctx, c.req.valid('param').id),
    ),
)

export const transferGroupOwner = operation(
  'groups.write',
  {
    method: 'post',
    path: '/group/{id}/transfer-owner',
    operationId: 'transferGroupOwner',
    summary: 'Transfer a group to another member',
    tags: ['Groups'],
    request: { params, ...jsonRequest(TransferGroupRequest) },
    responses: { 200: json(GroupResponse, 'The group as it is now') },
  },
  (c) =>
    answer(c, 200, presentGroup, (ctx) =>
      members.transferGroupOwner(ctx, c.req.valid('param').id, c.req.valid('json').userId),
    ),
)

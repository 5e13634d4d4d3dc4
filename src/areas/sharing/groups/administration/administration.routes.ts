import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { memberParams, MemberResponse, presentMember } from '../members/members.contract.ts'
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

const params = pathId('grp', 'group')

export const listAllGroups = operation(
  'allGroups.read',
  {
    method: 'get',
    path: '/admin/groups',
    operationId: 'listAllGroups',
    summary: 'List all groups',
    tags: ['Groups'],
    request: { query: ListGroupsQuery },
    responses: { 200: json(ListGroupsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentAllGroups, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => administration.listAllGroups(ctx, page)),
    ),
)

export const getAnyGroup = operation(
  'allGroups.read',
  {
    method: 'get',
    path: '/admin/groups/{id}',
    operationId: 'getAnyGroup',
    summary: 'Get a group with its members',
    tags: ['Groups'],
    request: { params },
    responses: { 200: json(AdminGroupResponse, 'The group') },
  },
  (c) =>
    answer(c, 200, presentAnyGroup, (ctx) =>
      administration.getAnyGroup(ctx, c.req.valid('param').id),
    ),
)

export const updateAnyGroup = operation(
  'allGroups.write',
  {
    method: 'patch',
    path: '/admin/groups/{id}',
    operationId: 'updateAnyGroup',
    summary: 'Rename or suspend a group',
    tags: ['Groups'],
    versioned: true,
    request: { params, ...jsonRequest(PatchGroupRequest) },
    responses: { 200: json(AdminGroupResponse, 'The group as it is now') },
  },
  (c) =>
    answer(c, 200, presentAnyGroup, (ctx) =>
      administration.updateAnyGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteAnyGroup = operation(
  'allGroups.write',
  {
    method: 'delete',
    path: '/admin/groups/{id}',
    operationId: 'deleteAnyGroup',
    summary: 'Delete any group',
    tags: ['Groups'],
    versioned: true,
    request: { params },
    responses: { 200: json(MessageResponse, 'The group was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The group was deleted.' }),
      (ctx) => administration.deleteAnyGroup(ctx, c.req.valid('param').id),
    ),
)

export const addGroupMember = operation(
  'allGroups.write',
  {
    method: 'post',
    path: '/admin/groups/{id}/members',
    operationId: 'addGroupMember',
    summary: 'Add a user to a group',
    tags: ['Groups'],
    request: { params, ...jsonRequest(AddGroupMemberRequest) },
    responses: { 201: json(MemberResponse, 'The new member') },
  },
  (c) =>
    answer(c, 201, presentMember, (ctx) =>
      administration.addGroupMember(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const removeAnyGroupMember = operation(
  'allGroups.write',
  {
    method: 'delete',
    path: '/admin/groups/{id}/members/{userId}',
    operationId: 'removeAnyGroupMember',
    summary: 'Remove a member from any group',
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
      (ctx) => administration.removeAnyGroupMember(ctx, id, userId),
    )
  },
)

import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
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

const params = pathId('grp', 'group')

export const listOwnGroups = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group',
    operationId: 'listOwnGroups',
    summary: 'List own groups',
    tags: ['Groups'],
    request: { query: ListOwnGroupsQuery },
    responses: { 200: json(OwnGroupsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentGroups, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => groups.listOwnGroups(ctx, page)),
    ),
)

export const createGroup = operation(
  'groups.write',
  {
    method: 'post',
    path: '/group',
    operationId: 'createGroup',
    summary: 'Create a group',
    tags: ['Groups'],
    request: jsonRequest(CreateGroupRequest),
    responses: { 201: json(GroupResponse, 'The new group') },
  },
  (c) => answer(c, 201, presentGroup, (ctx) => groups.createGroup(ctx, c.req.valid('json'))),
)

export const getGroup = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group/{id}',
    operationId: 'getGroup',
    summary: 'Get a group',
    tags: ['Groups'],
    request: { params },
    responses: { 200: json(GroupResponse, 'The group') },
  },
  (c) => answer(c, 200, presentGroup, (ctx) => groups.getGroup(ctx, c.req.valid('param').id)),
)

export const updateGroup = operation(
  'groups.write',
  {
    method: 'put',
    path: '/group/{id}',
    operationId: 'updateGroup',
    summary: 'Update a group',
    tags: ['Groups'],
    versioned: true,
    request: { params, ...jsonRequest(UpdateGroupRequest) },
    responses: { 200: json(GroupResponse, 'The group as it is now') },
  },
  (c) =>
    answer(c, 200, presentGroup, (ctx) =>
      groups.updateGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteGroup = operation(
  'groups.write',
  {
    method: 'delete',
    path: '/group/{id}',
    operationId: 'deleteGroup',
    summary: 'Delete a group',
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
      (ctx) => groups.deleteGroup(ctx, c.req.valid('param').id),
    ),
)

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

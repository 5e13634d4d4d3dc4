import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentGroup } from '../groups.presenters.ts'
import { GroupResponse } from '../groups.schemas.ts'
import { presentMember, presentMembers } from './members.presenters.ts'
import {
  ListMembersQuery,
  ListMembersResponse,
  memberParams,
  MemberResponse,
  TransferGroupRequest,
  UpdateMemberRequest,
} from './members.schemas.ts'
import {
  changeRole,
  findMembers,
  leaveGroup,
  removeMember,
  transferGroup,
} from './members.usecases.ts'

export const groupMemberRoutes = newArea()

const params = pathId('grp', 'group')

export const listMembers = defineRoute('groups.read', {
  method: 'get',
  path: '/group/{id}/member',
  operationId: 'listGroupMembers',
  summary: 'Who is in a group, and as what',
  tags: ['Groups'],
  request: { params, query: ListMembersQuery },
  responses: { 200: json(ListMembersResponse, 'One page of them') },
  errors: [404],
})
groupMemberRoutes.openapi(listMembers, (c) =>
  answer(c, 200, presentMembers, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findMembers(ctx, c.req.valid('param').id, page)),
  ),
)

export const updateMember = defineRoute('groups.write', {
  method: 'patch',
  path: '/group/{id}/member/{userId}',
  operationId: 'updateGroupMember',
  summary: 'Give a member another role; administrators are the owner’s to make and unmake',
  tags: ['Groups'],
  versioned: true,
  request: { params: memberParams, ...jsonRequest(UpdateMemberRequest) },
  responses: { 200: json(MemberResponse, 'The member as it is now') },
  errors: [404],
})
groupMemberRoutes.openapi(updateMember, (c) => {
  const { id, userId } = c.req.valid('param')
  return answer(c, 200, presentMember, (ctx) =>
    changeRole(ctx, id, userId, c.req.valid('json').role),
  )
})

export const deleteMember = defineRoute('groups.write', {
  method: 'delete',
  path: '/group/{id}/member/{userId}',
  operationId: 'removeGroupMember',
  summary: 'Remove a member; its accounts are not shared with the group any more',
  tags: ['Groups'],
  versioned: true,
  request: { params: memberParams },
  responses: { 200: json(MessageResponse, 'The member is out') },
  errors: [404],
})
groupMemberRoutes.openapi(deleteMember, (c) => {
  const { id, userId } = c.req.valid('param')
  return answer(
    c,
    200,
    () => ({ message: 'The member was removed.' }),
    (ctx) => removeMember(ctx, id, userId),
  )
})

export const postLeave = defineRoute('groups.write', {
  method: 'post',
  path: '/group/{id}/leave',
  operationId: 'leaveGroup',
  summary: 'Leave a group; own accounts are not shared with it any more',
  tags: ['Groups'],
  request: { params },
  responses: { 200: json(MessageResponse, 'The caller is out') },
  errors: [404],
})
groupMemberRoutes.openapi(postLeave, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'You have left the group.' }),
    (ctx) => leaveGroup(ctx, c.req.valid('param').id),
  ),
)

export const postTransfer = defineRoute('groups.write', {
  method: 'post',
  path: '/group/{id}/transfer-owner',
  operationId: 'transferGroupOwner',
  summary: 'Hand a group over to another member; the caller stays as an administrator',
  tags: ['Groups'],
  request: { params, ...jsonRequest(TransferGroupRequest) },
  responses: { 200: json(GroupResponse, 'The group as it is now') },
  errors: [404],
})
groupMemberRoutes.openapi(postTransfer, (c) =>
  answer(c, 200, presentGroup, (ctx) =>
    transferGroup(ctx, c.req.valid('param').id, c.req.valid('json').userId),
  ),
)

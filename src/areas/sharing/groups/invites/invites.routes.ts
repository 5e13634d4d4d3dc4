import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AnswerGroupInviteRequest,
  CreateGroupInviteRequest,
  inviteParams,
  JoinedGroupResponse,
  ListGroupInvitesQuery,
  GroupInvitesResponse,
  ListReceivedInvitesResponse,
  NewGroupInviteResponse,
  presentGroupInvites,
  presentJoined,
  presentNewInvite,
  presentReceived,
} from './invites.contract.ts'
import * as invites from './invites.usecases.ts'

const params = pathId('grp', 'group')

export const listReceivedGroupInvites = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group/invite/received',
    operationId: 'listReceivedGroupInvites',
    summary: 'List received invitations',
    tags: ['Groups'],
    request: { query: ListGroupInvitesQuery },
    responses: { 200: json(ListReceivedInvitesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentReceived, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => invites.listReceivedGroupInvites(ctx, page)),
    ),
)

export const acceptGroupInvite = operation(
  'groups.write',
  {
    method: 'post',
    path: '/group/invite/accept',
    operationId: 'acceptGroupInvite',
    summary: 'Accept an invitation into a group',
    tags: ['Groups'],
    request: jsonRequest(AnswerGroupInviteRequest),
    responses: { 200: json(JoinedGroupResponse, 'The caller is a member') },
  },
  (c) =>
    answer(c, 200, presentJoined, (ctx) => invites.acceptGroupInvite(ctx, c.req.valid('json'))),
)

export const declineGroupInvite = operation(
  'groups.write',
  {
    method: 'post',
    path: '/group/invite/decline',
    operationId: 'declineGroupInvite',
    summary: 'Decline an invitation into a group',
    tags: ['Groups'],
    request: jsonRequest(AnswerGroupInviteRequest),
    responses: { 200: json(MessageResponse, 'The invitation was declined') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The invitation was declined.' }),
      (ctx) => invites.declineGroupInvite(ctx, c.req.valid('json')),
    ),
)

export const listGroupInvites = operation(
  'groups.read',
  {
    method: 'get',
    path: '/group/{id}/invite',
    operationId: 'listGroupInvites',
    summary: 'List open invitations into a group',
    tags: ['Groups'],
    request: { params, query: ListGroupInvitesQuery },
    errors: [409],
    responses: { 200: json(GroupInvitesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentGroupInvites, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) =>
        invites.listGroupInvites(ctx, c.req.valid('param').id, page),
      ),
    ),
)

export const createGroupInvite = operation(
  'groups.write',
  {
    method: 'post',
    path: '/group/{id}/invite',
    operationId: 'createGroupInvite',
    summary: 'Invite somebody into a group',
    tags: ['Groups'],
    request: { params, ...jsonRequest(CreateGroupInviteRequest) },
    responses: { 201: json(NewGroupInviteResponse, 'The new invitation') },
  },
  (c) =>
    answer(c, 201, presentNewInvite, (ctx) =>
      invites.createGroupInvite(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const withdrawGroupInvite = operation(
  'groups.write',
  {
    method: 'delete',
    path: '/group/{id}/invite/{inviteId}',
    operationId: 'withdrawGroupInvite',
    summary: 'Withdraw an invitation into a group',
    tags: ['Groups'],
    versioned: true,
    request: { params: inviteParams },
    responses: { 200: json(MessageResponse, 'The invitation was withdrawn') },
  },
  (c) => {
    const { id, inviteId } = c.req.valid('param')
    return answer(
      c,
      200,
      () => ({ message: 'The invitation was withdrawn.' }),
      (ctx) => invites.withdrawGroupInvite(ctx, id, inviteId),
    )
  },
)

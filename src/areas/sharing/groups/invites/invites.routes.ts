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

export const listReceivedGroupInvites = operation({
  access: 'groups.read',
  on: 'GET /group/invite/received',
  summary: 'List received invitations',
  request: { query: ListGroupInvitesQuery },
  responses: { 200: json(ListReceivedInvitesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => invites.listReceivedGroupInvites(ctx, page)),
  present: presentReceived,
})

export const acceptGroupInvite = operation({
  access: 'groups.write',
  on: 'POST /group/invite/accept',
  summary: 'Accept an invitation into a group',
  request: jsonRequest(AnswerGroupInviteRequest),
  responses: { 200: json(JoinedGroupResponse, 'The caller is a member') },
  run: (ctx, { body }) => invites.acceptGroupInvite(ctx, body),
  present: presentJoined,
})

export const declineGroupInvite = operation({
  access: 'groups.write',
  on: 'POST /group/invite/decline',
  summary: 'Decline an invitation into a group',
  request: jsonRequest(AnswerGroupInviteRequest),
  responses: { 200: json(MessageResponse, 'The invitation was declined') },
  run: (ctx, { body }) => invites.declineGroupInvite(ctx, body),
  present: () => ({ message: 'The invitation was declined.' }),
})

export const listGroupInvites = operation({
  access: 'groups.read',
  on: 'GET /group/{id}/invite',
  summary: 'List open invitations into a group',
  request: { params, query: ListGroupInvitesQuery },
  errors: [409],
  responses: { 200: json(GroupInvitesResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => invites.listGroupInvites(ctx, params.id, page)),
  present: presentGroupInvites,
})

export const createGroupInvite = operation({
  access: 'groups.write',
  on: 'POST /group/{id}/invite',
  summary: 'Invite somebody into a group',
  request: { params, ...jsonRequest(CreateGroupInviteRequest) },
  responses: { 201: json(NewGroupInviteResponse, 'The new invitation') },
  run: (ctx, { params, body }) => invites.createGroupInvite(ctx, params.id, body),
  present: presentNewInvite,
})

export const withdrawGroupInvite = operation({
  access: 'groups.write',
  on: 'DELETE /group/{id}/invite/{inviteId}',
  summary: 'Withdraw an invitation into a group',
  versioned: true,
  request: { params: inviteParams },
  responses: { 200: json(MessageResponse, 'The invitation was withdrawn') },
  run: (ctx, { params }) => invites.withdrawGroupInvite(ctx, params.id, params.inviteId),
  present: () => ({ message: 'The invitation was withdrawn.' }),
})

import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import {
  presentInvites,
  presentJoined,
  presentNewInvite,
  presentReceived,
} from './invites.presenters.ts'
import {
  AnswerGroupInviteRequest,
  CreateGroupInviteRequest,
  inviteParams,
  JoinedGroupResponse,
  ListGroupInvitesQuery,
  ListGroupInvitesResponse,
  ListReceivedInvitesResponse,
  NewGroupInviteResponse,
} from './invites.schemas.ts'
import { accept, decline, findInvites, findReceived, invite, withdraw } from './invites.usecases.ts'

export const groupInviteRoutes = newArea()

const params = pathId('grp', 'group')

export const listReceivedInvites = defineRoute('groups.read', {
  method: 'get',
  path: '/group/invite/received',
  operationId: 'listReceivedGroupInvites',
  summary: 'Open invitations to the own address, once that is confirmed, newest first',
  tags: ['Groups'],
  request: { query: ListGroupInvitesQuery },
  responses: { 200: json(ListReceivedInvitesResponse, 'One page of them') },
})
groupInviteRoutes.openapi(listReceivedInvites, (c) =>
  answer(c, 200, presentReceived, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findReceived(ctx, page)),
  ),
)

export const acceptInvite = defineRoute('groups.write', {
  method: 'post',
  path: '/group/invite/accept',
  operationId: 'acceptGroupInvite',
  summary: 'Join a group by the code of an invitation, or by one to the own address',
  tags: ['Groups'],
  request: jsonRequest(AnswerGroupInviteRequest),
  responses: { 200: json(JoinedGroupResponse, 'The caller is in') },
})
groupInviteRoutes.openapi(acceptInvite, (c) =>
  answer(c, 200, presentJoined, (ctx) => accept(ctx, c.req.valid('json'))),
)

export const declineInvite = defineRoute('groups.write', {
  method: 'post',
  path: '/group/invite/decline',
  operationId: 'declineGroupInvite',
  summary: 'Turn an invitation down; its code works no more',
  tags: ['Groups'],
  request: jsonRequest(AnswerGroupInviteRequest),
  responses: { 200: json(MessageResponse, 'It is turned down') },
})
groupInviteRoutes.openapi(declineInvite, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The invitation was declined.' }),
    (ctx) => decline(ctx, c.req.valid('json')),
  ),
)

export const listInvites = defineRoute('groups.read', {
  method: 'get',
  path: '/group/{id}/invite',
  operationId: 'listGroupInvites',
  summary: 'Open invitations into a group, newest first; for its owner and its administrators',
  tags: ['Groups'],
  request: { params, query: ListGroupInvitesQuery },
  responses: { 200: json(ListGroupInvitesResponse, 'One page of them') },
  errors: [404],
})
groupInviteRoutes.openapi(listInvites, (c) =>
  answer(c, 200, presentInvites, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findInvites(ctx, c.req.valid('param').id, page)),
  ),
)

export const createInvite = defineRoute('groups.write', {
  method: 'post',
  path: '/group/{id}/invite',
  operationId: 'createGroupInvite',
  summary: 'Invite into a group by mail, or by a code that the answer alone shows',
  tags: ['Groups'],
  request: { params, ...jsonRequest(CreateGroupInviteRequest) },
  responses: { 201: json(NewGroupInviteResponse, 'The new invitation') },
  errors: [404],
})
groupInviteRoutes.openapi(createInvite, (c) =>
  answer(c, 201, presentNewInvite, (ctx) =>
    invite(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteInvite = defineRoute('groups.write', {
  method: 'delete',
  path: '/group/{id}/invite/{inviteId}',
  operationId: 'withdrawGroupInvite',
  summary: 'Withdraw an open invitation; its code works no more',
  tags: ['Groups'],
  versioned: true,
  request: { params: inviteParams },
  responses: { 200: json(MessageResponse, 'It is withdrawn') },
  errors: [404],
})
groupInviteRoutes.openapi(deleteInvite, (c) => {
  const { id, inviteId } = c.req.valid('param')
  return answer(
    c,
    200,
    () => ({ message: 'The invitation was withdrawn.' }),
    (ctx) => withdraw(ctx, id, inviteId),
  )
})

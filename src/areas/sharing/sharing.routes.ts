import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentShare, presentShares } from './sharing.presenters.ts'
import {
  AcceptShareRequest,
  CreateShareRequest,
  ListSharesQuery,
  ListSharesResponse,
  ShareResponse,
  UpdateShareRequest,
} from './sharing.schemas.ts'
import {
  acceptShare,
  changeShare,
  endShare,
  findShares,
  shareWithPerson,
} from './sharing.usecases.ts'

export const sharingRoutes = newArea()

const shareId = pathId('shr', 'share')

export const listShares = defineRoute('shares.read', {
  method: 'get',
  path: '/share',
  operationId: 'listShares',
  summary: 'The shares of own accounts, newest first',
  tags: ['Sharing'],
  request: { query: ListSharesQuery },
  responses: { 200: json(ListSharesResponse, 'One page of them') },
})
sharingRoutes.openapi(listShares, (c) =>
  answer(c, 200, presentShares, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findShares(ctx, 'given', page)),
  ),
)

export const listReceivedShares = defineRoute('shares.read', {
  method: 'get',
  path: '/share/received',
  operationId: 'listReceivedShares',
  summary: 'What others share with the caller, also what waits to be accepted; newest first',
  tags: ['Sharing'],
  request: { query: ListSharesQuery },
  responses: { 200: json(ListSharesResponse, 'One page of them') },
})
sharingRoutes.openapi(listReceivedShares, (c) =>
  answer(c, 200, presentShares, (ctx) =>
    paged(ctx, c.req.valid('query'), (page) => findShares(ctx, 'received', page)),
  ),
)

export const createShare = defineRoute('shares.write', {
  method: 'post',
  path: '/share',
  operationId: 'createShare',
  summary: 'Share an own account with a person, who has to accept it',
  description:
    'Named by `email`, it is for whoever has confirmed to have that address, now or later: the answer is the same whether or not somebody has it.',
  tags: ['Sharing'],
  request: jsonRequest(CreateShareRequest),
  responses: { 201: json(ShareResponse, 'The share') },
})
sharingRoutes.openapi(createShare, (c) =>
  answer(c, 201, presentShare, (ctx) => shareWithPerson(ctx, c.req.valid('json'))),
)

export const patchShare = defineRoute('shares.write', {
  method: 'patch',
  path: '/share/{id}',
  operationId: 'updateShare',
  summary: 'Change what a share of an own account permits, and until when: what is sent',
  tags: ['Sharing'],
  versioned: true,
  request: { params: shareId, ...jsonRequest(UpdateShareRequest) },
  responses: { 200: json(ShareResponse, 'The share as it is now') },
  errors: [404],
})
sharingRoutes.openapi(patchShare, (c) =>
  answer(c, 200, presentShare, (ctx) =>
    changeShare(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteShare = defineRoute('shares.write', {
  method: 'delete',
  path: '/share/{id}',
  operationId: 'deleteShare',
  summary: 'End a share: as owner of the account, or as who it was shared with',
  tags: ['Sharing'],
  versioned: true,
  request: { params: shareId },
  responses: { 200: json(MessageResponse, 'It has ended') },
  errors: [404],
})
sharingRoutes.openapi(deleteShare, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The share has ended.' }),
    (ctx) => endShare(ctx, c.req.valid('param').id),
  ),
)

export const postAcceptShare = defineRoute('shares.write', {
  method: 'post',
  path: '/share/{id}/accept',
  operationId: 'acceptShare',
  summary:
    'Accept a share, and choose whether the account counts in own totals; also later, and of a group',
  tags: ['Sharing'],
  request: { params: shareId, ...jsonRequest(AcceptShareRequest) },
  responses: { 200: json(ShareResponse, 'The accepted share') },
  errors: [404],
})
sharingRoutes.openapi(postAcceptShare, (c) =>
  answer(c, 200, presentShare, (ctx) =>
    acceptShare(ctx, c.req.valid('param').id, c.req.valid('json').includeInTotals),
  ),
)

import { answer } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentShares } from '../sharing.presenters.ts'
import { ListSharesResponse } from '../sharing.schemas.ts'
import {
  ListAllSharesQuery,
  ShareResourceRequest,
  UnshareResourceRequest,
} from './admin.schemas.ts'
import { findAllShares, shareAsAdmin, unshareAsAdmin } from './admin.usecases.ts'

export const adminSharingRoutes = newArea()

export const listAllShares = defineRoute('allShares.read', {
  method: 'get',
  path: '/admin/shares',
  operationId: 'listAllShares',
  summary: 'What everybody shares, newest first',
  tags: ['Sharing'],
  request: { query: ListAllSharesQuery },
  responses: { 200: json(ListSharesResponse, 'One page of it') },
})
adminSharingRoutes.openapi(listAllShares, (c) =>
  answer(c, 200, presentShares, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findAllShares(ctx, query, page))
  }),
)

export const postAdminShare = defineRoute('allShares.write', {
  method: 'post',
  path: '/admin/share',
  operationId: 'shareResource',
  summary: 'Share an account of anybody with a user, who need not accept it',
  description:
    'Neither the owner nor the receiver may be permitted more than the caller, who shares only what they are permitted themselves. The owner gets a mail.',
  tags: ['Sharing'],
  request: jsonRequest(ShareResourceRequest),
  responses: { 200: json(MessageResponse, 'It is shared') },
})
adminSharingRoutes.openapi(postAdminShare, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The account is shared.' }),
    (ctx) => shareAsAdmin(ctx, c.req.valid('json')),
  ),
)

export const deleteAdminShare = defineRoute('allShares.write', {
  method: 'delete',
  path: '/admin/share',
  operationId: 'unshareResource',
  summary: 'End the share of an account with a user',
  tags: ['Sharing'],
  versioned: true,
  request: jsonRequest(UnshareResourceRequest),
  responses: { 200: json(MessageResponse, 'It has ended') },
  errors: [404],
})
adminSharingRoutes.openapi(deleteAdminShare, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The share has ended.' }),
    (ctx) => unshareAsAdmin(ctx, c.req.valid('json')),
  ),
)

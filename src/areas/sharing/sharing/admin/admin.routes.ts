import { answer } from '../../../../http/answer.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { SharesResponse, presentShares } from '../sharing.contract.ts'
import {
  ListAllSharesQuery,
  ShareResourceRequest,
  UnshareResourceRequest,
} from './admin.contract.ts'
import * as admin from './admin.usecases.ts'

export const listAllShares = operation(
  'allShares.read',
  {
    method: 'get',
    path: '/admin/shares',
    operationId: 'listAllShares',
    summary: 'List all shares',
    tags: ['Sharing'],
    request: { query: ListAllSharesQuery },
    responses: { 200: json(SharesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentShares, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => admin.listAllShares(ctx, query, page))
    }),
)

export const shareResource = operation(
  'allShares.write',
  {
    method: 'post',
    path: '/admin/share',
    operationId: 'shareResource',
    summary: 'Share a resource with a user',
    tags: ['Sharing'],
    request: jsonRequest(ShareResourceRequest),
    responses: { 200: json(MessageResponse, 'The resource is shared') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The resource is shared.' }),
      (ctx) => admin.shareResource(ctx, c.req.valid('json')),
    ),
)

export const unshareResource = operation(
  'allShares.write',
  {
    method: 'delete',
    path: '/admin/share',
    operationId: 'unshareResource',
    summary: 'Stop sharing a resource with a user',
    tags: ['Sharing'],
    versioned: true,
    request: jsonRequest(UnshareResourceRequest),
    responses: { 200: json(MessageResponse, 'The share has ended') },
    errors: [404],
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The share has ended.' }),
      (ctx) => admin.unshareResource(ctx, c.req.valid('json')),
    ),
)

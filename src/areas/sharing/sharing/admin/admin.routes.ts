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

export const listAllShares = operation({
  access: 'allShares.read',
  on: 'GET /admin/shares',
  summary: 'List all shares',
  request: { query: ListAllSharesQuery },
  responses: { 200: json(SharesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => admin.listAllShares(ctx, query, page)),
  present: presentShares,
})

export const shareResource = operation({
  access: 'allShares.write',
  on: 'POST /admin/share',
  summary: 'Share a resource with a user',
  request: jsonRequest(ShareResourceRequest),
  responses: { 200: json(MessageResponse, 'The resource is shared') },
  run: (ctx, { body }) => admin.shareResource(ctx, body),
  present: () => ({ message: 'The resource is shared.' }),
})

export const unshareResource = operation({
  access: 'allShares.write',
  on: 'DELETE /admin/share',
  summary: 'Stop sharing a resource with a user',
  versioned: true,
  request: jsonRequest(UnshareResourceRequest),
  responses: { 200: json(MessageResponse, 'The share has ended') },
  errors: [404],
  run: (ctx, { body }) => admin.unshareResource(ctx, body),
  present: () => ({ message: 'The share has ended.' }),
})

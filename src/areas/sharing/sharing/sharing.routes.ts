import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  AcceptShareRequest,
  CreateShareRequest,
  ReceivedSharesResponse,
  ListSharesQuery,
  SharesResponse,
  presentReceivedShares,
  presentShare,
  presentShares,
  ShareResponse,
  UpdateShareRequest,
} from './sharing.contract.ts'
import * as sharing from './sharing.usecases.ts'

const shareId = pathId('shr', 'share')

export const listShares = operation({
  access: 'shares.read',
  on: 'GET /share',
  summary: 'List shares of the caller’s data',
  request: { query: ListSharesQuery },
  responses: { 200: json(SharesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => sharing.findShares(ctx, 'given', page)),
  present: presentShares,
})

export const listReceivedShares = operation({
  access: 'shares.read',
  on: 'GET /share/received',
  summary: 'List received shares',
  request: { query: ListSharesQuery },
  responses: { 200: json(ReceivedSharesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => sharing.findShares(ctx, 'received', page)),
  present: presentReceivedShares,
})

export const createShare = operation({
  access: 'shares.write',
  on: 'POST /share',
  summary: 'Share a resource',
  request: jsonRequest(CreateShareRequest),
  responses: { 201: json(ShareResponse, 'The share') },
  run: (ctx, { body }) => sharing.createShare(ctx, body),
  present: presentShare,
})

export const updateShare = operation({
  access: 'shares.write',
  on: 'PATCH /share/{id}',
  summary: 'Update a share',
  versioned: true,
  request: { params: shareId, ...jsonRequest(UpdateShareRequest) },
  responses: { 200: json(ShareResponse, 'The share as it is now') },
  run: (ctx, { params, body }) => sharing.updateShare(ctx, params.id, body),
  present: presentShare,
})

export const deleteShare = operation({
  access: 'shares.write',
  on: 'DELETE /share/{id}',
  summary: 'End a share',
  versioned: true,
  request: { params: shareId },
  responses: { 200: json(MessageResponse, 'The share has ended') },
  run: (ctx, { params }) => sharing.deleteShare(ctx, params.id),
  present: () => ({ message: 'The share has ended.' }),
})

export const acceptShare = operation({
  access: 'shares.write',
  on: 'POST /share/{id}/accept',
  summary: 'Accept a share',
  request: { params: shareId, ...jsonRequest(AcceptShareRequest) },
  responses: { 200: json(ShareResponse, 'The accepted share') },
  run: (ctx, { params, body }) => sharing.acceptShare(ctx, params.id, body.includeInTotals),
  present: presentShare,
})

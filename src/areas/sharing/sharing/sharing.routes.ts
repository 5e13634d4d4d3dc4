import { answer } from '../../../http/answer.ts'
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

export const listShares = operation(
  'shares.read',
  {
    method: 'get',
    path: '/share',
    operationId: 'listShares',
    summary: 'List shares of the caller’s data',
    tags: ['Sharing'],
    request: { query: ListSharesQuery },
    responses: { 200: json(SharesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentShares, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => sharing.findShares(ctx, 'given', page)),
    ),
)

export const listReceivedShares = operation(
  'shares.read',
  {
    method: 'get',
    path: '/share/received',
    operationId: 'listReceivedShares',
    summary: 'List received shares',
    tags: ['Sharing'],
    request: { query: ListSharesQuery },
    responses: { 200: json(ReceivedSharesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentReceivedShares, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => sharing.findShares(ctx, 'received', page)),
    ),
)

export const createShare = operation(
  'shares.write',
  {
    method: 'post',
    path: '/share',
    operationId: 'createShare',
    summary: 'Share a resource',
    tags: ['Sharing'],
    request: jsonRequest(CreateShareRequest),
    responses: { 201: json(ShareResponse, 'The share') },
  },
  (c) => answer(c, 201, presentShare, (ctx) => sharing.createShare(ctx, c.req.valid('json'))),
)

export const updateShare = operation(
  'shares.write',
  {
    method: 'patch',
    path: '/share/{id}',
    operationId: 'updateShare',
    summary: 'Update a share',
    tags: ['Sharing'],
    versioned: true,
    request: { params: shareId, ...jsonRequest(UpdateShareRequest) },
    responses: { 200: json(ShareResponse, 'The share as it is now') },
  },
  (c) =>
    answer(c, 200, presentShare, (ctx) =>
      sharing.updateShare(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteShare = operation(
  'shares.write',
  {
    method: 'delete',
    path: '/share/{id}',
    operationId: 'deleteShare',
    summary: 'End a share',
    tags: ['Sharing'],
    versioned: true,
    request: { params: shareId },
    responses: { 200: json(MessageResponse, 'The share has ended') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The share has ended.' }),
      (ctx) => sharing.deleteShare(ctx, c.req.valid('param').id),
    ),
)

export const acceptShare = operation(
  'shares.write',
  {
    method: 'post',
    path: '/share/{id}/accept',
    operationId: 'acceptShare',
    summary: 'Accept a share',
    tags: ['Sharing'],
    request: { params: shareId, ...jsonRequest(AcceptShareRequest) },
    responses: { 200: json(ShareResponse, 'The accepted share') },
  },
  (c) =>
    answer(c, 200, presentShare, (ctx) =>
      sharing.acceptShare(ctx, c.req.valid('param').id, c.req.valid('json').includeInTotals),
    ),
)

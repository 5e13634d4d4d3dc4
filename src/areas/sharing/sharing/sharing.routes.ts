import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { AccountResponseDTO, presentAccount } from '../../money/accounts/accounts.public.ts'
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
  AccountSharesResponse,
  presentPeople,
  ShareToGroupDTO,
  ListAllSharesQuery,
  ShareResourceRequest,
  UnshareResourceRequest,
} from './sharing.contract.ts'
import * as sharing from './sharing.usecases.ts'
import * as accounts from './accounts.usecases.ts'
import * as admin from './admin.usecases.ts'

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

const accountId = pathId('acc', 'account')

export const listAccountShares = operation({
  access: 'shares.read',
  on: 'GET /account/{id}/share',
  summary: 'List who can see an account',
  tag: 'Accounts',
  request: { params: accountId },
  responses: { 200: json(AccountSharesResponse, 'The people') },
  run: (ctx, { params }) => accounts.listAccountShares(ctx, params.id),
  present: presentPeople,
})

export const shareAccountToGroup = operation({
  access: 'shares.write',
  on: 'PUT /account/{id}/share-group',
  summary: 'Share an account with a group',
  tag: 'Accounts',
  versioned: true,
  request: { params: accountId, ...jsonRequest(ShareToGroupDTO) },
  responses: { 200: json(AccountResponseDTO, 'The account') },
  run: (ctx, { params, body }) => accounts.shareAccountToGroup(ctx, params.id, body),
  present: presentAccount,
})

export const unshareAccountFromGroup = operation({
  access: 'shares.write',
  on: 'DELETE /account/{id}/share-group',
  summary: 'Stop sharing an account with its group',
  tag: 'Accounts',
  versioned: true,
  request: { params: accountId },
  responses: { 200: json(MessageResponse, 'The account is no longer shared with a group') },
  run: (ctx, { params }) => accounts.unshareAccountFromGroup(ctx, params.id),
  present: () => ({ message: 'The account is not shared with a group any more.' }),
})

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

import { answer, answerAnyone } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreateInviteCodeRequest,
  CreateInviteCodesRequest,
  InviteCodeResponse,
  InviteCodeValidityResponse,
  IssuedInviteCodeResponse,
  IssuedInviteCodesResponse,
  AllInviteCodesResponse,
  ListInviteCodesQuery,
  InviteCodesResponse,
  ListRedemptionsQuery,
  ListRedemptionsResponse,
  presentAllInvites,
  presentInvite,
  presentInvites,
  presentIssued,
  presentIssuedInvites,
  presentRedemptions,
  UpdateInviteCodeRequest,
  ValidateInviteCodeRequest,
} from './invites.contract.ts'
import * as invites from './invites.usecases.ts'

const params = pathId('inv', 'invite code')
const presentRevoked = () => ({ message: 'The invite code is revoked.' })

export const validateInviteCode = operation(
  'public',
  {
    method: 'post',
    path: '/invite-code/validate',
    operationId: 'validateInviteCode',
    summary: 'Validate an invite code',
    tags: ['Invite codes'],
    request: jsonRequest(ValidateInviteCodeRequest),
    responses: { 200: json(InviteCodeValidityResponse, 'Whether the code can be used') },
    errors: [429],
  },
  (c) =>
    answerAnyone(
      c,
      200,
      (usable: boolean) => ({ usable }),
      (ctx) => invites.validateInviteCode(ctx, c.req.valid('json').code),
    ),
)

export const listInviteCodes = operation(
  'inviteCodes.read',
  {
    method: 'get',
    path: '/invite-code',
    operationId: 'listInviteCodes',
    summary: 'List own invite codes',
    tags: ['Invite codes'],
    request: { query: ListInviteCodesQuery },
    responses: { 200: json(InviteCodesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentInvites, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) =>
        invites.listInvites(ctx, page, {
          ...invites.ownedBy(ctx),
          state: c.req.valid('query').state,
        }),
      ),
    ),
)

export const createInviteCode = operation(
  'inviteCodes.write',
  {
    method: 'post',
    path: '/invite-code',
    operationId: 'createInviteCode',
    summary: 'Create an invite code',
    tags: ['Invite codes'],
    request: jsonRequest(CreateInviteCodeRequest),
    responses: { 201: json(IssuedInviteCodeResponse, 'The new code') },
  },
  (c) => answer(c, 201, presentIssued, (ctx) => invites.createInviteCode(ctx, c.req.valid('json'))),
)

export const getInviteCode = operation(
  'inviteCodes.read',
  {
    method: 'get',
    path: '/invite-code/{id}',
    operationId: 'getInviteCode',
    summary: 'Get an invite code',
    tags: ['Invite codes'],
    request: { params },
    responses: { 200: json(InviteCodeResponse, 'The invite code') },
  },
  (c) =>
    answer(c, 200, presentInvite, (ctx) =>
      invites.findInvite(ctx, c.req.valid('param').id, invites.ownedBy(ctx)),
    ),
)

export const updateInviteCode = operation(
  'inviteCodes.write',
  {
    method: 'patch',
    path: '/invite-code/{id}',
    operationId: 'updateInviteCode',
    summary: 'Update an invite code',
    tags: ['Invite codes'],
    versioned: true,
    request: { params, ...jsonRequest(UpdateInviteCodeRequest) },
    responses: { 200: json(InviteCodeResponse, 'The invite code as it is now') },
  },
  (c) =>
    answer(c, 200, presentInvite, (ctx) =>
      invites.updateInviteCode(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const revokeInviteCode = operation(
  'inviteCodes.write',
  {
    method: 'delete',
    path: '/invite-code/{id}',
    operationId: 'revokeInviteCode',
    summary: 'Revoke an invite code',
    tags: ['Invite codes'],
    versioned: true,
    request: { params },
    responses: { 200: json(MessageResponse, 'The invite code is revoked') },
  },
  (c) =>
    answer(c, 200, presentRevoked, (ctx) => invites.revokeInviteCode(ctx, c.req.valid('param').id)),
)

export const listInviteCodeRedemptions = operation(
  'inviteCodes.read',
  {
    method: 'get',
    path: '/invite-code/{id}/redemption',
    operationId: 'listInviteCodeRedemptions',
    summary: 'List who used an invite code',
    tags: ['Invite codes'],
    request: { params, query: ListRedemptionsQuery },
    responses: { 200: json(ListRedemptionsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentRedemptions, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) =>
        invites.listInviteCodeRedemptions(ctx, c.req.valid('param').id, page),
      ),
    ),
)

export const listAllInviteCodes = operation(
  'allInviteCodes.read',
  {
    method: 'get',
    path: '/admin/invite-codes',
    operationId: 'listAllInviteCodes',
    summary: 'List all invite codes',
    tags: ['Invite codes'],
    request: { query: ListInviteCodesQuery },
    responses: { 200: json(AllInviteCodesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentAllInvites, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) =>
        invites.listInvites(ctx, page, { state: c.req.valid('query').state }),
      ),
    ),
)

export const createInviteCodes = operation(
  'allInviteCodes.write',
  {
    method: 'post',
    path: '/admin/invite-codes',
    operationId: 'createInviteCodes',
    summary: 'Create invite codes',
    tags: ['Invite codes'],
    request: jsonRequest(CreateInviteCodesRequest),
    responses: { 201: json(IssuedInviteCodesResponse, 'The new codes, shown only once') },
  },
  (c) =>
    answer(c, 201, presentIssuedInvites, (ctx) =>
      invites.createInviteCodes(ctx, c.req.valid('json')),
    ),
)

export const revokeAnyInviteCode = operation(
  'allInviteCodes.write',
  {
    method: 'delete',
    path: '/admin/invite-codes/{id}',
    operationId: 'revokeAnyInviteCode',
    summary: 'Revoke any invite code',
    tags: ['Invite codes'],
    versioned: true,
    request: { params },
    responses: { 200: json(MessageResponse, 'The invite code is revoked') },
  },
  (c) =>
    answer(c, 200, presentRevoked, (ctx) =>
      invites.revokeAnyInviteCode(ctx, c.req.valid('param').id),
    ),
)

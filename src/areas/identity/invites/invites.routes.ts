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

export const validateInviteCode = operation({
  access: 'public',
  on: 'POST /invite-code/validate',
  summary: 'Validate an invite code',
  request: jsonRequest(ValidateInviteCodeRequest),
  responses: { 200: json(InviteCodeValidityResponse, 'Whether the code can be used') },
  errors: [429],
  run: (ctx, { body }) => invites.validateInviteCode(ctx, body.code),
  present: (usable: boolean) => ({ usable }),
})

export const listInviteCodes = operation({
  access: 'inviteCodes.read',
  on: 'GET /invite-code',
  summary: 'List own invite codes',
  request: { query: ListInviteCodesQuery },
  responses: { 200: json(InviteCodesResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) =>
      invites.listInvites(ctx, page, {
        ...invites.issuedByCaller(ctx),
        state: query.state,
      }),
    ),
  present: presentInvites,
})

export const createInviteCode = operation({
  access: 'inviteCodes.write',
  on: 'POST /invite-code',
  summary: 'Create an invite code',
  request: jsonRequest(CreateInviteCodeRequest),
  responses: { 201: json(IssuedInviteCodeResponse, 'The new code') },
  run: (ctx, { body }) => invites.createInviteCode(ctx, body),
  present: presentIssued,
})

export const getInviteCode = operation({
  access: 'inviteCodes.read',
  on: 'GET /invite-code/{id}',
  summary: 'Get an invite code',
  request: { params },
  responses: { 200: json(InviteCodeResponse, 'The invite code') },
  run: (ctx, { params }) => invites.findInvite(ctx, params.id, invites.issuedByCaller(ctx)),
  present: presentInvite,
})

export const updateInviteCode = operation({
  access: 'inviteCodes.write',
  on: 'PATCH /invite-code/{id}',
  summary: 'Update an invite code',
  versioned: true,
  request: { params, ...jsonRequest(UpdateInviteCodeRequest) },
  responses: { 200: json(InviteCodeResponse, 'The invite code as it is now') },
  run: (ctx, { params, body }) => invites.updateInviteCode(ctx, params.id, body),
  present: presentInvite,
})

export const revokeInviteCode = operation({
  access: 'inviteCodes.write',
  on: 'DELETE /invite-code/{id}',
  summary: 'Revoke an invite code',
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The invite code is revoked') },
  run: (ctx, { params }) => invites.revokeInviteCode(ctx, params.id),
  present: presentRevoked,
})

export const listInviteCodeRedemptions = operation({
  access: 'inviteCodes.read',
  on: 'GET /invite-code/{id}/redemption',
  summary: 'List who used an invite code',
  request: { params, query: ListRedemptionsQuery },
  responses: { 200: json(ListRedemptionsResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => invites.listInviteCodeRedemptions(ctx, params.id, page)),
  present: presentRedemptions,
})

export const listAllInviteCodes = operation({
  access: 'allInviteCodes.read',
  on: 'GET /admin/invite-codes',
  summary: 'List all invite codes',
  request: { query: ListInviteCodesQuery },
  responses: { 200: json(AllInviteCodesResponse, 'One page of the list') },
  run: (ctx, { query }) =>
    paged(ctx, query, (page) => invites.listInvites(ctx, page, { state: query.state })),
  present: presentAllInvites,
})

export const createInviteCodes = operation({
  access: 'allInviteCodes.write',
  on: 'POST /admin/invite-codes',
  summary: 'Create invite codes',
  request: jsonRequest(CreateInviteCodesRequest),
  responses: { 201: json(IssuedInviteCodesResponse, 'The new codes, shown only once') },
  run: (ctx, { body }) => invites.createInviteCodes(ctx, body),
  present: presentIssuedInvites,
})

export const revokeAnyInviteCode = operation({
  access: 'allInviteCodes.write',
  on: 'DELETE /admin/invite-codes/{id}',
  summary: 'Revoke any invite code',
  versioned: true,
  request: { params },
  responses: { 200: json(MessageResponse, 'The invite code is revoked') },
  run: (ctx, { params }) => invites.revokeAnyInviteCode(ctx, params.id),
  present: presentRevoked,
})

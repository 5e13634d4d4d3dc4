import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database/database.ts'
import {
  AccessTokenResponse,
  CreateAccessTokenRequest,
  CreatedAccessTokenResponse,
  ListAccessTokensQuery,
  AccessTokensResponse,
  ScopesResponse,
  presentCreated,
  presentScopes,
  presentToken,
  presentTokens,
  UpdateAccessTokenRequest,
} from './access-tokens.contract.ts'
import * as accessTokens from './access-tokens.usecases.ts'

export const listScopes = operation({
  access: 'tokens.read',
  on: 'GET /auth/scope',
  summary: 'List scopes of access tokens',
  responses: { 200: json(ScopesResponse, 'The scopes') },
  run: (ctx) => checkAccess(ctx),
  present: presentScopes,
})

export const listAccessTokens = operation({
  access: 'tokens.read',
  on: 'GET /auth/token',
  summary: 'List personal access tokens',
  request: { query: ListAccessTokensQuery },
  responses: { 200: json(AccessTokensResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => accessTokens.listAccessTokens(ctx, page)),
  present: presentTokens,
})

export const createAccessToken = operation({
  access: 'tokens.write',
  on: 'POST /auth/token',
  summary: 'Create a personal access token',
  request: jsonRequest(CreateAccessTokenRequest),
  responses: { 201: json(CreatedAccessTokenResponse, 'The new token with its text') },
  run: (ctx, { body }) => accessTokens.createAccessToken(ctx, body),
  present: presentCreated,
})

export const getAccessToken = operation({
  access: 'tokens.read',
  on: 'GET /auth/token/{id}',
  summary: 'Get a personal access token',
  request: { params: pathId('tok', 'token') },
  responses: { 200: json(AccessTokenResponse, 'The token') },
  run: (ctx, { params }) => accessTokens.getAccessToken(ctx, params.id),
  present: presentToken,
})

export const updateAccessToken = operation({
  access: 'tokens.write',
  on: 'PATCH /auth/token/{id}',
  summary: 'Update a personal access token',
  versioned: true,
  request: { params: pathId('tok', 'token'), ...jsonRequest(UpdateAccessTokenRequest) },
  responses: { 200: json(AccessTokenResponse, 'The token as it is now') },
  run: (ctx, { params, body }) => accessTokens.updateAccessToken(ctx, params.id, body),
  present: presentToken,
})

export const deleteAccessToken = operation({
  access: 'tokens.write',
  on: 'DELETE /auth/token/{id}',
  summary: 'Revoke a personal access token',
  versioned: true,
  request: { params: pathId('tok', 'token') },
  responses: { 200: json(MessageResponse, 'The token is revoked') },
  run: (ctx, { params }) => accessTokens.deleteAccessToken(ctx, params.id),
  present: () => ({ message: 'The personal access token was revoked.' }),
})

import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { checkAccess } from '../../../platform/database.ts'
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

export const listScopes = operation(
  'tokens.read',
  {
    method: 'get',
    path: '/auth/scope',
    operationId: 'listScopes',
    summary: 'List scopes of access tokens',
    tags: ['Personal access tokens'],
    responses: { 200: json(ScopesResponse, 'The scopes') },
  },
  (c) => answer(c, 200, presentScopes, checkAccess),
)

export const listAccessTokens = operation(
  'tokens.read',
  {
    method: 'get',
    path: '/auth/token',
    operationId: 'listAccessTokens',
    summary: 'List personal access tokens',
    tags: ['Personal access tokens'],
    request: { query: ListAccessTokensQuery },
    responses: { 200: json(AccessTokensResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentTokens, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) => accessTokens.listAccessTokens(ctx, page)),
    ),
)

export const createAccessToken = operation(
  'tokens.write',
  {
    method: 'post',
    path: '/auth/token',
    operationId: 'createAccessToken',
    summary: 'Create a personal access token',
    tags: ['Personal access tokens'],
    request: jsonRequest(CreateAccessTokenRequest),
    responses: { 201: json(CreatedAccessTokenResponse, 'The new token with its text') },
  },
  (c) =>
    answer(c, 201, presentCreated, (ctx) =>
      accessTokens.createAccessToken(ctx, c.req.valid('json')),
    ),
)

export const getAccessToken = operation(
  'tokens.read',
  {
    method: 'get',
    path: '/auth/token/{id}',
    operationId: 'getAccessToken',
    summary: 'Get a personal access token',
    tags: ['Personal access tokens'],
    request: { params: pathId('tok', 'token') },
    responses: { 200: json(AccessTokenResponse, 'The token') },
  },
  (c) =>
    answer(c, 200, presentToken, (ctx) =>
      accessTokens.getAccessToken(ctx, c.req.valid('param').id),
    ),
)

export const updateAccessToken = operation(
  'tokens.write',
  {
    method: 'patch',
    path: '/auth/token/{id}',
    operationId: 'updateAccessToken',
    summary: 'Update a personal access token',
    tags: ['Personal access tokens'],
    versioned: true,
    request: { params: pathId('tok', 'token'), ...jsonRequest(UpdateAccessTokenRequest) },
    responses: { 200: json(AccessTokenResponse, 'The token as it is now') },
  },
  (c) =>
    answer(c, 200, presentToken, (ctx) =>
      accessTokens.updateAccessToken(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteAccessToken = operation(
  'tokens.write',
  {
    method: 'delete',
    path: '/auth/token/{id}',
    operationId: 'deleteAccessToken',
    summary: 'Revoke a personal access token',
    tags: ['Personal access tokens'],
    versioned: true,
    request: { params: pathId('tok', 'token') },
    responses: { 200: json(MessageResponse, 'The token is revoked') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The personal access token was revoked.' }),
      (ctx) => accessTokens.deleteAccessToken(ctx, c.req.valid('param').id),
    ),
)

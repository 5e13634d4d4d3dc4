import { answer, answerNothing } from '../../../../http/answer.ts'
import { pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  IdentityResponse,
  LinkIdentityRequest,
  IdentitiesResponse,
  presentIdentities,
  presentIdentity,
} from './identities.contract.ts'
import * as identities from './identities.usecases.ts'

export const listIdentities = operation(
  'profile.read',
  {
    method: 'get',
    path: '/auth/identity',
    operationId: 'listIdentities',
    summary: 'List own identities',
    tags: ['Authentication'],
    responses: { 200: json(IdentitiesResponse, 'The identities') },
  },
  (c) => answer(c, 200, presentIdentities, identities.listIdentities),
)

export const linkIdentity = operation(
  'profile.write',
  {
    method: 'post',
    path: '/auth/identity',
    operationId: 'linkIdentity',
    summary: 'Link an identity',
    tags: ['Authentication'],
    request: jsonRequest(LinkIdentityRequest),
    responses: { 201: json(IdentityResponse, 'The identity is linked') },
  },
  (c) =>
    answer(c, 201, presentIdentity, (ctx) =>
      identities.linkIdentity(ctx, c.req.valid('json').code),
    ),
)

export const unlinkIdentity = operation(
  'profile.write',
  {
    method: 'delete',
    path: '/auth/identity/{id}',
    operationId: 'unlinkIdentity',
    summary: 'Unlink an identity',
    tags: ['Authentication'],
    request: { params: pathId('ext', 'identity') },
    responses: { 204: { description: 'The identity was unlinked' } },
  },
  (c) => answerNothing(c, (ctx) => identities.unlinkIdentity(ctx, c.req.valid('param').id)),
)

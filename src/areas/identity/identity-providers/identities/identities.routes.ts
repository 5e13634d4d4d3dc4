import { answerNothing } from '../../../../http/answer.ts'
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

export const listIdentities = operation({
  access: 'profile.read',
  on: 'GET /auth/identity',
  summary: 'List own identities',
  responses: { 200: json(IdentitiesResponse, 'The identities') },
  run: (ctx) => identities.listIdentities(ctx),
  present: presentIdentities,
})

export const linkIdentity = operation({
  access: 'profile.write',
  on: 'POST /auth/identity',
  summary: 'Link an identity',
  request: jsonRequest(LinkIdentityRequest),
  responses: { 201: json(IdentityResponse, 'The identity is linked') },
  run: (ctx, { body }) => identities.linkIdentity(ctx, body.code),
  present: presentIdentity,
})

export const unlinkIdentity = operation(
  {
    access: 'profile.write',
    on: 'DELETE /auth/identity/{id}',
    summary: 'Unlink an identity',
    request: { params: pathId('ext', 'identity') },
    responses: { 204: { description: 'The identity was unlinked' } },
  },
  (c) => answerNothing(c, (ctx) => identities.unlinkIdentity(ctx, c.req.valid('param').id)),
)

import { answer, answerNothing } from '../../../http/answer.ts'
import { pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentIdentities, presentIdentity } from './identities.presenters.ts'
import {
  IdentityResponse,
  LinkIdentityRequest,
  ListIdentitiesResponse,
} from './identities.schemas.ts'
import { findIdentities, linkIdentity, unlinkIdentity } from './identities.usecases.ts'

export const identityRoutes = newArea()

export const listIdentities = defineRoute('profile.read', {
  method: 'get',
  path: '/auth/identity',
  operationId: 'listIdentities',
  summary: 'Identities by which the user can sign in',
  tags: ['Authentication'],
  responses: { 200: json(ListIdentitiesResponse, 'The identities') },
})
identityRoutes.openapi(listIdentities, (c) => answer(c, 200, presentIdentities, findIdentities))

export const createIdentity = defineRoute('profile.write', {
  method: 'post',
  path: '/auth/identity',
  operationId: 'linkIdentity',
  summary: 'Link an identity of the own e-mail address to the signed-in user',
  tags: ['Authentication'],
  request: jsonRequest(LinkIdentityRequest),
  responses: { 201: json(IdentityResponse, 'The identity is linked') },
})
identityRoutes.openapi(createIdentity, (c) =>
  answer(c, 201, presentIdentity, (ctx) => linkIdentity(ctx, c.req.valid('json').code)),
)

export const deleteIdentity = defineRoute('profile.write', {
  method: 'delete',
  path: '/auth/identity/{id}',
  operationId: 'unlinkIdentity',
  summary: 'Unlink an identity, unless it is the only way in',
  tags: ['Authentication'],
  request: { params: pathId('ext', 'identity') },
  responses: { 204: { description: 'The identity is unlinked' } },
  errors: [404],
})
identityRoutes.openapi(deleteIdentity, (c) =>
  answerNothing(c, (ctx) => unlinkIdentity(ctx, c.req.valid('param').id)),
)

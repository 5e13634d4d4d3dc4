import { z } from '@hono/zod-openapi'
import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAlias, presentAliases, presentResolution } from './aliases.presenters.ts'
import {
  CreatePayeeAliasRequest,
  ListPayeeAliasesResponse,
  PayeeAliasResponse,
  PayeeResolutionResponse,
  ResolvePayeeQuery,
} from './aliases.schemas.ts'
import { addAlias, findAliases, removeAlias, resolvePayee } from './aliases.usecases.ts'

export const payeeAliasRoutes = newArea()

const payeeId = pathId('pay', 'payee')
const aliasPath = payeeId.extend({
  aliasId: z
    .string()
    .openapi({ description: 'Id of the alias', example: 'pal_01k9v3q8m5t0w2x4y6z8a1b3c5' }),
})

export const getPayeeResolution = defineRoute('payees.read', {
  method: 'get',
  path: '/payee/resolve',
  operationId: 'resolvePayee',
  summary: "Which payee a bank's text means, and why",
  tags: ['Payees'],
  request: { query: ResolvePayeeQuery },
  responses: { 200: json(PayeeResolutionResponse, 'The payee, if there is one') },
})
payeeAliasRoutes.openapi(getPayeeResolution, (c) =>
  answer(c, 200, presentResolution, (ctx) => resolvePayee(ctx, c.req.valid('query').raw)),
)

export const listPayeeAliases = defineRoute('payees.read', {
  method: 'get',
  path: '/payee/{id}/alias',
  operationId: 'listPayeeAliases',
  summary: 'What banks write instead of the name of a payee',
  tags: ['Payees'],
  request: { params: payeeId },
  responses: { 200: json(ListPayeeAliasesResponse, 'All of them') },
  errors: [404],
})
payeeAliasRoutes.openapi(listPayeeAliases, (c) =>
  answer(c, 200, presentAliases, (ctx) => findAliases(ctx, c.req.valid('param').id)),
)

export const createPayeeAlias = defineRoute('payees.write', {
  method: 'post',
  path: '/payee/{id}/alias',
  operationId: 'createPayeeAlias',
  summary: 'Add what a bank writes instead of the name',
  tags: ['Payees'],
  request: { params: payeeId, ...jsonRequest(CreatePayeeAliasRequest) },
  responses: { 201: json(PayeeAliasResponse, 'The new alias') },
  errors: [404],
})
payeeAliasRoutes.openapi(createPayeeAlias, (c) =>
  answer(c, 201, presentAlias, (ctx) =>
    addAlias(ctx, c.req.valid('param').id, c.req.valid('json').raw),
  ),
)

export const deletePayeeAlias = defineRoute('payees.write', {
  method: 'delete',
  path: '/payee/{id}/alias/{aliasId}',
  operationId: 'deletePayeeAlias',
  summary: 'Remove an alias; transactions keep their payee',
  tags: ['Payees'],
  versioned: true,
  request: { params: aliasPath },
  responses: { 200: json(MessageResponse, 'The alias is gone') },
  errors: [404],
})
payeeAliasRoutes.openapi(deletePayeeAlias, (c) => {
  const { id, aliasId } = c.req.valid('param')
  return answer(
    c,
    200,
    () => ({ message: 'The alias was removed.' }),
    (ctx) => removeAlias(ctx, id, aliasId),
  )
})

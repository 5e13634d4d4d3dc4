import { answer } from '../../../../http/answer.ts'
import { idInPath, MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  CreatePayeeAliasRequest,
  PayeeAliasesResponse,
  PayeeAliasResponse,
  PayeeResolutionResponse,
  presentAlias,
  presentAliases,
  presentResolution,
  ResolvePayeeQuery,
} from './aliases.contract.ts'
import * as aliases from './aliases.usecases.ts'

const payeeId = pathId('pay', 'payee')
const aliasPath = payeeId.extend({
  aliasId: idInPath('pal', 'Id of the alias.'),
})

export const resolvePayee = operation(
  'payees.read',
  {
    method: 'get',
    path: '/payee/resolve',
    operationId: 'resolvePayee',
    summary: 'Find the payee for a bank description',
    tags: ['Payees'],
    request: { query: ResolvePayeeQuery },
    responses: { 200: json(PayeeResolutionResponse, 'The payee, if there is one') },
  },
  (c) =>
    answer(c, 200, presentResolution, (ctx) => aliases.resolvePayee(ctx, c.req.valid('query').raw)),
)

export const listPayeeAliases = operation(
  'payees.read',
  {
    method: 'get',
    path: '/payee/{id}/alias',
    operationId: 'listPayeeAliases',
    summary: 'List the aliases of a payee',
    tags: ['Payees'],
    request: { params: payeeId },
    responses: { 200: json(PayeeAliasesResponse, 'All aliases') },
  },
  (c) =>
    answer(c, 200, presentAliases, (ctx) => aliases.listPayeeAliases(ctx, c.req.valid('param').id)),
)

export const createPayeeAlias = operation(
  'payees.write',
  {
    method: 'post',
    path: '/payee/{id}/alias',
    operationId: 'createPayeeAlias',
    summary: 'Create an alias of a payee',
    tags: ['Payees'],
    request: { params: payeeId, ...jsonRequest(CreatePayeeAliasRequest) },
    responses: { 201: json(PayeeAliasResponse, 'The new alias') },
  },
  (c) =>
    answer(c, 201, presentAlias, (ctx) =>
      aliases.createPayeeAlias(ctx, c.req.valid('param').id, c.req.valid('json').raw),
    ),
)

export const deletePayeeAlias = operation(
  'payees.write',
  {
    method: 'delete',
    path: '/payee/{id}/alias/{aliasId}',
    operationId: 'deletePayeeAlias',
    summary: 'Delete an alias of a payee',
    tags: ['Payees'],
    versioned: true,
    request: { params: aliasPath },
    responses: { 200: json(MessageResponse, 'The alias was deleted') },
  },
  (c) => {
    const { id, aliasId } = c.req.valid('param')
    return answer(
      c,
      200,
      () => ({ message: 'The alias was removed.' }),
      (ctx) => aliases.deletePayeeAlias(ctx, id, aliasId),
    )
  },
)

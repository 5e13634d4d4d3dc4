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

export const resolvePayee = operation({
  access: 'payees.read',
  on: 'GET /payee/resolve',
  summary: 'Find the payee for a bank description',
  request: { query: ResolvePayeeQuery },
  responses: { 200: json(PayeeResolutionResponse, 'The payee, if there is one') },
  run: (ctx, { query }) => aliases.resolvePayee(ctx, query.raw),
  present: presentResolution,
})

export const listPayeeAliases = operation({
  access: 'payees.read',
  on: 'GET /payee/{id}/alias',
  summary: 'List the aliases of a payee',
  request: { params: payeeId },
  responses: { 200: json(PayeeAliasesResponse, 'All aliases') },
  run: (ctx, { params }) => aliases.listPayeeAliases(ctx, params.id),
  present: presentAliases,
})

export const createPayeeAlias = operation({
  access: 'payees.write',
  on: 'POST /payee/{id}/alias',
  summary: 'Create an alias of a payee',
  request: { params: payeeId, ...jsonRequest(CreatePayeeAliasRequest) },
  responses: { 201: json(PayeeAliasResponse, 'The new alias') },
  run: (ctx, { params, body }) => aliases.createPayeeAlias(ctx, params.id, body.raw),
  present: presentAlias,
})

export const deletePayeeAlias = operation({
  access: 'payees.write',
  on: 'DELETE /payee/{id}/alias/{aliasId}',
  summary: 'Delete an alias of a payee',
  versioned: true,
  request: { params: aliasPath },
  responses: { 200: json(MessageResponse, 'The alias was deleted') },
  run: (ctx, { params }) => aliases.deletePayeeAlias(ctx, params.id, params.aliasId),
  present: () => ({ message: 'The alias was removed.' }),
})

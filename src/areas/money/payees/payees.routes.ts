import { MessageResponse, pathId, idInPath } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  CreatePayeeRequest,
  ListPayeesQuery,
  PayeeDetailsResponse,
  PayeeResponse,
  PayeesResponse,
  presentPayee,
  presentPayeeDetails,
  presentPayees,
  UpdatePayeeRequest,
  DeletePayeeQuery,
  MergePayeesRequest,
  CreatePayeeAliasRequest,
  PayeeAliasesResponse,
  PayeeAliasResponse,
  PayeeResolutionResponse,
  presentAlias,
  presentAliases,
  presentResolution,
  ResolvePayeeQuery,
} from './payees.contract.ts'
import * as payees from './payees.usecases.ts'
import * as aliases from './aliases.usecases.ts'

const payeeId = pathId('pay', 'payee')

export const listPayees = operation({
  access: 'payees.read',
  on: 'GET /payee',
  summary: 'List own payees',
  request: { query: ListPayeesQuery },
  responses: { 200: json(PayeesResponse, 'One page of the list') },
  run: (ctx, { query }) => paged(ctx, query, (page) => payees.listPayees(ctx, query, page)),
  present: presentPayees,
})

export const createPayee = operation({
  access: 'payees.write',
  on: 'POST /payee',
  summary: 'Create a payee',
  request: jsonRequest(CreatePayeeRequest),
  responses: { 201: json(PayeeResponse, 'The new payee') },
  run: (ctx, { body }) => payees.createPayee(ctx, body),
  present: presentPayee,
})

export const getPayee = operation({
  access: 'payees.read',
  on: 'GET /payee/{id}',
  summary: 'Get a payee',
  request: { params: payeeId },
  responses: { 200: json(PayeeDetailsResponse, 'The payee') },
  run: (ctx, { params }) => payees.getPayee(ctx, params.id),
  present: presentPayeeDetails,
})

export const updatePayee = operation({
  access: 'payees.write',
  on: 'PUT /payee/{id}',
  summary: 'Update a payee',
  versioned: true,
  request: { params: payeeId, ...jsonRequest(UpdatePayeeRequest) },
  responses: { 200: json(PayeeResponse, 'The payee as it is now') },
  run: (ctx, { params, body }) => payees.updatePayee(ctx, params.id, body),
  present: presentPayee,
})

export const deletePayee = operation({
  access: 'payees.write',
  on: 'DELETE /payee/{id}',
  summary: 'Delete a payee',
  versioned: true,
  request: { params: payeeId, query: DeletePayeeQuery },
  responses: { 200: json(TrashedResponse, 'The payee was deleted') },
  run: (ctx, { params, query }) => payees.deletePayee(ctx, params.id, query.reassignTo),
  present: (_, ctx, { params }) =>
    presentTrashed(ctx, { kind: 'payee', id: params.id }, 'The payee was deleted.'),
})

export const mergePayees = operation({
  access: 'payees.write',
  on: 'POST /payee/{id}/merge',
  summary: 'Merge payees into this one',
  request: { params: payeeId, ...jsonRequest(MergePayeesRequest) },
  responses: { 200: json(MessageResponse, 'The payees were merged') },
  run: (ctx, { params, body }) => payees.mergePayees(ctx, params.id, body.payeeIds),
  present: () => ({ message: 'The payees were merged.' }),
})

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

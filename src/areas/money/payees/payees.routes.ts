import { MessageResponse, pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import { DeletePayeeQuery, MergePayeesRequest } from './merging/merging.contract.ts'
import * as merging from './merging/merging.usecases.ts'
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
} from './payees.contract.ts'
import * as payees from './payees.usecases.ts'

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
  run: (ctx, { params, query }) => merging.deletePayee(ctx, params.id, query.reassignTo),
  present: (_, ctx, { params }) =>
    presentTrashed(ctx, { kind: 'payee', id: params.id }, 'The payee was deleted.'),
})

export const mergePayees = operation({
  access: 'payees.write',
  on: 'POST /payee/{id}/merge',
  summary: 'Merge payees into this one',
  request: { params: payeeId, ...jsonRequest(MergePayeesRequest) },
  responses: { 200: json(MessageResponse, 'The payees were merged') },
  run: (ctx, { params, body }) => merging.mergePayees(ctx, params.id, body.payeeIds),
  present: () => ({ message: 'The payees were merged.' }),
})

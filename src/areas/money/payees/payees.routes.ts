import { pathId } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import {
  CreatePayeeRequest,
  ListPayeesQuery,
  PayeesResponse,
  PayeeDetailsResponse,
  PayeeResponse,
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

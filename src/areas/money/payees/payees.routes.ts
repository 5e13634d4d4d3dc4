import { answer } from '../../../http/answer.ts'
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

export const listPayees = operation(
  'payees.read',
  {
    method: 'get',
    path: '/payee',
    operationId: 'listPayees',
    summary: 'List own payees',
    tags: ['Payees'],
    request: { query: ListPayeesQuery },
    responses: { 200: json(PayeesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentPayees, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) => payees.listPayees(ctx, query, page))
    }),
)

export const createPayee = operation(
  'payees.write',
  {
    method: 'post',
    path: '/payee',
    operationId: 'createPayee',
    summary: 'Create a payee',
    tags: ['Payees'],
    request: jsonRequest(CreatePayeeRequest),
    responses: { 201: json(PayeeResponse, 'The new payee') },
  },
  (c) => answer(c, 201, presentPayee, (ctx) => payees.createPayee(ctx, c.req.valid('json'))),
)

export const getPayee = operation(
  'payees.read',
  {
    method: 'get',
    path: '/payee/{id}',
    operationId: 'getPayee',
    summary: 'Get a payee',
    tags: ['Payees'],
    request: { params: payeeId },
    responses: { 200: json(PayeeDetailsResponse, 'The payee') },
  },
  (c) =>
    answer(c, 200, presentPayeeDetails, (ctx) => payees.getPayee(ctx, c.req.valid('param').id)),
)

export const updatePayee = operation(
  'payees.write',
  {
    method: 'put',
    path: '/payee/{id}',
    operationId: 'updatePayee',
    summary: 'Update a payee',
    tags: ['Payees'],
    versioned: true,
    request: { params: payeeId, ...jsonRequest(UpdatePayeeRequest) },
    responses: { 200: json(PayeeResponse, 'The payee as it is now') },
  },
  (c) =>
    answer(c, 200, presentPayee, (ctx) =>
      payees.updatePayee(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

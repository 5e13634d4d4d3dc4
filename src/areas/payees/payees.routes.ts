import { answer } from '../../http/answer.ts'
import { pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { presentPayee, presentPayeeDetails, presentPayees } from './payees.presenters.ts'
import {
  CreatePayeeRequest,
  ListPayeesQuery,
  ListPayeesResponse,
  PayeeDetailsResponse,
  PayeeResponse,
  UpdatePayeeRequest,
} from './payees.schemas.ts'
import { addPayee, changePayee, findPayee, findPayees } from './payees.usecases.ts'

export const payeeRoutes = newArea()

const payeeId = pathId('pay', 'payee')

export const listPayees = defineRoute('payees.read', {
  method: 'get',
  path: '/payee',
  operationId: 'listPayees',
  summary: 'The own payees, all or those that a text is part of, in order of creation',
  tags: ['Payees'],
  request: { query: ListPayeesQuery },
  responses: { 200: json(ListPayeesResponse, 'One page of them') },
})
payeeRoutes.openapi(listPayees, (c) =>
  answer(c, 200, presentPayees, (ctx) => {
    const query = c.req.valid('query')
    return paged(ctx, query, (page) => findPayees(ctx, query, page))
  }),
)

export const createPayee = defineRoute('payees.write', {
  method: 'post',
  path: '/payee',
  operationId: 'createPayee',
  summary: 'Create a payee, with what banks write instead of its name',
  tags: ['Payees'],
  request: jsonRequest(CreatePayeeRequest),
  responses: { 201: json(PayeeResponse, 'The new payee') },
})
payeeRoutes.openapi(createPayee, (c) =>
  answer(c, 201, presentPayee, (ctx) => addPayee(ctx, c.req.valid('json'))),
)

export const getPayee = defineRoute('payees.read', {
  method: 'get',
  path: '/payee/{id}',
  operationId: 'getPayee',
  summary: 'One payee with totals and last use',
  tags: ['Payees'],
  request: { params: payeeId },
  responses: { 200: json(PayeeDetailsResponse, 'The payee') },
  errors: [404],
})
payeeRoutes.openapi(getPayee, (c) =>
  answer(c, 200, presentPayeeDetails, (ctx) => findPayee(ctx, c.req.valid('param').id)),
)

export const updatePayee = defineRoute('payees.write', {
  method: 'put',
  path: '/payee/{id}',
  operationId: 'updatePayee',
  summary: 'Change the fields that are sent',
  tags: ['Payees'],
  versioned: true,
  request: { params: payeeId, ...jsonRequest(UpdatePayeeRequest) },
  responses: { 200: json(PayeeResponse, 'The payee as it is now') },
  errors: [404],
})
payeeRoutes.openapi(updatePayee, (c) =>
  answer(c, 200, presentPayee, (ctx) =>
    changePayee(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

import { answer } from '../../../http/answer.ts'
import { paged } from '../../../http/pagination.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentLabels } from './labels.presenters.ts'
import { AccountLabelParams, ListLabelsQuery, ListLabelsResponse } from './labels.schemas.ts'
import { findLabels } from './labels.usecases.ts'

export const labelRoutes = newArea()

export const getAccountLabels = defineRoute('transactions.read', {
  method: 'get',
  path: '/account/{id}/label',
  operationId: 'listAccountLabels',
  summary: 'Categories, tags and payees for the transactions of an account, also of a shared one',
  tags: ['Transactions'],
  request: { params: AccountLabelParams, query: ListLabelsQuery },
  responses: { 200: json(ListLabelsResponse, 'One page of them') },
  errors: [404],
})
labelRoutes.openapi(getAccountLabels, (c) =>
  answer(c, 200, presentLabels, (ctx) => {
    const { kind, search, ...paging } = c.req.valid('query')
    const filter = { accountId: c.req.valid('param').id, kind, search }
    return paged(ctx, { ...paging, ...filter }, (page) => findLabels(ctx, filter, page))
  }),
)

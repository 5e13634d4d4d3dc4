import { answer } from '../../../../http/answer.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  AccountLabelParams,
  ListLabelsQuery,
  ListLabelsResponse,
  presentLabels,
} from './labels.contract.ts'
import * as labels from './labels.usecases.ts'

export const listAccountLabels = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/account/{id}/label',
    operationId: 'listAccountLabels',
    summary: 'List labels for an account',
    tags: ['Transactions'],
    request: { params: AccountLabelParams, query: ListLabelsQuery },
    responses: { 200: json(ListLabelsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentLabels, (ctx) => {
      const { kind, search, ...paging } = c.req.valid('query')
      const filter = { accountId: c.req.valid('param').id, kind, search }
      return paged(ctx, { ...paging, ...filter }, (page) =>
        labels.listAccountLabels(ctx, filter, page),
      )
    }),
)

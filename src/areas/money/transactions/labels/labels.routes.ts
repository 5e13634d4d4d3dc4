import { paged } from '../../../../http/pagination.ts'
import { json, operation } from '../../../../http/route.ts'
import {
  AccountLabelParams,
  ListLabelsQuery,
  ListLabelsResponse,
  presentLabels,
} from './labels.contract.ts'
import * as labels from './labels.usecases.ts'

export const listAccountLabels = operation({
  access: 'transactions.read',
  on: 'GET /account/{id}/label',
  summary: 'List labels for an account',
  request: { params: AccountLabelParams, query: ListLabelsQuery },
  responses: { 200: json(ListLabelsResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { kind, search, ...paging } = query
    const filter = { accountId: params.id, kind, search }
    return paged(ctx, { ...paging, ...filter }, (page) =>
      labels.listAccountLabels(ctx, filter, page),
    )
  },
  present: presentLabels,
})

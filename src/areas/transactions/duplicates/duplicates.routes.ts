import { answer } from '../../../http/answer.ts'
import { MessageResponse } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { DistinctPairRequest } from './pairs.schemas.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { presentDuplicates } from './duplicates.presenters.ts'
import {
  ListDuplicatesQuery,
  ListDuplicatesResponse,
  MergeDuplicateRequest,
} from './duplicates.schemas.ts'
import { dismissDuplicate, findDuplicates, mergeDuplicate } from './duplicates.usecases.ts'

export const duplicateRoutes = newArea()

export const listDuplicates = defineRoute('transactions.read', {
  method: 'get',
  path: '/transaction/duplicate',
  operationId: 'listDuplicates',
  summary: 'Pairs of rows of one account that may be one',
  tags: ['Transactions'],
  request: { query: ListDuplicatesQuery },
  responses: { 200: json(ListDuplicatesResponse, 'The likeliest of them') },
})
duplicateRoutes.openapi(listDuplicates, (c) =>
  answer(c, 200, presentDuplicates, (ctx) => findDuplicates(ctx, c.req.valid('query'))),
)

export const postMergeDuplicate = defineRoute('transactions.write', {
  method: 'post',
  path: '/transaction/duplicate/merge',
  operationId: 'mergeDuplicate',
  summary: 'Merge two duplicates: one gets what it lacks, the other goes to the trash',
  tags: ['Transactions'],
  request: jsonRequest(MergeDuplicateRequest),
  responses: { 200: json(TransactionResponse, 'The one that stays') },
  errors: [404],
})
duplicateRoutes.openapi(postMergeDuplicate, (c) =>
  answer(c, 200, presentTransaction, (ctx) => mergeDuplicate(ctx, c.req.valid('json'))),
)

export const postDismissDuplicate = defineRoute('transactions.write', {
  method: 'post',
  path: '/transaction/duplicate/dismiss',
  operationId: 'dismissDuplicate',
  summary: 'Never show these two as duplicates again',
  tags: ['Transactions'],
  request: jsonRequest(DistinctPairRequest),
  responses: { 200: json(MessageResponse, 'They are two') },
  errors: [404],
})
duplicateRoutes.openapi(postDismissDuplicate, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'These two are not shown as duplicates again.' }),
    (ctx) => dismissDuplicate(ctx, c.req.valid('json').transactionIds),
  ),
)

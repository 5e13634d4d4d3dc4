import { answer } from '../../../../http/answer.ts'
import { MessageResponse } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { DistinctPairRequest } from './pairs.contract.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import {
  ListDuplicatesQuery,
  DuplicatesResponse,
  MergeDuplicateRequest,
  presentDuplicates,
} from './duplicates.contract.ts'
import * as duplicates from './duplicates.usecases.ts'

export const listDuplicates = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/transaction/duplicate',
    operationId: 'listDuplicates',
    summary: 'Find possible duplicates',
    tags: ['Transactions'],
    request: { query: ListDuplicatesQuery },
    responses: { 200: json(DuplicatesResponse, 'The most likely pairs') },
  },
  (c) =>
    answer(c, 200, presentDuplicates, (ctx) =>
      duplicates.listDuplicates(ctx, c.req.valid('query')),
    ),
)

export const mergeDuplicate = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction/duplicate/merge',
    operationId: 'mergeDuplicate',
    summary: 'Merge two duplicates',
    tags: ['Transactions'],
    request: jsonRequest(MergeDuplicateRequest),
    responses: { 200: json(TransactionResponse, 'The transaction that was kept') },
    errors: [404],
  },
  (c) =>
    answer(c, 200, presentTransaction, (ctx) =>
      duplicates.mergeDuplicate(ctx, c.req.valid('json')),
    ),
)

export const dismissDuplicate = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction/duplicate/dismiss',
    operationId: 'dismissDuplicate',
    summary: 'Dismiss a possible duplicate',
    tags: ['Transactions'],
    request: jsonRequest(DistinctPairRequest),
    responses: { 200: json(MessageResponse, 'The pair was dismissed') },
    errors: [404],
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'These two are not shown as duplicates again.' }),
      (ctx) => duplicates.dismissDuplicate(ctx, c.req.valid('json').transactionIds),
    ),
)

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

export const listDuplicates = operation({
  access: 'transactions.read',
  on: 'GET /transaction/duplicate',
  summary: 'Find possible duplicates',
  request: { query: ListDuplicatesQuery },
  responses: { 200: json(DuplicatesResponse, 'The most likely pairs') },
  run: (ctx, { query }) => duplicates.listDuplicates(ctx, query),
  present: presentDuplicates,
})

export const mergeDuplicate = operation({
  access: 'transactions.write',
  on: 'POST /transaction/duplicate/merge',
  summary: 'Merge two duplicates',
  request: jsonRequest(MergeDuplicateRequest),
  responses: { 200: json(TransactionResponse, 'The transaction that was kept') },
  errors: [404],
  run: (ctx, { body }) => duplicates.mergeDuplicate(ctx, body),
  present: presentTransaction,
})

export const dismissDuplicate = operation({
  access: 'transactions.write',
  on: 'POST /transaction/duplicate/dismiss',
  summary: 'Dismiss a possible duplicate',
  request: jsonRequest(DistinctPairRequest),
  responses: { 200: json(MessageResponse, 'The pair was dismissed') },
  errors: [404],
  run: (ctx, { body }) => duplicates.dismissDuplicate(ctx, body.transactionIds),
  present: () => ({ message: 'These two are not shown as duplicates again.' }),
})

import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentLink, presentLinks } from './links.presenters.ts'
import {
  CreateTransactionLinkRequest,
  ListTransactionLinksResponse,
  TransactionLinkResponse,
} from './links.schemas.ts'
import { findLinks, linkTransaction, unlinkTransaction } from './links.usecases.ts'

export const transactionLinkRoutes = newArea()

const transactionId = pathId('txn', 'transaction')

export const listTransactionLinks = defineRoute('transactions.read', {
  method: 'get',
  path: '/transaction/{id}/link',
  operationId: 'listTransactionLinks',
  summary: 'What a transaction refunds, reimburses or belongs to, and what is left of it',
  tags: ['Transactions'],
  request: { params: transactionId },
  responses: { 200: json(ListTransactionLinksResponse, 'Its links') },
  errors: [404],
})
transactionLinkRoutes.openapi(listTransactionLinks, (c) =>
  answer(c, 200, presentLinks, (ctx) => findLinks(ctx, c.req.valid('param').id)),
)

export const postTransactionLink = defineRoute('transactions.write', {
  method: 'post',
  path: '/transaction/{id}/link',
  operationId: 'createTransactionLink',
  summary: 'Link a transaction, the source, to another one',
  tags: ['Transactions'],
  request: { params: transactionId, ...jsonRequest(CreateTransactionLinkRequest) },
  responses: { 201: json(TransactionLinkResponse, 'The new link') },
  errors: [404],
})
transactionLinkRoutes.openapi(postTransactionLink, (c) =>
  answer(c, 201, presentLink, (ctx) =>
    linkTransaction(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteTransactionLink = defineRoute('transactions.write', {
  method: 'delete',
  path: '/transaction/{id}/link/{linkId}',
  operationId: 'deleteTransactionLink',
  summary: 'Take a link off, from either side',
  tags: ['Transactions'],
  versioned: true,
  request: { params: transactionId.extend({ linkId: pathId('lnk', 'link').shape.id }) },
  responses: { 200: json(MessageResponse, 'It is gone') },
  errors: [404],
})
transactionLinkRoutes.openapi(deleteTransactionLink, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The link is gone.' }),
    (ctx) => unlinkTransaction(ctx, c.req.valid('param').id, c.req.valid('param').linkId),
  ),
)

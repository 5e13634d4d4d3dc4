import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  CreateTransactionLinkRequest,
  TransactionLinksResponse,
  presentLink,
  presentLinks,
  TransactionLinkResponse,
} from './links.contract.ts'
import * as links from './links.usecases.ts'

const transactionId = pathId('txn', 'transaction')

export const listTransactionLinks = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/transaction/{id}/link',
    operationId: 'listTransactionLinks',
    summary: 'List the links of a transaction',
    tags: ['Transactions'],
    request: { params: transactionId },
    responses: { 200: json(TransactionLinksResponse, 'The links') },
  },
  (c) =>
    answer(c, 200, presentLinks, (ctx) => links.listTransactionLinks(ctx, c.req.valid('param').id)),
)

export const createTransactionLink = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/transaction/{id}/link',
    operationId: 'createTransactionLink',
    summary: 'Link a transaction to another one',
    tags: ['Transactions'],
    request: { params: transactionId, ...jsonRequest(CreateTransactionLinkRequest) },
    responses: { 201: json(TransactionLinkResponse, 'The new link') },
  },
  (c) =>
    answer(c, 201, presentLink, (ctx) =>
      links.createTransactionLink(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteTransactionLink = operation(
  'transactions.write',
  {
    method: 'delete',
    path: '/transaction/{id}/link/{linkId}',
    operationId: 'deleteTransactionLink',
    summary: 'Delete a link between transactions',
    tags: ['Transactions'],
    versioned: true,
    request: { params: transactionId.extend({ linkId: pathId('lnk', 'link').shape.id }) },
    responses: { 200: json(MessageResponse, 'The link was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The link is gone.' }),
      (ctx) =>
        links.deleteTransactionLink(ctx, c.req.valid('param').id, c.req.valid('param').linkId),
    ),
)

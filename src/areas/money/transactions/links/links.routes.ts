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

export const listTransactionLinks = operation({
  access: 'transactions.read',
  on: 'GET /transaction/{id}/link',
  summary: 'List the links of a transaction',
  request: { params: transactionId },
  responses: { 200: json(TransactionLinksResponse, 'The links') },
  run: (ctx, { params }) => links.listTransactionLinks(ctx, params.id),
  present: presentLinks,
})

export const createTransactionLink = operation({
  access: 'transactions.write',
  on: 'POST /transaction/{id}/link',
  summary: 'Link a transaction to another one',
  request: { params: transactionId, ...jsonRequest(CreateTransactionLinkRequest) },
  responses: { 201: json(TransactionLinkResponse, 'The new link') },
  run: (ctx, { params, body }) => links.createTransactionLink(ctx, params.id, body),
  present: presentLink,
})

export const deleteTransactionLink = operation({
  access: 'transactions.write',
  on: 'DELETE /transaction/{id}/link/{linkId}',
  summary: 'Delete a link between transactions',
  versioned: true,
  request: { params: transactionId.extend({ linkId: pathId('lnk', 'link').shape.id }) },
  responses: { 200: json(MessageResponse, 'The link was deleted') },
  run: (ctx, { params }) => links.deleteTransactionLink(ctx, params.id, params.linkId),
  present: () => ({ message: 'The link is gone.' }),
})

import { answer } from '../../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  accountId,
  AccountListResponse,
  AccountResponseDTO,
  presentAccount,
  presentAccounts,
} from '../accounts.contract.ts'
import { CloseAccountRequest, ReorderAccountsRequest } from './lifecycle.contract.ts'
import * as lifecycle from './lifecycle.usecases.ts'

export const closeAccount = operation(
  'accounts.write',
  {
    method: 'post',
    path: '/account/{id}/close',
    operationId: 'closeAccount',
    summary: 'Close an account',
    tags: ['Accounts'],
    request: { params: accountId, ...jsonRequest(CloseAccountRequest) },
    responses: { 200: json(AccountResponseDTO, 'The closed account') },
  },
  (c) =>
    answer(c, 200, presentAccount, (ctx) =>
      lifecycle.closeAccount(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const reopenAccount = operation(
  'accounts.write',
  {
    method: 'post',
    path: '/account/{id}/reopen',
    operationId: 'reopenAccount',
    summary: 'Open a closed account again',
    tags: ['Accounts'],
    request: { params: accountId },
    responses: { 200: json(AccountResponseDTO, 'The reopened account') },
  },
  (c) =>
    answer(c, 200, presentAccount, (ctx) => lifecycle.reopenAccount(ctx, c.req.valid('param').id)),
)

export const reorderAccounts = operation(
  'accounts.write',
  {
    method: 'post',
    path: '/account/reorder',
    operationId: 'reorderAccounts',
    summary: 'Reorder accounts',
    tags: ['Accounts'],
    request: jsonRequest(ReorderAccountsRequest),
    responses: { 200: json(AccountListResponse, 'All accounts in their order') },
  },
  (c) =>
    answer(c, 200, presentAccounts, (ctx) =>
      lifecycle.reorderAccounts(ctx, c.req.valid('json').ids),
    ),
)

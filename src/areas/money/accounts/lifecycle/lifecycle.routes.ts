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

export const closeAccount = operation({
  access: 'accounts.write',
  on: 'POST /account/{id}/close',
  summary: 'Close an account',
  request: { params: accountId, ...jsonRequest(CloseAccountRequest) },
  responses: { 200: json(AccountResponseDTO, 'The closed account') },
  run: (ctx, { params, body }) => lifecycle.closeAccount(ctx, params.id, body),
  present: presentAccount,
})

export const reopenAccount = operation({
  access: 'accounts.write',
  on: 'POST /account/{id}/reopen',
  summary: 'Open a closed account again',
  request: { params: accountId },
  responses: { 200: json(AccountResponseDTO, 'The reopened account') },
  run: (ctx, { params }) => lifecycle.reopenAccount(ctx, params.id),
  present: presentAccount,
})

export const reorderAccounts = operation({
  access: 'accounts.write',
  on: 'POST /account/reorder',
  summary: 'Reorder accounts',
  request: jsonRequest(ReorderAccountsRequest),
  responses: { 200: json(AccountListResponse, 'All accounts in their order') },
  run: (ctx, { body }) => lifecycle.reorderAccounts(ctx, body.ids),
  present: presentAccounts,
})

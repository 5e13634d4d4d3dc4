import { answer } from '../../../http/answer.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentAccount, presentAccounts } from '../accounts.presenters.ts'
import { accountId } from '../accounts.routes.ts'
import { AccountListResponse, AccountResponseDTO } from '../accounts.schemas.ts'
import { CloseAccountRequest, ReorderAccountsRequest } from './lifecycle.schemas.ts'
import { closeAccount, reopenAccount, reorderAccounts } from './lifecycle.usecases.ts'

export const lifecycleRoutes = newArea()

export const postCloseAccount = defineRoute('accounts.write', {
  method: 'post',
  path: '/account/{id}/close',
  operationId: 'closeAccount',
  summary: 'Close an account; what is left on it goes to another one',
  tags: ['Accounts'],
  request: { params: accountId, ...jsonRequest(CloseAccountRequest) },
  responses: { 200: json(AccountResponseDTO, 'The closed account') },
  errors: [404],
})
lifecycleRoutes.openapi(postCloseAccount, (c) =>
  answer(c, 200, presentAccount, (ctx) =>
    closeAccount(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const postReopenAccount = defineRoute('accounts.write', {
  method: 'post',
  path: '/account/{id}/reopen',
  operationId: 'reopenAccount',
  summary: 'Open a closed account again',
  tags: ['Accounts'],
  request: { params: accountId },
  responses: { 200: json(AccountResponseDTO, 'The open account') },
  errors: [404],
})
lifecycleRoutes.openapi(postReopenAccount, (c) =>
  answer(c, 200, presentAccount, (ctx) => reopenAccount(ctx, c.req.valid('param').id)),
)

export const postReorderAccounts = defineRoute('accounts.write', {
  method: 'post',
  path: '/account/reorder',
  operationId: 'reorderAccounts',
  summary: 'Put accounts in the order in which to list them',
  tags: ['Accounts'],
  request: jsonRequest(ReorderAccountsRequest),
  responses: { 200: json(AccountListResponse, 'All accounts in their order') },
})
lifecycleRoutes.openapi(postReorderAccounts, (c) =>
  answer(c, 200, presentAccounts, (ctx) => reorderAccounts(ctx, c.req.valid('json').ids)),
)

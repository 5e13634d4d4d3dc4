import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AccountResponseDTO, presentAccount } from '../../../money/accounts/accounts.public.ts'
import { AccountSharesResponse, presentPeople, ShareToGroupDTO } from './accounts.contract.ts'
import * as accounts from './accounts.usecases.ts'

const accountId = pathId('acc', 'account')

export const listAccountShares = operation(
  'shares.read',
  {
    method: 'get',
    path: '/account/{id}/share',
    operationId: 'listAccountShares',
    summary: 'List who can see an account',
    tags: ['Accounts'],
    request: { params: accountId },
    responses: { 200: json(AccountSharesResponse, 'The people') },
  },
  (c) =>
    answer(c, 200, presentPeople, (ctx) =>
      accounts.listAccountShares(ctx, c.req.valid('param').id),
    ),
)

export const shareAccountToGroup = operation(
  'shares.write',
  {
    method: 'put',
    path: '/account/{id}/share-group',
    operationId: 'shareAccountToGroup',
    summary: 'Share an account with a group',
    tags: ['Accounts'],
    versioned: true,
    request: { params: accountId, ...jsonRequest(ShareToGroupDTO) },
    responses: { 200: json(AccountResponseDTO, 'The account') },
  },
  (c) =>
    answer(c, 200, presentAccount, (ctx) =>
      accounts.shareAccountToGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const unshareAccountFromGroup = operation(
  'shares.write',
  {
    method: 'delete',
    path: '/account/{id}/share-group',
    operationId: 'unshareAccountFromGroup',
    summary: 'Stop sharing an account with its group',
    tags: ['Accounts'],
    versioned: true,
    request: { params: accountId },
    responses: { 200: json(MessageResponse, 'The account is no longer shared with a group') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The account is not shared with a group any more.' }),
      (ctx) => accounts.unshareAccountFromGroup(ctx, c.req.valid('param').id),
    ),
)

import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AccountResponseDTO, presentAccount } from '../../../money/accounts/accounts.public.ts'
import { AccountSharesResponse, presentPeople, ShareToGroupDTO } from './accounts.contract.ts'
import * as accounts from './accounts.usecases.ts'

const accountId = pathId('acc', 'account')

export const listAccountShares = operation({
  access: 'shares.read',
  on: 'GET /account/{id}/share',
  summary: 'List who can see an account',
  tag: 'Accounts',
  request: { params: accountId },
  responses: { 200: json(AccountSharesResponse, 'The people') },
  run: (ctx, { params }) => accounts.listAccountShares(ctx, params.id),
  present: presentPeople,
})

export const shareAccountToGroup = operation({
  access: 'shares.write',
  on: 'PUT /account/{id}/share-group',
  summary: 'Share an account with a group',
  tag: 'Accounts',
  versioned: true,
  request: { params: accountId, ...jsonRequest(ShareToGroupDTO) },
  responses: { 200: json(AccountResponseDTO, 'The account') },
  run: (ctx, { params, body }) => accounts.shareAccountToGroup(ctx, params.id, body),
  present: presentAccount,
})

export const unshareAccountFromGroup = operation({
  access: 'shares.write',
  on: 'DELETE /account/{id}/share-group',
  summary: 'Stop sharing an account with its group',
  tag: 'Accounts',
  versioned: true,
  request: { params: accountId },
  responses: { 200: json(MessageResponse, 'The account is no longer shared with a group') },
  run: (ctx, { params }) => accounts.unshareAccountFromGroup(ctx, params.id),
  present: () => ({ message: 'The account is not shared with a group any more.' }),
})

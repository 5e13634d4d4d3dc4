import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { AccountResponseDTO, presentAccount } from '../../accounts/accounts.public.ts'
import { presentPeople } from './accounts.presenters.ts'
import { AccountSharesResponse, ShareToGroupDTO } from './accounts.schemas.ts'
import { findPeople, shareToGroup, unshareFromGroup } from './accounts.usecases.ts'

export const accountSharingRoutes = newArea()

const accountId = pathId('acc', 'account')

export const getAccountShares = defineRoute('shares.read', {
  method: 'get',
  path: '/account/{id}/share',
  operationId: 'listAccountShares',
  summary: 'Who sees an account, with what permission and by what',
  tags: ['Accounts'],
  request: { params: accountId },
  responses: { 200: json(AccountSharesResponse, 'The people') },
  errors: [404],
})
accountSharingRoutes.openapi(getAccountShares, (c) =>
  answer(c, 200, presentPeople, (ctx) => findPeople(ctx, c.req.valid('param').id)),
)

export const putShareGroup = defineRoute('shares.write', {
  method: 'put',
  path: '/account/{id}/share-group',
  operationId: 'shareAccountToGroup',
  summary: 'Share an own account with all members of a group, or stop that',
  description:
    'For its owner, who is a member of the group. An account is shared with one group at most, so another one takes its place; `groupId: null` stops it.',
  tags: ['Accounts'],
  versioned: true,
  request: { params: accountId, ...jsonRequest(ShareToGroupDTO) },
  responses: { 200: json(AccountResponseDTO, 'The account') },
  errors: [404],
})
accountSharingRoutes.openapi(putShareGroup, (c) =>
  answer(c, 200, presentAccount, (ctx) =>
    shareToGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteShareGroup = defineRoute('shares.write', {
  method: 'delete',
  path: '/account/{id}/share-group',
  operationId: 'unshareAccountFromGroup',
  summary: 'Stop sharing an own account with its group',
  tags: ['Accounts'],
  versioned: true,
  request: { params: accountId },
  responses: { 200: json(MessageResponse, 'It is not shared with a group any more') },
  errors: [404],
})
accountSharingRoutes.openapi(deleteShareGroup, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The account is not shared with a group any more.' }),
    (ctx) => unshareFromGroup(ctx, c.req.valid('param').id),
  ),
)

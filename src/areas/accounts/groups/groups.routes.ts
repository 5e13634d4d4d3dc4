import { answer } from '../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../../http/route.ts'
import { presentGroup, presentGroups } from './groups.presenters.ts'
import {
  AccountGroupResponse,
  CreateAccountGroupRequest,
  ListAccountGroupsResponse,
  UpdateAccountGroupRequest,
} from './groups.schemas.ts'
import { addGroup, changeGroup, findGroups, removeGroup } from './groups.usecases.ts'

export const accountGroupRoutes = newArea()

const groupId = pathId('agr', 'folder')

export const listAccountGroups = defineRoute('accounts.read', {
  method: 'get',
  path: '/account-group',
  operationId: 'listAccountGroups',
  summary: 'The folders of accounts, in their order',
  tags: ['Accounts'],
  responses: { 200: json(ListAccountGroupsResponse, 'The folders') },
})
accountGroupRoutes.openapi(listAccountGroups, (c) => answer(c, 200, presentGroups, findGroups))

export const createAccountGroup = defineRoute('accounts.write', {
  method: 'post',
  path: '/account-group',
  operationId: 'createAccountGroup',
  summary: 'Make a folder of accounts; an account is in one at most',
  tags: ['Accounts'],
  request: jsonRequest(CreateAccountGroupRequest),
  responses: { 201: json(AccountGroupResponse, 'The new folder') },
})
accountGroupRoutes.openapi(createAccountGroup, (c) =>
  answer(c, 201, presentGroup, (ctx) => addGroup(ctx, c.req.valid('json'))),
)

export const updateAccountGroup = defineRoute('accounts.write', {
  method: 'put',
  path: '/account-group/{id}',
  operationId: 'updateAccountGroup',
  summary: 'Change the fields that are sent',
  tags: ['Accounts'],
  versioned: true,
  request: { params: groupId, ...jsonRequest(UpdateAccountGroupRequest) },
  responses: { 200: json(AccountGroupResponse, 'The folder as it is now') },
  errors: [404],
})
accountGroupRoutes.openapi(updateAccountGroup, (c) =>
  answer(c, 200, presentGroup, (ctx) =>
    changeGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const deleteAccountGroup = defineRoute('accounts.write', {
  method: 'delete',
  path: '/account-group/{id}',
  operationId: 'deleteAccountGroup',
  summary: 'Delete a folder; the accounts in it stay',
  tags: ['Accounts'],
  versioned: true,
  request: { params: groupId },
  responses: { 200: json(MessageResponse, 'The folder is gone') },
  errors: [404],
})
accountGroupRoutes.openapi(deleteAccountGroup, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The folder was deleted; its accounts stay.' }),
    (ctx) => removeGroup(ctx, c.req.valid('param').id),
  ),
)

import { answer } from '../../../../http/answer.ts'
import { MessageResponse, pathId } from '../../../../http/fields.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import {
  AccountGroupResponse,
  CreateAccountGroupRequest,
  AccountGroupsResponse,
  presentFolder,
  presentFolders,
  UpdateAccountGroupRequest,
} from './folders.contract.ts'
import * as groups from './folders.usecases.ts'

const groupId = pathId('agr', 'folder')

export const listAccountGroups = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account-group',
    operationId: 'listAccountGroups',
    summary: 'List account folders',
    tags: ['Accounts'],
    responses: { 200: json(AccountGroupsResponse, 'The folders') },
  },
  (c) => answer(c, 200, presentFolders, groups.listAccountGroups),
)

export const createAccountGroup = operation(
  'accounts.write',
  {
    method: 'post',
    path: '/account-group',
    operationId: 'createAccountGroup',
    summary: 'Create an account folder',
    tags: ['Accounts'],
    request: jsonRequest(CreateAccountGroupRequest),
    responses: { 201: json(AccountGroupResponse, 'The new folder') },
  },
  (c) =>
    answer(c, 201, presentFolder, (ctx) => groups.createAccountGroup(ctx, c.req.valid('json'))),
)

export const updateAccountGroup = operation(
  'accounts.write',
  {
    method: 'put',
    path: '/account-group/{id}',
    operationId: 'updateAccountGroup',
    summary: 'Update an account folder',
    tags: ['Accounts'],
    versioned: true,
    request: { params: groupId, ...jsonRequest(UpdateAccountGroupRequest) },
    responses: { 200: json(AccountGroupResponse, 'The folder as it is now') },
  },
  (c) =>
    answer(c, 200, presentFolder, (ctx) =>
      groups.updateAccountGroup(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteAccountGroup = operation(
  'accounts.write',
  {
    method: 'delete',
    path: '/account-group/{id}',
    operationId: 'deleteAccountGroup',
    summary: 'Delete an account folder',
    tags: ['Accounts'],
    versioned: true,
    request: { params: groupId },
    responses: { 200: json(MessageResponse, 'The folder was deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The folder was deleted; its accounts stay.' }),
      (ctx) => groups.deleteAccountGroup(ctx, c.req.valid('param').id),
    ),
)

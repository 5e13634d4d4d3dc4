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

export const listAccountGroups = operation({
  access: 'accounts.read',
  on: 'GET /account-group',
  summary: 'List account folders',
  responses: { 200: json(AccountGroupsResponse, 'The folders') },
  run: (ctx) => groups.listAccountGroups(ctx),
  present: presentFolders,
})

export const createAccountGroup = operation({
  access: 'accounts.write',
  on: 'POST /account-group',
  summary: 'Create an account folder',
  request: jsonRequest(CreateAccountGroupRequest),
  responses: { 201: json(AccountGroupResponse, 'The new folder') },
  run: (ctx, { body }) => groups.createAccountGroup(ctx, body),
  present: presentFolder,
})

export const updateAccountGroup = operation({
  access: 'accounts.write',
  on: 'PUT /account-group/{id}',
  summary: 'Update an account folder',
  versioned: true,
  request: { params: groupId, ...jsonRequest(UpdateAccountGroupRequest) },
  responses: { 200: json(AccountGroupResponse, 'The folder as it is now') },
  run: (ctx, { params, body }) => groups.updateAccountGroup(ctx, params.id, body),
  present: presentFolder,
})

export const deleteAccountGroup = operation({
  access: 'accounts.write',
  on: 'DELETE /account-group/{id}',
  summary: 'Delete an account folder',
  versioned: true,
  request: { params: groupId },
  responses: { 200: json(MessageResponse, 'The folder was deleted') },
  run: (ctx, { params }) => groups.deleteAccountGroup(ctx, params.id),
  present: () => ({ message: 'The folder was deleted; its accounts stay.' }),
})

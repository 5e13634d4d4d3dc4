import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { checkAccess } from '../../platform/database.ts'
import { presentAccount, presentAccounts, presentTypes } from './accounts.presenters.ts'
import {
  AccountListResponse,
  AccountResponseDTO,
  AccountTypesResponse,
  CreateAccountDTO,
  UpdateAccountDTO,
} from './accounts.schemas.ts'
import {
  changeAccount,
  deleteAccount,
  findAccount,
  listAccounts,
  listSharedAccounts,
  openAccount,
} from './accounts.usecases.ts'

export const accountRoutes = newArea()

export const accountId = pathId('acc', 'account')

export const getUserAccounts = defineRoute('accounts.read', {
  method: 'get',
  path: '/account',
  operationId: 'getUserAccounts',
  summary: 'All accounts that the caller sees',
  tags: ['Accounts'],
  responses: { 200: json(AccountListResponse, 'The accounts and their count') },
})
accountRoutes.openapi(getUserAccounts, (c) => answer(c, 200, presentAccounts, listAccounts))

export const createAccount = defineRoute('accounts.write', {
  method: 'post',
  path: '/account',
  operationId: 'createAccount',
  summary: 'Open an account',
  tags: ['Accounts'],
  request: jsonRequest(CreateAccountDTO),
  responses: { 201: json(AccountResponseDTO, 'The account') },
})
accountRoutes.openapi(createAccount, (c) =>
  answer(c, 201, presentAccount, (ctx) => openAccount(ctx, c.req.valid('json'))),
)

export const listAccountTypes = defineRoute('accounts.read', {
  method: 'get',
  path: '/account/type',
  operationId: 'listAccountTypes',
  summary: 'The types of accounts, and what each means',
  tags: ['Accounts'],
  responses: { 200: json(AccountTypesResponse, 'The types') },
})
accountRoutes.openapi(listAccountTypes, (c) => answer(c, 200, presentTypes, checkAccess))

export const getSharedAccounts = defineRoute('accounts.read', {
  method: 'get',
  path: '/account/shared-with-me',
  operationId: 'listSharedAccounts',
  summary: 'The accounts of others that the caller sees',
  tags: ['Accounts'],
  responses: { 200: json(AccountListResponse, 'The accounts and their count') },
})
accountRoutes.openapi(getSharedAccounts, (c) => answer(c, 200, presentAccounts, listSharedAccounts))

export const getAccountByID = defineRoute('accounts.read', {
  method: 'get',
  path: '/account/{id}',
  operationId: 'getAccountByID',
  summary: 'One account',
  tags: ['Accounts'],
  request: { params: accountId },
  responses: { 200: json(AccountResponseDTO, 'The account') },
  errors: [404],
})
accountRoutes.openapi(getAccountByID, (c) =>
  answer(c, 200, presentAccount, (ctx) => findAccount(ctx, c.req.valid('param').id)),
)

export const updateAccount = defineRoute('accounts.write', {
  method: 'put',
  path: '/account/{id}',
  operationId: 'updateAccount',
  summary: 'Change the fields that are sent',
  tags: ['Accounts'],
  versioned: true,
  request: { params: accountId, ...jsonRequest(UpdateAccountDTO) },
  responses: { 200: json(AccountResponseDTO, 'The changed account') },
  errors: [404],
})
accountRoutes.openapi(updateAccount, (c) =>
  answer(c, 200, presentAccount, (ctx) =>
    changeAccount(ctx, c.req.valid('param').id, c.req.valid('json')),
  ),
)

export const removeAccount = defineRoute('accounts.write', {
  method: 'delete',
  path: '/account/{id}',
  operationId: 'deleteAccount',
  summary: 'Move an account with its transactions to the trash',
  tags: ['Accounts'],
  versioned: true,
  request: { params: accountId },
  responses: { 200: json(MessageResponse, 'It is in the trash') },
  errors: [404],
})
accountRoutes.openapi(removeAccount, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The account is in the trash.' }),
    (ctx) => deleteAccount(ctx, c.req.valid('param').id),
  ),
)

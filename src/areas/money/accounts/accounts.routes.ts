import { answer } from '../../../http/answer.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import { checkAccess } from '../../../platform/database.ts'
import {
  accountId,
  AccountListResponse,
  AccountResponseDTO,
  AccountTypesResponse,
  CreateAccountDTO,
  presentAccounts,
  presentSingleAccount,
  presentStoredAccount,
  presentTypes,
  UpdateAccountDTO,
} from './accounts.contract.ts'
import * as accounts from './accounts.usecases.ts'

export const getUserAccounts = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account',
    operationId: 'getUserAccounts',
    summary: 'List accounts',
    tags: ['Accounts'],
    responses: { 200: json(AccountListResponse, 'The accounts and their count') },
  },
  (c) => answer(c, 200, presentAccounts, accounts.getUserAccounts),
)

export const createAccount = operation(
  'accounts.write',
  {
    method: 'post',
    path: '/account',
    operationId: 'createAccount',
    summary: 'Open an account',
    tags: ['Accounts'],
    request: jsonRequest(CreateAccountDTO),
    responses: { 201: json(AccountResponseDTO, 'The account') },
  },
  (c) =>
    answer(c, 201, presentStoredAccount, (ctx) => accounts.createAccount(ctx, c.req.valid('json'))),
)

export const listAccountTypes = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/type',
    operationId: 'listAccountTypes',
    summary: 'List account types',
    tags: ['Accounts'],
    responses: { 200: json(AccountTypesResponse, 'The types') },
  },
  (c) => answer(c, 200, presentTypes, checkAccess),
)

export const listSharedAccounts = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/shared-with-me',
    operationId: 'listSharedAccounts',
    summary: 'List accounts shared with the caller',
    tags: ['Accounts'],
    responses: { 200: json(AccountListResponse, 'The accounts and their count') },
  },
  (c) => answer(c, 200, presentAccounts, accounts.listSharedAccounts),
)

export const getAccountByID = operation(
  'accounts.read',
  {
    method: 'get',
    path: '/account/{id}',
    operationId: 'getAccountByID',
    summary: 'Get an account',
    tags: ['Accounts'],
    request: { params: accountId },
    responses: { 200: json(AccountResponseDTO, 'The account') },
  },
  (c) =>
    answer(c, 200, presentSingleAccount, (ctx) =>
      accounts.getAccountByID(ctx, c.req.valid('param').id),
    ),
)

export const updateAccount = operation(
  'accounts.write',
  {
    method: 'put',
    path: '/account/{id}',
    operationId: 'updateAccount',
    summary: 'Update an account',
    tags: ['Accounts'],
    versioned: true,
    request: { params: accountId, ...jsonRequest(UpdateAccountDTO) },
    responses: { 200: json(AccountResponseDTO, 'The changed account') },
  },
  (c) =>
    answer(c, 200, presentStoredAccount, (ctx) =>
      accounts.updateAccount(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const deleteAccount = operation(
  'accounts.write',
  {
    method: 'delete',
    path: '/account/{id}',
    operationId: 'deleteAccount',
    summary: 'Move an account to the trash',
    tags: ['Accounts'],
    versioned: true,
    request: { params: accountId },
    responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  },
  (c) =>
    answer(
      c,
      200,
      (_, ctx) =>
        presentTrashed(
          ctx,
          { kind: 'account', id: c.req.valid('param').id },
          'The account is in the trash.',
        ),
      (ctx) => accounts.deleteAccount(ctx, c.req.valid('param').id),
    ),
)

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

export const getUserAccounts = operation({
  access: 'accounts.read',
  on: 'GET /account',
  summary: 'List accounts',
  responses: { 200: json(AccountListResponse, 'The accounts and their count') },
  run: (ctx) => accounts.getUserAccounts(ctx),
  present: presentAccounts,
})

export const createAccount = operation({
  access: 'accounts.write',
  on: 'POST /account',
  summary: 'Open an account',
  request: jsonRequest(CreateAccountDTO),
  responses: { 201: json(AccountResponseDTO, 'The account') },
  run: (ctx, { body }) => accounts.createAccount(ctx, body),
  present: presentStoredAccount,
})

export const listAccountTypes = operation({
  access: 'accounts.read',
  on: 'GET /account/type',
  summary: 'List account types',
  responses: { 200: json(AccountTypesResponse, 'The types') },
  run: (ctx) => checkAccess(ctx),
  present: presentTypes,
})

export const listSharedAccounts = operation({
  access: 'accounts.read',
  on: 'GET /account/shared-with-me',
  summary: 'List accounts shared with the caller',
  responses: { 200: json(AccountListResponse, 'The accounts and their count') },
  run: (ctx) => accounts.listSharedAccounts(ctx),
  present: presentAccounts,
})

export const getAccountByID = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}',
  summary: 'Get an account',
  request: { params: accountId },
  responses: { 200: json(AccountResponseDTO, 'The account') },
  run: (ctx, { params }) => accounts.getAccountByID(ctx, params.id),
  present: presentSingleAccount,
})

export const updateAccount = operation({
  access: 'accounts.write',
  on: 'PUT /account/{id}',
  summary: 'Update an account',
  versioned: true,
  request: { params: accountId, ...jsonRequest(UpdateAccountDTO) },
  responses: { 200: json(AccountResponseDTO, 'The changed account') },
  run: (ctx, { params, body }) => accounts.updateAccount(ctx, params.id, body),
  present: presentStoredAccount,
})

export const deleteAccount = operation({
  access: 'accounts.write',
  on: 'DELETE /account/{id}',
  summary: 'Move an account to the trash',
  versioned: true,
  request: { params: accountId },
  responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  run: (ctx, { params }) => accounts.deleteAccount(ctx, params.id),
  present: (_, ctx, { params }) =>
    presentTrashed(ctx, { kind: 'account', id: params.id }, 'The account is in the trash.'),
})

import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import { checkAccess } from '../../../platform/database/database.ts'
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
  presentAccount,
} from './accounts.contract.ts'
import * as accounts from './accounts.usecases.ts'
import {
  AccountBalanceQuery,
  AccountBalanceResponse,
  BalanceHistoryQuery,
  BalanceHistoryResponse,
  presentBalance,
  presentBalanceHistory,
} from './balances.contract.ts'
import * as balances from './balances.usecases.ts'
import {
  AccountDetailsQuery,
  AccountDetailsResponseDTO,
  presentDetails,
  presentRegister,
  RegisterQuery,
  RegistrationResponse,
  CloseAccountRequest,
  ReorderAccountsRequest,
} from './details.contract.ts'
import * as details from './details.usecases.ts'
import { HomePageQuery, HomepageResponseDTO, presentHomePage } from './home-page.contract.ts'
import * as homePage from './home-page.usecases.ts'
import * as lifecycle from './lifecycle.usecases.ts'
import {
  CardCycleResponse,
  CardStatementListResponse,
  cardStatementPath,
  CardStatementResponse,
  CardStatementsQuery,
  presentCycle,
  presentSingleStatement,
  presentStatements,
} from './cards/cards.contract.ts'
import * as cards from './cards/cards.usecases.ts'

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

export const getAccountBalance = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/balance',
  summary: 'Get the account balance on a day',
  request: { params: accountId, query: AccountBalanceQuery },
  responses: { 200: json(AccountBalanceResponse, 'The balances') },
  run: (ctx, { params, query }) => balances.getAccountBalance(ctx, params.id, query.date),
  present: presentBalance,
})

export const getBalanceHistory = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/balance-history',
  summary: 'Get the balance history of an account',
  request: { params: accountId, query: BalanceHistoryQuery },
  responses: { 200: json(BalanceHistoryResponse, 'The balances, oldest first') },
  run: (ctx, { params, query }) => balances.getBalanceHistory(ctx, params.id, query),
  present: presentBalanceHistory,
})

export const getAccountDetails = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/details',
  summary: 'Get an account with its transactions',
  request: { params: accountId, query: AccountDetailsQuery },
  responses: {
    200: json(AccountDetailsResponseDTO, 'The account and a page of its transactions'),
  },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => details.getAccountDetails(ctx, id, query, page))
  },
  present: presentDetails,
})

export const getRegister = operation({
  access: 'transactions.read',
  on: 'GET /account/{id}/transaction',
  summary: 'List the transactions of an account',
  request: { params: accountId, query: RegisterQuery },
  responses: { 200: json(RegistrationResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => details.getRegister(ctx, id, query, page))
  },
  present: presentRegister,
})

export const getHomePage = operation({
  access: 'accounts.read',
  on: 'GET /account/home-page',
  summary: 'Get the home page summary',
  request: { query: HomePageQuery },
  responses: { 200: json(HomepageResponseDTO, 'The home page') },
  run: (ctx, { query }) => homePage.getHomePage(ctx, query.currency),
  present: presentHomePage,
})

export const closeAccount = operation({
  access: 'accounts.write',
  on: 'POST /account/{id}/close',
  summary: 'Close an account',
  request: { params: accountId, ...jsonRequest(CloseAccountRequest) },
  responses: { 200: json(AccountResponseDTO, 'The closed account') },
  run: (ctx, { params, body }) => lifecycle.closeAccount(ctx, params.id, body),
  present: presentAccount,
})

export const reopenAccount = operation({
  access: 'accounts.write',
  on: 'POST /account/{id}/reopen',
  summary: 'Open a closed account again',
  request: { params: accountId },
  responses: { 200: json(AccountResponseDTO, 'The reopened account') },
  run: (ctx, { params }) => lifecycle.reopenAccount(ctx, params.id),
  present: presentAccount,
})

export const reorderAccounts = operation({
  access: 'accounts.write',
  on: 'POST /account/reorder',
  summary: 'Reorder accounts',
  request: jsonRequest(ReorderAccountsRequest),
  responses: { 200: json(AccountListResponse, 'All accounts in their order') },
  run: (ctx, { body }) => lifecycle.reorderAccounts(ctx, body.ids),
  present: presentAccounts,
})

export const getCardCycle = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/card-cycle',
  summary: 'Get the open cycle of a card',
  request: { params: accountId },
  responses: { 200: json(CardCycleResponse, 'The open cycle and the last statement') },
  run: (ctx, { params }) => cards.getCardCycle(ctx, params.id),
  present: presentCycle,
})

export const listCardStatements = operation({
  access: 'accounts.read',
  on: 'GET /account/{id}/card-statement',
  summary: 'List the statements of a card',
  request: { params: accountId, query: CardStatementsQuery },
  responses: { 200: json(CardStatementListResponse, 'One page of the list') },
  run: (ctx, { params, query }) => {
    const { id } = params
    return paged(ctx, { ...query, id }, (page) => cards.listCardStatements(ctx, id, page))
  },
  present: presentStatements,
})

export const getCardStatement = operation({
  access: 'transactions.read',
  on: 'GET /account/{id}/card-statement/{date}',
  summary: 'Get a statement of a card',
  request: { params: cardStatementPath, query: CardStatementsQuery },
  responses: {
    200: json(CardStatementResponse, 'The statement with a page of its transactions'),
  },
  run: (ctx, { params, query }) => {
    const { id, date } = params
    return paged(ctx, { ...query, id, date }, (page) => cards.getCardStatement(ctx, id, date, page))
  },
  present: presentSingleStatement,
})

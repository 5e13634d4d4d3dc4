import { pathId, ForceQuery } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import {
  createTransaction,
  changeTransaction,
  type CreatedTransaction,
  type Discarded,
  findTransaction,
  listTransactions,
  deleteTransaction,
} from '../transactions/transactions.public.ts'
import {
  CreateExpenseRequest,
  ExpenseResponse,
  ListExpensesQuery,
  ExpensesResponse,
  presentExpense,
  presentExpenses,
  UpdateExpenseRequest,
} from './expenses.contract.ts'

// Expenses are transactions: only what differs by their kind stands here.

const kind = 'expense'
const expenseId = pathId('txn', 'expense')

export const listExpenses = operation({
  access: 'transactions.read',
  on: 'GET /expense',
  summary: 'List expenses',
  request: { query: ListExpensesQuery },
  responses: { 200: json(ExpensesResponse, 'One page of the list') },
  run: (ctx, { query: { totals, ...query } }) => {
    const filter = { ...query, kind } as const
    return paged(ctx, query, (page) => listTransactions(ctx, filter, { ...query, totals }, page))
  },
  present: presentExpenses,
})

export const createExpense = operation({
  access: 'transactions.write',
  on: 'POST /expense',
  summary: 'Record an expense',
  request: jsonRequest(CreateExpenseRequest),
  responses: {
    200: json(TransactionResponse, 'The existing expense with this externalId'),
    201: json(TransactionResponse, 'The new expense'),
  },
  errors: [404],
  run: (ctx, { body }) => createTransaction(ctx, { ...body, kind }, kind),
  // It may be one side of a transfer.
  present: ({ row }) => presentTransaction(row),
  status: ({ isNew }: CreatedTransaction) => (isNew ? 201 : 200),
})

export const getExpense = operation({
  access: 'transactions.read',
  on: 'GET /expense/{id}',
  summary: 'Get an expense',
  request: { params: expenseId },
  responses: { 200: json(ExpenseResponse, 'The expense') },
  run: (ctx, { params }) => findTransaction(ctx, params.id, kind),
  present: presentExpense,
})

export const updateExpense = operation({
  access: 'transactions.write',
  on: 'PUT /expense/{id}',
  summary: 'Update an expense',
  versioned: true,
  request: { params: expenseId, ...jsonRequest(UpdateExpenseRequest) },
  responses: { 200: json(ExpenseResponse, 'The changed expense') },
  run: (ctx, { params, body }) => changeTransaction(ctx, params.id, body, kind),
  present: presentExpense,
})

export const deleteExpense = operation({
  access: 'transactions.write',
  on: 'DELETE /expense/{id}',
  summary: 'Move an expense to the trash',
  versioned: true,
  request: { params: expenseId, query: ForceQuery },
  responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  run: (ctx, { params, query }) => deleteTransaction(ctx, params.id, query.force, kind),
  present: ({ isOwn }: Discarded, ctx, { params }) =>
    presentTrashed(
      ctx,
      { kind: 'transaction', id: params.id, isOwn },
      'The expense is in the trash.',
    ),
})

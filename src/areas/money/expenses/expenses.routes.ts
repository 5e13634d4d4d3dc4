import { answer } from '../../../http/answer.ts'
import { pathId, ForceQuery } from '../../../http/fields.ts'
import { paged } from '../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../http/route.ts'
import { presentTrashed, TrashedResponse } from '../../../http/trashed.ts'
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

// Expenses are transactions: only what is told apart by their kind stands here.

const kind = 'expense'
const expenseId = pathId('txn', 'expense')

export const listExpenses = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/expense',
    operationId: 'listExpenses',
    summary: 'List expenses',
    tags: ['Expenses'],
    request: { query: ListExpensesQuery },
    responses: { 200: json(ExpensesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentExpenses, (ctx) => {
      const { totals, ...query } = c.req.valid('query')
      const filter = { ...query, kind } as const
      return paged(ctx, query, (page) => listTransactions(ctx, filter, { ...query, totals }, page))
    }),
)

export const createExpense = operation(
  'transactions.write',
  {
    method: 'post',
    path: '/expense',
    operationId: 'createExpense',
    summary: 'Record an expense',
    tags: ['Expenses'],
    request: jsonRequest(CreateExpenseRequest),
    responses: {
      200: json(ExpenseResponse, 'The existing expense with this externalId'),
      201: json(ExpenseResponse, 'The new expense'),
    },
    errors: [404],
  },
  (c) =>
    answer(
      c,
      ({ isNew }: CreatedTransaction) => (isNew ? 201 : 200),
      ({ row }) => presentExpense(row),
      (ctx) => createTransaction(ctx, { ...c.req.valid('json'), kind }, kind),
    ),
)

export const getExpense = operation(
  'transactions.read',
  {
    method: 'get',
    path: '/expense/{id}',
    operationId: 'getExpense',
    summary: 'Get an expense',
    tags: ['Expenses'],
    request: { params: expenseId },
    responses: { 200: json(ExpenseResponse, 'The expense') },
  },
  (c) =>
    answer(c, 200, presentExpense, (ctx) => findTransaction(ctx, c.req.valid('param').id, kind)),
)

export const updateExpense = operation(
  'transactions.write',
  {
    method: 'put',
    path: '/expense/{id}',
    operationId: 'updateExpense',
    summary: 'Update an expense',
    tags: ['Expenses'],
    versioned: true,
    request: { params: expenseId, ...jsonRequest(UpdateExpenseRequest) },
    responses: { 200: json(ExpenseResponse, 'The changed expense') },
  },
  (c) =>
    answer(c, 200, presentExpense, (ctx) =>
      changeTransaction(ctx, c.req.valid('param').id, c.req.valid('json'), kind),
    ),
)

export const deleteExpense = operation(
  'transactions.write',
  {
    method: 'delete',
    path: '/expense/{id}',
    operationId: 'deleteExpense',
    summary: 'Move an expense to the trash',
    tags: ['Expenses'],
    versioned: true,
    request: { params: expenseId, query: ForceQuery },
    responses: { 200: json(TrashedResponse, 'The item is in the trash') },
  },
  (c) =>
    answer(
      c,
      200,
      ({ isOwn }: Discarded, ctx) =>
        presentTrashed(
          ctx,
          { kind: 'transaction', id: c.req.valid('param').id, isOwn },
          'The expense is in the trash.',
        ),
      (ctx) => deleteTransaction(ctx, c.req.valid('param').id, c.req.valid('query').force, kind),
    ),
)

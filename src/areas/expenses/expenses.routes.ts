import { answer } from '../../http/answer.ts'
import { MessageResponse, pathId } from '../../http/fields.ts'
import { paged } from '../../http/pagination.ts'
import { defineRoute, json, jsonRequest, newArea } from '../../http/route.ts'
import { ForceQuery } from '../transaction-views/transaction-views.public.ts'
import {
  bookTransaction,
  changeTransaction,
  type Created,
  findTransaction,
  findTransactions,
  removeTransaction,
} from '../transactions/transactions.public.ts'
import { presentExpense, presentExpenses } from './expenses.presenters.ts'
import {
  CreateExpenseRequest,
  ExpenseResponse,
  ListExpensesQuery,
  ListExpensesResponse,
  UpdateExpenseRequest,
} from './expenses.schemas.ts'

// Expenses are transactions: only what is told apart by their kind stands here.

export const expenseRoutes = newArea()

const kind = 'expense'
const expenseId = pathId('txn', 'expense')

export const listExpenses = defineRoute('transactions.read', {
  method: 'get',
  path: '/expense',
  operationId: 'listExpenses',
  summary: 'Expenses that match',
  tags: ['Expenses'],
  request: { query: ListExpensesQuery },
  responses: { 200: json(ListExpensesResponse, 'One page of them') },
})
expenseRoutes.openapi(listExpenses, (c) =>
  answer(c, 200, presentExpenses, (ctx) => {
    const { totals, ...query } = c.req.valid('query')
    const filter = { ...query, kind } as const
    return paged(ctx, query, (page) => findTransactions(ctx, filter, { ...query, totals }, page))
  }),
)

export const createExpense = defineRoute('transactions.write', {
  method: 'post',
  path: '/expense',
  operationId: 'createExpense',
  summary: 'Record an expense',
  tags: ['Expenses'],
  request: jsonRequest(CreateExpenseRequest),
  responses: {
    200: json(ExpenseResponse, 'The account has an expense with this externalId: this one'),
    201: json(ExpenseResponse, 'The new expense'),
  },
  errors: [404],
})
expenseRoutes.openapi(createExpense, (c) =>
  answer(
    c,
    ({ isNew }: Created) => (isNew ? 201 : 200),
    ({ row }) => presentExpense(row),
    (ctx) => bookTransaction(ctx, { ...c.req.valid('json'), kind }, kind),
  ),
)

export const getExpense = defineRoute('transactions.read', {
  method: 'get',
  path: '/expense/{id}',
  operationId: 'getExpense',
  summary: 'One expense',
  tags: ['Expenses'],
  request: { params: expenseId },
  responses: { 200: json(ExpenseResponse, 'The expense') },
  errors: [404],
})
expenseRoutes.openapi(getExpense, (c) =>
  answer(c, 200, presentExpense, (ctx) => findTransaction(ctx, c.req.valid('param').id, kind)),
)

export const updateExpense = defineRoute('transactions.write', {
  method: 'put',
  path: '/expense/{id}',
  operationId: 'updateExpense',
  summary: 'Change the fields that are sent',
  tags: ['Expenses'],
  versioned: true,
  request: { params: expenseId, ...jsonRequest(UpdateExpenseRequest) },
  responses: { 200: json(ExpenseResponse, 'The changed expense') },
  errors: [404],
})
expenseRoutes.openapi(updateExpense, (c) =>
  answer(c, 200, presentExpense, (ctx) =>
    changeTransaction(ctx, c.req.valid('param').id, c.req.valid('json'), kind),
  ),
)

export const deleteExpense = defineRoute('transactions.write', {
  method: 'delete',
  path: '/expense/{id}',
  operationId: 'deleteExpense',
  summary: 'Move an expense to the trash',
  tags: ['Expenses'],
  versioned: true,
  request: { params: expenseId, query: ForceQuery },
  responses: { 200: json(MessageResponse, 'It is in the trash') },
  errors: [404],
})
expenseRoutes.openapi(deleteExpense, (c) =>
  answer(
    c,
    200,
    () => ({ message: 'The expense is in the trash.' }),
    (ctx) => removeTransaction(ctx, c.req.valid('param').id, c.req.valid('query').force, kind),
  ),
)

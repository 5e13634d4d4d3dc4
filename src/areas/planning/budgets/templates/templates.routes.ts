import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { idInPath, MessageResponse, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AssignedMoneyResponse, presentAssigned } from '../assigning/assigning.contract.ts'
import {
  ApplyBudgetTemplateRequest,
  BudgetTemplateResponse,
  CreateBudgetTemplateRequest,
  ListBudgetTemplatesQuery,
  BudgetTemplatesResponse,
  presentTemplate,
  presentTemplates,
  UpdateBudgetTemplateRequest,
} from './templates.contract.ts'
import * as templates from './templates.usecases.ts'

const budgetPath = pathId('bud', 'budget')
const templatePath = z.object({
  ...budgetPath.shape,
  templateId: idInPath('btp', 'Id of the template.'),
})

export const listBudgetTemplates = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/template',
    operationId: 'listBudgetTemplates',
    summary: 'List the templates of a budget',
    tags: ['Budgets'],
    request: { params: budgetPath, query: ListBudgetTemplatesQuery },
    responses: { 200: json(BudgetTemplatesResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentTemplates, (ctx) =>
      paged(ctx, c.req.valid('query'), (page) =>
        templates.listBudgetTemplates(ctx, c.req.valid('param').id, page),
      ),
    ),
)

export const createBudgetTemplate = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/template',
    operationId: 'createBudgetTemplate',
    summary: 'Create a budget template',
    tags: ['Budgets'],
    request: { params: budgetPath, ...jsonRequest(CreateBudgetTemplateRequest) },
    responses: { 201: json(BudgetTemplateResponse, 'The new template') },
  },
  (c) =>
    answer(c, 201, presentTemplate, (ctx) =>
      templates.createBudgetTemplate(ctx, c.req.valid('param').id, c.req.valid('json')),
    ),
)

export const updateBudgetTemplate = operation(
  'budgets.write',
  {
    method: 'put',
    path: '/budget/{id}/template/{templateId}',
    operationId: 'updateBudgetTemplate',
    summary: 'Update a budget template',
    tags: ['Budgets'],
    versioned: true,
    request: { params: templatePath, ...jsonRequest(UpdateBudgetTemplateRequest) },
    responses: { 200: json(BudgetTemplateResponse, 'The template as it is now') },
  },
  (c) =>
    answer(c, 200, presentTemplate, (ctx) => {
      const { id: budgetId, templateId } = c.req.valid('param')
      return templates.updateBudgetTemplate(ctx, budgetId, templateId, c.req.valid('json'))
    }),
)

export const deleteBudgetTemplate = operation(
  'budgets.write',
  {
    method: 'delete',
    path: '/budget/{id}/template/{templateId}',
    operationId: 'deleteBudgetTemplate',
    summary: 'Delete a budget template',
    tags: ['Budgets'],
    versioned: true,
    request: { params: templatePath },
    responses: { 200: json(MessageResponse, 'Deleted') },
  },
  (c) =>
    answer(
      c,
      200,
      () => ({ message: 'The template was deleted.' }),
      (ctx) => {
        const { id: budgetId, templateId } = c.req.valid('param')
        return templates.deleteBudgetTemplate(ctx, budgetId, templateId)
      },
    ),
)

export const applyBudgetTemplate = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/template/{templateId}/apply',
    operationId: 'applyBudgetTemplate',
    summary: 'Apply a budget template',
    tags: ['Budgets'],
    request: { params: templatePath, ...jsonRequest(ApplyBudgetTemplateRequest) },
    responses: { 200: json(AssignedMoneyResponse, 'The lines that change, and the pool') },
  },
  (c) =>
    answer(c, 200, presentAssigned, (ctx) => {
      const { id: budgetId, templateId } = c.req.valid('param')
      return templates.applyBudgetTemplate(ctx, budgetId, templateId, c.req.valid('json'))
    }),
)

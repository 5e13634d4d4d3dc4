import { z } from '@hono/zod-openapi'
import { idInPath, MessageResponse, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { AssignedMoneyResponse, presentAssigned } from '../amounts/amounts.contract.ts'
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

export const listBudgetTemplates = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/template',
  summary: 'List the templates of a budget',
  request: { params: budgetPath, query: ListBudgetTemplatesQuery },
  responses: { 200: json(BudgetTemplatesResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => templates.listBudgetTemplates(ctx, params.id, page)),
  present: presentTemplates,
})

export const createBudgetTemplate = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/template',
  summary: 'Create a budget template',
  request: { params: budgetPath, ...jsonRequest(CreateBudgetTemplateRequest) },
  responses: { 201: json(BudgetTemplateResponse, 'The new template') },
  run: (ctx, { params, body }) => templates.createBudgetTemplate(ctx, params.id, body),
  present: presentTemplate,
})

export const updateBudgetTemplate = operation({
  access: 'budgets.write',
  on: 'PUT /budget/{id}/template/{templateId}',
  summary: 'Update a budget template',
  versioned: true,
  request: { params: templatePath, ...jsonRequest(UpdateBudgetTemplateRequest) },
  responses: { 200: json(BudgetTemplateResponse, 'The template as it is now') },
  run: (ctx, { params, body }) => {
    const { id: budgetId, templateId } = params
    return templates.updateBudgetTemplate(ctx, budgetId, templateId, body)
  },
  present: presentTemplate,
})

export const deleteBudgetTemplate = operation({
  access: 'budgets.write',
  on: 'DELETE /budget/{id}/template/{templateId}',
  summary: 'Delete a budget template',
  versioned: true,
  request: { params: templatePath },
  responses: { 200: json(MessageResponse, 'Deleted') },
  run: (ctx, { params }) => {
    const { id: budgetId, templateId } = params
    return templates.deleteBudgetTemplate(ctx, budgetId, templateId)
  },
  present: () => ({ message: 'The template was deleted.' }),
})

export const applyBudgetTemplate = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/template/{templateId}/apply',
  summary: 'Apply a budget template',
  request: { params: templatePath, ...jsonRequest(ApplyBudgetTemplateRequest) },
  responses: { 200: json(AssignedMoneyResponse, 'The lines that change, and the pool') },
  run: (ctx, { params, body }) => {
    const { id: budgetId, templateId } = params
    return templates.applyBudgetTemplate(ctx, budgetId, templateId, body)
  },
  present: presentAssigned,
})

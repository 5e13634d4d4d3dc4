import { z } from '@hono/zod-openapi'
import { answer } from '../../../../http/answer.ts'
import { idInPath, pathId } from '../../../../http/fields.ts'
import { paged } from '../../../../http/pagination.ts'
import { json, jsonRequest, operation } from '../../../../http/route.ts'
import { periodName } from '../periods/periods.contract.ts'
import {
  ListMovementsQuery,
  MovementsResponse,
  MoveMoneyRequest,
  MovementResponse,
  presentMovement,
  presentMovements,
} from './movements.contract.ts'
import * as movements from './movements.usecases.ts'

const budgetId = pathId('bud', 'budget')
const periodPath = z.object({ ...budgetId.shape, period: periodName })
const movementPath = z.object({
  ...budgetId.shape,
  movementId: idInPath('bmv', 'Id of the movement.'),
})

export const moveMoney = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/period/{period}/move',
    operationId: 'moveMoney',
    summary: 'Move money between lines',
    tags: ['Budgets'],
    request: { params: periodPath, ...jsonRequest(MoveMoneyRequest) },
    responses: { 201: json(MovementResponse, 'The movement') },
  },
  (c) =>
    answer(c, 201, presentMovement, (ctx) => {
      const { id: budget, period } = c.req.valid('param')
      return movements.moveMoney(ctx, budget, period, c.req.valid('json'))
    }),
)

export const listMovements = operation(
  'budgets.read',
  {
    method: 'get',
    path: '/budget/{id}/movement',
    operationId: 'listMovements',
    summary: 'List movements of money',
    tags: ['Budgets'],
    request: { params: budgetId, query: ListMovementsQuery },
    responses: { 200: json(MovementsResponse, 'One page of the list') },
  },
  (c) =>
    answer(c, 200, presentMovements, (ctx) => {
      const query = c.req.valid('query')
      return paged(ctx, query, (page) =>
        movements.listMovements(ctx, c.req.valid('param').id, query, page),
      )
    }),
)

export const undoMovement = operation(
  'budgets.write',
  {
    method: 'post',
    path: '/budget/{id}/movement/{movementId}/undo',
    operationId: 'undoMovement',
    summary: 'Undo a movement',
    tags: ['Budgets'],
    request: { params: movementPath },
    responses: { 201: json(MovementResponse, 'The movement back') },
  },
  (c) =>
    answer(c, 201, presentMovement, (ctx) => {
      const { id: budget, movementId } = c.req.valid('param')
      return movements.undoMovement(ctx, budget, movementId)
    }),
)

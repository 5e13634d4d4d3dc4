import { z } from '@hono/zod-openapi'
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

export const moveMoney = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/period/{period}/move',
  summary: 'Move money between lines',
  request: { params: periodPath, ...jsonRequest(MoveMoneyRequest) },
  responses: { 201: json(MovementResponse, 'The movement') },
  run: (ctx, { params, body }) => {
    const { id: budget, period } = params
    return movements.moveMoney(ctx, budget, period, body)
  },
  present: presentMovement,
})

export const listMovements = operation({
  access: 'budgets.read',
  on: 'GET /budget/{id}/movement',
  summary: 'List movements of money',
  request: { params: budgetId, query: ListMovementsQuery },
  responses: { 200: json(MovementsResponse, 'One page of the list') },
  run: (ctx, { params, query }) =>
    paged(ctx, query, (page) => movements.listMovements(ctx, params.id, query, page)),
  present: presentMovements,
})

export const undoMovement = operation({
  access: 'budgets.write',
  on: 'POST /budget/{id}/movement/{movementId}/undo',
  summary: 'Undo a movement',
  request: { params: movementPath },
  responses: { 201: json(MovementResponse, 'The movement back') },
  run: (ctx, { params }) => {
    const { id: budget, movementId } = params
    return movements.undoMovement(ctx, budget, movementId)
  },
  present: presentMovement,
})

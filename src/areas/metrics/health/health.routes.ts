import { answer } from '../../../http/answer.ts'
import { defineRoute, json, newArea } from '../../../http/route.ts'
import { presentHealth } from './health.presenters.ts'
import { SystemHealthResponse } from './health.schemas.ts'
import { findHealth } from './health.usecases.ts'

export const healthRoutes = newArea()

export const getSystemHealth = defineRoute('metrics.read', {
  method: 'get',
  path: '/admin/system-health',
  operationId: 'getSystemHealth',
  summary: 'Whether all that the service stands on answers, and is as it should be',
  tags: ['Metrics'],
  responses: { 200: json(SystemHealthResponse, 'What was found') },
})
healthRoutes.openapi(getSystemHealth, (c) => answer(c, 200, presentHealth, findHealth))

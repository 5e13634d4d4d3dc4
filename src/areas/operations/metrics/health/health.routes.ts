import { answer } from '../../../../http/answer.ts'
import { json, operation } from '../../../../http/route.ts'
import { presentHealth, SystemHealthResponse } from './health.contract.ts'
import * as health from './health.usecases.ts'

export const getSystemHealth = operation(
  'metrics.read',
  {
    method: 'get',
    path: '/admin/system-health',
    operationId: 'getSystemHealth',
    summary: 'Check the health of the system',
    tags: ['Metrics'],
    responses: { 200: json(SystemHealthResponse, 'The state of the system') },
  },
  (c) => answer(c, 200, presentHealth, health.getSystemHealth),
)

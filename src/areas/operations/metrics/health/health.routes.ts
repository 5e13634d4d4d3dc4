import { json, operation } from '../../../../http/route.ts'
import { presentHealth, SystemHealthResponse } from './health.contract.ts'
import * as health from './health.usecases.ts'

export const getSystemHealth = operation({
  access: 'metrics.read',
  on: 'GET /admin/system-health',
  summary: 'Check the health of the system',
  responses: { 200: json(SystemHealthResponse, 'The state of the system') },
  run: (ctx) => health.getSystemHealth(ctx),
  present: presentHealth,
})

import { answer } from '../../http/answer.ts'
import { defineRoute, json, newArea } from '../../http/route.ts'
import { presentStarted, StartedJobResponse } from '../jobs/jobs.public.ts'
import { requestCheck, requestPurge, requestRecalculation } from './maintenance.usecases.ts'

export const maintenanceRoutes = newArea()

const responses = { 202: json(StartedJobResponse, 'The job that does it') }

export const postIntegrityCheck = defineRoute('maintenance.write', {
  method: 'post',
  path: '/admin/maintenance/integrity-check',
  operationId: 'checkIntegrity',
  summary:
    'Have the ledger of everybody compared with itself; /admin/system-health tells the result',
  tags: ['Maintenance'],
  responses,
})
maintenanceRoutes.openapi(postIntegrityCheck, (c) => answer(c, 202, presentStarted, requestCheck))

export const postRecalculation = defineRoute('maintenance.write', {
  method: 'post',
  path: '/admin/maintenance/recalculate-balances',
  operationId: 'recalculateBalances',
  summary: 'Have balances and sums that differ from the entries made anew',
  tags: ['Maintenance'],
  responses,
})
maintenanceRoutes.openapi(postRecalculation, (c) =>
  answer(c, 202, presentStarted, requestRecalculation),
)

export const postPurge = defineRoute('maintenance.write', {
  method: 'post',
  path: '/admin/maintenance/purge-deleted',
  operationId: 'purgeDeleted',
  summary: 'Have erased now what has been in the trash for 30 days, and files whose time is over',
  tags: ['Maintenance'],
  responses,
})
maintenanceRoutes.openapi(postPurge, (c) => answer(c, 202, presentStarted, requestPurge))

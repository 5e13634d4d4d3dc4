import { answer } from '../../../http/answer.ts'
import { json, operation } from '../../../http/route.ts'
import { presentStarted, StartedJobResponse } from '../jobs/jobs.public.ts'
import * as maintenance from './maintenance.usecases.ts'

const responses = { 202: json(StartedJobResponse, 'The job that does the work') }

export const checkIntegrity = operation(
  'maintenance.write',
  {
    method: 'post',
    path: '/admin/maintenance/integrity-check',
    operationId: 'checkIntegrity',
    summary: 'Check the integrity of the ledger',
    tags: ['Maintenance'],
    responses,
  },
  (c) => answer(c, 202, presentStarted, maintenance.checkIntegrity),
)

export const recalculateBalances = operation(
  'maintenance.write',
  {
    method: 'post',
    path: '/admin/maintenance/recalculate-balances',
    operationId: 'recalculateBalances',
    summary: 'Recalculate balances and sums',
    tags: ['Maintenance'],
    responses,
  },
  (c) => answer(c, 202, presentStarted, maintenance.recalculateBalances),
)

export const purgeDeleted = operation(
  'maintenance.write',
  {
    method: 'post',
    path: '/admin/maintenance/purge-deleted',
    operationId: 'purgeDeleted',
    summary: 'Purge the trash of all users',
    tags: ['Maintenance'],
    responses,
  },
  (c) => answer(c, 202, presentStarted, maintenance.purgeDeleted),
)

import { answer } from '../../../http/answer.ts'
import { json, operation } from '../../../http/route.ts'
import { presentStarted, StartedJobResponse } from '../jobs/jobs.public.ts'
import * as maintenance from './maintenance.usecases.ts'

const responses = { 202: json(StartedJobResponse, 'The job that does it') }

export const checkIntegrity = operation(
  'maintenance.write',
  {
    method: 'post',
    path: '/admin/maintenance/integrity-check',
    operationId: 'checkIntegrity',
    summary: 'Check the integrity of the ledger',
    description:
      'A task compares the ledger of everybody with itself; `GET /admin/system-health` tells the result.',
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
    description: 'A task makes those anew that differ from the entries.',
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
    summary: 'Purge the trash of everybody',
    description:
      'A task erases now what has been in the trash for 30 days, and files whose time is over.',
    tags: ['Maintenance'],
    responses,
  },
  (c) => answer(c, 202, presentStarted, maintenance.purgeDeleted),
)

import { json, operation } from '../../../http/route.ts'
import { presentStartedJob, StartedJobResponse } from '../jobs/jobs.public.ts'
import * as maintenance from './maintenance.usecases.ts'

const responses = { 202: json(StartedJobResponse, 'The job that does the work') }

export const checkIntegrity = operation({
  access: 'maintenance.write',
  on: 'POST /admin/maintenance/integrity-check',
  summary: 'Check the integrity of the ledger',
  responses,
  run: (ctx) => maintenance.checkIntegrity(ctx),
  present: presentStartedJob,
})

export const recalculateBalances = operation({
  access: 'maintenance.write',
  on: 'POST /admin/maintenance/recalculate-balances',
  summary: 'Recalculate balances and sums',
  responses,
  run: (ctx) => maintenance.recalculateBalances(ctx),
  present: presentStartedJob,
})

export const purgeDeleted = operation({
  access: 'maintenance.write',
  on: 'POST /admin/maintenance/purge-deleted',
  summary: 'Purge the trash of all users',
  responses,
  run: (ctx) => maintenance.purgeDeleted(ctx),
  present: presentStartedJob,
})

import type { Area } from '../../area.ts'
import * as amounts from './amounts/amounts.routes.ts'
import * as budgets from './budgets.routes.ts'
import {
  makeCheckpointsJob,
  budgetCheck,
  watchBudgetsSweep,
  tellExpiredJob,
} from './budgets.jobs.ts'
import { departuresReader } from './members/members.readers.ts'
import * as lines from './lines/lines.routes.ts'
import * as movements from './movements/movements.routes.ts'
import * as periods from './periods/periods.routes.ts'
import * as targets from './targets/targets.routes.ts'
import * as templates from './templates/templates.routes.ts'

export const budgetsArea: Area = {
  tag: 'Budgets',
  operations: [amounts, budgets, lines, movements, periods, targets, templates],
  sweeps: [watchBudgetsSweep],
  jobs: [makeCheckpointsJob, tellExpiredJob],
  nightly: [makeCheckpointsJob, tellExpiredJob],
  readers: [departuresReader],
  checks: [budgetCheck],
}

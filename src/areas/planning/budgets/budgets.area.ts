import type { Area } from '../../area.ts'
import { watchBudgetsSweep } from './alerts/alerts.jobs.ts'
import * as alerts from './alerts/alerts.routes.ts'
import * as amounts from './amounts/amounts.routes.ts'
import * as assigning from './assigning/assigning.routes.ts'
import * as budgets from './budgets.routes.ts'
import { makeCheckpointsJob } from './checkpoints/checkpoints.jobs.ts'
import * as chart from './chart/chart.routes.ts'
import { budgetCheck } from './checks/checks.jobs.ts'
import * as closing from './closing/closing.routes.ts'
import { tellExpiredJob } from './departures/departures.jobs.ts'
import { departuresReader } from './departures/departures.readers.ts'
import * as copies from './copies/copies.routes.ts'
import * as forecast from './forecast/forecast.routes.ts'
import * as history from './history/history.routes.ts'
import * as lines from './lines/lines.routes.ts'
import * as suggestions from './suggestions/suggestions.routes.ts'
import * as members from './members/members.routes.ts'
import * as ownership from './ownership/ownership.routes.ts'
import * as movements from './movements/movements.routes.ts'
import * as periods from './periods/periods.routes.ts'
import * as rows from './rows/rows.routes.ts'
import * as summary from './summary/summary.routes.ts'
import * as targets from './targets/targets.routes.ts'
import * as templates from './templates/templates.routes.ts'
import * as trash from './trash/trash.routes.ts'

export const budgetsArea: Area = {
  tag: 'Budgets',
  operations: [
    amounts,
    budgets,
    lines,
    movements,
    periods,
    rows,
    history,
    forecast,
    alerts,
    suggestions,
    members,
    ownership,
    trash,
    closing,
    targets,
    assigning,
    templates,
    copies,
    summary,
    chart,
  ],
  sweeps: [watchBudgetsSweep],
  jobs: [makeCheckpointsJob, tellExpiredJob],
  nightly: [makeCheckpointsJob, tellExpiredJob],
  readers: [departuresReader],
  checks: [budgetCheck],
}

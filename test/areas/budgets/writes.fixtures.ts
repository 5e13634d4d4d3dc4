import {
  holdMoney,
  setAllocation,
  setAllocations,
} from '../../../src/areas/planning/budgets/amounts/amounts.routes.ts'
import { assignMoney } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import {
  createBudgetLine,
  deleteBudgetLine,
  reorderBudgetLines,
  updateBudgetLine,
} from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import {
  moveMoney,
  undoMovement,
} from '../../../src/areas/planning/budgets/movements/movements.routes.ts'
import { updateBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import {
  deleteLineTarget,
  setLineTarget,
  snoozeLineTarget,
} from '../../../src/areas/planning/budgets/targets/targets.routes.ts'
import {
  applyBudgetTemplate,
  createBudgetTemplate,
  deleteBudgetTemplate,
  updateBudgetTemplate,
} from '../../../src/areas/planning/budgets/templates/templates.routes.ts'
import { call, type Principal } from '../../support/api.ts'
import type { refusal } from '../transactions/booking.ts'

/** What a write of a budget names. */
export interface Written {
  id: string
  period: string
  line: { id: string; categoryId: string }
  templateId: string
  movementId: string
  /** For the line, where a write can say so; 900.00 if left out. */
  amount?: string
}

/** @param via sends it; to the service of all tests if left out */
type Write = (
  as: Principal,
  written: Written,
  via?: typeof call,
) => Promise<Parameters<typeof refusal>[0]>

const periodPath = ({ id, period }: Written) => ({ id, period })
const linePath = ({ id, line }: Written) => ({ id, lineId: line.id })
const templatePath = ({ id, templateId }: Written) => ({ id, templateId })

/** Each write of amounts of a period. */
export const WRITES_OF_AMOUNTS = {
  setAllocation: (as, one, via = call) =>
    via(setAllocation, {
      as,
      path: { ...periodPath(one), ...linePath(one) },
      json: { assigned: one.amount ?? '900' },
    }),
  setAllocations: (as, one, via = call) =>
    via(setAllocations, {
      as,
      path: periodPath(one),
      json: { items: [{ lineId: one.line.id, assigned: one.amount ?? '900' }] },
    }),
  moveMoney: (as, one, via = call) =>
    via(moveMoney, {
      as,
      path: periodPath(one),
      json: { from: 'pool', to: one.line.id, amount: one.amount ?? '900', allowNegative: true },
    }),
  holdMoney: (as, one, via = call) =>
    via(holdMoney, {
      as,
      path: periodPath(one),
      json: { amount: one.amount ?? '900', allowNegative: true },
    }),
  assignMoney: (as, one, via = call) =>
    via(assignMoney, {
      as,
      path: periodPath(one),
      json: { method: 'template', templateId: one.templateId },
    }),
  applyBudgetTemplate: (as, one, via = call) =>
    via(applyBudgetTemplate, {
      as,
      path: templatePath(one),
      json: { period: one.period },
    }),
} satisfies Record<string, Write>

/** Each other write of what a budget has. */
export const OTHER_WRITES = {
  undoMovement: (as, { id, movementId }, via = call) =>
    via(undoMovement, { as, path: { id, movementId } }),
  updateBudgetPeriod: (as, one) =>
    call(updateBudgetPeriod, { as, path: periodPath(one), json: { note: 'Holidays' } }),
  createBudgetLine: (as, { id }) =>
    call(createBudgetLine, { as, id, json: { name: 'X', scope: { kind: 'everything' } } }),
  updateBudgetLine: (as, one) =>
    call(updateBudgetLine, { as, path: linePath(one), json: { note: 'x' } }),
  deleteBudgetLine: (as, one) => call(deleteBudgetLine, { as, path: linePath(one) }),
  reorderBudgetLines: (as, { id, line }) =>
    call(reorderBudgetLines, { as, id, json: { lineIds: [line.id] } }),
  setLineTarget: (as, one) =>
    call(setLineTarget, { as, path: linePath(one), json: { type: 'amount', amount: '5' } }),
  deleteLineTarget: (as, one) => call(deleteLineTarget, { as, path: linePath(one) }),
  snoozeLineTarget: (as, one) =>
    call(snoozeLineTarget, { as, path: linePath(one), json: { period: 'current' } }),
  createBudgetTemplate: (as, { id, line }) =>
    call(createBudgetTemplate, {
      as,
      id,
      json: { name: 'Other', items: [{ lineId: line.id, amount: '1' }] },
    }),
  updateBudgetTemplate: (as, one) =>
    call(updateBudgetTemplate, { as, path: templatePath(one), json: { name: 'Other' } }),
  deleteBudgetTemplate: (as, one) => call(deleteBudgetTemplate, { as, path: templatePath(one) }),
} satisfies Record<string, Write>

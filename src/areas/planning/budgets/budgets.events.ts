import type { StoredBudget } from './budgets.rules.ts'
import {
  carries,
  type Created,
  defineEvents,
  type Deleted,
  lifecycleOf,
  type Updated,
} from '../../../platform/log/events.ts'
import type { StoredMovement } from './amounts/changes.rules.ts'
import type { LineContent } from './lines/lines.rules.ts'
import type { StoredTarget } from './targets/targets.rules.ts'
import type { StoredTemplate } from './templates/templates.rules.ts'

/** A budget with its default policy. */
export type BudgetContent = StoredBudget & { policy: string }

export const budgetEvents = defineEvents('budget', {
  ...lifecycleOf<BudgetContent>(),
  thresholdReached: carries<ReachedThreshold>(),
  overspent: carries<ReachedThreshold>(),
  assigned: carries<{
    period: string
    lineId: string
    kind: string
    before: Amount
    after: Amount
  }>(),
  templateApplied: carries<{
    templateId: string
    period: string
    before: Amounts
    after: Amounts
  }>(),
  copied: carries<Created<BudgetContent> & { copyOf: string }>(),
  moneyMoved: carries<{ movement: StoredMovement }>(),
  movementUndone: carries<{ movement: StoredMovement; undone: StoredMovement }>(),
  held: carries<{ period: string; before: { heldMinor: number }; after: { heldMinor: number } }>(),
  restored: carries<Updated<BudgetContent>>(),
  erased: carries<Deleted<BudgetContent>>(),
  sharedWithGroup: carries<Updated<BudgetContent>>(),
  unsharedFromGroup: carries<Updated<BudgetContent>>(),
  /** An account that was inside is not shared with the group any more. */
  accountLeft: carries(),
  periodClosed: carries<ClosingChange>(),
  periodReopened: carries<ClosingChange & { reason: string }>(),
  noted: carries<{ period: string; before: PeriodNotes; after: PeriodNotes }>(),
})

/** A line that has reached a threshold, in minor units of the budget's currency. */
interface ReachedThreshold {
  lineId: string
  period: string
  threshold: number | 'over'
  totalMinor: number
  spentMinor: number
}

interface ClosingChange {
  period: string
  before: { state: 'open' | 'closed' }
  after: { state: 'open' | 'closed' }
}

/** The amount that a line was assigned in a period, or its limit; null for the limit of the line. */
interface Amount {
  amountMinor: number | null
}

/** The assigned amounts or limits of lines in a period, by line. */
type Amounts = Record<string, number>

interface TargetContent {
  target: StoredTarget | null
}

/** The content of a template that the log keeps. */
type TemplateContent = Pick<StoredTemplate, 'budgetId' | 'name' | 'items'>

export const budgetTemplateEvents = defineEvents('budgetTemplate', lifecycleOf<TemplateContent>())

/** The notes on a period, and on its lines by their ids. */
interface PeriodNotes {
  note: string | null
  lineNotes: Record<string, string | null>
}

export const budgetLineEvents = defineEvents('budgetLine', {
  created: carries<Created<LineContent> & { budgetId: string }>(),
  updated: carries<Updated<LineContent> & { budgetId: string }>(),
  archived: carries<Deleted<LineContent> & { budgetId: string; into: string | null }>(),
  deleted: carries<Deleted<LineContent> & { budgetId: string }>(),
  reordered: carries<{ budgetId: string; lineIds: string[] }>(),
  targetSet: carries<{ budgetId: string; before: TargetContent; after: TargetContent }>(),
})

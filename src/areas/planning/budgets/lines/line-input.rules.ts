import type { CarryPolicy } from '../../../../domain/budgets/policies.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { foldKey } from '../../../../domain/text.ts'
import { budgetErrors } from '../budgets.errors.ts'
import type { BudgetRow } from '../budgets.rules.ts'
import type { LineRow, ScopeKind } from './lines.rules.ts'

/** Absent means left alone; null clears. */
export interface LineInput {
  name?: string | undefined
  scope?: { kind: ScopeKind; ids?: string[] | undefined } | undefined
  policy?: CarryPolicy | null | undefined
  cap?: string | null | undefined
  amount?: string | null | undefined
  thresholds?: number[] | null | undefined
  parentLineId?: string | null | undefined
  note?: string | null | undefined
  order?: number | undefined
  color?: string | null | undefined
  icon?: string | null | undefined
}

/** A line as a request describes it. */
export function newLine(
  { id, now }: { id: string; now: number },
  budget: BudgetRow,
  sent: LineInput & { name: string; scope: { kind: ScopeKind; ids?: string[] | undefined } },
): LineRow {
  return {
    id,
    budgetId: budget.id,
    kind: 'line',
    accountId: null,
    name: sent.name,
    nameKey: foldKey(sent.name),
    scopeKind: sent.scope.kind,
    targetIds: (sent.scope.ids ?? []).toSorted(),
    items: {},
    parentLineId: sent.parentLineId ?? null,
    thresholds: sent.thresholds ? JSON.stringify(sent.thresholds) : null,
    target: null,
    note: sent.note ?? null,
    order: sent.order ?? 0,
    color: sent.color ?? null,
    icon: sent.icon ?? null,
    archivedFrom: null,
    archivedInto: null,
    policy: sent.policy ?? null,
    ...moneyOf(sent, budget, { capMinor: null, amountMinor: null }),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
}

/** The money of a request in minor units, over what there was. */
export function moneyOf(
  { cap, amount }: LineInput,
  { currency }: BudgetRow,
  before: Pick<LineRow, 'capMinor' | 'amountMinor'>,
): Pick<LineRow, 'capMinor' | 'amountMinor'> {
  const parsed = (sent: string | null | undefined, field: string, kept: number | null) =>
    sent === undefined ? kept : sent === null ? null : parseMoney(sent, currency, { field })
  return {
    capMinor: parsed(cap, 'cap', before.capMinor),
    amountMinor: parsed(amount, 'amount', before.amountMinor),
  }
}

/** Refuses a category that another line of an envelope budget has. */
export function requireFreeCategory(
  budget: BudgetRow,
  line: LineRow,
  lines: readonly LineRow[],
): void {
  if (budget.mode !== 'envelope') {
    return
  }
  const taken = new Set(
    lines
      .filter(
        ({ id, archivedFrom, kind }) => id !== line.id && archivedFrom === null && kind === 'line',
      )
      .flatMap(({ targetIds }) => targetIds),
  )
  const at = line.targetIds.findIndex((id) => taken.has(id))
  if (at !== -1) {
    throw budgetErrors.categoryTaken({ field: `scope.ids.${at}` })
  }
}

const LOOKS = ['note', 'order', 'color', 'icon', 'thresholds', 'parentLineId'] as const

/** Returns the fields of a line that do not affect its figures. */
export function looksOf(sent: LineInput, before: LineRow): Pick<LineRow, (typeof LOOKS)[number]> {
  const { thresholds } = sent
  const kept =
    thresholds === undefined ? before.thresholds : thresholds && JSON.stringify(thresholds)
  return {
    note: sent.note === undefined ? before.note : sent.note,
    order: sent.order ?? before.order,
    color: sent.color === undefined ? before.color : sent.color,
    icon: sent.icon === undefined ? before.icon : sent.icon,
    thresholds: kept,
    parentLineId: sent.parentLineId === undefined ? before.parentLineId : sent.parentLineId,
  }
}

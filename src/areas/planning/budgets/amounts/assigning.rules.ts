import type { EnvelopeLineFigures } from '../../../../domain/budgets/envelopes.ts'
import { averageOf, shareOut } from '../../../../domain/budgets/targets.ts'
import { add } from '../../../../domain/money.ts'
import { type EnvelopePeriodFound, requireLineIn } from './changes.rules.ts'
import type { EnvelopePeriod } from '../figures/envelopes.rules.ts'
import { spentIn } from '../targets/targets.rules.ts'
import type { TemplateItem } from '../templates/templates.rules.ts'
import type { BudgetRow } from '../budgets.rules.ts'

/** The lines that were assigned other amounts, with what the pool has after it; null for limits, which have no pool. */
export interface AssignedItems {
  budget: BudgetRow
  items: AmountItem[]
  toBeBudgeted: number | null
}

/** The methods that find the amount of a line. */
export type AssignMethod =
  | { method: 'assignedLast' | 'spentLast' | 'underfunded' | 'cover' | 'zero' }
  | { method: 'averageAssigned' | 'averageSpent'; periods: 3 | 6 | 12 }
  | { method: 'template'; items: readonly TemplateItem[] }

/** The modes of assigning: an amount replaces the assigned one, or is added to it. */
export type AssignMode = 'set' | 'add'

interface AssigningInput {
  found: EnvelopePeriodFound
  /** The periods before it, the newest last: as many as the method looks at. */
  earlier: readonly EnvelopePeriod[]
  lineIds?: readonly string[] | undefined
  mode: AssignMode
  /** True to leave lines alone that have something assigned. */
  keep: boolean
}

/** The amounts that a line is assigned before and after a change. */
export interface AmountItem {
  lineId: string
  before: number
  after: number
}

/** Returns the lines that get another amount, in the order in which they are shown. */
export function assignedItems(how: AssignMethod, wanted: AssigningInput): AmountItem[] {
  const { found, lineIds, keep } = wanted
  lineIds?.forEach((id, at) => requireLineIn(found, id, `lineIds.${at}`))
  const chosen = rowsInOrder(found)
    .filter(({ lineId }) => !lineIds || lineIds.includes(lineId))
    .filter(({ assigned }) => !keep || assigned === 0)
  const after = amountsBy(how, chosen, wanted)
  return chosen.flatMap(({ lineId, assigned }) => {
    const amount = after.get(lineId) ?? assigned
    return amount === assigned ? [] : [{ lineId, before: assigned, after: amount }]
  })
}

function rowsInOrder({ lines, of: { figures } }: EnvelopePeriodFound): EnvelopeLineFigures[] {
  const rows = new Map(
    [...figures.lines, ...figures.payments].map((row): [string, EnvelopeLineFigures] => [
      row.lineId,
      row,
    ]),
  )
  return lines.flatMap(({ id }) => rows.get(id) ?? [])
}

/** Returns the resulting amounts by line; lines that are not in it keep their amounts. */
function amountsBy(
  how: AssignMethod,
  rows: readonly EnvelopeLineFigures[],
  wanted: AssigningInput,
): Map<string, number> {
  if (how.method === 'underfunded') {
    const given = givenTo(rows, wanted)
    return new Map(
      rows.map(({ lineId, assigned }) => [lineId, add(assigned, given.get(lineId) ?? 0)]),
    )
  }
  if (how.method === 'cover') {
    return new Map(
      rows
        .filter(({ available }) => available < 0)
        .map(({ lineId, assigned, available }) => [lineId, add(assigned, -available)]),
    )
  }
  if (how.method === 'zero') {
    return new Map(rows.map(({ lineId }) => [lineId, 0]))
  }
  const amounts = how.method === 'template' ? amountsOf(how.items) : pastAmounts(how, rows, wanted)
  const base = (assigned: number) => (wanted.mode === 'add' ? assigned : 0)
  return new Map(
    rows.flatMap(({ lineId, assigned }) => {
      const amount = amounts.get(lineId)
      return amount === undefined ? [] : [[lineId, add(base(assigned), amount)] as const]
    }),
  )
}

export const amountsOf = (items: readonly TemplateItem[]): Map<string, number> =>
  new Map(items.map(({ lineId, amountMinor }) => [lineId, amountMinor]))

/** Shares out what can be assigned now over what targets ask for. Snoozed ones ask for nothing. */
function givenTo(
  rows: readonly EnvelopeLineFigures[],
  { found }: AssigningInput,
): Map<string, number> {
  const { needs, figures } = found.of
  const asking = rows.flatMap(({ lineId }) => {
    const need = needs().get(lineId)
    return need && need.status !== 'snoozed' ? [{ lineId, ...need }] : []
  })
  return shareOut(asking, Math.max(0, figures.free))
}

/** Returns the number of earlier periods that a method needs. */
export const periodsBack = (how: AssignMethod): number =>
  how.method === 'averageAssigned' || how.method === 'averageSpent'
    ? how.periods
    : how.method === 'assignedLast' || how.method === 'spentLast'
      ? 1
      : 0

/** Amounts of the periods before: what is set aside for cards follows from spending, so it is not spent itself. */
function pastAmounts(
  how: Exclude<AssignMethod, { method: 'template' }>,
  rows: readonly EnvelopeLineFigures[],
  { found, earlier }: AssigningInput,
): Map<string, number> {
  const isSpent = how.method === 'spentLast' || how.method === 'averageSpent'
  const payments = new Set(found.of.figures.payments.map(({ lineId }) => lineId))
  const periods = 'periods' in how ? how.periods : 1
  return new Map(
    rows
      .filter(({ lineId }) => !isSpent || !payments.has(lineId))
      .map(({ lineId }) => {
        const values = isSpent ? spentIn(earlier, lineId) : assignedIn(earlier, lineId)
        return [lineId, averageOf(values, periods, { floorAtZero: isSpent })]
      }),
  )
}

const assignedIn = (periods: readonly EnvelopePeriod[], lineId: string): number[] =>
  periods.map(
    ({ figures: { lines, payments } }) =>
      [...lines, ...payments].find((row) => row.lineId === lineId)?.assigned ?? 0,
  )

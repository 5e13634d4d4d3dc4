import { parseMoney } from '../../../../domain/money.ts'
import { namedLine, type LineRow } from '../lines/lines.rules.ts'
import type { BudgetRow } from '../budgets.rules.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'

export interface TemplateItem {
  lineId: string
  amountMinor: number
}

export interface StoredTemplate {
  id: string
  budgetId: string
  name: string
  nameKey: string
  items: TemplateItem[]
  version: number
  createdAt: number
  updatedAt: number
}

/** The items of a request. Only an envelope can be given less than nothing. */
export const itemsFrom = (
  sent: readonly { lineId: string; amount: string }[],
  { mode, currency }: BudgetRow,
  lines: readonly LineRow[],
): TemplateItem[] =>
  sent.map(({ lineId, amount }, at) => ({
    lineId: namedLine(lines.filter(isThere), lineId, `items.${at}.lineId`).id,
    amountMinor: parseMoney(amount, currency, {
      field: `items.${at}.amount`,
      signed: mode === 'envelope',
    }),
  }))

const isThere = ({ archivedFrom }: LineRow): boolean => archivedFrom === null

/** Returns the assigned amounts, or the limits, of the lines in a period; lines without an amount are left out. */
export function itemsOfPeriod(found: FoundPeriod): TemplateItem[] {
  const amounts =
    found.mode === 'envelope'
      ? [...found.of.figures.lines, ...found.of.figures.payments].map((row) => ({
          lineId: row.lineId,
          amountMinor: row.assigned,
        }))
      : found.of.figures.lines.map((row) => ({ lineId: row.lineId, amountMinor: row.amount }))
  const there = new Set(found.lines.filter(isThere).map(({ id }) => id))
  return amounts.filter(({ lineId, amountMinor }) => amountMinor !== 0 && there.has(lineId))
}

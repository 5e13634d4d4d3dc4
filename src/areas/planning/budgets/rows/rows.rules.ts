import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Kind } from '../../../../domain/ledger.ts'
import type { Period } from '../../../../domain/budgets/periods.ts'
import { periodAt } from '../../../../domain/budgets/periods.ts'
import { type BudgetRow, type Inside, listOf, paymentCards, ruleOf } from '../budgets.rules.ts'
import { type BudgetFacts, coverages, isIn, linesIn } from '../figures/figures.rules.ts'
import type { LineRow } from '../lines/lines.rules.ts'

/** What counts on a line in a period. */
export interface WantedRows {
  budgetId: string
  start: CalendarDate
  end: CalendarDate
  /** Cards that count by themselves. */
  cardIds: string[]
  /** Categories that count nowhere. */
  excludedIds: string[]
  counts:
    | { by: 'category'; categoryIds: string[] }
    | { by: 'tag' | 'payee'; labelIds: string[] }
    /** All rows of accounts. */
    | { by: 'account'; accountIds: string[] }
    /** What a card counts beside the lines of its categories. */
    | { by: 'card'; accountId: string; coveredIds: string[]; deferredIds: string[] }
}

/** An entry that counts on a line, in the currency of its account. */
export interface CountedRow {
  transactionId: string
  line: number
  /** The line of the account itself in the same transaction. */
  accountLine: number
  /** How many parts the transaction has. */
  parts: number
  kind: Kind
  accountId: string
  date: CalendarDate
  description: string
  categoryId: string | null
  payeeId: string | null
  createdBy: string
  currency: string
  /** As seen from the money; of a card, from what is put aside for it. */
  minor: number
  /** Sum of the rows of its day, currency and key up to it. */
  running: number
}

/** What tells which rows count on a line. */
export interface LineFacts extends Pick<BudgetFacts, 'lines' | 'scopes' | 'categories'> {
  budget: BudgetRow
  accounts: Inside[]
}

/** What counts on a line in a period; undefined where the line is not there any more. */
export function wantedRows(
  facts: LineFacts,
  line: LineRow,
  period: Period,
): WantedRows | undefined {
  const { budget, accounts, lines } = facts
  if (!linesIn(lines, period.nominal).some(({ id }) => id === line.id)) {
    return undefined
  }
  const rule = ruleOf(budget)
  const coverage = coverages(facts, (index) => periodAt(rule, index).nominal)(period.index)
  const known = [
    ...new Set([
      ...facts.categories.map(({ id }) => id),
      ...facts.scopes.map(({ targetId }) => targetId),
    ]),
  ]
  const included = known.filter((id) => !coverage.isExcluded(id))
  const shared = {
    budgetId: budget.id,
    start: period.start,
    end: period.end,
    cardIds: paymentCards(budget, accounts).map(({ id }) => id),
    excludedIds: known.filter((id) => coverage.isExcluded(id)),
  }
  const covers = (id: string) =>
    budget.mode === 'envelope'
      ? coverage.nearestLine(id) === line.id
      : coverage.allLines(id).includes(line.id)
  if (line.kind === 'cardPayment') {
    const coveredIds = included.filter((id) => coverage.nearestLine(id) !== undefined)
    const deferredIds = listOf<string>(budget.incomeInNextPeriod)
    const accountId = line.accountId ?? ''
    return { ...shared, counts: { by: 'card', accountId, coveredIds, deferredIds } }
  }
  const { scopeKind } = line
  if (scopeKind === 'category') {
    return { ...shared, counts: { by: scopeKind, categoryIds: included.filter(covers) } }
  }
  const named = facts.scopes
    .filter((scope) => scope.lineId === line.id && isIn(scope, period.nominal))
    .map(({ targetId }) => targetId)
  if (scopeKind === 'tag' || scopeKind === 'payee') {
    return { ...shared, counts: { by: scopeKind, labelIds: named } }
  }
  const accountIds = scopeKind === 'account' ? named : accounts.map(({ id }) => id)
  return { ...shared, counts: { by: 'account', accountIds } }
}

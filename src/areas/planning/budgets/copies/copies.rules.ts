import { type BudgetRow, cardsOf, parsedList } from '../budgets.rules.ts'
import { type LineRow, type ScopeKind } from '../lines/lines.rules.ts'
import { targetOfLine } from '../targets/targets.rules.ts'

/** Something that a copy may name: as its account or income of the next period, or in the scope of a line. */
export interface CopyableRow {
  what: 'accountOfBudget' | 'income' | Exclude<ScopeKind, 'everything'>
  id: string
}

/** The ids that a copy may name, by kind. */
export type Countable = Readonly<Record<CopyableRow['what'], ReadonlySet<string>>>

export function countableOf(rows: readonly CopyableRow[]): Countable {
  const of = (wanted: CopyableRow['what']) =>
    new Set(rows.flatMap(({ what, id }) => (what === wanted ? [id] : [])))
  return {
    accountOfBudget: of('accountOfBudget'),
    income: of('income'),
    category: of('category'),
    tag: of('tag'),
    payee: of('payee'),
    account: of('account'),
  }
}

/** A copy of a budget, with only those accounts and categories that it may have. */
export function namedBy(
  budget: BudgetRow,
  { accountOfBudget: accounts, income }: Countable,
): Pick<BudgetRow, 'accountIds' | 'cards' | 'incomeInNextPeriod'> {
  const cards = Object.entries(cardsOf(budget)).filter(([id]) => accounts.has(id))
  return {
    accountIds: JSON.stringify(
      parsedList<string>(budget.accountIds).filter((id) => accounts.has(id)),
    ),
    cards: JSON.stringify(Object.fromEntries(cards)),
    incomeInNextPeriod: JSON.stringify(
      parsedList<string>(budget.incomeInNextPeriod).filter((id) => income.has(id)),
    ),
  }
}

/** A line of a budget with its copy in another one. */
export interface CopiedLine {
  from: LineRow
  line: LineRow
}

/** Makes the lines of a copy, as they are before anything is copied onto them. */
export interface LineMaker {
  newId: () => string
  paymentLine: (card: { id: string; name: string }) => LineRow
}

/** The lines of a budget for its copy. Payment lines are there for cards that the copy may have. */
export function copyLines(
  copy: BudgetRow,
  lines: readonly LineRow[],
  countable: Countable,
  make: LineMaker,
): CopiedLine[] {
  const copied = lines
    .filter(({ archivedFrom }) => archivedFrom === null)
    .filter(({ accountId }) => accountId === null || countable.accountOfBudget.has(accountId))
    .map((from) => ({ from, line: copyOf(copy, from, countable, make) }))
  const ids = new Map(copied.map(({ from, line }) => [from.id, line.id]))
  return copied.map(({ from, line }) => ({
    from,
    line: { ...line, parentLineId: ids.get(from.parentLineId ?? '') ?? null },
  }))
}

function copyOf(copy: BudgetRow, from: LineRow, countable: Countable, make: LineMaker): LineRow {
  const { note, order, color, icon, thresholds } = from
  const target = targetOfLine(from)
  const shown = {
    ...{ note, order, color, icon, thresholds },
    target: target && JSON.stringify({ ...target, snoozedIn: null }),
  }
  if (from.accountId !== null) {
    return { ...make.paymentLine({ id: from.accountId, name: from.name }), ...shown }
  }
  const { scopeKind } = from
  const stamps = { version: 1, createdAt: copy.createdAt, updatedAt: copy.createdAt }
  return {
    ...from,
    ...shown,
    ...stamps,
    id: make.newId(),
    budgetId: copy.id,
    targetIds:
      scopeKind === 'everything' ? [] : from.targetIds.filter((id) => countable[scopeKind].has(id)),
  }
}

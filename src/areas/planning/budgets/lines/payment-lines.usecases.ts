import { idFrom } from '../../../../platform/crypto.ts'
import { type BudgetRow, type Inside, listOf, paymentCards } from '../budgets.rules.ts'
import type { LineRow } from './lines.rules.ts'

/** Lines with those of cards: of each card that is inside there is one, named as the card is. */
export function withPaymentLines(
  budget: BudgetRow,
  stored: readonly LineRow[],
  inside: readonly Inside[],
): LineRow[] {
  const byCard = new Map(stored.map((line) => [line.accountId, line]))
  const payments = paymentCards(budget, inside).map((card) => ({
    ...(byCard.get(card.id) ?? newPaymentLine(budget, card)),
    name: card.name,
    targetIds: [card.id],
  }))
  return [...stored.filter(({ kind }) => kind === 'line'), ...payments]
}

/**
 * The lines as the caller is told of them: without accounts that the caller does not see, and payment lines of these. What is below a
 * line that is not told is shown below the nearest one above it that is.
 */
export function seenLines(budget: BudgetRow, lines: LineRow[]): LineRow[] {
  const unseen = new Set(listOf<string>(budget.unseen))
  const isSeen = ({ accountId }: LineRow) => accountId === null || !unseen.has(accountId)
  const byId = new Map(lines.map((line) => [line.id, line]))
  const seenParent = (line: LineRow | undefined): string | null => {
    const parent = byId.get(line?.parentLineId ?? '')
    return parent === undefined || isSeen(parent) ? (parent?.id ?? null) : seenParent(parent)
  }
  return lines.filter(isSeen).map((line) => ({
    ...line,
    targetIds: line.targetIds.filter((id) => !unseen.has(id)),
    parentLineId: seenParent(line),
  }))
}

/** The payment line of a card as it is before anybody changes it. */
export const newPaymentLine = (budget: BudgetRow, card: Pick<Inside, 'id' | 'name'>): LineRow => ({
  id: paymentLineId(budget.id, card.id),
  budgetId: budget.id,
  kind: 'cardPayment',
  accountId: card.id,
  name: card.name,
  nameKey: card.id,
  scopeKind: 'account',
  targetIds: [card.id],
  parentLineId: null,
  thresholds: null,
  target: null,
  note: null,
  order: 1_000_000,
  color: null,
  icon: null,
  archivedFrom: null,
  archivedInto: null,
  policy: null,
  capMinor: null,
  amountMinor: null,
  version: 1,
  createdAt: budget.createdAt,
  updatedAt: budget.createdAt,
})

/** Id of the payment line of a card in a budget. It follows from both, so that the line is there as soon as the card is. */
export const paymentLineId = (budgetId: string, accountId: string): string =>
  idFrom('bln', `${budgetId} ${accountId}`)

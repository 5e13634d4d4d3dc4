import type { Flow } from '../../../../domain/budgets/flows.ts'
import type { Period } from '../../../../domain/budgets/periods.ts'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import { divideHalfEven, parseMoney } from '../../../../domain/money.ts'
import {
  isResting,
  type RecurringItem,
  transactionWith,
  unpackItem,
  unpaidOf,
  unsettledIn,
} from '../../recurring/recurring.public.ts'
import type { BudgetFacts, LabelledFlow } from '../figures/figures.rules.ts'

/** The flows from which spending is counted. */
export type CountedFlows = Pick<BudgetFacts, 'flows' | 'hidden' | 'labelled'>

/** The flows of what recurring items will still cost in a period. What is late is expected today. */
export function expectedFlows(
  facts: Pick<BudgetFacts, 'accounts' | 'lines' | 'scopes' | 'today'>,
  images: readonly { image: string }[],
  { start, end }: Period,
): CountedFlows {
  const { today } = facts
  const from = start > today ? start : today
  const labels = labelScopes(facts)
  const parts = (from > end ? [] : images).flatMap(({ image }) => {
    const item = unpackItem(image, today)
    // The account is not said where any will do.
    const account = facts.accounts.find(({ id, currency }) =>
      item.accountId === null ? currency === item.currency : id === item.accountId,
    )
    return isResting(item) || item.transaction.kind === 'income' || !account
      ? []
      : partsOfItem(item, account.id, unsettledIn(item, [from, end]))
  })
  const labelled = parts.flatMap(({ flow, line, transactionId, labels: named }): LabelledFlow[] =>
    labels
      .filter(({ targetId }) => named.includes(targetId))
      .map((scope) => ({ ...flow, ...scope, transactionId, line, isHidden: 0 })),
  )
  return { flows: parts.map(({ flow }) => flow), hidden: [], labelled }
}

/** The parts of the occurrences of an item. Those that are expected on one day in the same way are taken together. */
function partsOfItem(
  { id, transaction, currency, today }: RecurringItem,
  accountId: string,
  views: ReturnType<typeof unsettledIn>,
) {
  const dayOf = ({ date }: { date: CalendarDate }) => (date > today ? date : today)
  const alike = Map.groupBy(
    views,
    (view) => `${dayOf(view)} ${view.expected.amountMinor} ${view.changes ?? ''}`,
  )
  return [...alike].flatMap(([key, same]) => {
    const unpaid = same.reduce((all, view) => all + unpaidOf(view), 0n)
    return same.slice(0, 1).flatMap((view) =>
      partsOf(transactionWith(transaction, view.changes), currency).map((part, line) => {
        const whole = BigInt(view.expected.amountMinor)
        const flow: Flow = {
          ...{ accountId, day: dayOf(view), flow: part.flow },
          ...{ categoryId: part.categoryId ?? '', counterAccountId: part.counterAccountId ?? '' },
          amountMinor: 0 - Number(divideHalfEven(BigInt(part.minor) * unpaid, whole)),
          pendingMinor: 0,
        }
        return { flow, line, labels: part.labels, transactionId: `${id} ${key}` }
      }),
    )
  })
}

/** The tags and payees that lines name or named. */
function labelScopes({ lines, scopes }: Pick<BudgetFacts, 'lines' | 'scopes'>) {
  const byLabel = new Set(
    lines
      .filter(({ scopeKind }) => scopeKind === 'tag' || scopeKind === 'payee')
      .map(({ id }) => id),
  )
  return scopes
    .filter(({ lineId }) => byLabel.has(lineId))
    .map(({ lineId, targetId }) => ({ lineId, targetId }))
}

interface Part {
  flow: 'expense' | 'transfer'
  minor: number
  categoryId?: string | null | undefined
  counterAccountId?: string | null | undefined
  labels: (string | null | undefined)[]
}

/** The parts of an expense or a transfer that count by themselves. */
function partsOf(transaction: ReturnType<typeof transactionWith>, currency: string): Part[] {
  const { categoryId, tagIds = [] } = transaction
  const minor = parseMoney(transaction.amount, currency)
  if (transaction.kind === 'transfer') {
    const fees = (transaction.fees ?? []).map((fee): Part => ({
      ...{ flow: 'expense', minor: parseMoney(fee.amount, currency) },
      ...{ categoryId: fee.categoryId, labels: tagIds },
    }))
    const arriving = fees.reduce((left, fee) => left - fee.minor, minor)
    const { toAccountId: counterAccountId } = transaction
    const moved = { categoryId, counterAccountId, labels: tagIds }
    return [{ flow: 'transfer', minor: arriving, ...moved }, ...fees]
  }
  const { splits = [], payeeId } = transaction
  if (splits.length === 0) {
    return [{ flow: 'expense', minor, categoryId, labels: [payeeId, ...tagIds] }]
  }
  return splits.map((part) => ({
    flow: part.transferAccountId ? 'transfer' : 'expense',
    minor: parseMoney(part.amount, currency),
    categoryId: part.categoryId,
    counterAccountId: part.transferAccountId,
    labels: [part.payeeId ?? payeeId, ...tagIds, ...(part.tagIds ?? [])],
  }))
}

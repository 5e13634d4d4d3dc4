import type { CashAmount, CashBalance } from '../../../../domain/reports/cash-flow.ts'
import { cellAccount, dayOfCell, type TakenLine } from '../../../../domain/reports/cells.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { fromWideSum } from '../../../../platform/database/wide-sums.ts'
import { balancesBefore } from '../../../../ledger/search/search.public.ts'
import {
  type Facts,
  factsFrom,
  factsOf,
  keptFrom,
  keptOf,
  poolingOf,
  scopeFor,
} from './finding.usecases.ts'
import { categoriesIn, type FlowsRequest, readingOf, spansNear } from './flows.rules.ts'

export interface FoundCash extends Facts {
  flows: CashAmount[]
  opening: CashBalance[]
}

/** Finds what went into and out of accounts, and their balances before the span, in one round trip. */
export async function findCash(ctx: SignedIn, asked: FlowsRequest): Promise<FoundCash> {
  const reading = readingOf(spansNear(asked, ctx.now), asked.interval)
  const scope = scopeFor(ctx, asked, { onBudget: true })
  const { hull } = reading
  const [accounts, categories, rates, hidesAmounts, before, ...kept] = await read(
    ctx,
    ...factsOf(scope, hull),
    balancesBefore(ctx, hull.from),
    ...keptOf(scope, 'all', reading),
  )
  const facts = factsFrom(ctx, asked, [accounts, categories, rates, hidesAmounts])
  const { span } = facts.frame
  const pooling = poolingOf(facts, reading)
  const { cells, hidden, excluded } = keptFrom(kept, pooling)
  const { isExcluded } = categoriesIn(categories, new Set())
  const sideOfCash = ({
    flow,
    counterAccountId,
  }: Pick<TakenLine, 'flow' | 'counterAccountId'>): CashAmount['side'] =>
    flow === 'transfer'
      ? facts.accounts.has(counterAccountId)
        ? 'exchange'
        : 'otherAccounts'
      : SIDES[flow]
  const amountOf = (
    { accountId, currency, day, categoryId, minor, ...one }: TakenLine,
    more: Partial<CashAmount> = {},
  ): CashAmount => ({
    ...{ currency, day, categoryId, minor },
    accountId: cellAccount(pooling, accountId),
    side: sideOfCash(one),
    isExcluded: isExcluded(categoryId),
    ...more,
  })
  // What is private to somebody else is in the balances, so it must be in a sum.
  const flows = [
    ...cells.map((cell) => amountOf({ ...cell, day: dayOfCell(cell) })),
    ...hidden.map((line) => amountOf({ ...line, categoryId: '' }, { side: 'adjustments' })),
    ...excluded.map((line) => amountOf(line, { isExcluded: true })),
  ]
  const balances = new Map(before.map((row) => [row.accountId, fromWideSum(row.balance)]))
  const opening = new Map<string, CashBalance>()
  const add = ({ accountId: id, currency, minor }: CashBalance) => {
    const accountId = cellAccount(pooling, id)
    const one = opening.get(`${accountId} ${currency}`) ?? { accountId, currency, minor: 0n }
    opening.set(`${accountId} ${currency}`, { ...one, minor: one.minor + minor })
  }
  for (const { id, currency } of accounts) {
    add({ accountId: id, currency, minor: balances.get(id) ?? 0n })
  }
  flows.filter(({ day }) => day < span.from).forEach(add)
  return {
    ...facts,
    flows: flows.filter(({ day }) => day >= span.from && day <= span.to),
    opening: [...opening.values()],
  }
}

const SIDES = {
  income: 'in',
  expense: 'out',
  adjustment: 'adjustments',
  opening: 'adjustments',
} as const

import { convertSums, type Counted } from '../../../../domain/budgets/conversion.ts'
import {
  type AccountLine,
  countLimits,
  type LimitRules,
} from '../../../../domain/budgets/counting.ts'
import type { Coverage } from '../../../../domain/budgets/coverage.ts'
import type { InsideAccount } from '../../../../domain/budgets/flows.ts'
import {
  FIRST_LIMIT_STATE,
  foldLimits,
  type LimitClosing,
  type LimitState,
} from '../../../../domain/budgets/limits.ts'
import { outsideCategoriesIn } from '../../../../domain/budgets/outside.ts'
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import { memoized } from '../../../../domain/memoized.ts'
import { ruleOf } from '../budgets.rules.ts'
import type { BudgetFigures } from './envelopes.rules.ts'
import {
  type BudgetFacts,
  coverages,
  isIn,
  type LabelledFlow,
  linesIn,
  periodsToFold,
  ratesOn,
  termsOf,
} from './figures.rules.ts'

/** The state that a checkpoint of a limit budget keeps. */
export interface LimitImage {
  after: LimitState
}

/** Works out a limit budget through a period. */
export function limitFigures(facts: BudgetFacts, toIndex: number): BudgetFigures {
  const { budget, accounts, checkpoint, lines } = facts
  const rule = ruleOf(budget)
  const periods = periodsToFold(facts, toIndex)
  const nominalOf = memoized((index: number) => periodAt(rule, index).nominal)
  const coverageIn = coverages(facts, nominalOf)
  const rules: LimitRules = {
    accounts: new Map<string, InsideAccount>(
      accounts.map(({ id, currency }) => [id, { id, currency, isCard: false }]),
    ),
    coverageIn,
    periodOf: memoized((day: string) => periodIndexOf(rule, day)),
    countPending: budget.countPending,
    countTransfers: budget.countTransfers,
    accountLinesIn: accountLines(facts, nominalOf),
  }
  const counted = [
    ...countLimits(facts.flows, facts.hidden, rules),
    ...countLabelled(facts, rules, nominalOf),
  ]
  const rateOn = ratesOn(
    facts,
    counted.map(({ day }) => day),
  )
  const conversion = convertSums(counted, budget.currency, rateOn)
  const categoriesIn = outsideCategoriesIn(counted, budget.currency, rateOn)
  const closings = new Map(
    facts.closings.map(({ period, image }) => [period, JSON.parse(image) as LimitClosing]),
  )
  const setIn = Map.groupBy(facts.amounts, ({ period }) => period)
  const terms = termsOf(facts.changes)
  let state = checkpoint ? (JSON.parse(checkpoint.image) as LimitImage).after : FIRST_LIMIT_STATE
  const folded = periods.map((period) => {
    const sums = conversion.sums.get(period.index) ?? new Map<string, number>()
    const closing = closings.get(period.nominal)
    const {
      figures,
      sums: all,
      after,
    } = foldLimits(state, {
      sums,
      lines: linesOfPeriod(period),
      ...totalled(coverageIn(period.index), rules.accountLinesIn(period.index), accounts),
      closing,
    })
    state = after
    return {
      period,
      isClosed: closing !== undefined,
      figures,
      after,
      sums: all,
      balances: {},
      outsideCategories: closing ? [] : categoriesIn(period.index),
      unconverted: conversion.unconverted.filter(
        (one) => one.period === period.index && !one.key.startsWith('total '),
      ),
    }
  })
  return { mode: 'limit', periods: folded, conversion }

  function linesOfPeriod({ nominal }: Period) {
    const set = new Map(
      (setIn.get(nominal) ?? []).map(({ lineId, amountMinor }) => [lineId, amountMinor]),
    )
    return linesIn(lines, nominal).map(({ id }) => {
      const { policy, capMinor, amountMinor } = terms(id, nominal)
      return { id, policy, capMinor, amountMinor: set.get(id) ?? amountMinor ?? 0 }
    })
  }
}

/**
 * The lines that the sums of a period add up: those by category; where there are none, those over everything or by account, but of
 * lines that share an account only the first.
 */
function totalled(
  { topLines, hasLines }: Coverage,
  byAccount: readonly AccountLine[],
  accounts: readonly { id: string }[],
): { topLines: readonly string[]; isByCategory: boolean } {
  if (hasLines) {
    return { topLines, isByCategory: true }
  }
  const everything = byAccount.filter(({ accountIds }) => accountIds === undefined)
  const taken = new Set<string>()
  const added = [...everything, ...byAccount].filter(({ accountIds }) => {
    const own = accounts.filter(({ id }) => accountIds?.has(id) ?? true)
    const isFree = own.length > 0 && own.every(({ id }) => !taken.has(id))
    for (const { id } of isFree ? own : []) {
      taken.add(id)
    }
    return isFree
  })
  return { topLines: added.map(({ id }) => id), isByCategory: false }
}

/** The lines over accounts and over everything, by period. */
const accountLines = (
  { lines, scopes }: BudgetFacts,
  nominalOf: (index: number) => string,
): LimitRules['accountLinesIn'] =>
  memoized((index: number) => {
    const nominal = nominalOf(index)
    const named = Map.groupBy(
      scopes.filter((scope) => isIn(scope, nominal)),
      ({ lineId }) => lineId,
    )
    const accountsOf = (id: string) =>
      new Set((named.get(id) ?? []).map(({ targetId }) => targetId))
    return linesIn(lines, nominal).flatMap(({ id, scopeKind }): AccountLine[] => {
      if (scopeKind === 'everything') {
        return [{ id, accountIds: undefined }]
      }
      return scopeKind === 'account' ? [{ id, accountIds: accountsOf(id) }] : []
    })
  })

/** Counts rows on lines by tag and payee: all rows with the label, without excluded categories and hidden rows. */
function countLabelled(
  { labelled, lines, scopes }: BudgetFacts,
  rules: LimitRules,
  nominalOf: (index: number) => string,
): Counted[] {
  const named = Map.groupBy(scopes, ({ lineId, targetId }) => `${lineId} ${targetId}`)
  const thereIn = memoized(
    (index: number) => new Set(linesIn(lines, nominalOf(index)).map(({ id }) => id)),
  )
  const isNamed = ({ lineId, targetId }: LabelledFlow, index: number) =>
    thereIn(index).has(lineId) &&
    (named.get(`${lineId} ${targetId}`) ?? []).some((scope) => isIn(scope, nominalOf(index)))
  const isTransferThatCounts = (counterAccountId: string) =>
    rules.countTransfers && !rules.accounts.has(counterAccountId)
  // An entry with two labels of a line counts on it once.
  const seen = new Set<string>()
  return labelled.flatMap((flow): Counted[] => {
    const account = rules.accounts.get(flow.accountId)
    const period = rules.periodOf(flow.day)
    const entry = `${flow.lineId} ${flow.transactionId} ${flow.line}`
    const counts =
      account &&
      flow.isHidden === 0 &&
      !rules.coverageIn(period).isExcluded(flow.categoryId) &&
      (flow.flow === 'expense' || isTransferThatCounts(flow.counterAccountId)) &&
      isNamed(flow, period) &&
      !seen.has(entry)
    if (!counts) {
      return []
    }
    seen.add(entry)
    const minor = rules.countPending ? flow.amountMinor : flow.amountMinor - flow.pendingMinor
    const { day, categoryId, lineId: key } = flow
    return [{ period, day, currency: account.currency, key, categoryId, minor }]
  })
}

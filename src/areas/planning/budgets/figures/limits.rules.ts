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
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import { memoized } from '../../../../domain/memoized.ts'
import { ruleOf } from '../budgets.rules.ts'
import type { BudgetFigures } from './envelopes.rules.ts'
import {
  type BudgetFacts,
  coverages,
  linesIn,
  periodsToFold,
  ratesOn,
  termsOf,
} from './figures.rules.ts'

/** What a checkpoint of a limit budget keeps. */
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
  const counted = [...countLimits(facts.flows, facts.hidden, rules), ...countLabelled(facts, rules)]
  const conversion = convertSums(
    counted,
    budget.currency,
    ratesOn(
      facts,
      counted.map(({ day }) => day),
    ),
  )
  const closings = new Map(
    facts.closings.map(({ period, image }) => [period, JSON.parse(image) as LimitClosing]),
  )
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
      lines: linesOfPeriod(facts, period),
      topLines: topLinesOf(coverageIn(period.index)),
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
      unconverted: conversion.unconverted.filter(
        (one) => one.period === period.index && !one.key.startsWith('total '),
      ),
    }
  })
  return { mode: 'limit', periods: folded, conversion }

  function linesOfPeriod({ changes, amounts }: BudgetFacts, { nominal }: Period) {
    const terms = termsOf(changes)
    const set = new Map(
      amounts
        .filter(({ period }) => period === nominal)
        .map(({ lineId, amountMinor }) => [lineId, amountMinor]),
    )
    return linesIn(lines, nominal).map(({ id }) => {
      const { policy, capMinor, amountMinor } = terms(id, nominal)
      return { id, policy, capMinor, amountMinor: set.get(id) ?? amountMinor ?? 0 }
    })
  }
}

const topLinesOf = ({ topLines }: Coverage): readonly string[] => topLines

/** The lines over accounts and over everything, by period. */
function accountLines(
  { lines, scopes }: BudgetFacts,
  nominalOf: (index: number) => string,
): LimitRules['accountLinesIn'] {
  const all = lines
    .filter(({ scopeKind }) => scopeKind === 'account' || scopeKind === 'everything')
    .map((line) => ({
      line,
      counts: {
        id: line.id,
        accountIds:
          line.scopeKind === 'everything'
            ? undefined
            : new Set(
                scopes.filter(({ lineId }) => lineId === line.id).map(({ targetId }) => targetId),
              ),
      } satisfies AccountLine,
    }))
  return (index) => {
    const nominal = nominalOf(index)
    return all
      .filter(({ line: { archivedFrom } }) => archivedFrom === null || nominal < archivedFrom)
      .map(({ counts }) => counts)
  }
}

/** What counts on lines by tag and payee: all rows with the label but for excluded categories and what is hidden. */
function countLabelled({ labelled }: BudgetFacts, rules: LimitRules): Counted[] {
  const isTransferThatCounts = (counterAccountId: string) =>
    rules.countTransfers && !rules.accounts.has(counterAccountId)
  return labelled.flatMap((flow): Counted[] => {
    const account = rules.accounts.get(flow.accountId)
    const period = rules.periodOf(flow.day)
    const counts =
      account &&
      flow.isHidden === 0 &&
      !rules.coverageIn(period).isExcluded(flow.categoryId) &&
      (flow.flow === 'expense' || isTransferThatCounts(flow.counterAccountId))
    const minor = rules.countPending ? flow.amountMinor : flow.amountMinor - flow.pendingMinor
    return counts
      ? [
          {
            period,
            day: flow.day,
            currency: account.currency,
            key: flow.lineId,
            minor,
          },
        ]
      : []
  })
}

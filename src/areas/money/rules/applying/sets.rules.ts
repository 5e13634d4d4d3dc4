import { type CalendarDate, dateInZone } from '../../../../domain/calendar.ts'
import { predicateOf } from '../../../../domain/conditions/holds.ts'
import type { RuleFacts } from '../../../../domain/rules/apply.ts'
import type { CompiledRule } from '../../../../domain/rules/decide.ts'
import type { RuleDefinition } from '../rules.rules.ts'

/** An owner, and the number that counts the changes of the owner's rules and usual categories. */
export interface RuleSetKey {
  ownerId: string
  ruleSet: number
}

/** What a set is made of, as SQL gives it. */
export interface StoredSet {
  /** That of the owner. */
  timeZone: string
  /** Those that work, in their order. */
  rules: { id: string; definition: RuleDefinition }[]
  /** The ids of categories for income. */
  incomes: string[]
  /** Payees, each with its usual category. */
  usual: [payeeId: string, categoryId: string][]
  names: [payeeId: string, name: string][]
}

/** The rules and usual categories of an owner, ready to be applied. */
export interface RuleSet extends RuleSetKey {
  /** The rules at a moment: names of periods depend on the owner's day. */
  rulesAt: (now: number) => CompiledRule[]
  facts: Pick<RuleFacts, 'categoryKind' | 'payeeName'>
  usualCategoryOf: (payeeId: string) => string | undefined
  /** The accounts that its rules make transfers with. */
  transferIds: string[]
}

export function compiledSet(
  key: RuleSetKey,
  { timeZone, rules, incomes, usual, names }: StoredSet,
): RuleSet {
  const usualByPayee = new Map(usual)
  let compiled: { today: CalendarDate; rules: CompiledRule[] } | undefined
  return {
    ...key,
    rulesAt: (now) => {
      const today = dateInZone(now, timeZone)
      if (compiled?.today !== today) {
        compiled = { today, rules: rules.map((rule) => compiledRule(rule, today)) }
      }
      return compiled.rules
    },
    facts: factsOf(incomes, names),
    usualCategoryOf: (payeeId) => usualByPayee.get(payeeId),
    transferIds: rules.flatMap(({ definition }) => definition.changes.transferAccountId ?? []),
  }
}

function factsOf(incomes: StoredSet['incomes'], names: StoredSet['names']): RuleSet['facts'] {
  const [incomeIds, nameByPayee] = [new Set(incomes), new Map(names)]
  return {
    categoryKind: (id) => (incomeIds.has(id) ? 'income' : 'expense'),
    payeeName: (id) => nameByPayee.get(id),
  }
}

/** JSON of facts about labels, as SQL gives it. */
export interface StoredFacts {
  incomes: string
  names: string
}

export const factsFrom = (
  { incomes, names }: StoredFacts = { incomes: '[]', names: '[]' },
  { hasNames = true } = {},
): RuleSet['facts'] =>
  factsOf(
    JSON.parse(incomes) as StoredSet['incomes'],
    hasNames ? (JSON.parse(names) as StoredSet['names']) : [],
  )

export const compiledRule = (
  { id, definition }: StoredSet['rules'][number],
  today: CalendarDate,
): CompiledRule => ({
  id,
  holds: predicateOf(definition.condition, today),
  changes: definition.changes,
  on: new Set(definition.on),
  overwrite: definition.overwrite,
  stop: definition.stop,
})

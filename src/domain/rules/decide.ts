import { AppError, resultOrRefusal } from '../errors.ts'
import { memoized } from '../memoized.ts'
import { searchKey } from '../search-key.ts'
import type { Predicate } from '../conditions/holds.ts'
import { changesBy, type RuleFacts, type Step } from './apply.ts'
import type { RuleChanges, RuleOccasion } from './rules.ts'
import {
  type Changed,
  type ChangedField,
  type RuleField,
  type RuleTarget,
  subjectOf,
} from './target.ts'

/** A rule that works, with its condition as a function. */
export interface CompiledRule {
  id: string
  holds: Predicate
  changes: RuleChanges
  on: ReadonlySet<RuleOccasion>
  overwrite: boolean
  stop: boolean
}

/** How rules are applied to one transaction. */
export interface RuleApplication extends Pick<Step, 'hasRoom'> {
  facts: RuleFacts
  /** Rules for other occasions are left out. A run has none, and applies all of them. */
  occasion?: RuleOccasion | undefined
  /** The fields that only a rule with `overwrite` replaces. */
  kept: ReadonlySet<RuleField>
  /** In place of that of each rule. */
  overwrite?: boolean | undefined
}

/** What rules say of one transaction. */
export interface RuleDecision {
  after: RuleTarget
  /** The fields that changed, each with the rule that changed it last. */
  changedBy: Map<ChangedField, string>
  /** The rules that changed something, in their order. */
  appliedIds: string[]
  /** All whose condition holds. */
  matchedIds: string[]
  /** Those of them that could not be applied. */
  failed: { ruleId: string; code: string }[]
}

/** Applies rules in their order: each sees what those before it have made of the transaction. */
export function decideByRules(
  rules: readonly CompiledRule[],
  target: RuleTarget,
  { facts, occasion, kept, overwrite: always, hasRoom }: RuleApplication,
): RuleDecision {
  const changedBy = new Map<ChangedField, string>()
  const [appliedIds, matchedIds]: [string[], string[]] = [[], []]
  const failed: RuleDecision['failed'] = []
  let after = target
  const keyOf = memoized(searchKey)
  let subject = subjectOf(after, keyOf)
  for (const rule of rules) {
    // Most rules do not match.
    if (!rule.holds(subject) || (occasion !== undefined && !rule.on.has(occasion))) {
      continue
    }
    const { id, changes, overwrite: own, stop } = rule
    matchedIds.push(id)
    const overwrite = always ?? own
    // A rule that cannot be applied is left out as a whole, and never refuses a booking.
    const changed = resultOrRefusal(() =>
      changesBy(changes, after, { facts, overwrite, kept: overwrite ? NOTHING : kept, hasRoom }),
    )
    if (changed instanceof AppError) {
      failed.push({ ruleId: id, code: changed.code })
      continue
    }
    const fields = Object.keys(changed) as ChangedField[]
    for (const field of fields) {
      changedBy.set(field, id)
    }
    if (fields.length > 0) {
      after = afterChange(after, changed)
      subject = subjectOf(after, keyOf)
      appliedIds.push(id)
    }
    if (stop) {
      break
    }
  }
  return { after, changedBy, appliedIds, matchedIds, failed }
}

const NOTHING: ReadonlySet<RuleField> = new Set()

/** What rules, and then the usual category of the payee, make of a transaction that is recorded. */
export interface Ruling extends Pick<RuleDecision, 'matchedIds' | 'failed'> {
  /** Each with the rule that says what the field becomes; null where that is the usual category. */
  changes: { field: ChangedField; before: unknown; after: unknown; ruleId: string | null }[]
}

/** Parts and the other leg of a transfer take the place of a category. */
function afterChange(now: RuleTarget, changed: Partial<Changed>): RuleTarget {
  const after = { ...now, ...changed }
  if (changed.transferAccountId !== undefined) {
    after.kind = 'transfer'
  }
  if (changed.splits ?? changed.transferAccountId) {
    after.categoryId = null
  }
  return after
}

import { errorTable } from '../errors.ts'
import type { Status } from '../ledger.ts'

// Rules say how transactions that meet a condition are categorized, named, tagged or split. This is the form of their changes;
// `check.ts` reads one from outside, and `decide.ts` applies rules to a transaction.

/** The occasions that a rule works on: requests, files and recurring items. */
export const RULE_OCCASIONS = ['record', 'import', 'recurring'] as const

export type RuleOccasion = (typeof RULE_OCCASIONS)[number]

/** The statuses that a rule may set. */
export const RULE_STATUSES = ['pending', 'uncleared', 'cleared'] as const satisfies Status[]

/** The changes of a rule: an absent field is left alone, and null clears. */
export interface RuleChanges {
  categoryId?: string | null | undefined
  payeeId?: string | null | undefined
  /** Texts may have placeholders such as `{payee}`. */
  description?: string | null | undefined
  note?: string | null | undefined
  addTagIds?: string[] | undefined
  removeTagIds?: string[] | undefined
  status?: (typeof RULE_STATUSES)[number] | undefined
  reviewed?: boolean | undefined
  splits?: RulePart[] | undefined
  transferAccountId?: string | undefined
}

/** A part that a rule makes; one of `fixed`, `percent` and `rest` says how large it is. */
export interface RulePart {
  /** Decimal text in the currency of the account. */
  fixed?: string | undefined
  /** Decimal text with at most two decimals. */
  percent?: string | undefined
  percentOf?: PercentBase | undefined
  /** A weight. */
  rest?: number | undefined
  categoryId?: string | null | undefined
  payeeId?: string | null | undefined
  tagIds?: string[] | undefined
  note?: string | null | undefined
}

/** The amount that percents are of: the whole, or what the fixed parts leave. */
export type PercentBase = 'total' | 'rest'

/** Bounds of rules. */
export const RULE_LIMITS = {
  rules: 300,
  /** All definitions of a person together. */
  bytes: 256 * 1024,
  parts: 20,
  weight: 100,
} as const

export const ruleProblems = errorTable('rules', {
  invalidSplit: ['invalid', '{problem}'],
  unknownPlaceholder: [
    'invalid',
    'The placeholder {word} is unknown. The placeholders are {known}.',
  ],
  splitTooMuch: ['invalid', 'The parts are more than the amount of the transaction.'],
  splitIncomplete: [
    'invalid',
    'The parts are less than the amount of the transaction. Add a part with rest.',
  ],
  cannotSplit: ['invalid', 'Only an expense or income can be split by a rule.'],
  categoryKind: ['invalid', 'A transaction of this kind cannot have this category.'],
  tooManyTags: ['invalid', 'The transaction would have more than {most} tags.'],
  noRoom: ['invalid', 'What the rule adds does not fit into the request or the other account.'],
  cannotTransfer: [
    'invalid',
    'The transaction cannot become a transfer with this account. It must be another open account in the same currency, and the transaction an expense or income without parts.',
  ],
})

// Conditions say which transactions are meant, for lists, bulk changes, exports, rules and saved views. This is their form and the
// table of what can be compared; `check.ts` reads one from outside, `holds.ts` applies one in memory, and
// `ledger/search/conditions.queries.ts` in SQL.

/** A condition. `all` and `any` have at least one member. */
export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | Comparison

/** One comparison; the table says what `value` is for each field and operation. */
export interface Comparison {
  field: ConditionField
  op: ConditionOp
  value?: ConditionValue | undefined
}

export type ConditionValue = string | boolean | readonly string[] | MetadataValue

/** A field of the metadata, or any of them, and the value that it must have, as text, if it matters. */
export interface MetadataValue {
  key?: string | undefined
  value?: string | undefined
}

export type ConditionOp =
  | 'is'
  | 'oneOf'
  | 'within'
  | 'isEmpty'
  | 'exists'
  | 'contains'
  | 'word'
  | 'like'
  | 'from'
  | 'to'
  | 'above'
  | 'below'
  | 'between'

/** A field of a condition, as the table describes it. */
export interface FieldRule {
  ops: readonly ConditionOp[]
  takes: 'text' | 'amount' | 'date' | 'words' | 'currency' | 'id' | 'flag' | 'metadata'
  /** The words that it can have. */
  words?: readonly string[]
  /** The prefix of its ids. */
  prefix?: string
  /** The operations that rules do not know; all of them where it is `all`. */
  notInRules?: 'all' | readonly ConditionOp[]
}

const TEXT_OPS = ['contains', 'word', 'like'] as const
const ORDER_OPS = ['is', 'from', 'to', 'above', 'below', 'between'] as const
const CHOICE_OPS = ['is', 'oneOf'] as const

const text = { takes: 'text', ops: ['is', ...TEXT_OPS, 'isEmpty'] } as const
const flag = { takes: 'flag', ops: ['is'] } as const
const oneOfWords = (words: string[]) => ({ takes: 'words', ops: CHOICE_OPS, words }) as const

/** The fields of conditions, each with what it takes. */
export const CONDITION_FIELDS = {
  text: { takes: 'text', ops: TEXT_OPS },
  description: text,
  payeeRaw: text,
  note: text,
  amount: { takes: 'amount', ops: ORDER_OPS },
  date: { takes: 'date', ops: ORDER_OPS },
  kind: oneOfWords(['expense', 'income', 'transfer', 'adjustment', 'opening']),
  status: oneOfWords(['pending', 'uncleared', 'cleared', 'reconciled', 'void']),
  source: oneOfWords(['user', 'import', 'rule', 'recurring', 'api']),
  currency: { takes: 'currency', ops: CHOICE_OPS },
  accountId: { takes: 'id', ops: CHOICE_OPS, prefix: 'acc' },
  categoryId: {
    takes: 'id',
    ops: [...CHOICE_OPS, 'isEmpty', 'within'],
    prefix: 'cat',
    notInRules: ['within'],
  },
  payeeId: { takes: 'id', ops: [...CHOICE_OPS, 'isEmpty'], prefix: 'pay' },
  tagId: { takes: 'id', ops: [...CHOICE_OPS, 'isEmpty'], prefix: 'tag' },
  uncategorised: flag,
  reviewed: flag,
  private: flag,
  isSplit: flag,
  hasAttachment: { ...flag, notInRules: 'all' },
  importId: { takes: 'id', ops: ['is', 'isEmpty'], prefix: 'imp', notInRules: 'all' },
  recurringId: { takes: 'id', ops: ['is', 'isEmpty'], prefix: 'rec', notInRules: 'all' },
  createdBy: { takes: 'id', ops: ['is'], prefix: 'usr', notInRules: 'all' },
  externalId: { takes: 'text', ops: ['is'], notInRules: 'all' },
  metadata: { takes: 'metadata', ops: ['is', 'exists'] },
} as const satisfies Record<string, FieldRule>

export type ConditionField = keyof typeof CONDITION_FIELDS

export const fieldRule = (field: ConditionField): FieldRule => CONDITION_FIELDS[field]

/**
 * The most comparisons of a condition, its greatest depth, and the most values of a list and characters of a text.
 */
export const CONDITION_LIMITS = {
  comparisons: 20,
  depth: 5,
  list: 100,
  text: 200,
  asterisks: 10,
} as const

/** The comparisons of a condition, in their order. */
export const comparisonsOf = (condition: Condition): Comparison[] => {
  if ('field' in condition) {
    return [condition]
  }
  if ('not' in condition) {
    return comparisonsOf(condition.not)
  }
  return ('all' in condition ? condition.all : condition.any).flatMap(comparisonsOf)
}

/** The texts or ids of a value, one or many. */
export function valuesOf({ value }: Comparison): readonly string[] {
  if (typeof value === 'string') {
    return [value]
  }
  return Array.isArray(value) ? (value as readonly string[]) : []
}

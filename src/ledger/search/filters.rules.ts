import type { Comparison, Condition } from '../../domain/conditions/conditions.ts'
import type { Kind, Status } from '../../domain/ledger.ts'
import { searchKey } from '../../domain/search-key.ts'

/** A filter of account lines. All of its conditions must hold. */
export interface LedgerFilter {
  accountId?: string | undefined
  /** Any of these. */
  accountIds?: readonly string[] | undefined
  from?: string | undefined
  to?: string | undefined
  /** Decimal text, for the absolute amount in whatever currency. */
  amountFrom?: string | undefined
  amountTo?: string | undefined
  currency?: string | undefined
  status?: Status | undefined
  kind?: Kind | undefined
  source?: 'user' | 'import' | 'rule' | 'recurring' | 'api' | undefined
  reviewed?: boolean | undefined
  hasAttachment?: boolean | undefined
  /** Also those below it. */
  categoryId?: string | undefined
  uncategorised?: boolean | undefined
  payeeId?: string | undefined
  tagId?: string | undefined
  importId?: string | undefined
  text?: string | undefined
  metadataKey?: string | undefined
  metadataValue?: string | undefined
  /** With days in place of the names of periods. */
  condition?: Condition | undefined
}

/** How many words a search looks for at most: each is a condition of its own. */
export const MOST_WORDS = 10

/** The words of a search, each of which must be found. One that is punctuation alone is none. */
export const wordsOf = (text: string): string[] => [
  ...new Map(
    text
      .split(/\s+/)
      .map((word): [string, string] => [searchKey(word), word])
      .filter(([key]) => key !== ''),
  ).values(),
]

export function isSearchable(text: string): boolean {
  const { length } = wordsOf(text)
  return length >= 1 && length <= MOST_WORDS
}

/** All that a filter asks for beside accounts and days, as one condition; it may be empty. */
export function conditionIn(filter: LedgerFilter): { all: Condition[] } {
  const { text, metadataKey: key, metadataValue: value, accountIds, condition } = filter
  return {
    all: [
      ...FIELDS.flatMap(([name, field, op]): Comparison[] => {
        const wanted = filter[name]
        return wanted === undefined ? [] : [{ field, op, value: wanted }]
      }),
      ...(accountIds === undefined
        ? []
        : [{ field: 'accountId', op: 'oneOf', value: [...accountIds] } as const]),
      ...(text === undefined
        ? []
        : wordsOf(text).map((word) => ({ field: 'text', op: 'contains', value: word }) as const)),
      ...(key === undefined && value === undefined
        ? []
        : [{ field: 'metadata', op: 'is', value: { key, value } } as const]),
      ...(condition === undefined ? [] : [condition]),
    ],
  }
}

/** The fields of a filter that are comparisons. */
const FIELDS = [
  ['status', 'status', 'is'],
  ['currency', 'currency', 'is'],
  ['amountFrom', 'amount', 'from'],
  ['amountTo', 'amount', 'to'],
  ['categoryId', 'categoryId', 'within'],
  ['uncategorised', 'uncategorised', 'is'],
  ['hasAttachment', 'hasAttachment', 'is'],
  ['payeeId', 'payeeId', 'is'],
  ['importId', 'importId', 'is'],
  ['tagId', 'tagId', 'is'],
  ['kind', 'kind', 'is'],
  ['source', 'source', 'is'],
  ['reviewed', 'reviewed', 'is'],
] as const satisfies [keyof LedgerFilter, Comparison['field'], Comparison['op']][]

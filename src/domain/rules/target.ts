import type { CalendarDate } from '../calendar.ts'
import type { Subject } from '../conditions/holds.ts'
import type { Kind, Status } from '../ledger.ts'
import { searchKey } from '../search-key.ts'

/** A part of a transaction, as rules see it. */
export interface TargetPart {
  /** Decimal text, signed against the whole. */
  amount: string
  categoryId?: string | null | undefined
  payeeId?: string | null | undefined
  tagIds?: string[] | undefined
  note?: string | null | undefined
  /** Set where the part is a transfer. */
  transferAccountId?: string | null | undefined
}

/** A transaction on its way through the rules: a draft or a stored row. */
export interface RuleTarget {
  kind: Kind
  accountId: string
  currency: string
  date: CalendarDate
  /** Minor units, with or without their sign. */
  amountMinor: number
  source: string
  private: boolean
  metadata: Readonly<Record<string, unknown>>
  payeeRaw: string | null
  description: string
  note: string | null
  payeeId: string | null
  categoryId: string | null
  tagIds: readonly string[]
  status: Status
  reviewed: boolean
  /** None where it is not split. */
  splits: readonly TargetPart[]
  /** The account that makes a transfer of it. */
  transferAccountId?: string | undefined
}

/** The fields that rules replace as a whole. */
export type RuleField =
  | ('categoryId' | 'payeeId' | 'description' | 'note')
  | ('status' | 'reviewed' | 'splits' | 'transferAccountId')

/** The fields that rules change. */
export type Changed = Pick<RuleTarget, RuleField | 'tagIds'>

export type ChangedField = keyof Changed

/** The fields that a run keeps unless a rule has `overwrite`: what is stored, as far as it is not empty. */
export const keptOfRow = (row: RuleTarget): ReadonlySet<RuleField> =>
  new Set((['categoryId', 'payeeId', 'description', 'note'] as const).filter((field) => row[field]))

/** A transaction as conditions see it. */
export function subjectOf(target: RuleTarget, texts: Subject['texts']): Subject {
  const { kind, categoryId, payeeId, tagIds, splits } = target
  const isSplit = splits.length > 0
  const pieces: readonly Partial<TargetPart>[] = isSplit ? splits : [{ categoryId }]
  const canHaveCategory = kind === 'expense' || kind === 'income'
  return {
    texts,
    amountMinor: target.amountMinor,
    currency: target.currency,
    date: target.date,
    kind,
    status: target.status,
    source: target.source,
    accountId: target.accountId,
    categoryIds: pieces.flatMap((one) => one.categoryId ?? []),
    payeeIds: [payeeId, ...splits.map((part) => part.payeeId)].flatMap((id) => id ?? []),
    tagIds: [...tagIds, ...splits.flatMap((part) => part.tagIds ?? [])],
    uncategorised:
      canHaveCategory && pieces.some((one) => !one.categoryId && !one.transferAccountId),
    reviewed: target.reviewed,
    private: target.private,
    isSplit,
    metadata: target.metadata,
    // Rules cannot ask for these.
    hasAttachment: false,
    importId: null,
    createdBy: '',
    externalId: null,
  }
}

export const textsOf = ({ description, payeeRaw, note }: RuleTarget): Subject['texts'] => ({
  description: searchKey(description),
  payeeRaw: searchKey(payeeRaw ?? ''),
  note: searchKey(note ?? ''),
})

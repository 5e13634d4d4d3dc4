import type { CalendarDate } from '../calendar.ts'
import type { Subject } from '../conditions/holds.ts'
import type { Kind, Status } from '../ledger.ts'

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

/**
 * A transaction as conditions see it.
 * @param keyOf makes the search key of a text, which is made when a condition first asks for it: long texts take long
 */
export function subjectOf(target: RuleTarget, keyOf: (text: string) => string): Subject {
  const { kind, categoryId, payeeId, tagIds, splits } = target
  const isSplit = splits.length > 0
  const canHaveCategory = kind === 'expense' || kind === 'income'
  const whole = categoryId === null ? [] : [categoryId]
  const ofParts = (idsOf: (part: TargetPart) => string | readonly string[] | null | undefined) =>
    isSplit ? splits.flatMap((part) => idsOf(part) ?? []) : []
  return {
    texts: {
      get description() {
        return keyOf(target.description)
      },
      get payeeRaw() {
        return keyOf(target.payeeRaw ?? '')
      },
      get note() {
        return keyOf(target.note ?? '')
      },
    },
    amountMinor: target.amountMinor,
    currency: target.currency,
    date: target.date,
    kind,
    status: target.status,
    source: target.source,
    accountId: target.accountId,
    categoryIds: isSplit ? ofParts((part) => part.categoryId) : whole,
    payeeIds: [...(payeeId === null ? [] : [payeeId]), ...ofParts((part) => part.payeeId)],
    tagIds: [...tagIds, ...ofParts((part) => part.tagIds)],
    uncategorised:
      canHaveCategory &&
      (isSplit
        ? splits.some((part) => !part.categoryId && !part.transferAccountId)
        : categoryId === null),
    reviewed: target.reviewed,
    private: target.private,
    isSplit,
    metadata: target.metadata,
    // Rules cannot ask for these.
    hasAttachment: false,
    importId: null,
    recurringId: null,
    createdBy: '',
    externalId: null,
  }
}

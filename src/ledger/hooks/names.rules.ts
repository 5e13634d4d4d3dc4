import { type AppError, errorTable } from '../../domain/errors.ts'
import { foldKey } from '../../domain/text.ts'

/** A piece of a draft that can have a category or payee: the whole, a part, or a fee of a transfer. */
interface Nameable {
  categoryId?: string | null | undefined
  categoryName?: string | undefined
  payeeId?: string | null | undefined
  payeeName?: string | undefined
}

/** A part of a draft. */
export interface DraftPart extends Nameable {
  /** Decimal text, signed against the whole. */
  amount: string
  tagIds?: string[] | undefined
  note?: string | null | undefined
  /** The other account of a part that is a transfer. */
  transferAccountId?: string | null | undefined
}

/** A draft that may name categories and payees where it could send their ids. */
export interface NamingDraft extends Nameable {
  /** True if named categories and payees that do not exist are created. */
  createMissing?: boolean | undefined
  splits?: DraftPart[] | undefined
  fee?: Nameable | null | undefined
  fees?: Nameable[] | undefined
}

export type NamedLabel = 'category' | 'payee'

/** A name in a draft, with its key and the field that says it. */
export interface NamedPlace {
  name: string
  key: string
  field: string
  /** True if the name belongs to a part that is a transfer. */
  isOfTransfer: boolean
}

function placeIn(
  part: Nameable & Pick<DraftPart, 'transferAccountId'>,
  label: NamedLabel,
  prefix: string,
): NamedPlace[] {
  const name = part[`${label}Name`]
  const isOfTransfer = typeof part.transferAccountId === 'string'
  return name === undefined
    ? []
    : [{ name, key: foldKey(name), field: `${prefix}${label}Name`, isOfTransfer }]
}

/** The categories or payees that a draft names. */
export const namesIn = (draft: NamingDraft, label: NamedLabel): NamedPlace[] => [
  ...placeIn(draft, label, ''),
  ...(draft.splits ?? []).flatMap((part, at) => placeIn(part, label, `splits.${at}.`)),
  ...(draft.fee ? placeIn(draft.fee, label, 'fee.') : []),
  ...(draft.fees ?? []).flatMap((fee, at) => placeIn(fee, label, `fees.${at}.`)),
]

/** The fields of a draft that change where each name becomes an id. */
export function withIds(
  draft: NamingDraft,
  label: NamedLabel,
  idOf: (place: NamedPlace) => string,
): Pick<NamingDraft, 'categoryId' | 'payeeId' | 'splits' | 'fee' | 'fees'> {
  const idIn = (part: Nameable, prefix: string) =>
    Object.fromEntries(placeIn(part, label, prefix).map((place) => [`${label}Id`, idOf(place)]))
  const idsIn = <Part extends Nameable>(parts: Part[], place: string) =>
    parts.map((part, at) => ({ ...part, ...idIn(part, `${place}.${at}.`) }))
  return {
    ...idIn(draft, ''),
    ...(draft.splits ? { splits: idsIn(draft.splits, 'splits') } : {}),
    ...(draft.fees ? { fees: idsIn(draft.fees, 'fees') } : {}),
    ...(draft.fee ? { fee: { ...draft.fee, ...idIn(draft.fee, 'fee.') } } : {}),
  }
}

/** A stored category or payee that may be meant. */
export interface LabelCandidate {
  id: string
  archived: boolean
}

/** The errors of an area for names that match nothing, or several things. */
export interface NamingErrors {
  unknown: (detail: { field: string }) => AppError
  archived: (detail: { field: string }) => AppError
  ambiguous: (ids: string[], field: string) => AppError
  /** It is to be created, and is somebody else's to create. */
  ownerCreates: (detail: { field: string }) => AppError
}

/**
 * The one that a name means; undefined where there is none.
 * @throws AppError when there are several, or only archived ones
 */
export function idMeant(
  candidates: LabelCandidate[],
  field: string,
  { archived, ambiguous }: Pick<NamingErrors, 'archived' | 'ambiguous'>,
): string | undefined {
  const usable = candidates.filter((one) => !one.archived)
  if (usable.length > 1) {
    throw ambiguous(usable.map(({ id }) => id).toSorted(), field)
  }
  if (usable.length === 0 && candidates.length > 0) {
    throw archived({ field })
  }
  return usable[0]?.id
}

/** The most categories, and the most payees, that one request may create by name. */
export const MOST_CREATED = 30

export const namingErrors = errorTable('ledger', {
  tooManyNew: [
    'invalid',
    'A request can create at most 30 categories and 30 payees by name. Send fewer new names, or create the others first.',
  ],
  createdMeanwhile: [
    'conflict',
    'Somebody created a category or payee of this name at the same moment. Send the request again.',
  ],
})

/** The errors for two commits that create the same category or payee. */
export const namingConflicts = {
  'categories.name_key': namingErrors.createdMeanwhile,
  'payees.name_key': namingErrors.createdMeanwhile,
}

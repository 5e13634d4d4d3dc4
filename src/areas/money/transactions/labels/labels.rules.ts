import { MOST_TAGS_OF_PARTS } from '../../../../domain/ledger-ids.ts'
import { checkAll } from '../../../../domain/errors.ts'
import type { Entry } from '../../../../domain/ledger.ts'
import {
  type Labels,
  labelsAt,
  labelsFrom,
  type Named,
  NO_LABELS,
  WHOLE,
} from '../../../../ledger/labels/labels.public.ts'
import { payeeRefusals, requirePayees } from '../../payees/payees.public.ts'
import { requireTags, tagRefusals, tagsNamed } from '../../tags/tags.public.ts'
import { transactionErrors } from '../transactions.errors.ts'

/** The payees and tags of a request. An absent field stays as it is; on a part it means none. */
interface Labelled {
  payeeId?: string | null | undefined
  tagIds?: string[] | undefined
}

export interface LabelChanges extends Labelled {
  splits?: Labelled[] | undefined
}

/** The payees and tags that a request names, each with the field that names it. */
export function labelsInRequest({
  splits = [],
  ...whole
}: LabelChanges): Record<'payees' | 'tags', Named[]> {
  const places = [
    { place: whole, prefix: '' },
    ...splits.map((place, at) => ({ place, prefix: `splits.${at}.` })),
  ]
  return {
    payees: places.flatMap(({ place, prefix }) =>
      place.payeeId ? [{ id: place.payeeId, field: `${prefix}payeeId` }] : [],
    ),
    tags: places.flatMap(({ place, prefix }) => tagsNamed(place.tagIds, prefix)),
  }
}

type KnownLabels = { id: string; archived: boolean }[]

/**
 * @param known the caller's payees and tags among those that are named
 * @param before what a transaction that is changed has: that may stay, archived or not
 */
export function requireLabels(
  named: Record<'payees' | 'tags', Named[]>,
  known: Record<'payees' | 'tags', KnownLabels>,
  before: Labels = NO_LABELS,
): void {
  checkAll(
    () => requirePayees(named.payees, known.payees, before.payees),
    () => requireTags(named.tags, known.tags, before.tags),
  )
}

/** The errors of a commit for labels that cannot be used. */
export const labelErrors = {
  categories: {
    unknown: transactionErrors.unknownCategory,
    otherKind: transactionErrors.categoryKind,
    archived: transactionErrors.archivedCategory,
  },
  payees: payeeRefusals,
  tags: tagRefusals,
}

/**
 * The labels after a change.
 * @throws AppError `transactions.tooManyTagsOfParts` when the parts that were sent have too many
 * @param entries the account's own line, then the parts in the order in which they were sent
 */
export function labelsAfter(before: Labels, wanted: LabelChanges, [, ...parts]: Entry[]): Labels {
  const whole = labelsAt(before, WHOLE)
  const kept = parts.map(({ line }) => labelsAt(before, line))
  const sent = wanted.splits?.map(({ payeeId = null, tagIds = [] }, at) => ({
    line: parts[at]?.line ?? WHOLE,
    payeeId,
    tagIds,
  }))
  if ((sent ?? []).reduce((sum, { tagIds }) => sum + tagIds.length, 0) > MOST_TAGS_OF_PARTS) {
    throw transactionErrors.tooManyTagsOfParts({ field: 'splits' })
  }
  return labelsFrom([
    {
      line: WHOLE,
      payeeId: wanted.payeeId === undefined ? whole.payeeId : wanted.payeeId,
      tagIds: wanted.tagIds ?? whole.tagIds,
    },
    ...(sent ?? kept),
  ])
}

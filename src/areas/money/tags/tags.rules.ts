import { type Named, requireKnownLabels } from '../../../ledger/labels/labels.public.ts'
import { tagErrors } from './tags.errors.ts'

/** The tags that a request names, each with the field that names it. */
export const tagsNamed = (tagIds: string[] | undefined, prefix = ''): Named[] =>
  (tagIds ?? []).map((id, at) => ({ id, field: `${prefix}tagIds.${at}` }))

/** The errors for a tag that cannot be used in a booking. */
export const tagRefusals = { unknown: tagErrors.unknownTag, archived: tagErrors.archivedTag }

/** Refuses tags that are not the caller's, and archived ones where they are not already. */
export const requireTags = (
  named: Named[],
  known: { id: string; archived: boolean }[],
  kept: { tagId: string }[] = [],
): void =>
  requireKnownLabels(
    named,
    known,
    kept.map(({ tagId }) => tagId),
    tagRefusals,
  )

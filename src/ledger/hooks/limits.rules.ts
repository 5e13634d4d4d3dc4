import { LONGEST_TEXTS, MOST_TAGS } from '../../domain/ledger-ids.ts'
import { MAX_PARTS } from '../../domain/ledger.ts'
import { isSmallMetadata } from '../../domain/metadata.ts'
import { cutText } from '../../domain/text.ts'
import type { DraftPart } from './names.rules.ts'

/** The fields of a transaction that have limits. */
interface Limited {
  description?: string | undefined
  note?: string | null | undefined
  tagIds?: string[] | undefined
  metadata?: Record<string, unknown> | null | undefined
  splits?: DraftPart[] | undefined
}

/** Keeps what a hook says within the limits of a request: what is too long is cut, and what cannot be cut is left out. */
export function withinLimits<Fields extends Limited>(fields: Fields): Fields {
  const { description, note, tagIds, metadata, splits } = fields
  return {
    ...fields,
    description: description && cutText(description, LONGEST_TEXTS.description),
    note: note && cutText(note, LONGEST_TEXTS.note),
    tagIds: tagIds && [...new Set(tagIds)].slice(0, MOST_TAGS),
    metadata: metadata && !isSmallMetadata(metadata) ? undefined : metadata,
    splits: splits && splits.length > MAX_PARTS ? undefined : splits?.map(partWithinLimits),
  }
}

const partWithinLimits = (part: DraftPart): DraftPart => ({
  ...part,
  ...(part.note ? { note: cutText(part.note, LONGEST_TEXTS.note) } : {}),
  ...(part.tagIds ? { tagIds: part.tagIds.slice(0, MOST_TAGS) } : {}),
})

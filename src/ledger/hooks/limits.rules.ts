import { LONGEST_TEXTS, MOST_TAGS } from '../../domain/ledger-texts.ts'
import { MAX_PARTS } from '../../domain/ledger.ts'
import { METADATA_BYTES, sizeOf } from '../../domain/metadata.ts'
import { cutText } from '../../domain/text.ts'
import type { Added } from './hooks.usecases.ts'

/** The limits of a request, for what a hook says: what is too long is cut, and what cannot be cut is left out. */
export function withinLimits({
  description,
  note,
  tagIds,
  metadata,
  splits,
  ...added
}: Added): Added {
  return {
    ...added,
    description: description && cutText(description, LONGEST_TEXTS.description),
    note: note && cutText(note, LONGEST_TEXTS.note),
    tagIds: tagIds && [...new Set(tagIds)].slice(0, MOST_TAGS),
    metadata: metadata && sizeOf(JSON.stringify(metadata)) > METADATA_BYTES ? undefined : metadata,
    splits:
      splits && splits.length > MAX_PARTS
        ? undefined
        : splits?.map((part) => ({
            ...part,
            ...(part.note ? { note: cutText(part.note, LONGEST_TEXTS.lineNote) } : {}),
            ...(part.tagIds ? { tagIds: part.tagIds.slice(0, MOST_TAGS) } : {}),
          })),
  }
}

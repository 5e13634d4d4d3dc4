import { foldKey } from '../../../../domain/text.ts'
import type { NamedTag } from '../../../money/tags/tags.public.ts'
import { MOST_TAGS } from '../../../../domain/ledger-texts.ts'

/** Finds tags by what files call them. */
export interface TagIndex {
  /** The tags of one owner that have these names, as many as a transaction may have. */
  find: (names: string[], ownerId: string) => string[]
  /** The names that no tag of the owner has. */
  unknown: (names: string[], ownerId: string) => string[]
}

export function tagIndex(tags: NamedTag[]): TagIndex {
  const byName = new Map(tags.map(({ id, ownerId, nameKey }) => [`${ownerId} ${nameKey}`, id]))
  const idOf = (name: string, ownerId: string) => byName.get(`${ownerId} ${foldKey(name)}`)
  return {
    find: (names, ownerId) =>
      [...new Set(names.flatMap((name) => idOf(name, ownerId) ?? []))].slice(0, MOST_TAGS),
    unknown: (names, ownerId) =>
      [...new Set(names)].filter((name) => idOf(name, ownerId) === undefined),
  }
}

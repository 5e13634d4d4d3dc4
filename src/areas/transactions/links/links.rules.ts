import type { Entry } from '../../../domain/ledger.ts'
import {
  type Links,
  linksAt,
  linksFrom,
  type Named,
  NO_LINKS,
  WHOLE,
} from '../../ledger/ledger.public.ts'
import { requirePayees } from '../../payees/payees.public.ts'
import { requireTags, tagsNamed } from '../../tags/tags.public.ts'

/** What a request says of payees and tags; absent means left alone, of a part none. */
interface Linked {
  payeeId?: string | null | undefined
  tagIds?: string[] | undefined
}

export interface LinkChanges extends Linked {
  splits?: Linked[] | undefined
}

/** The payees and tags that a request names, each with the field that names it. */
export function linksNamed({
  splits = [],
  ...whole
}: LinkChanges): Record<'payees' | 'tags', Named[]> {
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

type Known = { id: string; archived: boolean }[]

/**
 * @param known the caller's payees and tags among those that are named
 * @param before what a transaction that is changed has: that may stay, archived or not
 */
export function requireLinks(
  named: Record<'payees' | 'tags', Named[]>,
  known: Record<'payees' | 'tags', Known>,
  before: Links = NO_LINKS,
): void {
  requirePayees(named.payees, known.payees, before.payees)
  requireTags(named.tags, known.tags, before.tags)
}

/**
 * The links after a change.
 * @param entries the account's own line, then the parts in the order in which they were sent
 */
export function linksAfter(before: Links, wanted: LinkChanges, [, ...parts]: Entry[]): Links {
  const whole = linksAt(before, WHOLE)
  const kept = parts.map(({ line }) => linksAt(before, line))
  const sent = wanted.splits?.map(({ payeeId = null, tagIds = [] }, at) => ({
    line: parts[at]?.line ?? WHOLE,
    payeeId,
    tagIds,
  }))
  return linksFrom([
    {
      line: WHOLE,
      payeeId: wanted.payeeId === undefined ? whole.payeeId : wanted.payeeId,
      tagIds: wanted.tagIds ?? whole.tagIds,
    },
    ...(sent ?? kept),
  ])
}

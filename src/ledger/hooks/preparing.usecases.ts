import type { SignedIn } from '../../platform/context.ts'
import { nothing, type Statement } from '../../platform/database/statements.ts'
import type { Change } from '../../platform/log/events.ts'
import {
  type Draft,
  type HookAdditions,
  hooksOf,
  type PlacedDraft,
  type Preparation,
  type Prepared,
} from './hooks.usecases.ts'
import { withinLimits } from './limits.rules.ts'

/** A draft that went through all hooks, and what is to be committed with it. */
export type Ready<Input> = Input &
  Pick<Prepared, 'ruling' | 'transferAccount'> & {
    changes: Change[]
    /** Labels that hooks chose. */
    suggested: Set<string>
  }

/** The drafts of one request on their way through all hooks. */
interface Pipeline<Input extends Draft> {
  /** Makes the reads of the first trip. */
  needs: () => Statement<unknown[]>[]
  /** Finds what hooks lacked to decide; undefined if they had it all. */
  missing: () => Statement<unknown[]>[] | undefined
  /** @param found what the finders gave, in their order */
  ready: (found: unknown[]) => (draft: Input & PlacedDraft) => Ready<Input & PlacedDraft>
  /** Remembered results that replace the reads; undefined if something has to be read. */
  remembered: { found: unknown[]; premises: Statement[] } | undefined
  /** Lets the hooks keep what was found, once something was booked by it. */
  remember: (found: unknown[]) => void
}

/** Makes the finders of preparations, in their order. */
export const readsOf = (preparations: Pick<Preparation, 'needs'>[]): Statement<unknown[]>[] =>
  preparations.map(({ needs }) => needs?.() ?? nothing())

/** The remembered results of all preparations; undefined if one of them has to read. */
function allRemembered(preparations: Preparation[]): Pipeline<Draft>['remembered'] {
  const known = preparations.map(({ needs, remembered }) =>
    needs ? remembered : { rows: [], premises: [] },
  )
  return known.every((one) => one !== undefined)
    ? { found: known.map(({ rows }) => rows), premises: known.flatMap(({ premises }) => premises) }
    : undefined
}

/**
 * Adds what a hook says, within the limits of a request: undefined says nothing, and the kinds of categories that were known before
 * stay known. A whole with parts has no category of its own.
 */
export function addTo(fields: HookAdditions, added: HookAdditions): void {
  const {
    expenseCategoryIds = [],
    facts: addedFacts,
    categoryId,
    ...otherFields
  } = withinLimits(added)
  const known = [...(fields.expenseCategoryIds ?? []), ...expenseCategoryIds]
  const hasParts = (fields.splits ?? []).length > 0
  Object.assign(
    fields,
    Object.fromEntries(Object.entries(otherFields).filter(([, value]) => value !== undefined)),
    categoryId === undefined || hasParts ? {} : { categoryId },
    otherFields.splits && !hasParts ? { categoryId: undefined } : {},
    known.length === 0 ? {} : { expenseCategoryIds: known },
    addedFacts ? { facts: { ...fields.facts, ...addedFacts } } : {},
  )
}

const labelsIn = ({ categoryId, payeeId, tagIds = [], splits = [] }: HookAdditions): string[] => [
  ...[categoryId, payeeId, ...tagIds].filter((id) => typeof id === 'string'),
  ...splits.flatMap((part) => labelsIn(part)),
]

/** Lets the hooks of all areas prepare the drafts of one request: their finders go into its first trip. */
export function prepare<Input extends Draft>(ctx: SignedIn, drafts: Input[]): Pipeline<Input> {
  const preparations = hooksOf().flatMap((hook) => hook.prepare?.(ctx, drafts) ?? [])
  return {
    needs: () =>
      readsOf(preparations.map(({ needs, missing }) => ({ needs: missing?.() ?? needs }))),
    missing: () => {
      const found = preparations.map(({ missing }) => ({ needs: missing?.() }))
      return found.some(({ needs }) => needs) ? readsOf(found) : undefined
    },
    remembered: allRemembered(preparations),
    remember: (found) => {
      for (const [at, { remember }] of preparations.entries()) {
        remember?.(found[at] as unknown[])
      }
    },
    ready: (found) => {
      const decisions = preparations.map(({ decide }, at) => decide(found[at] as unknown[]))
      return (draft) => {
        const ready: Ready<Input & PlacedDraft> = {
          ...draft,
          // What was sent shows that nobody has said it.
          status: draft.status ?? 'uncleared',
          changes: [],
          suggested: new Set(),
        }
        for (const decide of decisions) {
          const { changes = [], isNamed, ...added } = decide(ready, draft)
          ready.changes.push(...changes)
          // Most hooks have nothing to say of most drafts.
          if (Object.keys(added).length > 0) {
            addTo(ready, added)
            for (const id of isNamed ? [] : labelsIn(added)) {
              ready.suggested.add(id)
            }
          }
        }
        for (const id of ready.suggested.size === 0 ? [] : labelsIn(draft)) {
          ready.suggested.delete(id)
        }
        return ready
      }
    },
  }
}

import type { SignedIn } from '../../platform/context.ts'
import type { Change, DomainEvent } from '../../platform/events.ts'
import type { Refusal } from '../../platform/refusals.ts'
import { type Label, type LabelKind, type LabelMove, updateLabels } from './labels.queries.ts'
import type { LabelledLine } from './labels.rules.ts'
import { transactionEvents } from '../ledger.events.ts'
import { clearCategory, replaceCategory } from './reassignment.queries.ts'
import { insertTagOn, updateCategoryOn, updatePayeeOn } from './trashed.queries.ts'
import { type LabelField, labelsOn, sidesOfLabelled } from './relabelling.rules.ts'

// Deletions, merges and restorations of categories, payees and tags change many transactions of the caller at once.

/** Puts a payee or tag in the place of others on all transactions, or takes them off. */
export const moveLabels = (
  ctx: SignedIn,
  kind: LabelKind,
  move: LabelMove,
  labels: Label[],
): Change => ({
  statements: updateLabels(ctx, kind, move, labels),
  events: relabelled(kind === 'tag' ? 'tagIds' : 'payeeId', move.to ?? null, labels),
})

/** Puts a category of the same kind in the place of another one, on all of its lines. */
export const reassignLines = (
  ctx: SignedIn,
  move: { from: string; to: string },
  lines: LabelledLine[],
): Change => ({
  statements: replaceCategory(ctx, move, lines),
  events: relabelled('categoryId', move.to, lines),
})

/** Takes a category off all of its lines, which are all in the trash. */
export const releaseLines = (ctx: SignedIn, categoryId: string, lines: LabelledLine[]): Change => ({
  statements: clearCategory(ctx, categoryId, lines),
  events: relabelled('categoryId', null, lines),
})

/** A label that comes back from the trash, and the one that took its place. */
interface Returning {
  id: string
  into: string | null
}

/** Puts a tag that came back on the lines that had it. */
export const tagLines = (
  ctx: SignedIn,
  { id }: Returning,
  lines: LabelledLine[],
  changed: Refusal,
): Change => ({
  statements: insertTagOn(ctx, id, lines, changed),
  events: relabelled('tagIds', id, lines),
})

/** Gives a payee that came back the lines that it had. */
export const payLines = (
  ctx: SignedIn,
  returning: Returning,
  lines: LabelledLine[],
  changed: Refusal,
): Change => ({
  statements: updatePayeeOn(ctx, returning, lines, changed),
  events: relabelled('payeeId', returning.id, lines),
})

/** Gives a category that came back the lines that it had. */
export const categoriseLines = (
  ctx: SignedIn,
  returning: Returning,
  lines: LabelledLine[],
  changed: Refusal,
): Change => ({
  statements: lines.length === 0 ? [] : updateCategoryOn(ctx, returning, lines, changed),
  events: relabelled('categoryId', returning.id, lines),
})

/** An event for each transaction and account; the caller owns them all, as nobody else has their labels. */
const relabelled = (field: LabelField, to: string | null, lines: LabelledLine[]): DomainEvent[] =>
  [...Map.groupBy(lines, ({ transactionId }) => transactionId).values()].flatMap((own) =>
    sidesOfLabelled(field, own).map(({ thing, isShown }) =>
      transactionEvents.updated(thing, {
        before: isShown ? labelsOn(field, own, ({ targetId }) => targetId) : {},
        after: isShown ? labelsOn(field, own, () => to) : {},
        ...(own.some((line) => line.private) ? { private: true } : {}),
      }),
    ),
  )

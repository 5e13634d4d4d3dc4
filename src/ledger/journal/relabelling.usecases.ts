import type { SignedIn } from '../../platform/context.ts'
import type { Change } from '../../platform/log/events.ts'
import { conflicting, accessErrors, type Refusal } from '../../platform/database/refusals.ts'
import type { Statement } from '../../platform/database/statements.ts'
import {
  type Label,
  type LabelKind,
  type LabelMove,
  updateLabels,
  bookedAmong,
} from '../labels/labels.queries.ts'
import type { LabelledLine } from '../labels/labels.rules.ts'
import { clearCategory, replaceCategory } from '../labels/reassignment.queries.ts'
import { insertTagOn, updateCategoryOn, updatePayeeOn } from '../labels/trashed.queries.ts'
import { transactionEvents } from '../ledger.events.ts'
import { post } from './journal.usecases.ts'
import { type LabelField, labelsOn, sidesOfLabelled } from './relabelling.rules.ts'
import type { JournalEvent } from './journal-events.usecases.ts'

// Deletions, merges and restorations of categories, payees and tags change many transactions of the caller at once.

/** The labels that are removed, and the label that replaces them; null stands for no label. */
interface Relabelling {
  field: LabelField
  from: (string | null)[]
  to: string | null | undefined
  isReturn?: true
}

/** Changes these lines by these statements. */
function relabel(
  ctx: SignedIn,
  { field, from, to = null, isReturn }: Relabelling,
  lines: LabelledLine[],
  written: Statement[],
): Change {
  const errors = { gone: accessErrors.accountHidden, closed: conflicting }
  const gone = from.filter((id) => id !== null)
  return post(ctx, errors, {
    written,
    movements: [
      {
        ...{ what: 'relabelled', field, from: gone, to, lines: bookedAmong(lines) },
        ...(isReturn && gone.length > 0 ? { isReturn } : {}),
      },
    ],
    journalEvents: eventsOfRelabelled(field, to, lines),
  })
}

/** Puts a payee or tag in the place of others on all transactions, or takes them off. */
export const moveLabels = (
  ctx: SignedIn,
  kind: LabelKind,
  move: LabelMove,
  labels: Label[],
): Change => {
  const field = kind === 'tag' ? 'tagIds' : 'payeeId'
  return relabel(ctx, { field, ...move }, labels, updateLabels(ctx, kind, move, labels))
}

/** Puts a category of the same kind in the place of another one, on all of its lines. */
export const reassignLines = (
  ctx: SignedIn,
  { from, to }: { from: string; to: string },
  lines: LabelledLine[],
): Change =>
  relabel(
    ctx,
    { field: 'categoryId', from: [from], to },
    lines,
    replaceCategory(ctx, { from, to }, lines),
  )

/** Takes a category off all of its lines, which are all in the trash. */
export const releaseLines = (ctx: SignedIn, id: string, lines: LabelledLine[]): Change =>
  relabel(ctx, { field: 'categoryId', from: [id], to: null }, lines, clearCategory(ctx, id, lines))

/** A label that comes back from the trash, and the one that took its place. */
interface Returning {
  id: string
  into: string | null
}

/** Gives a label that came back the lines that had it. */
const giveBack =
  (
    field: LabelField,
    write: (
      ctx: SignedIn,
      returning: Returning,
      lines: LabelledLine[],
      changed: Refusal,
    ) => Statement[],
  ) =>
  (ctx: SignedIn, returning: Returning, lines: LabelledLine[], changed: Refusal): Change =>
    relabel(
      ctx,
      { field, from: [returning.into], to: returning.id, isReturn: true },
      lines,
      lines.length === 0 ? [] : write(ctx, returning, lines, changed),
    )

export const tagLines = giveBack('tagIds', insertTagOn)
export const payLines = giveBack('payeeId', updatePayeeOn)
export const categoriseLines = giveBack('categoryId', updateCategoryOn)

/** An event for each transaction and account; the caller owns them all, as nobody else has their labels. */
const eventsOfRelabelled = (
  field: LabelField,
  to: string | null,
  lines: LabelledLine[],
): JournalEvent[] =>
  [...Map.groupBy(lines, ({ transactionId }) => transactionId).values()].flatMap((own) =>
    sidesOfLabelled(field, own).map(({ thing, lines: shown }) => {
      const event = transactionEvents.updated(thing, {
        before: labelsOn(field, shown, ({ targetId }) => targetId),
        after: labelsOn(field, shown, () => to),
        ...(own.some((line) => line.private) ? { private: true } : {}),
      })
      return { accountId: thing.accountId, adjusted: undefined, eventWith: () => event }
    }),
  )

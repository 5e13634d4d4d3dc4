import { type SnapshotKind, trashErrors } from '../../domain/owned-data.ts'
import type { Check } from '../../domain/stored-values.ts'
import type { SignedIn } from '../../platform/context.ts'
import { commit, read, requireVersion } from '../../platform/database/database.ts'
import { nothing, type Statement } from '../../platform/database/statements.ts'
import {
  type Change,
  type DomainEvent,
  type Thing,
  withoutEvents,
} from '../../platform/log/events.ts'
import { changedInTrash, type TrashedKind } from '../../platform/owned-data/owned-data.ts'
import { categoriseLines, payLines, tagLines } from '../journal/relabelling.usecases.ts'
import {
  linesOfPayee,
  linesOfTag,
  linesOfTrashedCategory,
  type TrashedUsage,
  takeFromTrash,
  trashedRowOf,
} from './trashed.queries.ts'
import type { LabelledLine } from './labels.rules.ts'
import { owns } from '../../areas/identity/access/access.public.ts'

interface WayBack {
  linesOf: (ctx: SignedIn, id: string) => Statement<LabelledLine[]>
  giveBack: typeof payLines
}

/** For each kind of label, the lines that can get it back and the way to relabel them. */
const RETURNING: Partial<Record<SnapshotKind, WayBack>> = {
  category: { linesOf: linesOfTrashedCategory, giveBack: categoriseLines },
  tag: { linesOf: linesOfTag, giveBack: tagLines },
  payee: { linesOf: linesOfPayee, giveBack: payLines },
}

/** Of what is no label, such as a rule: nothing is booked with it. */
const NOTHING_RETURNS: WayBack = {
  linesOf: () => nothing(),
  giveBack: () => withoutEvents([]),
}

/** The operations of a kind of rows that the trash cannot know. */
interface KeptRow<Image> {
  /** Checks that a value is the snapshot of such a row: it may come from an archive of anybody. */
  isImage: Check
  /** Stores the row again, as the thing with the version that it has then. */
  bringBack: (ctx: SignedIn, image: Image & TrashedUsage, thing: Thing) => Change
  erased: (thing: Thing, image: Image) => DomainEvent
}

/**
 * Restores and erases what the trash keeps as a snapshot. Transactions get a label back if they are unchanged since the deletion.
 */
export function trashedRow<Image extends { row: { id: string; version: number; ownerId: string } }>(
  kind: SnapshotKind,
  { isImage, bringBack, erased }: KeptRow<Image>,
): TrashedKind {
  const { linesOf, giveBack } = RETURNING[kind] ?? NOTHING_RETURNS
  const isOfIt: Check = (value, row) => isImage(value, row) && (value as Image).row.id === row['id']
  const imageIn = (ctx: SignedIn, id: string, [found]: { image: string }[]) => {
    if (!found) {
      throw trashErrors.notFound()
    }
    const image = valueIn(found.image)
    if (!isOfIt(image, { id }) || !owns(ctx.caller, (image as Image).row)) {
      throw trashErrors.damaged()
    }
    return image as Image & TrashedUsage
  }
  return {
    isImage: isOfIt,
    restore: async (ctx, id) => {
      const [found, lines] = await read(ctx, trashedRowOf(ctx, kind, id), linesOf(ctx, id))
      const image = imageIn(ctx, id, found)
      const thing = { id, version: image.row.version + 1 }
      return commit(ctx, {
        changes: [
          withoutEvents(takeFromTrash(ctx, image.row, changedInTrash)),
          bringBack(ctx, image, thing),
          giveBack(ctx, { id, into: image.into }, lines, changedInTrash),
        ],
        result: undefined,
        conflicts: { name_key: () => trashErrors.nameTaken() },
      })
    },
    erase: async (ctx, id) => {
      const [found] = await read(ctx, trashedRowOf(ctx, kind, id))
      const image = imageIn(ctx, id, found)
      const { version } = image.row
      requireVersion(ctx, version)
      return commit(ctx, {
        changes: [
          {
            statements: takeFromTrash(ctx, image.row, changedInTrash),
            events: [erased({ id, version }, image)],
          },
        ],
        result: { isDone: true },
      })
    },
  }
}

function valueIn(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

import { trashErrors } from '../../domain/owned-data.ts'
import type { SignedIn } from '../../platform/context.ts'
import { commit, read, requireVersion } from '../../platform/database.ts'
import { type Change, type DomainEvent, type Thing, withoutEvents } from '../../platform/events.ts'
import { changedInTrash, type TrashedKind } from '../../platform/owned-data.ts'
import { categoriseLines, payLines, tagLines } from '../journal/relabelling.usecases.ts'
import {
  linesOfPayee,
  linesOfTag,
  linesOfTrashedCategory,
  type TrashedUsage,
  takeFromTrash,
  type TrashedRow,
  trashedRowOf,
} from './trashed.queries.ts'

/** For each kind of label, the lines that can get it back and the way to relabel them. */
const RETURNING = {
  category: { linesOf: linesOfTrashedCategory, giveBack: categoriseLines },
  tag: { linesOf: linesOfTag, giveBack: tagLines },
  payee: { linesOf: linesOfPayee, giveBack: payLines },
}

/** The operations of a kind of rows that the trash cannot know. */
interface KeptRow<Image> {
  /** Stores the row again, as the thing with the version that it has then. */
  bringBack: (ctx: SignedIn, image: Image & TrashedUsage, thing: Thing) => Change
  erased: (thing: Thing, image: Image) => DomainEvent
}

/** How a category, tag or payee comes back, with what hung on it and still is as it was left then, and how it goes. */
export function trashedRow<Image extends { row: { id: string; version: number } }>(
  kind: TrashedRow['kind'],
  { bringBack, erased }: KeptRow<Image>,
): TrashedKind {
  const { linesOf, giveBack } = RETURNING[kind]
  const imageIn = (found: { image: string }[]) => {
    const [row] = found
    if (!row) {
      throw trashErrors.notFound()
    }
    return JSON.parse(row.image) as Image & TrashedUsage
  }
  return {
    restore: async (ctx, id) => {
      const [found, lines] = await read(ctx, trashedRowOf(ctx, kind, id), linesOf(ctx, id))
      const image = imageIn(found)
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
      const image = imageIn(found)
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

import { trashErrors } from '../../domain/owned-data.ts'
import type { SignedIn } from '../../platform/context.ts'
import { commit, read, requireVersion } from '../../platform/database.ts'
import { type Change, type DomainEvent, type Thing, untold } from '../../platform/events.ts'
import { changedInTrash, type TrashedKind } from '../../platform/owned-data.ts'
import type { Statement } from '../../platform/statements.ts'
import type { LabelledLine } from './labels.rules.ts'
import {
  type TrashedUsage,
  takeFromTrash,
  type TrashedRow,
  trashedRowOf,
} from './trashed.queries.ts'

/** What a kind of rows does that its trash cannot know. */
interface KeptRow<Image> {
  /** Of what hung on it, what may hang on it again. */
  linesOf: (ctx: SignedIn, id: string) => Statement<LabelledLine[]>
  /** Stores the row again, as the thing with the version that it has then; then gives it those lines. */
  bringBack: (
    ctx: SignedIn,
    image: Image & TrashedUsage,
    thing: Thing,
    lines: LabelledLine[],
  ) => Change[]
  erased: (thing: Thing, image: Image) => DomainEvent
}

/** How a category, tag or payee comes back, with what hung on it and still is as it was left then, and how it goes. */
export function trashedRow<Image extends { row: { id: string; version: number } }>(
  kind: TrashedRow['kind'],
  { linesOf, bringBack, erased }: KeptRow<Image>,
): TrashedKind {
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
          untold(takeFromTrash(ctx, image.row, changedInTrash)),
          ...bringBack(ctx, image, thing, lines),
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

import { type TrashItem, type TrashKind, trashErrors } from '../../../domain/owned-data.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import {
  type Erased,
  ownedData,
  type TrashedKind,
  trashedKindOf,
} from '../../../platform/owned-data.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { ERASE_TRASH } from './erasing/erasing.usecases.ts'
import { total } from './trash.queries.ts'
import { newestFirst } from './trash.rules.ts'

/** Everything that was deleted and can be restored. */
export async function listTrash(
  ctx: SignedIn,
  { kind }: { kind?: TrashKind | undefined },
  page: PageRequest,
): Promise<Page<TrashItem>> {
  const shelves = ownedData()
    .flatMap(({ trash }) => trash?.shelves ?? [])
    .filter(({ kinds }) => kind === undefined || kinds.includes(kind))
  const [[counted], ...found] = await read(
    ctx,
    total(shelves.map(({ count }) => count(ctx, kind))),
    ...shelves.map((shelf) => shelf.page(ctx, kind, page)),
  )
  return {
    ...cutPage(newestFirst(found.flat()), page, ({ deletedAt, id }) => [String(deletedAt), id]),
    count: counted?.count ?? 0,
  }
}

/** Brings back what was deleted, with all that hung on it. */
export async function restoreFromTrash(
  ctx: SignedIn,
  kind: TrashKind,
  id: string,
  force?: boolean,
): Promise<void> {
  await trashed(kind).restore(ctx, id, force)
}

/** Erases one thing in the trash for good, or marks it and has a task erase it in steps. */
export const eraseFromTrash = (ctx: SignedIn, kind: TrashKind, id: string): Promise<Erased> =>
  trashed(kind).erase(ctx, id, {
    kind: ERASE_TRASH,
    payload: { ownerId: ctx.caller.userId, before: 0 },
  })

function trashed(kind: TrashKind): TrashedKind {
  const found = trashedKindOf(kind)
  if (!found) {
    throw trashErrors.notFound()
  }
  return found
}

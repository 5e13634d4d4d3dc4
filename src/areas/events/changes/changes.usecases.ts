import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { type ChangeRow, countOfChanges, pageOfChanges } from './changes.queries.ts'
import { type UndoWay, undoWayOf } from './changes.rules.ts'

/** A commit that the caller made. */
export interface OwnChange extends Pick<ChangeRow, 'id' | 'at' | 'operation' | 'things'> {
  types: string[]
  undo: UndoWay
}

export async function listChanges(ctx: SignedIn, page: PageRequest): Promise<Page<OwnChange>> {
  const [found, [counted]] = await read(ctx, pageOfChanges(ctx, page), countOfChanges(ctx))
  const { rows, next } = cutPage(found, page, ({ number }) => [String(number)])
  return { rows: rows.map(changeOf), next, count: counted?.count ?? 0 }
}

function changeOf(row: ChangeRow): OwnChange {
  const types = typesOf(row)
  return { ...row, types, undo: undoWayOf({ ...row, types }) }
}

export const typesOf = ({ types }: Pick<ChangeRow, 'types'>): string[] =>
  (JSON.parse(types) as string[]).toSorted()

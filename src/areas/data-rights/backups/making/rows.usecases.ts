import { archivedRow } from '../../../../platform/archived-rows.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  cutArchived,
  pageOfArchived,
  shapeOf,
} from '../../../../platform/archived-tables.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import type { Position } from '../../../../platform/paging.ts'
import { readOrStop } from '../../../../platform/tasks.ts'

/** The rows of a table that are the caller's, as an archive has them. A task that was asked to stop ends between two pages. */
export async function* rowPages(
  owner: SignedIn,
  archived: ArchivedTable,
): AsyncGenerator<ArchivedRow[]> {
  const { userId } = owner.caller
  const shape = shapeOf(archived)
  let after: Position | undefined
  do {
    const [found] = await readOrStop(owner, pageOfArchived(archived, userId, after))
    const { rows, next } = cutArchived(archived, found)
    yield rows.map((row) => archivedRow(shape, row, userId))
    after = next ?? undefined
  } while (after)
}

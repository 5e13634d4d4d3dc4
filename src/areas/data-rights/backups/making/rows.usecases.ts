import { archivedRow } from '../../../../platform/archived-rows.ts'
import {
  type ArchivedRow,
  type ArchivedTable,
  pageOfArchived,
  archivedPosition,
  type RowPosition,
  ROWS_PER_PAGE,
  shapeOf,
} from '../../../../platform/archived-tables.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'

/** The rows of a table that are the caller's, as an archive has them. */
export async function* rowPages(
  owner: SignedIn,
  archived: ArchivedTable,
): AsyncGenerator<ArchivedRow[]> {
  const { userId } = owner.caller
  const shape = shapeOf(archived)
  let after: RowPosition | undefined
  do {
    const [found] = await read(owner, pageOfArchived(archived, userId, after))
    yield found.map((row) => archivedRow(shape, row, userId))
    const last = found.length === ROWS_PER_PAGE ? found.at(-1) : undefined
    after = last && archivedPosition(archived, last)
  } while (after)
}

import { readFile } from '../../../../platform/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { importErrors } from '../imports.errors.ts'
import type { StoredChunk } from '../imports.queries.ts'
import { type ReadRow, rowsOf } from './pieces.rules.ts'

/** The rows of a piece: one range of the object that has all of them. */
export async function readPiece(
  ctx: Context,
  { objectKey, offset, length }: StoredChunk,
): Promise<ReadRow[]> {
  const body = await readFile(ctx, objectKey, { offset, length })
  if (!body) {
    throw importErrors.fileGone()
  }
  return rowsOf(await new Response(body).text())
}

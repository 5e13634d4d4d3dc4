import { readFile } from '../../../../platform/bucket.ts'
import type { Context } from '../../../../platform/context.ts'
import { textLines } from '../../../../platform/text-lines.ts'
import { importErrors } from '../imports.errors.ts'
import type { StoredChunk } from '../imports.queries.ts'
import type { ReadRow } from './pieces.rules.ts'

/** The rows of a piece: one range of the object that has all of them. */
export async function readPiece(
  ctx: Context,
  { objectKey, offset, length }: StoredChunk,
): Promise<ReadRow[]> {
  const body = await readFile(ctx, objectKey, { offset, length })
  if (!body) {
    throw importErrors.fileGone()
  }
  const rows: ReadRow[] = []
  for await (const line of textLines(body)) {
    rows.push(JSON.parse(line) as ReadRow)
  }
  return rows
}

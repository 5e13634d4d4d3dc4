import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import type { Page, PageRequest } from '../../../../platform/paging.ts'
import { importErrors } from '../imports.errors.ts'
import { importById } from '../imports.queries.ts'
import { countsFrom } from '../imports.rules.ts'
import { decidedRow, type DecidedRow } from './pieces.rules.ts'
import { readPiece } from './pieces.usecases.ts'
import { chunksFrom, notesFrom, type RowFilter, seenAmong } from './rows.queries.ts'

/** A row with the import that it is of. */
export interface ShownRow extends DecidedRow {
  importId: string
}

/** Tells whether a row matches a filter. */
export function isAsked(
  { verdict, read: { row }, overrides }: DecidedRow,
  filter: RowFilter,
): boolean {
  const { source } = row
  const accountId = overrides.accountId ?? row.accountId
  const text = `${source.payeeRaw ?? ''} ${overrides.description ?? source.description ?? ''}`
  return (
    (filter.verdict === undefined || verdict === filter.verdict) &&
    (filter.accountId === undefined || accountId === filter.accountId) &&
    (filter.fromLine === undefined || source.line >= filter.fromLine) &&
    (filter.text === undefined || foldKey(text).includes(foldKey(filter.text)))
  )
}

/** Removes transactions of other accounts from rows, for a token that is restricted to some accounts. */
export async function withinToken<Row extends DecidedRow>(
  ctx: SignedIn,
  rows: Row[],
): Promise<Row[]> {
  const ids = rows.flatMap(({ matchedId, found }) => [matchedId, found.suggestedMatchId])
  const named = [...new Set(ids.flatMap((id) => id ?? []))]
  if (!ctx.caller.token?.accountIds || named.length === 0) {
    return rows
  }
  const [there] = await read(ctx, seenAmong(ctx, named))
  const seen = new Set(there.map(({ id }) => id))
  return rows.map((row) => {
    const { suggestedMatchId, ...found } = row.found
    const isHinted = suggestedMatchId !== undefined && seen.has(suggestedMatchId)
    return {
      ...row,
      matchedId: row.matchedId !== null && seen.has(row.matchedId) ? row.matchedId : null,
      found: isHinted ? row.found : found,
    }
  })
}

/** A page of the rows of an import, which is of one piece of them. */
export async function listImportRows(
  ctx: SignedIn,
  id: string,
  filter: RowFilter,
  { after, limit }: PageRequest,
): Promise<Page<ShownRow>> {
  const afterRow = Number(after?.[0] ?? 0)
  const [[row], [chunk], notes] = await read(
    ctx,
    importById(ctx, id),
    chunksFrom(id, afterRow, filter),
    notesFrom(id, afterRow, filter),
  )
  if (!row) {
    throw importErrors.notFound()
  }
  const count = countsFrom(row.counts)[filter.verdict ?? 'rows']
  if (!chunk) {
    return { rows: [], count, next: null }
  }
  const byRow = new Map(notes.map((note) => [note.row, note]))
  const found = (await readPiece(ctx, chunk))
    .filter((one) => one.row.at >= afterRow)
    .map((one) => ({ ...decidedRow(one, byRow.get(one.row.at + 1)), importId: id }))
    .filter((one) => isAsked(one, filter))
  const rows = await withinToken(ctx, found.slice(0, limit))
  const last = rows.at(-1)
  const endOfPiece = chunk.firstRow + chunk.rows - 1
  if (last && found.length > limit) {
    return { rows, count, next: [String(last.read.row.at + 1)] }
  }
  return { rows, count, next: chunk.left > 1 ? [String(endOfPiece)] : null }
}

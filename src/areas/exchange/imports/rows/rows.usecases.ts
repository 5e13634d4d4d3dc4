import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { isStopped } from '../booking/stopping.rules.ts'
import { importErrors } from '../imports.errors.ts'
import { importById } from '../imports.queries.ts'
import { countsFrom } from '../imports.rules.ts'
import { type DecidedRow, settledRow } from './pieces.rules.ts'
import { readPiece } from './pieces.usecases.ts'
import { becameOf, chunksFrom, notesFrom, type RowFilter, seenAmong } from './rows.queries.ts'

/** A row with the import that it is of. */
export interface ShownRow extends DecidedRow {
  importId: string
  /** What it has become. */
  transactionId: string | null
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
export async function withinToken(ctx: SignedIn, rows: ShownRow[]): Promise<ShownRow[]> {
  const ids = rows.flatMap(({ matchedId, transactionId, found }) => [
    ...[matchedId, transactionId, found.suggestedMatchId],
  ])
  const named = [...new Set(ids.flatMap((id) => id ?? []))]
  if (!ctx.caller.token?.accountIds || named.length === 0) {
    return rows
  }
  const [there] = await read(ctx, seenAmong(ctx, named))
  const seen = new Set(there.map(({ id }) => id))
  const seenOf = (one: string | null) => (one !== null && seen.has(one) ? one : null)
  return rows.map((row) => {
    const { suggestedMatchId, ...found } = row.found
    const isHinted = suggestedMatchId !== undefined && seen.has(suggestedMatchId)
    return {
      ...row,
      transactionId: seenOf(row.transactionId),
      matchedId: seenOf(row.matchedId),
      found: isHinted ? row.found : found,
    }
  })
}

/** The states in which rows may be booked. */
const BOOKED: ReadonlySet<string> = new Set(['committing', 'done', 'cancelled', 'reverting'])

/** Adds to the rows of an import what they have become. */
async function withBooked(ctx: SignedIn, rows: ShownRow[]): Promise<ShownRow[]> {
  const keysOf = ({ read: { row, identity }, overrides }: ShownRow) =>
    [identity?.byId, identity?.byText].flatMap((key): [string, string][] =>
      key === undefined ? [] : [[overrides.accountId ?? row.accountId, key]],
    )
  const [first] = rows
  const [found] = await read(ctx, becameOf(first?.importId ?? '', rows.flatMap(keysOf)))
  const became = new Map(
    found.map((one) => [`${one.accountId} ${one.identity}`, one.transactionId]),
  )
  return rows.map((row) => {
    const [transactionId = null] = keysOf(row).flatMap((key) => became.get(key.join(' ')) ?? [])
    return { ...row, transactionId }
  })
}

/** A row of a piece that a cancelled commit did not come to is skipped. */
const stoppedRow = (
  decided: DecidedRow,
  { state }: { state: string },
  { counts }: { counts: string },
): DecidedRow =>
  isStopped(state, decided.verdict, countsFrom(counts))
    ? { ...decided, verdict: 'skipped', reason: 'cancelled', matchedId: null }
    : decided

/** A page of the rows of an import, which is of one piece of them, and ends early where rows are long. */
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
    .map((one) => ({
      ...stoppedRow(settledRow(one, byRow.get(one.row.at + 1)), row, chunk),
      ...{ importId: id, transactionId: null },
    }))
    .filter((one) => isAsked(one, filter))
  const sized = found
    .slice(0, limit + 1)
    .map((one) => ({ ...one, rowBytes: Buffer.byteLength(JSON.stringify(one.read.row.source)) }))
  const page = cutPage(sized, { limit }, ({ read: { row: last } }) => [String(last.at + 1)])
  const rows = BOOKED.has(row.state) ? await withBooked(ctx, page.rows) : page.rows
  const endOfPiece = chunk.firstRow + chunk.rows - 1
  return {
    rows: await withinToken(ctx, rows),
    count,
    next: page.next ?? (chunk.left > 1 ? [String(endOfPiece)] : null),
  }
}

import type { Verdict } from '../../../../domain/imports/verdicts.ts'
import { parseMoney } from '../../../../domain/money.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { ledgerRowsByIds } from '../../../../ledger/ledger.public.ts'
import { type AccountView, visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import { importErrors } from '../imports.errors.ts'
import { importEvents } from '../imports.events.ts'
import {
  chunksOf,
  importById,
  type ImportRow,
  notesOf,
  type StoredChunk,
  type StoredNote,
  updateImport,
} from '../imports.queries.ts'
import { IMPORT_KEPT_MS, PIECE_ROWS, rowNumberOf } from '../imports.rules.ts'
import { requireAccount } from '../upload/upload.usecases.ts'
import {
  decidedRow,
  type DecidedRow,
  type ReadRow,
  saidOf,
  type StoredOverrides,
  isPostedBy,
  requireFreeTransaction,
  requireMatchable,
} from './pieces.rules.ts'
import {
  notesAmong,
  notesMatching,
  type RowFilter,
  saveDecisions,
  shiftCounts,
} from './rows.queries.ts'
import {
  isAsked,
  type ShownRow,
  withinToken,
  readPiece,
  labelsOfDecision,
  requireRowLabels,
} from './rows.usecases.ts'

/** The decision and the values of the user for a row. */
export interface RowDecision extends StoredOverrides {
  decision?: 'book' | 'skip' | 'match' | null | undefined
  once?: boolean | undefined
  transactionId?: string | undefined
}

export interface RowsDecided {
  rows: number
}

type Saved = Pick<StoredNote, 'row' | 'decision' | 'once' | 'matchId' | 'overrides'>

/** Merges a new decision into the stored note of a row. */
function savedNote(
  row: number,
  note: StoredNote | undefined,
  { decision, once, transactionId, ...sent }: RowDecision,
): Saved {
  const text = JSON.stringify({ ...saidOf(note), ...sent })
  const next = decision === undefined ? (note?.decision ?? null) : decision
  return {
    row,
    decision: next,
    once: next === 'skip' && (once ?? (decision === undefined && note?.once === true)),
    matchId: decision === undefined ? (note?.matchId ?? null) : (transactionId ?? null),
    overrides: text === '{}' ? null : text,
  }
}

function requireOpen(row: ImportRow | undefined): ImportRow {
  if (!row) {
    throw importErrors.notFound()
  }
  return row
}

function requirePreviewed({ state }: ImportRow): void {
  if (state !== 'previewed') {
    throw importErrors.notPreviewed({ state })
  }
}

/** The amounts of a row are in the currency of the account that the file means; no other one can have them. */
function requireSameCurrency(
  { row: { currency } }: ReadRow,
  views: AccountView[],
  accountId: string | undefined,
): void {
  const other = views.find(({ account }) => account.id === accountId)?.account.currency
  if (other !== undefined && other !== currency) {
    throw importErrors.currencyMismatch({ currency, other }, { field: 'accountId' })
  }
}

interface Change {
  chunk: number
  before: DecidedRow
  after: DecidedRow
  saved: Saved
}

function changeOf(
  chunk: number,
  one: ReadRow,
  note: StoredNote | undefined,
  sentDecision: RowDecision,
): Change {
  const saved = savedNote(one.row.at + 1, note, sentDecision)
  const none = { importId: '', found: null }
  return {
    chunk,
    before: decidedRow(one, note),
    after: decidedRow(one, { ...none, ...note, ...saved }),
    saved,
  }
}

/** Rows that count as something else, by piece and verdicts. */
function shiftsOf(changes: Change[]) {
  const moved = changes.filter(({ before, after }) => before.verdict !== after.verdict)
  return [
    ...Map.groupBy(
      moved,
      ({ chunk, before, after }) => `${chunk} ${before.verdict} ${after.verdict}`,
    ),
  ].map(([key, some]) => {
    const [chunk = '', from, to] = key.split(' ')
    return { chunk: Number(chunk), from: from as Verdict, to: to as Verdict, rows: some.length }
  })
}

const saving = (ctx: SignedIn, row: ImportRow, changes: Change[]) => ({
  statements: [
    ...updateImport(ctx, row, { expiresAt: ctx.now + IMPORT_KEPT_MS }),
    ...saveDecisions(
      row.id,
      changes.map(({ saved }) => saved),
    ),
    ...shiftCounts(row.id, shiftsOf(changes)),
  ],
  events: [
    importEvents.rowsDecided({ id: row.id, version: row.version + 1 }, { rows: changes.length }),
  ],
})

/** Decides on one row. */
export async function updateImportRow(
  ctx: SignedIn,
  id: string,
  rowId: string,
  sentDecision: RowDecision,
): Promise<ShownRow> {
  const number = rowNumberOf(id, rowId) ?? 0
  const matchedIds = sentDecision.transactionId === undefined ? [] : [sentDecision.transactionId]
  const [[found], chunks, notes, views, matched, others, ...named] = await read(
    ctx,
    importById(ctx, id),
    chunksOf(id),
    notesOf(id, number, number),
    visibleAccounts(ctx),
    ledgerRowsByIds(ctx, matchedIds, 1000),
    notesMatching(id, number, matchedIds),
    ...labelsOfDecision(ctx, sentDecision),
  )
  const row = requireOpen(found)
  const chunk = chunks.find(({ firstRow, rows }) => number >= firstRow && number < firstRow + rows)
  const one = chunk && (await readPiece(ctx, chunk)).find(({ row: { at } }) => at === number - 1)
  if (!one) {
    throw importErrors.rowNotFound()
  }
  requireVersion(ctx, row.version)
  requirePreviewed(row)
  requireAccount(views, sentDecision.accountId)
  requireSameCurrency(one, views, sentDecision.accountId)
  const accountId = sentDecision.accountId ?? saidOf(notes[0]).accountId ?? one.row.accountId
  const there = matched.find((other) => other.accountId === accountId)
  if (sentDecision.decision === 'match') {
    requireMatchable(one, notes[0], sentDecision)
    requireFreeTransaction(there, others)
  }
  const account = views.find((view) => view.account.id === accountId)?.account
  if (sentDecision.amount !== undefined && account) {
    parseMoney(sentDecision.amount, account.currency, {
      signed: true,
      allowZero: false,
      field: 'amount',
    })
  }
  const change = changeOf(chunk.number, one, notes[0], {
    ...sentDecision,
    ...(there && { transactionId: there.transactionId, isPosting: isPostedBy(one, there) }),
  })
  requireRowLabels(sentDecision, named, [change], views)
  await commit(ctx, { changes: [saving(ctx, row, [change])], result: undefined })
  // Nothing is booked yet.
  const after = { ...change.after, importId: id, transactionId: null, ruled: null }
  const [shown = after] = await withinToken(ctx, [after])
  return shown
}

/** Rows that one request decides by a filter. */
const MOST_DECIDED = 20_000

/** Decides on many rows alike. */
export async function updateImportRows(
  ctx: SignedIn,
  id: string,
  {
    ids,
    filter,
    ...sentDecision
  }: RowDecision & { ids?: string[] | undefined; filter?: RowFilter | undefined },
): Promise<RowsDecided> {
  const numbers = (ids ?? []).map((one) => rowNumberOf(id, one) ?? 0)
  const [[found], chunks, views, some, ...named] = await read(
    ctx,
    importById(ctx, id),
    chunksOf(id),
    visibleAccounts(ctx),
    filter === undefined ? notesAmong(id, numbers) : notesOf(id, 1, PIECE_ROWS),
    ...labelsOfDecision(ctx, sentDecision),
  )
  const row = requireOpen(found)
  requireVersion(ctx, row.version)
  requirePreviewed(row)
  const changes =
    filter === undefined
      ? await changesByNumber(ctx, chunks, new Set(numbers), some, sentDecision)
      : await changesByFilter(ctx, id, chunks, some, filter, sentDecision)
  if (filter === undefined && changes.length < new Set(numbers).size) {
    throw importErrors.rowNotFound()
  }
  if (changes.length > MOST_DECIDED) {
    throw importErrors.tooManyRowsDecided({ count: changes.length, most: MOST_DECIDED })
  }
  requireRowLabels(sentDecision, named, changes, views)
  if (changes.length > 0) {
    await commit(ctx, { changes: [saving(ctx, row, changes)], result: undefined })
  }
  return { rows: changes.length }
}

async function changesByNumber(
  ctx: SignedIn,
  chunks: StoredChunk[],
  numbers: ReadonlySet<number>,
  notes: StoredNote[],
  sentDecision: RowDecision,
): Promise<Change[]> {
  const byRow = new Map(notes.map((note) => [note.row, note]))
  const changes: Change[] = []
  for (const chunk of chunks) {
    const last = chunk.firstRow + chunk.rows - 1
    const isAmong = [...numbers].some((number) => number >= chunk.firstRow && number <= last)
    for (const one of isAmong ? await readPiece(ctx, chunk) : []) {
      const number = one.row.at + 1
      if (numbers.has(number)) {
        changes.push(changeOf(chunk.number, one, byRow.get(number), sentDecision))
      }
    }
  }
  return changes
}

async function changesByFilter(
  ctx: SignedIn,
  id: string,
  chunks: StoredChunk[],
  ofFirst: StoredNote[],
  filter: RowFilter,
  sentDecision: RowDecision,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const [at, chunk] of chunks.entries()) {
    const { firstRow, rows } = chunk
    const notes =
      at === 0 ? ofFirst : (await read(ctx, notesOf(id, firstRow, firstRow + rows - 1)))[0]
    const byRow = new Map(notes.map((note) => [note.row, note]))
    for (const one of await readPiece(ctx, chunk)) {
      const note = byRow.get(one.row.at + 1)
      if (isAsked(decidedRow(one, note), filter)) {
        changes.push(changeOf(chunk.number, one, note, sentDecision))
      }
    }
  }
  return changes
}

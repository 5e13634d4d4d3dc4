import { isInRange, toMinor } from '../../../domain/money.ts'
import {
  distinctKey,
  type Suggestion,
  suggestionsFor,
} from '../../../domain/reconciliation/finder.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import {
  candidatesOf,
  distinctPairsOf,
  driftFrom,
  driftOf,
  existing,
  type FoundRow,
  numbersOf,
  reconciliationById,
  type ReconciliationView,
  type RowTexts,
  rowsElsewhere,
  skippedRows,
  trashedRows,
} from '../../money/reconciliations/reconciliations.public.ts'
import { type UnbookedRow, unbookedRows } from '../imports/imports.public.ts'
import { notesForSession, piecesForSession, wrongSince } from './suggestions.queries.ts'
import { type Call, callsFor, reasonFor } from './suggestions.rules.ts'

/** The suggestions that would make the difference of a session zero, best first. */
export interface Suggestions {
  view: ReconciliationView
  suggestions: (Suggestion & {
    calls: Call[]
    /** Says why there are no calls. */
    note: string | null
  })[]
  /** The texts of rows, by their ids. */
  texts: ReadonlyMap<string, RowTexts>
}

/** Looks for what explains the difference of an open session. It finds nothing for who does not see all that is summed. */
export async function suggestForReconciliation(ctx: SignedIn, id: string): Promise<Suggestions> {
  const [[found], rows, elsewhere, pairs, drift, skipped, trash, pieces, notes, [wrong]] =
    await read(
      ctx,
      reconciliationById(ctx, id),
      candidatesOf(ctx, id),
      rowsElsewhere(ctx, id),
      distinctPairsOf(id),
      driftOf(ctx, id),
      skippedRows(ctx, id),
      trashedRows(ctx, id),
      piecesForSession(ctx, id),
      notesForSession(ctx, id),
      wrongSince(ctx, id),
    )
  const view = existing(found)
  const { difference } = numbersOf(view)
  // No row can explain more than an amount can be.
  if (view.state !== 'open' || view.isHidden === 1 || !isInRange(difference)) {
    return { view, suggestions: [], texts: new Map() }
  }
  const { accountId, currency, statementDate } = view
  const unbooked = (await unbookedRows(ctx, pieces, notes)).filter(
    (row) => row.accountId === null || row.accountId === accountId,
  )
  const at = (place: FoundRow['place']) => rows.filter((row) => row.place === place)
  // What somebody has typed since is ticked, not booked once more.
  const notBooked = [...unbooked, ...beside(unbooked, skipped, accountId)].filter(
    (row) => !at('unticked').some(({ date, minor }) => date === row.date && minor === row.minor),
  )
  const drifted = drift.map(driftFrom)
  const trashed = trash.filter((row) => !drifted.some((one) => one.id === row.id))
  const ticked = at('ticked')
  const suggestions = suggestionsFor({
    difference: toMinor(difference),
    ticked,
    unticked: at('unticked'),
    aside: [...at('later'), ...at('void')],
    told: ticked.flatMap(({ bankMinor, ...row }) =>
      bankMinor === null ? [] : [{ ...row, bankMinor }],
    ),
    notBooked: [
      ...trashed,
      ...notBooked.map((row) => ({ ...row, date: row.date ?? statementDate })),
    ],
    drift: drifted.map(({ id: rowId, was, movedMinor }) => ({
      ...{ id: rowId, date: was.date, minor: movedMinor },
    })),
    elsewhere,
    distinct: new Set(pairs.map(({ oneId, otherId }) => distinctKey(oneId, otherId))),
    imported: new Set(ticked.flatMap((row) => (row.isImported === 1 ? [row.id] : []))),
    confirmed: new Set(ticked.flatMap((row) => (row.isConfirmed === 1 ? [row.id] : []))),
    wrongSince: wrong?.date,
  })
  const known = {
    ...{ id, accountId, currency },
    rows: new Map([...rows, ...elsewhere].map((row) => [row.id, row])),
    drift: new Map(drifted.map((one) => [one.id, one])),
    notBooked: new Map(notBooked.map((row) => [row.id, row])),
    trashed: new Map(trashed.map((row) => [row.id, row])),
  }
  return {
    view,
    suggestions: suggestions.map((one) => {
      const calls = callsFor(one, known)
      return { ...one, calls, note: calls.length > 0 ? null : reasonFor(one, known) }
    }),
    texts: new Map<string, RowTexts>([
      ...notBooked.map((row) => [row.id, textsOfFile(row)] as const),
      ...drifted.map((one) => [one.id, one.texts] as const),
      ...known.trashed,
      ...known.rows,
    ]),
  }
}

const textsOfFile = ({ text }: UnbookedRow): RowTexts => ({
  ...{ description: text || null, payeeId: null, payeeRaw: null },
})

/** Rows that were skipped, but for those that pieces still have. */
const beside = (
  unbooked: UnbookedRow[],
  skipped: { date: string; minor: number; importId: string }[],
  accountId: string,
): UnbookedRow[] =>
  skipped
    .filter((row) => !unbooked.some(({ date, minor }) => date === row.date && minor === row.minor))
    .map(({ date, minor, importId }) => ({ id: importId, accountId, date, minor, text: '' }))

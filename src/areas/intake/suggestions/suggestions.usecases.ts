import { isInRange, toMinor } from '../../../domain/money.ts'
import {
  type Books,
  distinctKey,
  type DifferenceSuggestion,
  suggestionsFor,
} from '../../../domain/reconciliation/finder.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import {
  candidatesOf,
  distinctPairsAmong,
  type Drift,
  driftFrom,
  driftOf,
  existingReconciliation,
  type FoundRow,
  numbersOf,
  reconciliationById,
  type ReconciliationView,
  type RowTexts,
  rowsElsewhere,
  skippedRows,
  type TrashedCandidate,
  trashedRows,
} from '../../money/reconciliations/reconciliations.public.ts'
import { type UnbookedRow, unbookedRows } from '../imports/imports.public.ts'
import { notesForSession, piecesForSession, wrongSince } from './suggestions.queries.ts'
import { type Call, callsFor, reasonFor } from './suggestions.rules.ts'

/** The suggestions that would make the difference of a session zero, best first. */
export interface DifferenceSuggestions {
  view: ReconciliationView
  suggestions: (DifferenceSuggestion & {
    calls: Call[]
    /** Says why there are no calls. */
    note: string | null
  })[]
  /** The texts of rows, by their ids. */
  texts: ReadonlyMap<string, RowTexts>
}

/** Looks for what explains the difference of an open session. It finds nothing for who does not see all that is summed. */
export async function suggestForReconciliation(
  ctx: SignedIn,
  id: string,
): Promise<DifferenceSuggestions> {
  const [[found], rows, elsewhere, driftRows, skipped, trash, pieces, notes, [wrong]] = await read(
    ctx,
    reconciliationById(ctx, id),
    candidatesOf(ctx, id),
    rowsElsewhere(ctx, id),
    driftOf(ctx, id),
    skippedRows(ctx, id),
    trashedRows(ctx, id),
    piecesForSession(ctx, id),
    notesForSession(ctx, id),
    wrongSince(ctx, id),
  )
  const view = existingReconciliation(found)
  const { difference } = numbersOf(view)
  // No row can explain more than an amount can be.
  if (view.state !== 'open' || view.isHidden === 1 || !isInRange(difference)) {
    return { view, suggestions: [], texts: new Map() }
  }
  const { accountId, currency } = view
  const [pairs] = await read(ctx, distinctPairsAmong(alikeIn(rowsIn(rows, 'ticked'))))
  const unbooked = (await unbookedRows(ctx, pieces, notes)).filter(
    (row) => row.accountId === null || row.accountId === accountId,
  )
  const drift = driftRows.map(driftFrom)
  const gathered: Gathered = {
    ...{ rows, elsewhere, drift, pairs, wrongSince: wrong?.date },
    trashed: trash.filter((row) => !drift.some((one) => one.id === row.id)),
    // A row that somebody has entered since is ticked, not booked once more.
    notBooked: [...unbooked, ...beside(unbooked, skipped, accountId)].filter(
      (row) => !rowsIn(rows, 'unticked').some((one) => isSameAmount(one, row)),
    ),
  }
  const known = {
    ...{ id, accountId, currency },
    rows: new Map([...rows, ...elsewhere].map((row) => [row.id, row])),
    drift: new Map(drift.map((one) => [one.id, one])),
    notBooked: new Map(gathered.notBooked.map((row) => [row.id, row])),
    trashed: new Map(gathered.trashed.map((row) => [row.id, row])),
  }
  return {
    view,
    suggestions: suggestionsFor(booksOf(view, gathered)).map((one) => {
      const calls = callsFor(one, known)
      return { ...one, calls, note: calls.length > 0 ? null : reasonFor(one, known) }
    }),
    texts: new Map<string, RowTexts>([
      ...gathered.notBooked.map((row) => [row.id, textsOfFile(row)] as const),
      ...drift.map((one) => [one.id, one.texts] as const),
      ...known.trashed,
      ...known.rows,
    ]),
  }
}

/** The data that may explain the difference of a session. */
interface Gathered {
  rows: FoundRow[]
  /** Rows of the account's bank that are booked on another account. */
  elsewhere: FoundRow[]
  drift: Drift[]
  trashed: TrashedCandidate[]
  notBooked: UnbookedRow[]
  /** Pairs of rows that are known to be no duplicates. */
  pairs: { oneId: string; otherId: string }[]
  wrongSince: string | undefined
}

function booksOf(
  view: ReconciliationView,
  { rows, elsewhere, drift, trashed, notBooked, pairs, wrongSince: since }: Gathered,
): Books {
  const ticked = rowsIn(rows, 'ticked')
  return {
    difference: toMinor(numbersOf(view).difference),
    ticked,
    unticked: rowsIn(rows, 'unticked'),
    aside: [...rowsIn(rows, 'later'), ...rowsIn(rows, 'void')],
    misstated: ticked.flatMap(({ bankMinor, ...row }) =>
      bankMinor === null ? [] : [{ ...row, bankMinor }],
    ),
    notBooked: [
      ...trashed,
      ...notBooked.map((row) => ({ ...row, date: row.date ?? view.statementDate })),
    ],
    drift: drift.map(({ id, was, movedMinor }) => ({ id, date: was.date, minor: movedMinor })),
    elsewhere,
    distinct: new Set(pairs.map(({ oneId, otherId }) => distinctKey(oneId, otherId))),
    imported: new Set(ticked.flatMap((row) => (row.isImported === 1 ? [row.id] : []))),
    confirmed: new Set(ticked.flatMap((row) => (row.isConfirmed === 1 ? [row.id] : []))),
    wrongSince: since,
  }
}

const rowsIn = (rows: FoundRow[], place: FoundRow['place']) =>
  rows.filter((row) => row.place === place)

/** The ids of rows that have their amount in common with others. Most sessions have none, and no more is asked for them. */
const alikeIn = (rows: FoundRow[]): string[] =>
  [...Map.groupBy(rows, ({ minor }) => minor).values()]
    .filter((same) => same.length > 1)
    .flatMap((same) => same.map(({ id }) => id))

interface DatedAmount {
  date: string | null
  minor: number
}

const isSameAmount = (one: DatedAmount, other: DatedAmount) =>
  one.date === other.date && one.minor === other.minor

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
    .filter((row) => !unbooked.some((one) => isSameAmount(one, row)))
    .map(({ date, minor, importId }) => ({ id: importId, accountId, date, minor, text: '' }))

import { formatMoney } from '../../../domain/money.ts'
import type {
  CandidateRow,
  DifferenceSuggestion,
  SuggestionKind,
} from '../../../domain/reconciliation/finder.ts'
import type {
  Drift,
  FoundRow,
  TrashedCandidate,
} from '../../money/reconciliations/reconciliations.public.ts'
import type { UnbookedRow } from '../imports/imports.public.ts'

/** A request that carries out a suggestion, or a part of it. */
export interface Call {
  method: 'PATCH' | 'POST'
  path: string
  body: Record<string, unknown> | null
}

/** The data from which the calls of a suggestion are made. */
export interface SuggestionFacts {
  id: string
  accountId: string
  currency: string
  rows: ReadonlyMap<string, FoundRow>
  drift: ReadonlyMap<string, Drift>
  notBooked: ReadonlyMap<string, UnbookedRow>
  trashed: ReadonlyMap<string, TrashedCandidate>
}

type CallsOf = (suggestion: DifferenceSuggestion, known: SuggestionFacts) => Call[]

const ticking: CallsOf = ({ rows, unticked }, { id }) => {
  const off = unticked.map((row) => row.id)
  const on = rows.map((row) => row.id).filter((rowId) => !off.includes(rowId))
  return changingTicks(id, on, off)
}

const changingTicks = (id: string, on: string[], off: string[]): Call[] =>
  on.length + off.length === 0
    ? []
    : [
        changing(`/reconciliation/${id}`, {
          ...(on.length > 0 ? { tick: on } : {}),
          ...(off.length > 0 ? { untick: off } : {}),
        }),
      ]

/** Adds what is missing, in the books and in the session, and takes away what is too much. */
const exchanging: CallsOf = ({ rows, unticked, keeps }, known) => {
  const [drop] = unticked
  const merged = keeps && drop ? merging(keeps, drop, known) : []
  if (keeps && merged.length === 0) {
    return []
  }
  const taken = rows.filter((row) => row !== drop)
  const booked = taken.filter(({ id }) => known.rows.has(id)).map(({ id }) => id)
  return [
    ...taken.filter(({ id }) => !known.rows.has(id)).flatMap((row) => adding(row, known)),
    ...changingTicks(known.id, booked, drop && !keeps ? [drop.id] : []),
    ...merged,
  ]
}

/** Changes the row of a suggestion first. */
const tickingChanged =
  (
    changes: (row: CandidateRow, known: SuggestionFacts) => Record<string, unknown> | undefined,
  ): CallsOf =>
  (suggestion, known) => [
    ...suggestion.rows.flatMap((row) => {
      const body = changes(row, known)
      return body ? [changing(`/transaction/${row.id}`, body)] : []
    }),
    ...ticking(suggestion, known),
  ]

const retyped: CallsOf = ({ rows, toMinor }, known) =>
  rows.flatMap(({ id }) => (toMinor === undefined ? [] : retyping(id, toMinor, known)))

const CALLS: Record<SuggestionKind, CallsOf> = {
  tick: ticking,
  untick: ticking,
  pair: exchanging,
  triple: ticking,
  all: ({ rows, beside }, known) => {
    const isBeside = (row: CandidateRow) => beside?.rows.includes(row)
    const ids = rows.filter((row) => !isBeside(row)).map(({ id }) => id)
    const more = beside ? callsFor(beside, known) : []
    return beside && more.length === 0 ? [] : [...changingTicks(known.id, ids, []), ...more]
  },
  bankSays: retyped,
  sign: retyped,
  transposed: retyped,
  shifted: retyped,
  duplicate: ({ rows: [keep, drop] }, known) => (keep && drop ? merging(keep, drop, known) : []),
  drift: ({ rows }, known) => rows.flatMap(({ id }) => restoring(id, known)),
  notBooked: ({ rows }, known) => rows.flatMap((row) => adding(row, known)),
  status: (suggestion, known) =>
    suggestion.rows.some(({ id }) => isVoidLeg(known.rows.get(id)))
      ? []
      : tickingChanged(({ id }, { rows }) =>
          rows.get(id)?.place === 'void' ? { status: 'cleared' } : undefined,
        )(suggestion, known),
  otherAccount: tickingChanged((_, { accountId }) => ({ accountId })),
  age: (_, { accountId }) => [
    { method: 'POST', path: '/balance-assertion/check', body: { accountId } },
  ],
}

/** The requests that carry out a suggestion, in their order; none where it has to be made by hand. */
export const callsFor: CallsOf = (suggestion, known) => CALLS[suggestion.kind](suggestion, known)

const ELSEWHERE =
  'The transaction was moved to another account, or is in the trash of its owner. Bring it back to this account.'

/** Says why a suggestion has no calls, and what to do instead. */
export function reasonFor(suggestion: DifferenceSuggestion, known: SuggestionFacts): string {
  const { kind, rows } = suggestion.beside ?? suggestion
  const found = rows.map(({ id }) => known.drift.get(id) ?? known.rows.get(id))
  const isOpening = found.some((row) => row?.kind === 'opening')
  const isTransfer = found.some((row) => row?.kind === 'transfer')
  if (kind === 'duplicate' || kind === 'pair') {
    return 'Only expenses and incomes can be merged. Delete one of the two that are the same.'
  }
  if (isOpening) {
    return 'This is the opening balance. Change openingBalance or openingDate of the account.'
  }
  if (isTransfer) {
    return 'This is one side of a transfer. Change the transfer.'
  }
  return kind === 'drift'
    ? ELSEWHERE
    : 'The transaction has parts. Change the amounts of its parts.'
}

/** The status of a transfer is changed with both of its legs. */
const isVoidLeg = (row: FoundRow | undefined) => row?.kind === 'transfer' && row.place === 'void'

const changing = (path: string, body: Record<string, unknown>): Call => ({
  ...{ method: 'PATCH', path, body },
})

/** Makes one of two that are the same. Only expenses and incomes can be merged. */
function merging(keep: CandidateRow, drop: CandidateRow, { rows }: SuggestionFacts): Call[] {
  const kind = rows.get(drop.id)?.kind
  return kind === 'expense' || kind === 'income'
    ? [
        {
          ...{ method: 'POST', path: '/transaction/duplicate/merge' },
          body: { keepId: keep.id, dropId: drop.id },
        },
      ]
    : []
}

/** Gives a transaction the amount that it should have had. What has several amounts is left to the user. */
function retyping(id: string, toMinor: number, { rows, currency }: SuggestionFacts): Call[] {
  const row = rows.get(id)
  if (!row || row.isCompound === 1 || row.kind === 'opening') {
    return []
  }
  return [changing(`/transaction/${id}`, amountOf(row.kind, toMinor, currency))]
}

/** An amount as a request has it: its direction is the kind, but for an adjustment. */
function amountOf(kind: FoundRow['kind'], minor: number, currency: string) {
  if (kind === 'adjustment') {
    return { amount: formatMoney(minor, currency) }
  }
  const amount = formatMoney(Math.abs(minor), currency)
  const isExpense = kind === 'expense'
  if (isExpense === minor < 0) {
    return { amount }
  }
  // An expense cannot have a category of an income.
  return isExpense ? { kind: 'income', amount } : { kind: 'expense', amount, categoryId: null }
}

/** Makes a reconciled row again what it was. */
function restoring(id: string, { drift, currency }: SuggestionFacts): Call[] {
  const found = drift.get(id)
  if (!found || found.kind === 'transfer' || found.kind === 'opening') {
    return []
  }
  const { was, now, kind } = found
  if (!now) {
    return found.isInTrash ? [bringingBack(id)] : []
  }
  return [
    changing(`/transaction/${id}`, {
      ...(now.amountMinor === was.amountMinor ? {} : amountOf(kind, was.amountMinor, currency)),
      ...(now.date === was.date ? {} : { date: was.date }),
      ...(now.status === was.status ? {} : { status: was.status }),
      force: true,
    }),
  ]
}

const bringingBack = (transactionId: string): Call => {
  const kind = transactionId.startsWith('trf_') ? 'transfer' : 'transaction'
  return { method: 'POST', path: `/trash/${kind}/${transactionId}/restore`, body: null }
}

/** Brings a row that the bank tells of into the books, and ticks it. */
function adding(row: CandidateRow, known: SuggestionFacts): Call[] {
  const trashed = known.trashed.get(row.id)
  if (!trashed) {
    return booking(row, known)
  }
  const { id, transactionId, status } = trashed
  return [
    bringingBack(transactionId),
    // The bank has posted it since.
    ...(status === 'pending' ? [changing(`/transaction/${id}`, { status: 'cleared' })] : []),
    // Reconciled rows are counted already.
    ...(status === 'reconciled' ? [] : changingTicks(known.id, [id], [])),
  ]
}

/** Books a row of a file, and ticks it, unless that would tick another one of the day: the filter knows no sign. */
function booking(
  { id, date, minor }: { id: string; date: string; minor: number },
  known: SuggestionFacts,
): Call[] {
  const amount = formatMoney(Math.abs(minor), known.currency)
  const body = {
    ...{ kind: minor < 0 ? 'expense' : 'income', accountId: known.accountId, date, amount },
    ...{ description: (known.notBooked.get(id)?.text ?? '').slice(0, 500), status: 'cleared' },
  }
  const tickWhere = { from: date, to: date, amountFrom: amount, amountTo: amount }
  const isAlone = ![...known.rows.values()].some(
    (row) =>
      row.place === 'unticked' && row.date === date && Math.abs(row.minor) === Math.abs(minor),
  )
  return [
    { method: 'POST', path: '/transaction', body },
    ...(isAlone ? [changing(`/reconciliation/${known.id}`, { tickWhere })] : []),
  ]
}

import { formatMoney } from '../../../domain/money.ts'
import type { Suggestion } from '../../../domain/reconciliation/finder.ts'
import type { Drift, FoundRow } from '../../money/reconciliations/reconciliations.public.ts'
import type { UnbookedRow } from '../imports/imports.public.ts'

/** A request that carries out a suggestion, or a part of it. */
export interface Call {
  method: 'GET' | 'PATCH' | 'POST'
  path: string
  body: Record<string, unknown> | null
}

/** What the calls for a suggestion go by. */
export interface Known {
  id: string
  accountId: string
  currency: string
  rows: ReadonlyMap<string, FoundRow>
  drift: ReadonlyMap<string, Drift>
  notBooked: ReadonlyMap<string, UnbookedRow>
}

/** The requests that carry out a suggestion, in their order; none where it takes more than one field of a transaction. */
export function callsFor(suggestion: Suggestion, known: Known): Call[] {
  const { kind, rows, unticked, toMinor } = suggestion
  const [first] = rows
  const off = unticked.map(({ id }) => id)
  const on = rows.map(({ id }) => id).filter((id) => !off.includes(id))
  const ticking = changing(`/reconciliation/${known.id}`, {
    ...(on.length > 0 ? { tick: on } : {}),
    ...(off.length > 0 ? { untick: off } : {}),
  })
  switch (kind) {
    case 'tick':
    case 'untick':
    case 'pair':
    case 'triple':
      return [ticking]
    case 'bankSays':
    case 'sign':
    case 'transposed':
    case 'shifted':
      return first && toMinor !== undefined ? retyping(first.id, toMinor, known) : []
    case 'duplicate':
      return merging(rows.map(({ id }) => id))
    case 'drift':
      return rows.flatMap(({ id }) => restoring(id, known))
    case 'notBooked':
      return first ? booking(first, known) : []
    case 'status':
      return first && known.rows.get(first.id)?.place === 'void'
        ? [changing(`/transaction/${first.id}`, { status: 'cleared' }), ticking]
        : [ticking]
    case 'otherAccount':
      return first
        ? [changing(`/transaction/${first.id}`, { accountId: known.accountId }), ticking]
        : []
    case 'age':
      return [
        { method: 'POST', path: '/balance-assertion/check', body: { accountId: known.accountId } },
      ]
  }
}

const changing = (path: string, body: Record<string, unknown>): Call => ({
  ...{ method: 'PATCH', path, body },
})

/** Gives a transaction the amount that it should have had. What has several amounts is left to the user. */
function retyping(id: string, toMinor: number, { rows, currency }: Known): Call[] {
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

const merging = ([keepId, dropId]: string[]): Call[] => [
  { method: 'POST', path: '/transaction/duplicate/merge', body: { keepId, dropId } },
]

/** Makes a reconciled row again what it was. */
function restoring(id: string, { drift, currency }: Known): Call[] {
  const found = drift.get(id)
  if (!found || found.kind === 'transfer' || found.kind === 'opening') {
    return []
  }
  const { was, now, kind } = found
  if (!now) {
    return found.isInTrash
      ? [{ method: 'POST', path: `/trash/transaction/${id}/restore`, body: null }]
      : []
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

/** Books a row of a file, and ticks it. */
function booking(
  { id, date, minor }: { id: string; date: string; minor: number },
  known: Known,
): Call[] {
  const amount = formatMoney(Math.abs(minor), known.currency)
  const body = {
    ...{ kind: minor < 0 ? 'expense' : 'income', accountId: known.accountId, date, amount },
    ...{ description: (known.notBooked.get(id)?.text ?? '').slice(0, 500), status: 'cleared' },
  }
  const tickWhere = { from: date, to: date, amountFrom: amount, amountTo: amount }
  return [
    { method: 'POST', path: '/transaction', body },
    changing(`/reconciliation/${known.id}`, { tickWhere }),
  ]
}

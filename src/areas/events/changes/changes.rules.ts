import { INVERSES } from '../../../ledger/ledger.public.ts'
import { MOST_TRANSACTIONS } from '../../money/transactions/transactions.public.ts'
import { changeErrors } from './changes.errors.ts'

/** The events of transactions whose commits can be undone. */
export const REVERSIBLE = [
  'transaction.created',
  'transaction.updated',
  'transaction.deleted',
  'transaction.restored',
] as const

/** Events that may stand beside these. The labels stay. */
const BESIDE = ['category.created', 'payee.created', 'tag.created', 'change.undone']

/** The most events of a commit that can be undone: twice the lines that one request may change. */
export const MOST_EVENTS = 10_000

/** The operations that reverse what an undo does not. */
export const REVERSING = [
  'revertImport',
  'undoReconciliation',
  'undoMovement',
  'unmatchTransfer',
  'matchTransfer',
  'unmatchSplit',
  'matchSplit',
  'restoreFromTrash',
] as const

type Reversing = (typeof REVERSING)[number]

const DELETED = ['account', 'budget', 'category', 'payee', 'recurring', 'rule', 'tag']

/** The operation that reverses the commit of an event. */
export const REVERSED_BY: ReadonlyMap<string, Reversing> = new Map([
  ...Object.entries(INVERSES).flatMap(([type, inverse]): [string, Reversing][] =>
    REVERSING.flatMap((name) =>
      'operation' in inverse && inverse.operation === name ? [[type, name]] : [],
    ),
  ),
  ...['committed', 'booked', 'finished'].map((verb) => [`import.${verb}`, 'revertImport'] as const),
  ['reconciliation.finished', 'undoReconciliation'],
  ['budget.moneyMoved', 'undoMovement'],
  ...DELETED.map((kind) => [`${kind}.deleted`, 'restoreFromTrash'] as const),
])

/** True if a commit may have events of this type and be undone. */
export const isReversible = (type: string): boolean => REVERSIBLE.some((one) => one === type)

export const isBeside = (type: string): boolean => BESIDE.includes(type)

export type UndoWay = 'possible' | 'no' | Reversing

interface CommitSize {
  types: string[]
  transactions: number
  events: number
}

/** Tells if a commit can be undone, or which operation reverses it. */
export function undoWayOf({ types, transactions, events }: CommitSize): UndoWay {
  if (types.some(isReversible) && types.every((type) => isReversible(type) || isBeside(type))) {
    return transactions <= MOST_TRANSACTIONS && events <= MOST_EVENTS ? 'possible' : 'no'
  }
  return types.flatMap((type) => REVERSED_BY.get(type) ?? [])[0] ?? 'no'
}

export function requireReversible(way: UndoWay): void {
  if (way !== 'possible') {
    const instead =
      way === 'no' ? 'No operation undoes it; change the data instead.' : `Use ${way} instead.`
    throw changeErrors.notReversible({ instead })
  }
}

export interface LoggedSide {
  type: (typeof REVERSIBLE)[number]
  /** The id under which the account's side is addressed. */
  id: string
  accountId: string
  ownerId: string | null
  content: string | null
}

/** What becomes of own transactions that are not booked, or not seen. */
export interface HeaderState {
  id: string
  isTrashed: 0 | 1
  isMatched: 0 | 1
}

export interface LaterValue {
  /** Of a side, or of an account. */
  id: string
  field: string
  /** JSON of the value that the commit left behind; null where it left none. */
  was: string | null
}

/** An external id that a transaction has, of those that transactions of a commit had before. */
export interface HeldId {
  transactionId: string
  accountId: string
  externalId: string
}

export interface KnownLabel {
  id: string
  ownerId: string
  /** Of a category. */
  kind: string | null
}

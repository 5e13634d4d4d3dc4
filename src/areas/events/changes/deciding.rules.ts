import { AppError } from '../../../domain/errors.ts'
import type { Entry } from '../../../domain/ledger.ts'
import { trashErrors } from '../../../domain/owned-data.ts'
import {
  type AccountLocks,
  type Amendment,
  daysChanged,
  entriesOf,
  type Forced,
  type LedgerRow,
  requireUnlocked,
  requireUnreconciled,
} from '../../../ledger/ledger.public.ts'
import {
  type allowedIn,
  attempt,
  removalOf,
  transactionErrors,
} from '../../money/transactions/transactions.public.ts'
import type { HeaderState, HeldId, LoggedSide } from './changes.rules.ts'
import { formerAmendment } from './former.rules.ts'
import {
  type Compared,
  compared,
  type FormerField,
  formerFields,
  isAsLogged,
  isReconciledSince,
  type KeptReason,
  type Known,
} from './sides.rules.ts'

/** A field that stays as it is; `all` where the whole transaction does. */
export interface Kept {
  field: string
  reason: KeptReason
}

/** The way back of one transaction, which is one of the three. */
interface WayBack {
  discarded?: { row: LedgerRow } & Forced
  amended?: Amendment
  restored?: LedgerRow
  /** The lines after it; undefined where they stay as they are. */
  lines: Entry[] | undefined
}

interface Decision {
  kept: Kept[]
  /** Undefined if the transaction stays as it is, and an error if the operation behind the undo would be refused. */
  back: WayBack | AppError | undefined
}

/** What the caller may do, and what is known beside the transactions. */
interface Given extends Known {
  trashAccounts: ReadonlyMap<string, { status: 'open' | 'closed'; deletedAt: number | null }>
  requireAllowed: ReturnType<typeof allowedIn>
  locks: AccountLocks[]
  force: boolean | undefined
}

/** A transaction of a commit as it is now. */
interface Present {
  /** As the caller sees it, if it is booked. */
  row: LedgerRow | undefined
  /** As it is in the caller's trash. */
  trashed: LedgerRow | undefined
  state: HeaderState | undefined
  isOwn: boolean
}

const keptWhole = (reason: KeptReason): Decision => ({
  kept: [{ field: 'all', reason }],
  back: undefined,
})

const KEEPING = new Map<string, KeptReason>([
  [transactionErrors.reconciled().code, 'reconciled'],
  [transactionErrors.partHidden().code, 'notVisible'],
  [transactionErrors.categoryKind().code, 'changedSince'],
])

/** The reason to keep something that follows from a refusal; undefined where the refusal is of the whole request. */
const reasonIn = (decided: unknown): KeptReason | undefined =>
  decided instanceof AppError
    ? decided.code.startsWith('locks.')
      ? 'locked'
      : KEEPING.get(decided.code)
    : undefined

/** Decides how one transaction of a commit goes back, as far as it does. */
export function decideUndoOf(events: LoggedSide[], present: Present, given: Given): Decision {
  const { row, trashed } = present
  const types = new Set(events.map(({ type }) => type))
  if (types.has('transaction.deleted') && !types.has('transaction.updated')) {
    if (!trashed) {
      return keptWhole(row ? 'changedSince' : whyStillGone(present))
    }
    // It came back since, and what was deleted then is something else.
    const isOther =
      events.some(({ id }) => given.later.has(`${id} kind`)) &&
      !isAsLogged(compared(trashed, events, given), 'before')
    return isOther ? keptWhole('deletedSince') : decideWhole(() => wayFromTrash(trashed, given))
  }
  if (!row) {
    return keptWhole(whyGone(present))
  }
  const all = compared(row, events, given)
  if (types.has('transaction.updated')) {
    return decideFields(all, given)
  }
  if (entriesOf(row).some(({ accountId }) => !given.accounts.has(accountId))) {
    return keptWhole('notVisible')
  }
  return types.has('transaction.created') && !isAsLogged(all, 'after')
    ? keptWhole('changedSince')
    : decideWhole(() => wayToTrash(row, given))
}

/** Nobody learns what became of a transaction of somebody else that they do not see. */
function whyGone({ state, isOwn }: Present): KeptReason {
  if (state) {
    return state.isTrashed ? 'deletedSince' : state.isMatched ? 'changedSince' : 'notVisible'
  }
  return isOwn ? 'deletedSince' : 'notVisible'
}

const whyStillGone = (present: Present): KeptReason =>
  present.state?.isTrashed ? 'notVisible' : whyGone(present)

function decideWhole(decide: () => WayBack): Decision {
  const back = attempt(decide)
  const reason = reasonIn(back)
  return reason ? keptWhole(reason) : { kept: [], back }
}

function wayToTrash(row: LedgerRow, { requireAllowed, locks, force }: Given): WayBack {
  const forced =
    row.kind === 'transfer'
      ? requireUnreconciled(row, { force }, transactionErrors.reconciled)
      : removalOf(row, force)
  const entries = entriesOf(row)
  for (const { accountId } of entries) {
    requireAllowed(accountId, 'write')
  }
  requireUnlocked(daysChanged(entries, undefined), locks, { force })
  return { discarded: { row, ...forced }, lines: [] }
}

function wayFromTrash(row: LedgerRow, { trashAccounts, locks, force }: Given): WayBack {
  const entries = entriesOf(row)
  const accounts = entries.flatMap(({ accountId }) => trashAccounts.get(accountId) ?? [])
  if (accounts.some(({ deletedAt }) => deletedAt !== null)) {
    throw trashErrors.accountInTrash()
  }
  if (accounts.some(({ status }) => status === 'closed')) {
    throw trashErrors.accountClosed()
  }
  requireUnlocked(daysChanged(undefined, entries), locks, { force })
  return { restored: row, lines: entries }
}

function wayOf(
  all: Compared,
  fields: FormerField[],
  { requireAllowed, locks, force }: Given,
): WayBack {
  const amended = formerAmendment(all, fields, force)
  const { row, entries, right, on = [] } = amended
  for (const accountId of on) {
    requireAllowed(accountId, right, entries !== undefined)
  }
  requireUnlocked(entries ? daysChanged(entriesOf(row), entries) : [], locks, { force })
  return { amended, lines: entries }
}

/** An external id comes back where no other transaction has it then; one that this undo keeps has it for the same reason. */
export function withFreeIds(decisions: Map<string, Decision>, held: HeldId[]): void {
  const has = (back: Decision['back'], { accountId, externalId }: HeldId) =>
    back && 'lines' in back
      ? back.lines?.some((one) => one.accountId === accountId && one.externalId === externalId)
      : undefined
  for (const [id, { back }] of decisions) {
    const taken = held.find(
      (one) =>
        one.transactionId !== id &&
        has(back, one) &&
        has(decisions.get(one.transactionId)?.back, one) !== false,
    )
    if (taken) {
      const reason = decisions.get(taken.transactionId)?.kept[0]?.reason
      decisions.set(
        id,
        reason ? keptWhole(reason) : { kept: [], back: transactionErrors.externalIdTaken() },
      )
    }
  }
}

function decideFields(all: Compared, given: Given): Decision {
  const fields = formerFields(all)
  const stuck = keptIn(fields)
  const going = fields.filter(({ kept }) => !kept)
  // What a statement has confirmed since stays, also where an edit of it would be free.
  if (going.length === 0 || (!given.force && isReconciledSince(all))) {
    return { kept: [...stuck, ...keptIn(going, 'reconciled')], back: undefined }
  }
  const back = attempt(() => wayOf(all, going, given))
  if (!reasonIn(back)) {
    return { kept: stuck, back }
  }
  // Some field is refused: each is looked at alone, and then those that are not.
  const alone = going.map((field): FormerField => ({
    ...field,
    kept: reasonIn(attempt(() => wayOf(all, [field], given))),
  }))
  const free = alone.filter(({ kept }) => !kept)
  const rest = free.length === 0 ? undefined : attempt(() => wayOf(all, free, given))
  const reason = reasonIn(rest)
  return { kept: [...stuck, ...keptIn(alone, reason)], back: reason ? undefined : rest }
}

/** The fields that stay, with their reasons. @param rest the reason for those that have none */
const keptIn = (fields: FormerField[], rest?: KeptReason): Kept[] =>
  fields.flatMap(({ field, kept = rest }) => (kept ? [{ field, reason: kept }] : []))

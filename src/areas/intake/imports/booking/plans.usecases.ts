import { LONGEST_TEXTS } from '../../../../domain/ledger-ids.ts'
import type { Verdict } from '../../../../domain/imports/verdicts.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { importErrors } from '../imports.errors.ts'
import { leftOutOf, notesOf, type StoredChunk } from '../imports.queries.ts'
import { countsFrom } from '../imports.rules.ts'
import type { KnownIdentity, NewIdentity, ImportedIdentity } from '../identities.queries.ts'
import type { DecidedRow, ReadRow } from '../rows/pieces.rules.ts'
import { type RowBooking, bookingOfRow, type identityKeys } from './booking.rules.ts'
import type { DoneRow, LeftOut } from './outcomes.rules.ts'

// Decides on the rows of a piece, by the identities that accounts have when it is booked.

type Placed = Pick<ReadRow, 'row' | 'identity'>

/** Rows that get another account or an identity by a decision, or another identity than that of the file. */
export const movedRows = (decided: DecidedRow[]): Placed[] =>
  decided
    .filter(
      ({ note, overrides, found }) =>
        found.identity !== undefined ||
        overrides.accountId !== undefined ||
        ['book', 'match'].includes(note?.decision ?? ''),
    )
    .map(({ read, overrides: { accountId = read.row.accountId } }) => ({
      ...read,
      row: { ...read.row, accountId },
    }))

export const identityPairs = (rows: Placed[]) =>
  rows.flatMap(({ row: { accountId }, identity }) =>
    identity === undefined
      ? []
      : [identity.byId, identity.byText].flatMap((key): [string, string][] =>
          key === undefined ? [] : [[accountId, key]],
        ),
  )

export const externalIdsOf = (rows: Placed[]) =>
  rows.flatMap(({ row: { accountId, source } }) =>
    [source.externalId, source.bankId?.id].flatMap((id): [string, string][] =>
      id === undefined ? [] : [[accountId, id]],
    ),
  )

/** The maximum number of equal rows on an account beside which a row can be booked. */
const MOST_TWINS = 50

/** The identities under which rows could be booked beside their twins. */
export const besidesOf = (decided: DecidedRow[], keys: Keys): [string, string][] =>
  decided.flatMap(({ note, read: { row, identity }, overrides }) =>
    note?.decision === 'book' && identity !== undefined
      ? Array.from({ length: MOST_TWINS }, (_, n) =>
          keys
            .again(row, identity.occurrence + n + 1)
            .map((key): [string, string] => [overrides.accountId ?? row.accountId, key]),
        ).flat()
      : [],
  )

/** Finds the transaction that a row is, unless another import has taken it for a row of its own meanwhile. */
export function matchable(
  rows: LedgerRow[],
  importedRows: Pick<ImportedIdentity, 'accountId' | 'nowId'>[],
) {
  const taken = new Set(importedRows.map(({ accountId, nowId }) => `${accountId} ${nowId}`))
  const used = new Set<LedgerRow>()
  return ({ booking, matchedId }: PlannedRow): LedgerRow | undefined => {
    const { decided, account, minor } = booking
    // If the transaction has several sides on the account, the one with the amount is matched.
    const sides = rows.filter(
      (one) => one.transactionId === matchedId && one.accountId === account.id && !used.has(one),
    )
    const found = sides.find(({ amountMinor }) => amountMinor === minor) ?? sides[0]
    // A match that the user chose may be of another file.
    const isTyped =
      decided.verdict === 'matched' &&
      decided.note?.decision !== 'match' &&
      !decided.found.reasons?.includes('renamed')
    const isTaken = isTyped && taken.has(`${account.id} ${matchedId}`)
    if (!found || isTaken) {
      return undefined
    }
    used.add(found)
    return found
  }
}

export const identityRow = (
  { row, account, date, minor }: RowBooking,
  { identity, bankKey }: { identity: string; bankKey: string | null },
  importId: string,
): NewIdentity => ({
  ...{ accountId: account.id, identity, bankKey, importId },
  // The values of the source, whatever the user entered instead.
  date: row.date ?? date,
  amountMinor: row.minor ?? minor,
  balanceMinor: row.balanceMinor ?? null,
  pending: row.source.pending,
  skipped: false,
  transactionId: null,
  added: null,
})

type Keys = ReturnType<typeof identityKeys>

/** The rows that accounts know: those from before a piece, and those of the piece that are decided already. */
export class PieceState {
  readonly #known: Set<string>
  /** The transactions of those that are pending, and there. */
  readonly #held: Map<string, string>
  readonly #taken: Set<string>
  readonly keys: Keys

  constructor(
    keys: Keys,
    known: KnownIdentity[],
    taken: { accountId: string; externalId: string }[],
  ) {
    this.keys = keys
    const keyOf = ({ accountId, identity }: KnownIdentity) => `${accountId} ${identity}`
    this.#known = new Set(known.map(keyOf))
    this.#held = new Map(
      known.flatMap((one): [string, string][] =>
        one.pending === 1 && one.isInTrash === 0 && one.transactionId !== null
          ? [[keyOf(one), one.transactionId]]
          : [],
      ),
    )
    this.#taken = new Set(taken.map(({ accountId, externalId }) => `${accountId} ${externalId}`))
  }

  isKnown(accountId: string, identity: string | undefined): boolean {
    return identity !== undefined && this.#known.has(`${accountId} ${identity}`)
  }

  know(accountId: string, identity: string): void {
    this.#known.add(`${accountId} ${identity}`)
    this.#held.delete(`${accountId} ${identity}`)
  }

  /** True if the account knows the row as this transaction, which is pending so far. */
  isHeldAs(transactionId: string | null, accountId: string, ids: (string | undefined)[]): boolean {
    const known = ids.filter((identity) => this.isKnown(accountId, identity))
    return known.every((identity) => this.#held.get(`${accountId} ${identity}`) === transactionId)
  }

  /** The bank's id of a row, as its program or the bank itself says it, where no other line of the account has it. */
  takeExternalId({ row, account }: RowBooking): string | null {
    const { externalId, bankId } = row.source
    const ids = [externalId, this.keys.isTrusted(row) ? bankId?.id : undefined]
    for (const id of ids) {
      const key = `${account.id} ${id}`
      if (id !== undefined && id.length <= LONGEST_TEXTS.bankId && !this.#taken.has(key)) {
        this.#taken.add(key)
        return id
      }
    }
    return null
  }
}

export interface PlannedRow {
  booking: RowBooking
  identity: { identity: string; bankKey: string | null }
  externalId: string | null
  /** The transaction that it is, if there is one. */
  matchedId: string | null
}

export interface PiecePlan {
  /** To book, or to match with what is there. */
  toBook: PlannedRow[]
  toSkip: PlannedRow[]
  /** Rows that were recognized by something else than their identity. The identity is stored for the next import. */
  toRemember: PlannedRow[]
  /** Rows in whose place another row of the file stands. They are known as what that one becomes. */
  toFollow: PlannedRow[]
  /** Rows that were new, and that another import has booked meanwhile. */
  lost: Set<DecidedRow>
}

/** Plans what happens to each row, given the rows that accounts know now. */
export function piecePlan(
  decided: DecidedRow[],
  accounts: Parameters<typeof bookingOfRow>[1],
  state: PieceState,
): PiecePlan {
  const plan: PiecePlan = { toBook: [], toSkip: [], toRemember: [], toFollow: [], lost: new Set() }
  for (const one of decided) {
    const { verdict, note, matchedId } = one
    const { row, identity } = one.read
    const isSkipped = verdict === 'skipped' && note?.once === false
    const isRemembered = verdict === 'duplicate' && one.found.remembers === true
    const isFollowing = verdict === 'ignored' && one.found.partnerAt !== undefined
    const isWanted = isSkipped || isRemembered || isFollowing || WANTED.has(verdict)
    const booking = isWanted ? bookingOfRow(one, accounts) : undefined
    if (!booking || identity === undefined) {
      continue
    }
    const { id: accountId } = booking.account
    const ids = [identity.byId, identity.byText]
    const isKnown = ids.some((id) => state.isKnown(accountId, id))
    const isBeside = isKnown && note?.decision === 'book'
    // A row that is known as pending is booked now.
    const isPosted = verdict === 'updated' && state.isHeldAs(matchedId, accountId, ids)
    if (isKnown && !isBeside && !isPosted) {
      if (!isSkipped && !isRemembered && !isFollowing) {
        plan.lost.add(one)
      }
      continue
    }
    const key = isBeside
      ? freeKey(state, booking, identity.occurrence)
      : state.keys.keyOf(row, identity)
    state.know(accountId, key)
    const planned = {
      booking,
      identity: { identity: key, bankKey: identity.bankKey ?? null },
      matchedId: isRemembered || MATCHED.has(verdict) ? matchedId : null,
    }
    if (isSkipped) {
      plan.toSkip.push({ ...planned, externalId: null })
    } else if (isRemembered) {
      plan.toRemember.push({ ...planned, externalId: null })
    } else if (isFollowing) {
      plan.toFollow.push({ ...planned, externalId: null })
    } else {
      plan.toBook.push({ ...planned, externalId: state.takeExternalId(booking) })
    }
  }
  return plan
}

const MATCHED: ReadonlySet<Verdict> = new Set(['matched', 'updated'])
const WANTED: ReadonlySet<Verdict> = new Set(['new', 'transfer', 'matched', 'updated'])

/** The next number under which the account does not know a row that is booked beside its twin. */
function freeKey(state: PieceState, { row, account }: RowBooking, occurrence: number): string {
  for (let n = 1; n <= MOST_TWINS; n++) {
    const all = state.keys.again(row, occurrence + n)
    const [key] = all
    if (key !== undefined && all.every((one) => !state.isKnown(account.id, one))) {
      return key
    }
  }
  throw importErrors.tooManyTwins({ line: row.source.line })
}

/**
 * The rows of a piece with what they came to.
 * @param sets rows that were to be matched, and were booked as new ones; those that a lock has left out; and those of
 * which there was nothing to do
 */
export function doneRows(
  decided: DecidedRow[],
  { lost, toBook }: PiecePlan,
  { fresh, locked, idle }: Record<'fresh' | 'locked' | 'idle', ReadonlySet<DecidedRow>>,
): DoneRow[] {
  const bookings = new Map(toBook.map(({ booking }) => [booking.decided, booking]))
  return decided.map((one): DoneRow => {
    if (lost.has(one)) {
      return { decided: one, verdict: 'duplicate' }
    }
    if (locked.has(one)) {
      return { decided: one, verdict: 'locked' }
    }
    if (idle.has(one)) {
      return { decided: one, verdict: 'ignored' }
    }
    const booking = bookings.get(one)
    const verdict = fresh.has(one) ? 'new' : one.verdict
    if (!booking) {
      return { decided: one, verdict }
    }
    const { account, minor } = booking
    const { id: accountId, currency } = account
    return { decided: one, verdict, booked: { accountId, currency, minor } }
  })
}

/**
 * Returns the outcome of a piece that has no rows to book, as the pieces of a file that is imported again; undefined if it may have
 * some.
 */
export async function foreseenOf(
  owner: SignedIn,
  chunk: StoredChunk,
): Promise<LeftOut[] | undefined> {
  const { duplicate, ignored, error, rows } = countsFrom(chunk.counts)
  if (duplicate + ignored + error < rows) {
    return undefined
  }
  const [notes, [found]] = await read(
    owner,
    notesOf(chunk.importId, chunk.firstRow, chunk.firstRow + chunk.rows - 1),
    leftOutOf(chunk),
  )
  const leftOut = found?.leftOut ?? null
  return notes.length > 0 || leftOut === null ? undefined : (JSON.parse(leftOut) as LeftOut[])
}

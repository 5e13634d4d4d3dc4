import { AppError } from '../../../../domain/errors.ts'
import { splitIdOf } from '../../../../domain/ledger-ids.ts'
import type { Decision } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../../platform/log/events.ts'
import type { Refusal } from '../../../../platform/database/refusals.ts'
import {
  entriesOf,
  type LedgerRow,
  ledgerRowsByIds,
  ledgerSidesOf,
  matchedRows,
} from '../../../../ledger/ledger.public.ts'
import { visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import {
  bookingConflicts,
  joinParts,
  type PartSides,
} from '../../../money/transactions/transactions.public.ts'
import {
  joinHalves,
  type StatedSides,
  transferConflicts,
} from '../../../money/transfers/transfers.public.ts'
import { knownIdentities } from '../identities.queries.ts'
import type { Mapping } from '../imports.rules.ts'
import { notesOf, type StoredChunk, type StoredImport } from '../imports.queries.ts'
import { decidedRow, type ReadRow, unlockedRow } from '../rows/pieces.rules.ts'
import { readPiece } from '../rows/rows.usecases.ts'
import { mustBeCommitting, categoriesOfOwners } from './booking.queries.ts'
import { categoryIndex } from './making.rules.ts'
import { statedFees, type TransferHalves } from './outcomes.rules.ts'
import { LIKELY, openRowsOf, type OpenTransaction, surePairs } from './halves.usecases.ts'
import { identityPairs } from './plans.usecases.ts'
import { slices, lockWatcher } from './booking.rules.ts'
import type { CommitOptions } from './making.usecases.ts'

// Joins the halves of transfers at the end of a commit, once all rows are booked.

/** A row of the file that is half of a transfer, and the other half: a row of the file, or a transaction. */
interface Half {
  row: ReadRow
  found: Decision
}

/** A part of a row or transaction, and the row or transaction that is its other side. */
interface PartPair {
  whole: ReadRow | string
  part: number
  other: ReadRow | string
}

/** Lines of the transactions of one commit. */
const MOST_LINES = 20_000
/** Pairs of one commit. */
const AT_ONCE = 100
/** Wholes of one commit, each of which takes a statement to read, and three premises of the 48 that a commit may have. */
const WHOLES_AT_ONCE = 10

/** Joins the halves of transfers, through the same code as a request that joins two transactions. */
export async function joinTransfers(
  owner: SignedIn,
  row: StoredImport,
  chunks: StoredChunk[],
): Promise<void> {
  const { force } = JSON.parse(row.options) as CommitOptions
  const halves = new Map<number, Half>()
  const withParts = new Map<number, ReadRow>()
  const parts: PartPair[] = []
  const open: OpenTransaction[] = []
  for (const chunk of chunks) {
    const [notes] = await read(
      owner,
      notesOf(row.id, chunk.firstRow, chunk.firstRow + chunk.rows - 1),
    )
    const byRow = new Map(notes.map((note) => [note.row, note]))
    const likely: ReadRow[] = []
    for (const raw of await readPiece(owner, chunk)) {
      const plain = decidedRow(raw, byRow.get(raw.row.at + 1))
      const { read: one, verdict, found, note, overrides } = force ? unlockedRow(plain) : plain
      if (overrides.accountId !== undefined) {
        continue
      }
      if (verdict === 'transfer' && found.isStated) {
        halves.set(one.row.at, { row: one, found })
      } else if (LIKELY.has(verdict) && note?.decision !== 'book') {
        likely.push(one)
      }
      if (one.row.partAccountIds !== undefined) {
        withParts.set(one.row.at, one)
      }
      for (const { part, matchedId } of found.partMatches ?? []) {
        parts.push({ whole: one, part, other: matchedId })
      }
    }
    open.push(...(await openRowsOf(owner, row, likely)))
  }
  const pairs: TransferHalves[] = await surePairs(owner, row, open)
  for (const { row: one, found } of halves.values()) {
    const { partnerAt = -1, matchedId, partnerPart } = found
    const partner = halves.get(partnerAt)?.row
    if (partnerPart !== undefined) {
      const whole = matchedId ?? withParts.get(partnerAt)
      parts.push(...(whole === undefined ? [] : [{ whole, part: partnerPart, other: one }]))
    } else if (partner) {
      pairs.push(...(one.row.at < partner.row.at ? [{ one, other: partner }] : []))
    } else if (matchedId !== undefined) {
      pairs.push({ one, other: matchedId })
    }
  }
  for (const some of slices(pairs, AT_ONCE)) {
    await joinSome(owner, row, some, force)
  }
  await joinAllParts(owner, row, parts, force)
}

/** The transactions that rows were booked as. */
async function transactionsOf(owner: SignedIn, rows: ReadRow[]) {
  const [known, views] = await read(
    owner,
    knownIdentities(identityPairs(rows)),
    visibleAccounts(owner),
  )
  const idOf = ({ row: { accountId }, identity }: ReadRow) =>
    known.find(
      (one) =>
        one.accountId === accountId &&
        (one.identity === identity?.byId || one.identity === identity?.byText),
    )?.transactionId ?? ''
  return { views, idOf: (one: ReadRow | string) => (typeof one === 'string' ? one : idOf(one)) }
}

const rowsIn = (all: (ReadRow | string)[]) =>
  all.flatMap((one) => (typeof one === 'string' ? [] : [one]))

async function joinSome(
  owner: SignedIn,
  row: StoredImport,
  pairs: TransferHalves[],
  force: boolean | undefined,
): Promise<void> {
  const { views, idOf } = await transactionsOf(
    owner,
    rowsIn(pairs.flatMap(({ one, other }) => [one, other])),
  )
  const wanted = pairs.map(({ one, other }) => [idOf(one), idOf(other)])
  const [found, categories] = await read(
    owner,
    ledgerRowsByIds(owner, wanted.flat().filter(Boolean), MOST_LINES),
    categoriesOfOwners(owner),
  )
  const { categoryMap } = JSON.parse(row.mapping) as Mapping
  const index = categoryIndex(categories)
  const categoryOf = (ownerId: string) => (path: string[]) =>
    index.find(path, { kind: 'expense', ownerId, mapping: categoryMap })
  const isLocked = lockWatcher(views, force)
  const rowOf = (id: string | undefined) => found.find(({ transactionId }) => transactionId === id)
  const sides = wanted.flatMap(([one, other], at): StatedSides[] => {
    const [a, b] = [rowOf(one), rowOf(other)]
    const isOpen = (there: LedgerRow | undefined): there is LedgerRow =>
      there !== undefined && !isLocked(entriesOf(there), undefined)
    if (!isOpen(a) || !isOpen(b)) {
      return []
    }
    const [from, to] = a.amountMinor < 0 ? [a, b] : [b, a]
    return [
      { from, to, fees: statedFees(pairs[at] as TransferHalves, [a, b], categoryOf(from.ownerId)) },
    ]
  })
  await joinEach(owner, row, sides, {
    join: (some) => joinHalves(owner, some, force),
    conflicts: transferConflicts,
  })
}

/** Parts of one transaction are joined one after the other, as each changes it. */
async function joinAllParts(
  owner: SignedIn,
  row: StoredImport,
  pairs: PartPair[],
  force: boolean | undefined,
): Promise<void> {
  const rounds: PartPair[][] = []
  const counts = new Map<ReadRow | string, number>()
  for (const pair of pairs) {
    const round = counts.get(pair.whole) ?? 0
    counts.set(pair.whole, round + 1)
    rounds[round] = [...(rounds[round] ?? []), pair]
  }
  for (const some of rounds.flatMap((round) => slices(round, WHOLES_AT_ONCE))) {
    await joinSomeParts(owner, row, some, force)
  }
}

async function joinSomeParts(
  owner: SignedIn,
  row: StoredImport,
  pairs: PartPair[],
  force: boolean | undefined,
): Promise<void> {
  const { views, idOf } = await transactionsOf(
    owner,
    rowsIn(pairs.flatMap(({ whole, other }) => [whole, other])),
  )
  const wanted = pairs.map(({ whole, part, other }) => [idOf(whole), idOf(other), part] as const)
  const ids = [...new Set(wanted.flatMap(([whole, other]) => [whole, other]).filter(Boolean))]
  const [found, ...matched] = await read(
    owner,
    ledgerSidesOf(owner, ids, MOST_LINES),
    ...wanted.map(([whole]) => matchedRows(owner, whole)),
  )
  const isLocked = lockWatcher(views, force)
  const firstOf = (id: string) =>
    found.find(
      (one) => one.transactionId === id && one.line === 1 && !isLocked(entriesOf(one), undefined),
    )
  const sides = wanted.flatMap(([wholeId, otherId, part], at): PartSides[] => {
    const [whole, other] = [firstOf(wholeId), firstOf(otherId)]
    const splitId = whole && other && splitOf(whole, other, part)
    return splitId ? [{ whole, row: other, splitId, matched: matched[at] ?? [] }] : []
  })
  await joinEach(owner, row, sides, {
    join: (some) => joinParts(owner, some, force),
    conflicts: bookingConflicts,
  })
}

/** The first part of a booking has this line. */
const FIRST_PART = 2

/** The part that the file names, or, of a transaction that was there, another one with the amount. */
function splitOf(
  whole: LedgerRow,
  { amountMinor, currency }: LedgerRow,
  part: number,
): string | undefined {
  const named = part + FIRST_PART
  const lines = entriesOf(whole).filter(
    ({ line, pair, ...entry }) =>
      line > 1 &&
      pair === null &&
      (currency === whole.currency ? entry.amountMinor === amountMinor : line === named),
  )
  const line = (lines.find((one) => one.line === named) ?? lines[0])?.line
  return line === undefined ? undefined : splitIdOf(whole.transactionId, line)
}

/** Kinds of errors after which a pair stays a suggestion. */
const REFUSED = ['invalid', 'forbidden', 'notFound', 'conflict']

interface Joining<Item> {
  join: (some: Item[]) => Change
  conflicts: Record<string, Refusal>
}

/** Joins all at once, or else one by one. */
async function joinEach<Item>(
  owner: SignedIn,
  row: StoredImport,
  all: Item[],
  joining: Joining<Item>,
): Promise<void> {
  if (!(await isJoined(owner, row, all, joining))) {
    for (const one of all) {
      await isJoined(owner, row, [one], joining)
    }
  }
}

async function isJoined<Item>(
  owner: SignedIn,
  { id }: StoredImport,
  all: Item[],
  { join, conflicts }: Joining<Item>,
): Promise<boolean> {
  if (all.length === 0) {
    return true
  }
  try {
    await commit(owner, {
      changes: [withoutEvents(mustBeCommitting(id)), join(all)],
      result: undefined,
      conflicts,
    })
    return true
  } catch (error) {
    const isRefused = error instanceof AppError && REFUSED.includes(error.kind)
    if (!isRefused || ['tasks.taken', 'imports.stopped'].includes(error.code)) {
      throw error
    }
    return false
  }
}

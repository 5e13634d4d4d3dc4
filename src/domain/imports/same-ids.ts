import { disjointPairs } from '../matching/pairing.ts'
import { sharedWords, payeeWords } from '../matching/texts.ts'
import { daysApart, REACH } from '../matching/weights.ts'
import { filterInSteps, flatMapInSteps, type Steps } from '../steps.ts'
import { claimedBy } from './matching.ts'
import type { OpenRow } from './open-rows.ts'
import type { Decision, StoredIdentity, StoredRow } from './verdicts.ts'

const HALF = 0.5

/** Tells whether a stored row shows that the bank uses one id for several bookings. */
export const showsReuse = (row: { date: string; minor: number }, stored: StoredIdentity): boolean =>
  !stored.pending && (stored.minor !== row.minor || daysApart(row, stored) > REACH.sameId)

/**
 * Decides about rows whose bank id is stored with other particulars. Each stored row is taken once, the nearest first.
 *
 * @param storedOf the stored rows with the id of a row, without those that are in the file
 * @param textOf the text of a stored row, where it is known
 */
export function* sameIds(
  rows: readonly OpenRow[],
  storedOf: (row: OpenRow) => readonly StoredIdentity[],
  textOf: (stored: StoredIdentity) => StoredRow | undefined,
): Steps<{ decisions: Decision[]; claimed: Set<StoredIdentity> }> {
  const possible = yield* flatMapInSteps(rows, (row) =>
    storedOf(row).map((stored) => ({ row, stored, gap: daysApart(row, stored) })),
  )
  const same = yield* filterInSteps(possible, ({ row, stored, gap }) =>
    isSame(row, stored, gap, textOf(stored)),
  )
  const nearest = same.toSorted((a, b) => Number(isOther(a)) - Number(isOther(b)) || a.gap - b.gap)
  const pairs = yield* disjointPairs(nearest, ({ row, stored }) => [row.at, stored])
  return {
    decisions: pairs.map(({ row, stored }) => verdictOn(row, stored)),
    claimed: new Set(pairs.map(({ stored }) => stored)),
  }
}

interface IdPair {
  row: OpenRow
  stored: StoredIdentity
}

const isOther = ({ row, stored }: IdPair) => row.minor !== stored.minor

/** A pending row may change its amount. What is booked keeps it, and moves by a few days only. */
function isSame(row: OpenRow, stored: StoredIdentity, gap: number, known: StoredRow | undefined) {
  if (stored.pending || row.pending) {
    return true
  }
  const isSameText =
    known !== undefined && sharedWords(payeeWords(row.text), payeeWords(known.text)) > HALF
  return stored.minor === row.minor && (gap <= REACH.movedId || isSameText)
}

function verdictOn(row: OpenRow, stored: StoredIdentity): Decision {
  const kind = stored.pending ? 'pending' : 'booked'
  const claim = { at: row.at, ...claimedBy(row, { ...stored, kind }) }
  if (claim.verdict === 'matched') {
    return stored.pending && isOther({ row, stored })
      ? { ...claim, verdict: 'updated' }
      : { ...claim, verdict: 'duplicate', reason: 'sameIdOtherDate', remembers: true }
  }
  return claim
}

/**
 * Decides about rows that correct other ones, by the key of the corrected row's bank id: what is stored is updated; what
 * is in this file gives way to its correction. A correction may be corrected itself, and one row may be corrected more than
 * once: the last one stands for all of them.
 *
 * @param known rows that correct other ones, too, and are decided already
 */
export function corrections(
  rows: readonly OpenRow[],
  known: readonly OpenRow[],
  storedUnder: (row: OpenRow) => readonly StoredIdentity[],
): Decision[] {
  const correcting = rows.filter(({ corrects }) => corrects !== undefined)
  if (correcting.length + known.length === 0) {
    return []
  }
  const inFile = new Map(
    rows.flatMap((row) =>
      row.bankId === undefined ? [] : [[`${row.accountId} ${row.bankId.key}`, row] as const],
    ),
  )
  /** The row of this file that a row corrects. */
  const originalOf = (row: OpenRow) => {
    const original = inFile.get(`${row.accountId} ${row.corrects?.key}`)
    return original === row || storedUnder(row).length > 0 ? undefined : original
  }
  const givingWay = [...known, ...correcting].flatMap((row): Decision[] => {
    const original = originalOf(row)
    return original === undefined ? [] : [givesWay(original, row)]
  })
  const corrected = new Set(givingWay.map(({ at }) => at))
  const rootOf = rootsBy(originalOf, storedUnder)
  const standing = correcting.filter(({ at }) => !corrected.has(at)).map(rootOf)
  const decided = [...Map.groupBy(standing, ({ key }) => key).values()].flatMap((siblings) => {
    const last = lastOf(siblings, rows)
    const others = siblings.filter((one) => one !== last)
    return [...others.map(({ row }) => givesWay(row, last.row)), ...verdictOnLast(last)]
  })
  return [...givingWay, ...decided]
}

const givesWay = ({ at }: OpenRow, { at: partnerAt }: OpenRow): Decision => ({
  ...{ at, verdict: 'ignored', reason: 'deleted', partnerAt },
})

/** A correction that none corrects, with what it corrects in the end. */
interface Standing {
  row: OpenRow
  /** Equal for corrections of one booking. */
  key: string
  stored: StoredIdentity | undefined
}

/** The booking that a row corrects in the end, after following the whole chain of corrections. */
interface Root {
  stored: StoredIdentity | undefined
  /** The last key on the way there. */
  named: string | undefined
}

/** Finds the roots of corrections. It takes each row once, however many lead to it. */
function rootsBy(
  originalOf: (row: OpenRow) => OpenRow | undefined,
  storedUnder: (row: OpenRow) => readonly StoredIdentity[],
): (row: OpenRow) => Standing {
  const roots = new Map<OpenRow, Root>()
  return (row) => {
    const chain = new Set<OpenRow>()
    let next: OpenRow | undefined = row
    while (next && !chain.has(next) && !roots.has(next)) {
      chain.add(next)
      next = originalOf(next)
    }
    let root = next && roots.get(next)
    for (const one of [...chain].toReversed()) {
      const stored: StoredIdentity | undefined = storedUnder(one)[0] ?? root?.stored
      root = { stored, named: root?.named ?? one.corrects?.key }
      roots.set(one, root)
    }
    const { stored, named } = root as Root
    const booking = stored === undefined ? named : (stored.transactionId ?? stored.identity)
    return { row, stored, key: `${row.accountId} ${booking}` }
  }
}

/**
 * Returns the correction that counts. A deletion is final. Otherwise the latest correction counts; many banks list
 * the newest rows first.
 */
function lastOf(siblings: readonly Standing[], rows: readonly OpenRow[]): Standing {
  const isDeletion = ({ row: { corrects } }: Standing) => Number(corrects?.action === 'delete')
  const [first, end] = [rows[0] as OpenRow, rows.at(-1) as OpenRow]
  const direction = first.day > end.day ? -1 : 1
  const [last] = siblings.toSorted(
    (a, b) =>
      isDeletion(b) - isDeletion(a) || b.row.day - a.row.day || direction * (b.row.at - a.row.at),
  )
  return last as Standing
}

function verdictOnLast({ row, stored }: Standing): Decision[] {
  if (stored !== undefined) {
    const claim = claimedBy(row, { ...stored, kind: 'booked' })
    return [
      { at: row.at, ...claim, ...(claim.verdict === 'matched' ? { verdict: 'updated' } : {}) },
    ]
  }
  return row.corrects?.action === 'delete'
    ? [{ at: row.at, verdict: 'ignored', reason: 'deleted' }]
    : []
}

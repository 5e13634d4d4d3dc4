import type { FileComparison, LookupResults } from '../../../../domain/imports/passes.ts'
import { findContinuations } from '../../../../domain/imports/continuing.ts'
import { compareWithStored } from '../../../../domain/imports/reading.ts'
import type { Decision, Verdict } from '../../../../domain/imports/verdicts.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { digestsOf } from '../../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { pauseRegularly, runWithPauses } from '../../../../platform/work/pauses.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import type { AccountView } from '../../../money/accounts/accounts.public.ts'
import {
  notesOf,
  type StoredChunk,
  type StoredImport,
  type StoredStatement,
  statementsOf,
} from '../imports.queries.ts'
import { countsFrom, type Mapping, type StatementContent } from '../imports.rules.ts'
import { findWanted, lookUp } from '../reading/lookups.usecases.ts'
import { endsOf, statedIn } from '../reading/statements.usecases.ts'
import { notesOn, readPiece } from '../rows/rows.usecases.ts'
import { surroundings, surroundingsFrom } from '../upload/sources.usecases.ts'
import { mustBeCommitting } from './booking.queries.ts'

// Compares rows once more with bookings made since the preview: rows that are on their accounts by now are not
// booked.

/** Compares the rows of pieces that are not booked yet once more, after something has changed on their accounts. */
export async function compareAnew(
  owner: SignedIn,
  row: StoredImport,
  chunks: StoredChunk[],
): Promise<void> {
  const isLeft = ({ number }: StoredChunk) =>
    row.backwards ? number < chunks.length - row.nextChunk : number >= row.nextChunk
  // Rows that will not be booked stay as they are; in a file that was imported before, these are all rows.
  if (!chunks.some((chunk) => isLeft(chunk) && hasOpenRows(chunk))) {
    return
  }
  const [statements, ...around] = await read(owner, statementsOf(row.id), ...surroundings(owner))
  const { views, untrusted, hasPayees } = surroundingsFrom(...around)
  const lockedThrough = new Map(views.map(({ account }) => [account.id, account.lockedThrough]))
  const comparison = compareWithStored({
    hash: digestsOf,
    untrusted,
    matching: (JSON.parse(row.mapping) as Mapping).matching ?? 'usual',
    isLocked: (accountId, date) => date <= (lockedThrough.get(accountId) ?? ''),
  })
  const before = new Map<number, Verdict>()
  const now = new Map<number, Decision>()
  for (const chunk of chunks) {
    const [notes] = await read(
      owner,
      notesOf(row.id, chunk.firstRow, chunk.firstRow + chunk.rows - 1),
    )
    const noted = new Map(notes.map(({ row: number, found }) => [number - 1, found]))
    const all = await readPiece(owner, chunk)
    const piece = comparison.identify(all.map((one) => one.row))
    const decisions = comparison.decide(piece, await lookUp(owner, piece, hasPayees))
    for (const [index, one] of all.entries()) {
      const found = noted.get(one.row.at)
      const { verdict } = found ? (JSON.parse(found) as Decision) : one.found
      const decision = decisions[index] as Decision
      if (isOpen(verdict) && isLeft(chunk)) {
        before.set(one.row.at, verdict)
        // A row that is known by its identity is found by that when its piece is booked.
        if (
          decision.verdict !== 'new' &&
          (decision.verdict !== 'duplicate' || decision.remembers)
        ) {
          now.set(one.row.at, decision)
        }
      }
    }
  }
  const found = await foundFor(owner, row, { comparison, statements, views })
  const { decisions: compared } = await runWithPauses(comparison.compare(found), pauseRegularly())
  for (const decision of compared) {
    now.set(decision.at, decision)
  }
  const changed = [...now.values()].filter((decision) =>
    isLess(before.get(decision.at), decision.verdict),
  )
  const notes = await notesOn(row.id, changed)
  await commit(owner, {
    changes: [withoutEvents([...mustBeCommitting(row.id), ...notes])],
    result: undefined,
  })
}

const OPEN: readonly Verdict[] = ['new', 'transfer', 'locked']

const hasOpenRows = ({ counts }: StoredChunk) => {
  const found = countsFrom(counts)
  return OPEN.some((verdict) => found[verdict] > 0)
}

const isOpen = (verdict: Verdict) => OPEN.includes(verdict)

/** Tells whether a row was to be booked and is something else now. Nothing is booked that was not to be. */
const isLess = (before: Verdict | undefined, now: Verdict) =>
  before !== undefined && before !== now && (before !== 'locked' || !isOpen(now))

interface Comparing {
  comparison: FileComparison
  statements: StoredStatement[]
  views: AccountView[]
}

/** Finds the stored rows to compare with, given the stored statements of the file. */
async function foundFor(
  owner: SignedIn,
  { id: importId }: StoredImport,
  { comparison, statements, views }: Comparing,
): Promise<LookupResults> {
  const spans = statements.map(({ accountId, content }) => ({
    ...(JSON.parse(content) as StatementContent),
    accountId,
  }))
  const covered = spans.flatMap(({ accountId, covers }) =>
    covers ? [{ accountId, ...covers }] : [],
  )
  const wanted = await runWithPauses(comparison.wanted(covered), pauseRegularly())
  const accountIds = [...new Set(spans.map(({ accountId }) => accountId))]
  const found = await findWanted(owner, wanted, views, { importId, accountIds })
  const continued = findContinuations(statements.map(endsOf), found.closings)
  return { ...found, stated: statedIn(found.closings, spans), continued }
}

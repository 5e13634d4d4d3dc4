import { AppError } from '../../../../domain/errors.ts'
import type { Context } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { proverFor } from '../../../../platform/secrets/key-ring.ts'
import { logEvent } from '../../../../platform/logger.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { requireAllAccounts } from '../audit-log.usecases.ts'
import { auditLogEvents } from '../audit-log.events.ts'
import {
  addedBeforeAll,
  appendSeals,
  chainHead,
  countOfUnsealed,
  eventsOfSealed,
  eventsOfUnsealed,
  sealedCommits,
  unsealedCommits,
  VERIFIED_AT_ONCE,
} from './chain.queries.ts'
import {
  type AddedEntry,
  type Head,
  isOfSealing,
  NO_HEAD,
  SEALED,
  type Sealed,
  sealsAfter,
  type ChainWalk,
  withEvents,
} from './chain.rules.ts'
import { cutSegmentWith, type SegmentRow, segmentsEnding } from '../segments/segments.queries.ts'
import { firstBrokenOf, walkCut } from '../segments/verifying.usecases.ts'
import { PURPOSE, sealedOf, walkFrom } from './walking.usecases.ts'

/** Commits of one sweep; what is left is the next one's. */
const MOST_COMMITS = 20

/** Seals what has come into the log since the last time, in the order of the commits. */
export async function sealLog(ctx: Context): Promise<void> {
  for (let commits = 0; commits < MOST_COMMITS; commits++) {
    if (!(await sealSome(ctx))) {
      return
    }
  }
}

/** Seals some commits. Returns true if there was something to seal, and no other run sealed it. */
async function sealSome(ctx: Context): Promise<boolean> {
  const [[head], commits, events] = await read(
    ctx,
    chainHead(),
    unsealedCommits(),
    eventsOfUnsealed(),
  )
  // Sealing leaves a commit itself: of that alone there would be no end.
  if (commits.every(isOfSealing)) {
    return false
  }
  const prover = proverFor(ctx, PURPOSE)
  if (!prover || head?.isThere === 0) {
    throw auditLogErrors.chainBroken()
  }
  const seals = sealsAfter(head ?? NO_HEAD, withEvents(commits, events), prover)
  const { number, hash } = seals.at(-1) ?? NO_HEAD
  try {
    await commit(ctx, {
      changes: [
        {
          statements: appendSeals(head ?? NO_HEAD, seals),
          events: [auditLogEvents.sealed({ id: null }, { number, hash })],
        },
      ],
      result: undefined,
    })
  } catch (error) {
    if (error instanceof AppError && error.code === 'auditLog.sealedMeanwhile') {
      return false
    }
    throw error
  }
  // Beyond the reach of whoever can write to the database: with it, cutting off the end shows, too.
  logEvent('info', SEALED, { number, hash })
  return true
}

export interface Verification extends ChainWalk {
  sealed: number
  unsealed: number
  head: Head | null
  /** The number to go on with; null at the end, and where the chain is broken. */
  next: number | null
}

/**
 * Compares some links of the chain, from a number on, with the log as it is now, and with the segments that end among
 * them.
 */
export async function verifyAuditLog(ctx: Context, from: number): Promise<Verification> {
  const [[head], [rest], seals, events, [added], segments, [cut]] = await read(
    ctx,
    chainHead(),
    countOfUnsealed(),
    sealedCommits(from),
    eventsOfSealed(from),
    addedBeforeAll(),
    segmentsEnding(from, from + VERIFIED_AT_ONCE),
    cutSegmentWith(from),
  )
  requireAllAccounts(ctx)
  const sealed = head?.number ?? 0
  if (from > sealed + 1) {
    throw auditLogErrors.notSealed({ field: 'from' })
  }
  const walk =
    cut && !(added && from === 1)
      ? await walkCut(ctx, cut, from)
      : await walkTables(ctx, from, sealedOf(seals, events), segments, added)
  const next = from + walk.verified
  return {
    ...walk,
    sealed,
    unsealed: rest?.count ?? 0,
    head: head ?? null,
    next: walk.broken || next > sealed ? null : next,
  }
}

/** Follows the seals that the tables have, and the segments that end among them. */
async function walkTables(
  ctx: Context,
  from: number,
  sealed: Sealed[],
  segments: SegmentRow[],
  added: AddedEntry | undefined,
): Promise<ChainWalk> {
  const walk = walkFrom(ctx, from, sealed, added)
  const ended = segments.filter(({ lastCommit }) => lastCommit < from + walk.verified)
  return { ...walk, broken: walk.broken ?? (await firstBrokenOf(ctx, ended)) }
}

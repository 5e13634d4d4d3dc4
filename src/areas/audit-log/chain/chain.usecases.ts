import { AppError } from '../../../domain/errors.ts'
import type { Context } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import { proverFor } from '../../../platform/key-ring.ts'
import { logEvent } from '../../../platform/logger.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import { requireAllAccounts } from '../audit-log.usecases.ts'
import {
  appendLinks,
  chainHead,
  countOfUnsealed,
  itemsOfSealed,
  itemsOfUnsealed,
  type LinkRow,
  rowWithoutLink,
  sealedRows,
  unsealedRows,
} from './chain.queries.ts'
import {
  type Head,
  isOfSealing,
  linksAfter,
  type LoggedItem,
  NO_HEAD,
  SEALED,
  type Sealed,
  type Walk,
  walkAlong,
  withItems,
} from './chain.rules.ts'

/** Commits of one sweep; what is left is the next one's. */
const MOST_COMMITS = 20

const PURPOSE = 'coffer audit chain v1'

/** Seals what has come into the log since the last time, in the order of the commits. */
export async function sealLog(ctx: Context): Promise<void> {
  for (let commits = 0; commits < MOST_COMMITS; commits++) {
    if (!(await sealSome(ctx))) {
      return
    }
  }
}

/** Whether there was something to seal, and nobody else who did. */
async function sealSome(ctx: Context): Promise<boolean> {
  const [[head], rows, items] = await read(ctx, chainHead(), unsealedRows(), itemsOfUnsealed())
  // Sealing leaves a row itself: of that alone there would be no end.
  if (rows.every(isOfSealing)) {
    return false
  }
  const prover = await proverFor(ctx, PURPOSE)
  if (!prover || head?.sequence === null) {
    throw auditLogErrors.chainBroken()
  }
  const links = await linksAfter(head ?? NO_HEAD, withItems(rows, items), prover)
  const { number, hash } = links.at(-1) ?? NO_HEAD
  try {
    await commit(ctx, {
      action: SEALED,
      resource: { type: 'auditLog', id: null },
      changes: { number, hash },
      writes: appendLinks(head ?? NO_HEAD, links),
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

export interface Verification extends Walk {
  sealed: number
  unsealed: number
  head: Head | null
  /** The number to go on with; null at the end, and where the chain is broken. */
  next: number | null
}

/** Compares some links of the chain, from a number on, with the log as it is now. */
export async function verifyLog(ctx: Context, from: number): Promise<Verification> {
  const [[head], [rest], links, items, [added]] = await read(
    ctx,
    chainHead(),
    countOfUnsealed(),
    sealedRows(from),
    itemsOfSealed(from),
    rowWithoutLink(from),
  )
  requireAllAccounts(ctx)
  const sealed = head?.number ?? 0
  if (from > sealed + 1) {
    throw auditLogErrors.notSealed({ field: 'from' })
  }
  const keyIds = [...new Set(links.map(({ keyId }) => keyId))]
  const provers = await Promise.all(keyIds.map((keyId) => proverFor(ctx, PURPOSE, keyId)))
  const proverOf = new Map(provers.map((prover) => [prover?.keyId, prover]))
  const walk = await walkAlong(sealedOf(links, items), { from, added, proverOf })
  const next = from + walk.verified
  return {
    ...walk,
    sealed,
    unsealed: rest?.count ?? 0,
    head: head ?? null,
    next: walk.broken || next > sealed ? null : next,
  }
}

function sealedOf(links: LinkRow[], items: LoggedItem[]): Sealed[] {
  const itemsOf = Map.groupBy(items, ({ logId }) => logId)
  return links.map(
    ({ number, logId, contentHash, hash, keyId, ownerErased, actorErased, ...row }) => {
      const { id, sequence } = row
      return {
        link: { number, logId, contentHash, hash, keyId },
        logged:
          id === null || sequence === null
            ? null
            : { row: { ...row, id, sequence }, items: itemsOf.get(logId) ?? [] },
        ownerErased: ownerErased === 1,
        actorErased: actorErased === 1,
      }
    },
  )
}

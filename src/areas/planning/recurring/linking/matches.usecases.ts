import { sql } from 'drizzle-orm'
import { nearDay } from '../../../../domain/calendar.ts'
import type { Span } from '../../../../domain/recurring/occurrences.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { windowOf } from '../../../../ledger/ledger.public.ts'
import { factsById } from '../occurrences/occurrences.rules.ts'
import {
  isLinkable,
  linkedRows,
  recurringRows,
  storedOccurrences,
  within,
} from '../recurring.queries.ts'
import { candidateRows } from './candidates.queries.ts'
import { type FoundLink, linksIn } from './linking.rules.ts'

interface MatchLookup {
  from?: string | undefined
  to?: string | undefined
  limit: number
}

/** The likeliest matches, and whether there are more transactions than one search compares. */
export interface FoundMatches {
  matches: FoundLink[]
  truncated: boolean
}

/** Occurrences can be so far from their transactions. */
const BESIDE = 35

/** Transactions that may be of occurrences and are not linked to them, the likeliest first. */
export async function listRecurringMatches(
  ctx: SignedIn,
  { limit, ...asked }: MatchLookup,
): Promise<FoundMatches> {
  const { from, to } = windowOf(asked, ctx.now)
  const span: Span = [nearDay(from, -BESIDE), nearDay(to, BESIDE)]
  const items = recurringRows.ids(ctx, isLinkable)
  const [rows, stored, linked, candidates] = await read(
    ctx,
    recurringRows.where(ctx, isLinkable),
    storedOccurrences(items, within(span).stored),
    linkedRows(ctx, items, within(span).linked),
    candidateRows(
      sql`SELECT recurring.* FROM recurring WHERE recurring.id IN (SELECT id FROM (${items}))`,
      [from, to],
      ctx.caller.userId,
    ),
  )
  const { made, suggested } = linksIn(
    ctx,
    { rows, factsOf: factsById(stored, linked), candidates },
    span,
  )
  return {
    matches: [...made, ...suggested].toSorted((a, b) => b.score - a.score).slice(0, limit),
    truncated: candidates[0]?.isTruncated === 1,
  }
}

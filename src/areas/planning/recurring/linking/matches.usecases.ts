import { nearDay } from '../../../../domain/calendar.ts'
import type { Span } from '../../../../domain/recurring/occurrences.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { windowOf } from '../../../../ledger/ledger.public.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { itemsFrom } from '../recurring.rules.ts'
import { recurringItems } from '../recurring.usecases.ts'
import { dismiss, isCut, linkFinders, mustBeDismissed, OF_LIST } from './candidates.queries.ts'
import { type FoundLink, keyOfMatch, linksIn } from './linking.rules.ts'

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
  const found = await read(
    ctx,
    ...linkFinders(ctx, { isOwn: false, occurrences: span, days: [from, to], most: OF_LIST }),
  )
  const candidates = found[3]
  const { made, suggested } = linksIn(itemsFrom(ctx, found), candidates, span)
  return {
    matches: [...made, ...suggested].toSorted((a, b) => b.score - a.score).slice(0, limit),
    truncated: isCut(candidates, OF_LIST),
  }
}

interface Dismissal {
  recurringId?: string | undefined
  nominalDate?: string | undefined
  transactionId?: string | undefined
  key?: string | undefined
}

/** Dismisses a match or a suggestion for good, for the caller alone. */
export async function dismissRecurring(
  ctx: SignedIn,
  { recurringId, nominalDate = '', transactionId = '', key }: Dismissal,
): Promise<void> {
  if (recurringId !== undefined) {
    await recurringItems.get(ctx, recurringId)
  }
  const dismissed =
    recurringId === undefined ? key : keyOfMatch({ recurringId, nominalDate, transactionId })
  const { userId } = ctx.caller
  await commit(ctx, {
    changes: [
      withoutEvents([
        dismiss(ctx, userId, [dismissed ?? '']),
        mustBeDismissed(userId, dismissed ?? ''),
      ]),
    ],
    result: undefined,
  })
}

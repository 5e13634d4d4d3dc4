import { mentionsAmong } from '../../../../domain/matching/texts.ts'
import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import {
  dismissPair,
  pairsOf,
  transferPairs,
  windowOf,
} from '../../../../ledger/pairs/pairs.public.ts'
import { transferErrors } from '../../transactions/transactions.public.ts'
import { namesOfAccounts } from './suggestions.queries.ts'
import { bestOf, type Suggestion, suggestionOf } from './suggestions.rules.ts'

export interface Looked {
  from?: string | undefined
  to?: string | undefined
  days: number
  limit: number
}

/** The best suggestions, and whether more would have been compared without bounds. */
export interface Suggestions {
  suggestions: Suggestion[]
  truncated: boolean
}

/** Pairs of rows that look like one transfer. */
export async function suggestTransfers(
  ctx: SignedIn,
  { days, limit, ...asked }: Looked,
): Promise<Suggestions> {
  const window = windowOf(asked, ctx.now)
  const [rows, own] = await read(ctx, transferPairs(ctx, { ...window, days }), namesOfAccounts(ctx))
  const mentionsBetween = mentionsAmong(own.map(({ id, name }) => ({ id, name: foldKey(name) })))
  const { pairs, truncated } = pairsOf(rows)
  const suggestions = pairs.map(([from, to]) => suggestionOf(from, to, mentionsBetween))
  return { suggestions: bestOf(suggestions, limit), truncated }
}

export const dismissTransferSuggestion = (ctx: SignedIn, transactionIds: string[]): Promise<void> =>
  dismissPair(ctx, 'transfer', transactionIds, {
    unknown: transferErrors.unknownTransaction,
    unfit: transferErrors.notMatchable,
  })

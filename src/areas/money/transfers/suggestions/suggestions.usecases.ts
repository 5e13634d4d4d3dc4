import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import {
  dismissPair,
  pairsOf,
  transferPairs,
  windowOf,
} from '../../../../ledger/pairs/pairs.public.ts'
import { transferErrors } from '../transfers.errors.ts'
import { bestOf, type Suggestion, suggestionOf } from './suggestions.rules.ts'

export interface Looked {
  from?: string | undefined
  to?: string | undefined
  days: number
  limit: number
}

/** Pairs of rows that look like one transfer. */
export async function suggestTransfers(
  ctx: SignedIn,
  { days, limit, ...asked }: Looked,
): Promise<Suggestion[]> {
  const window = windowOf(asked, ctx.now)
  const [rows] = await read(ctx, transferPairs(ctx, { ...window, days }))
  return bestOf(
    pairsOf(rows).map(([from, to]) => suggestionOf(from, to)),
    limit,
  )
}

export const dismissTransferSuggestion = (ctx: SignedIn, transactionIds: string[]): Promise<void> =>
  dismissPair(ctx, 'transfer', transactionIds, {
    unknown: transferErrors.unknownTransaction,
    unfit: transferErrors.notMatchable,
  })

import type { z } from '@hono/zod-openapi'
import { presentTransaction } from '../../transaction-views/transaction-views.public.ts'
import type { Suggestion } from './suggestions.rules.ts'
import type { SuggestTransfersResponse } from './suggestions.schemas.ts'

export const presentSuggestions = (
  suggestions: Suggestion[],
): z.infer<typeof SuggestTransfersResponse> => ({
  suggestions: suggestions.map(({ from, to, score, reasons }) => ({
    from: presentTransaction(from),
    to: presentTransaction(to),
    score,
    reasons,
  })),
  count: suggestions.length,
})

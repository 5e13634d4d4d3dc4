import { z } from '@hono/zod-openapi'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import { countOfPairs, pairQuery, score } from '../../transactions/transactions.public.ts'
import { REASONS, type Suggestion } from './suggestions.rules.ts'

export const SuggestTransfersQuery = z.strictObject(pairQuery(1, 5))

export const SuggestTransfersResponse = z
  .object({
    suggestions: z
      .array(
        z.object({
          from: TransactionResponse.openapi({ description: 'What left an account.' }),
          to: TransactionResponse.openapi({ description: 'What arrived in another one.' }),
          score,
          reasons: z
            .array(z.enum(REASONS))
            .openapi({ description: 'What speaks for it.', example: ['sameAmount', 'sameDay'] }),
        }),
      )
      .openapi({ description: 'The best first; each row once.' }),
    count: countOfPairs,
  })
  .openapi('SuggestTransfersResponse')

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

import { z } from '@hono/zod-openapi'
import { REACH, reasonsFor } from '../../../../domain/matching/weights.ts'
import { nullableText } from '../../../../http/fields.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../../transaction-views/transaction-views.public.ts'
import {
  countOfPairs,
  pairQuery,
  score,
  truncated,
} from '../../transactions/transactions.public.ts'
import type { Suggestions } from './suggestions.usecases.ts'

export const SuggestTransfersQuery = z.strictObject(pairQuery(1, REACH.suggestions))

export const TransferSuggestionsResponse = z
  .object({
    suggestions: z
      .array(
        z.object({
          from: TransactionResponse.openapi({
            description: 'The transaction on the sending account.',
          }),
          to: TransactionResponse.openapi({
            description: 'The transaction on the receiving account.',
          }),
          splitId: nullableText(
            'Part of one of the two that the other one fits: match it with `POST /transaction/{id}/split/{lineId}/match`. Null where both are meant as a whole.',
          ),
          score,
          reasons: z
            .array(z.enum(reasonsFor('suggestions')))
            .openapi({ description: 'Reasons for the match.', example: ['sameAmount', 'sameDay'] }),
        }),
      )
      .openapi({ description: 'Pairs, the best first. Each transaction is in at most one pair.' }),
    count: countOfPairs,
    truncated,
  })
  .openapi('TransferSuggestionsResponse')

export const presentSuggestions = ({
  suggestions,
  truncated,
}: Suggestions): z.infer<typeof TransferSuggestionsResponse> => ({
  suggestions: suggestions.map(({ from, to, splitId, score, reasons }) => ({
    from: presentTransaction(from),
    to: presentTransaction(to),
    splitId,
    score: Math.min(1, score),
    reasons,
  })),
  count: suggestions.length,
  truncated,
})

import { z } from '@hono/zod-openapi'
import { count, date, textField } from '../../../../http/fields.ts'
import { truncated } from '../../../money/transactions/transactions.public.ts'
import { CreateRecurringRequest } from '../recurring.contract.ts'
import type { Suggestions } from './suggesting.usecases.ts'

export const SuggestedRecurringResponse = z
  .object({
    suggestions: z
      .array(
        z.object({
          key: textField(
            'Key of the suggestion, the same from day to day; `POST /recurring/dismiss` takes it.',
            'acc_01k9v3q8m5t0w2x4y6z8a1b3d5 out pay_01k9v3',
          ),
          item: CreateRecurringRequest.openapi({
            description: 'Body for `POST /recurring`, as it is.',
          }),
          count,
          lastDate: date('Day of the last of the transactions.'),
        }),
      )
      .openapi({ description: 'Suggestions, those with the newest transactions first.' }),
    truncated,
  })
  .openapi('SuggestedRecurringResponse')

export const presentSuggestions = ({
  suggestions,
  truncated: isTruncated,
}: Suggestions): z.infer<typeof SuggestedRecurringResponse> => ({
  suggestions: suggestions.map(({ item, ...suggestion }) => ({ ...suggestion, item: { ...item } })),
  truncated: isTruncated,
})

import { z } from '@hono/zod-openapi'
import { count, id, integerField, nullableText, textField } from '../../../../http/fields.ts'
import type { RuleSuggestion } from './suggesting.rules.ts'

export const RuleSuggestionsResponse = z
  .object({
    suggestions: z
      .array(
        z.object({
          payeeId: id('pay', 'Payee whose usual category is suggested.').nullable(),
          text: nullableText(
            'Text without numbers for which a rule is suggested; null for a payee.',
            'rewe sagt danke',
          ),
          categoryId: id('cat', 'Category that is suggested.'),
          agreeing: integerField('Number of transactions that have the category.', 9),
          counted: integerField('Number of transactions that were compared; 10 at most.', 10),
          reason: textField(
            'The reason in words.',
            '9 of the last 10 transactions with Market have the category Food.',
          ),
          call: z
            .object({
              method: z
                .enum(['PUT', 'POST'])
                .openapi({ description: 'Method of the request.', example: 'PUT' }),
              path: textField('Path of the request.', '/payee/pay_01k9v3q8m5t0w2x4y6z8a1b3d5'),
              body: z.record(z.string(), z.unknown()).openapi({
                description: 'Body of the request.',
                example: { defaultCategoryId: 'cat_01k9v3q8m5t0w2x4y6z8a1b3c5' },
              }),
            })
            .openapi({ description: 'Request that carries out the suggestion.' }),
        }),
      )
      .openapi({
        description: 'Suggestions, those with the newest transactions first; 100 at most.',
      }),
    count,
  })
  .openapi('RuleSuggestionsResponse')

export const presentRuleSuggestions = (
  suggestions: RuleSuggestion[],
): z.infer<typeof RuleSuggestionsResponse> => ({
  suggestions: suggestions.map(({ row, agreeing, counted, reason, call }) => ({
    payeeId: row.payeeId,
    text: row.words,
    categoryId: row.categoryId,
    ...{ agreeing, counted, reason, call },
  })),
  count: suggestions.length,
})

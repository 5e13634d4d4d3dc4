import { z } from '@hono/zod-openapi'
import { textField } from '../../../../http/fields.ts'
import type { SuggestedLine } from './suggestions.usecases.ts'

export const BudgetLineSuggestionsResponse = z
  .object({
    lines: z
      .array(
        z.object({
          name: textField('Name for the line.', 'Groceries'),
          categoryIds: z.array(z.string()).openapi({
            description: 'Expense categories with this name that no line of the budget counts.',
            example: ['cat_01k9v3q8m5t0w2x4y6z8a1b3d5'],
          }),
        }),
      )
      .openapi({ description: 'The suggested lines, by name.' }),
  })
  .openapi('BudgetLineSuggestionsResponse')

export const presentSuggestions = (
  lines: SuggestedLine[],
): z.infer<typeof BudgetLineSuggestionsResponse> => ({ lines })

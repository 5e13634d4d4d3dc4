import { z } from '@hono/zod-openapi'
import { id, nullableText, textField } from '../../../../http/fields.ts'

const NOT_TOLD =
  'Null if it is not known: in the answer to a decision, and for an account that the commit creates.'

const anyValue = (description: string) => z.unknown().openapi({ description, example: null })

/** What rules make of a row. */
export const ruledFields = {
  rules: z
    .array(
      z.object({
        id: id('rul', 'Id of the rule.'),
        name: textField('Name of the rule.', 'Amazon'),
        code: nullableText('Code of the reason why it cannot be applied.', 'rules.splitTooMuch'),
      }),
    )
    .nullable()
    .openapi({
      description: `Your rules that match the row, in their order. Of a booked row, those that changed it when it was booked. ${NOT_TOLD}`,
      example: [],
    }),
  changes: z
    .array(
      z.object({
        field: textField('Field of the transaction.', 'categoryId'),
        before: anyValue(
          'Value without the rules; `create` stands for a category that the commit creates.',
        ),
        after: anyValue('Value that is booked.'),
        ruleId: nullableText(
          'Rule that sets it; null for the usual category of the payee, and for rules of others.',
          'rul_01k9v3q8m5t0w2x4y6z8a1b3c5',
        ),
      }),
    )
    .nullable()
    .openapi({
      description: `What rules and the usual category of the payee will change when the row is booked; empty once it is. ${NOT_TOLD}`,
      example: [],
    }),
}

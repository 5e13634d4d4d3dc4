import { z } from '@hono/zod-openapi'
import { id, integerField, textField } from '../../../../http/fields.ts'
import { messageFor, type Reverted } from './reverting.rules.ts'

export const keptField = z.object({
  id: id(
    'txn',
    'Id of the transaction that stays, or of the account or category that the import created.',
  ),
  fields: z
    .array(textField('Name of a field.', 'amount'))
    .optional()
    .openapi({
      description:
        'Of a transaction that the import matched: fields that stay as they are, because they were changed since. All others are as they were before the import.',
      example: ['amount', 'date'],
    }),
  reason: textField('Why it stays, as a code.', 'edited: description'),
  message: textField(
    'The reason as a sentence, and what to send to take it back.',
    'It was changed since. Send `edited: remove` to move it to the trash.',
  ),
})

export const revertedField = z
  .object({
    removed: integerField('Number of transactions that are erased.', 5),
    restored: integerField('Number of transactions that lose what was added.', 2),
    kept: z.array(keptField).openapi({
      description: 'Transactions, accounts and categories that stay; at most 1,000 are listed.',
    }),
  })
  .openapi('ImportReverted')

export const presentReverted = ({
  removed,
  restored,
  kept,
}: Reverted): z.infer<typeof revertedField> => ({
  removed,
  restored,
  kept: kept.map((one) => ({ ...one, message: messageFor(one) })),
})

import { z } from '@hono/zod-openapi'
import { booleanField, dateInput, forceField, idInput } from '../../../../http/fields.ts'
import { undatedFields } from '../../../money/transactions/transactions.public.ts'
import { undatedTransferFields } from '../../../money/transfers/transfers.public.ts'

const { accountId: _account, ...single } = undatedFields
const { fromAccountId: _from, toAccountId: _to, ...transfer } = undatedTransferFields

/** Fields that may be absent, or null. */
const clearable = <Shape extends Record<string, z.ZodType>>(shape: Shape) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [name, field.nullable().optional()]),
  ) as { [Field in keyof Shape]: z.ZodOptional<z.ZodNullable<Shape[Field]>> }

/** The fields of the transaction that can be different for one occurrence. */
export const changeFields = clearable({ ...transfer, ...single })

export const PostOccurrencesRequest = z
  .strictObject({
    items: z
      .array(
        z.strictObject({
          recurringId: idInput('rec', 'Recurring item.'),
          nominalDate: dateInput('Nominal date of the occurrence; none for a template.').optional(),
          changes: z
            .strictObject({
              ...changeFields,
              date: dateInput(
                'Booking date; by default that of the occurrence, or today.',
              ).optional(),
              accountId: undatedFields.accountId
                .optional()
                .openapi({ description: 'Account, where the item has none.' }),
            })
            .optional()
            .openapi({
              description: 'Fields of the transaction that are different this time.',
              example: { amount: '65.00' },
            }),
        }),
      )
      .min(1)
      .max(200)
      .openapi({ description: 'The occurrences. Either all of them are booked or none.' }),
    force: forceField,
    dryRun: booleanField(
      'Only check the request and return the outcome for each occurrence; nothing is stored.',
      true,
    ).default(false),
  })
  .openapi('PostOccurrencesRequest')

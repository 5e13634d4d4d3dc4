import { z } from '@hono/zod-openapi'
import { booleanField, id, idInput, text, forceField } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { fieldsOfReconciliation, presentReconciliation } from '../reconciliations.contract.ts'
import { UNCHANGED_REASONS } from './finishing.rules.ts'
import type { UndoneReconciliation } from './undoing.usecases.ts'

export const FinishReconciliationRequest = z
  .strictObject({
    adjust: booleanField(
      'Whether to book a difference that is left on the last day of the statement.',
      true,
    ).default(false),
    description: text(0, 500, 'Reason for the difference.', 'Rounding of the bank').optional(),
    categoryId: idInput(
      'cat',
      'Category of the difference, which makes it an expense or an income.',
    ).optional(),
    force: forceField,
  })
  .refine(
    ({ adjust, description, categoryId, force }) =>
      adjust || [description, categoryId, force].every((wanted) => wanted === undefined),
    must('must have adjust: true with description, categoryId or force', 'combination'),
  )
  .openapi('FinishReconciliationRequest')

export const UndoneReconciliationResponse = z
  .object({
    ...fieldsOfReconciliation,
    kept: z
      .array(
        z.object({
          id: id('txn', 'Transaction that stays as it is.'),
          reason: z.enum(UNCHANGED_REASONS).openapi({
            description:
              '`gone`: it is in the trash or on another account. `notReconciled`: its status was changed since. `changed`: its amount or day was. `locked`: its day is locked.',
            example: 'changed',
          }),
        }),
      )
      .openapi({ description: 'Transactions of the reconciliation that did not change.' }),
  })
  .openapi('UndoneReconciliationResponse')

export const presentUndone = ({
  kept,
  ...reconciliation
}: UndoneReconciliation): z.infer<typeof UndoneReconciliationResponse> => ({
  ...presentReconciliation(reconciliation),
  kept,
})

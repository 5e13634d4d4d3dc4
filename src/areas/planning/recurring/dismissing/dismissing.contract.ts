import { z } from '@hono/zod-openapi'
import { dateInput, idInput, text } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'

export const DismissRecurringRequest = z
  .strictObject({
    recurringId: idInput('rec', 'Recurring item of the match.').optional(),
    nominalDate: dateInput('Nominal date of the match.').optional(),
    transactionId: idInput('txn', 'Transaction of the match.').optional(),
    key: text(
      1,
      200,
      'Key of the suggestion.',
      'acc_01k9v3q8m5t0w2x4y6z8a1b3d5 out pay_01k9v3',
    ).optional(),
  })
  .refine(
    ({ key, ...match }) =>
      Object.values(match).filter((value) => value !== undefined).length ===
      (key === undefined ? 3 : 0),
    must(
      'must have either all of recurringId, nominalDate and transactionId, or a key',
      'combination',
    ),
  )
  .openapi('DismissRecurringRequest', {
    description:
      'A match (`recurringId`, `nominalDate` and `transactionId`) or a suggestion (`key`).',
  })

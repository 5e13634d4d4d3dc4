import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { OCCURRENCE_STATUSES } from '../../../../domain/recurring/status.ts'
import type { Occurrence } from '../../../../domain/schedules/schedules.ts'
import {
  booleanField,
  currency,
  date,
  dateInput,
  forceField,
  idInput,
  money,
  nullableText,
  pathId,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { undatedFields } from '../../../money/transactions/transactions.public.ts'
import { undatedTransferFields } from '../../../money/transfers/transfers.public.ts'
import { ScheduleField } from '../schedules.contract.ts'
import type { OccurrenceView } from './occurrences.rules.ts'

const status = z
  .enum(OCCURRENCE_STATUSES)
  .openapi({ description: 'State of the occurrence on this day.', example: 'upcoming' })

const nominalDate = date('Day that the schedule names; it identifies the occurrence.')

const scheduledDate = z.object({
  nominalDate,
  date: nullableText('Day on which it takes place; null if it is left out.', '2026-11-30'),
})

export const PreviewScheduleRequest = z
  .strictObject({
    schedule: ScheduleField,
    from: dateInput('First day; today if left out.').optional(),
    count: z.number().int().min(1).max(60).default(12).openapi({
      description: 'Number of occurrences.',
      example: 12,
    }),
  })
  .openapi('PreviewScheduleRequest')

export const ScheduledDatesResponse = z
  .object({
    occurrences: z.array(scheduledDate).openapi({ description: 'The occurrences in order.' }),
  })
  .openapi('ScheduledDatesResponse')

export const presentSchedule = (
  occurrences: Occurrence[],
): z.infer<typeof ScheduledDatesResponse> => ({ occurrences })

export const OccurrenceResponse = z
  .object({
    recurringId: nullableText('Recurring item.'),
    nominalDate,
    date: nullableText('Day on which it takes place; null if it is left out.', '2026-11-30'),
    status,
    reason: nullableText('Code of the error for which it could not be booked.'),
    amount: money('Expected amount.'),
    currency: currency(),
    changes: z.record(z.string(), z.any()).nullable().openapi({
      description: 'Fields of the transaction that are different this time.',
      example: null,
    }),
    paidOn: nullableText('Day of the last linked transaction.'),
    paidAmount: money('Sum of the linked transactions.').nullable(),
    transactionIds: z
      .array(z.string())
      .openapi({ description: 'Linked transactions, the oldest first.', example: [] }),
  })
  .openapi('OccurrenceResponse')

export const OccurrencesResponse = pageResponse(
  'occurrences',
  OccurrenceResponse,
  'One page of occurrences, by their nominal dates.',
).openapi('OccurrencesResponse')

export const occurrencePath = pathId('rec', 'recurring item').extend({
  date: dateInput('Nominal date of the occurrence.').openapi({
    param: { in: 'path', name: 'date' },
  }),
})

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

export const UpdateOccurrenceRequest = z
  .strictObject({
    date: dateInput('Day on which it takes place; null for that of the schedule.')
      .nullable()
      .optional(),
    changes: z
      .strictObject(changeFields)
      .nullable()
      .optional()
      .openapi({
        description:
          'Fields of the transaction that are different this time. Null takes a field back, or all of them.',
        example: { amount: '65.00' },
      }),
    skipped: booleanField('Whether it is left out.', true).optional(),
    transactionIds: z
      .array(idInput('txn', 'Id of a transaction.'))
      .max(50)
      .optional()
      .openapi({ description: 'All transactions that are linked to it afterwards.', example: [] }),
  })
  .refine(
    (sent) => Object.keys(sent).length > 0,
    must('must name at least one field to change', 'required'),
  )
  .openapi('UpdateOccurrenceRequest')

export const ListOccurrencesQuery = z.strictObject({
  ...pageQuery(),
  from: dateInput('First nominal date; the first of the item if left out.').optional(),
  to: dateInput('Last nominal date; in a year if left out.').optional(),
  status: status.optional(),
})

export function presentOccurrence(view: OccurrenceView): z.infer<typeof OccurrenceResponse> {
  const { item, known, changes, paidMinor } = view
  return {
    ...{ recurringId: item.id, nominalDate: view.nominalDate, date: view.date },
    ...{ status: view.status, reason: known?.reason ?? null },
    amount: formatMoney(view.expected.amountMinor, item.currency),
    currency: item.currency,
    changes: changes === null ? null : (JSON.parse(changes) as Record<string, unknown>),
    paidOn: view.paidOn,
    paidAmount: paidMinor === null ? null : formatMoney(paidMinor, item.currency),
    transactionIds: view.transactionIds,
  }
}

export const presentOccurrences = presentPage('occurrences', presentOccurrence)

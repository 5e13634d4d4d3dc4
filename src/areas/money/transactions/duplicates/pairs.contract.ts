import { z } from '@hono/zod-openapi'
import { booleanField, dateInput, idInput, integerField } from '../../../../http/fields.ts'
import { isWithin, must } from '../../../../http/issues.ts'
import { pageQuery } from '../../../../http/pagination.ts'

/** The search parameters for pairs. The two can be `least` to 14 days apart, by default `usual`. */
export const pairQuery = (least: number, usual: number) => ({
  from: dateInput('First day; by default 90 days before the last day.').optional(),
  to: dateInput('Last day, at most 366 days after the first; by default tomorrow.').optional(),
  days: z
    .string()
    .refine(isWithin(least, 14), must(`must be between ${least} and 14`, 'range'))
    .transform(Number)
    .optional()
    .transform((days) => days ?? usual)
    .openapi({
      type: 'integer',
      minimum: least,
      maximum: 14,
      default: usual,
      description: 'Maximum number of days between the two.',
      example: usual,
    }),
  limit: pageQuery(100).limit,
})

/** Number of pairs in a list without pages. */
export const countOfPairs = integerField(
  'Number of pairs in the list; `limit` leaves out the others.',
  1,
)

export const truncated = booleanField(
  'True if the period has more transactions or pairs than one search compares, which begins with the newest. Choose a shorter period to find the others.',
  false,
)

export const score = z.number().openapi({
  description: 'Score from 0 to 1; the best pairs come first.',
  example: 0.85,
})

export const DistinctPairRequest = z
  .strictObject({
    transactionIds: z
      .array(idInput('txn', 'Id of one of the two transactions.'))
      .length(2)
      .openapi({
        description: 'Ids of both transactions, in any order.',
        example: ['txn_01k9v3q8m5t0w2x4y6z8a1b3d5', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d6'],
      }),
  })
  .openapi('DistinctPairRequest')

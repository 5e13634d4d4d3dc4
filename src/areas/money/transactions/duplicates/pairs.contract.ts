import { z } from '@hono/zod-openapi'
import { dateInput, idInput, integerField } from '../../../../http/fields.ts'
import { isWithin, must } from '../../../../http/issues.ts'
import { pageQuery } from '../../../../http/pagination.ts'

/** What is looked through for pairs: days that are `least` to 14 apart, unless told otherwise `usual`. */
export const pairQuery = (least: number, usual: number) => ({
  from: dateInput('First day; without it 90 days before the last.').optional(),
  to: dateInput('Last day, 366 days after the first at most; without it tomorrow.').optional(),
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
      description: 'How many days apart the two may be',
      example: usual,
    }),
  limit: pageQuery(100).limit,
})

/** Of a list that has no pages. */
export const countOfPairs = integerField('How many are shown; `limit` leaves out the others.', 1)

export const score = z.number().openapi({
  description: 'From 0 to 1; the best come first.',
  example: 0.85,
})

export const DistinctPairRequest = z
  .strictObject({
    transactionIds: z
      .array(idInput('txn', 'One of the two.'))
      .length(2)
      .openapi({
        description: 'Both, in any order.',
        example: ['txn_01k9v3q8m5t0w2x4y6z8a1b3d5', 'txn_01k9v3q8m5t0w2x4y6z8a1b3d6'],
      }),
  })
  .openapi('DistinctPairRequest')

import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { booleanField, count, money, nextCursor, yesInQuery } from '../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import {
  presentTransaction,
  TransactionResponse,
} from '../transaction-views/transaction-views.public.ts'
import { MOST_LATER } from './reconciliations.rules.ts'
import type { TickedRow } from './reconciliations.usecases.ts'

export const ListReconciliationRowsQuery = z.strictObject({
  ticked: yesInQuery('true for ticked transactions only, false for the others.', false).optional(),
  later: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a whole number of days')
    .transform(Number)
    .refine((days) => days <= MOST_LATER, `must be at most ${MOST_LATER}`)
    .default(0)
    .openapi({
      ...{ type: 'integer', minimum: 0, maximum: MOST_LATER },
      description:
        'Days after the statement date through which unticked transactions are shown, because a transaction may be recorded with a later date.',
      example: 10,
    }),
  ...pageQuery(),
})

export const ReconciliationRowsResponse = z
  .object({
    rows: z
      .array(
        z.object({
          transaction: TransactionResponse,
          ticked: booleanField('Whether it is ticked.', true),
          tickedTotal: money('Sum of the ticked transactions up to this one, included.'),
        }),
      )
      .openapi({
        description:
          'One page of what is on offer or ticked, earliest first. Of a finished reconciliation, what is in it.',
      }),
    count,
    nextCursor,
  })
  .openapi('ReconciliationRowsResponse')

export const presentSessionRows = ({
  rows,
  count: total,
  nextCursor: next,
}: Listed<TickedRow>): z.infer<typeof ReconciliationRowsResponse> => ({
  rows: rows.map(({ row, isTicked, tickedTotal }) => ({
    transaction: presentTransaction(row),
    ticked: isTicked,
    tickedTotal: formatMoney(tickedTotal, row.currency),
  })),
  count: total,
  nextCursor: next,
})

import { z } from '@hono/zod-openapi'
import { idInput, moneyInput } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { unique } from '../budgets.contract.ts'
import { EnvelopeRow, LimitRow } from '../periods/periods.contract.ts'
import { presentEnvelopeRows, presentLimitRows } from '../periods/periods-presented.contract.ts'
import type { FoundRow } from './amounts.usecases.ts'

const amounts = {
  assigned: moneyInput(
    'Of an envelope: what it is assigned in the period; may be negative.',
  ).optional(),
  amount: moneyInput('Of a limit: its amount in the period; null for the amount of the line.')
    .nullable()
    .optional(),
}

const hasOne = (item: { assigned?: unknown; amount?: unknown }) =>
  (item.assigned === undefined) !== (item.amount === undefined)

const eitherOne = must('must have either `assigned` or `amount`', 'combination')

export const SetAllocationRequest = z
  .strictObject(amounts)
  .refine(hasOne, eitherOne)
  .openapi('SetAllocationRequest')

export const SetAllocationsRequest = z
  .strictObject({
    items: z
      .array(
        z
          .strictObject({ lineId: idInput('bln', 'Id of the line.'), ...amounts })
          .refine(hasOne, eitherOne)
          .openapi('AllocationInput'),
      )
      .min(1)
      .max(500)
      .refine((items) => unique(items.map(({ lineId }) => lineId)), 'must not name a line twice')
      .openapi({ description: 'Lines with what they are assigned, or their limits.' }),
  })
  .openapi('SetAllocationsRequest')

export const HoldMoneyRequest = z
  .strictObject({
    amount: moneyInput('Money to hold back for the next period; 0 clears it.'),
    allowNegative: z.boolean().optional().openapi({
      description: 'Whether to hold more than the pool has. Default: false.',
      example: false,
    }),
  })
  .openapi('HoldMoneyRequest')

export const AllocationResponse = z
  .union([EnvelopeRow, LimitRow])
  .openapi('AllocationResponse', { description: 'The row of the line in the period.' })

export function presentAllocation({
  found,
  lineId,
}: FoundRow): z.infer<typeof EnvelopeRow> | z.infer<typeof LimitRow> {
  const rows =
    found.mode === 'envelope'
      ? presentEnvelopeRows(found, found.of)
      : presentLimitRows(found, found.of)
  const row = rows.find((one) => one.lineId === lineId)
  if (!row) {
    throw new Error('a line whose amount was set has no row')
  }
  return row
}

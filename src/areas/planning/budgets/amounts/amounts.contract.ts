import { z } from '@hono/zod-openapi'
import { idInput, moneyInput, id, money, nullableText } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { unique } from '../budgets.contract.ts'
import { EnvelopeRow, LimitRow } from '../periods/periods.contract.ts'
import { presentEnvelopeRows, presentLimitRows } from '../periods/periods-presented.contract.ts'
import type { FoundLinePeriod } from './amounts.usecases.ts'
import type { AssignedItems } from './assigning.rules.ts'

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
}: FoundLinePeriod): z.infer<typeof EnvelopeRow> | z.infer<typeof LimitRow> {
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

const METHODS = [
  'assignedLast',
  'spentLast',
  'averageAssigned',
  'averageSpent',
  'underfunded',
  'cover',
  'zero',
  'template',
] as const

const method = z.enum(METHODS).openapi({
  description:
    '`assignedLast`, `spentLast`: as in the period before; `averageAssigned`, `averageSpent`: the average of the last `periods`; `underfunded`: the needs of targets, while there is money; `cover`: the missing money of negative lines; `zero`: moves everything back to the pool; `template`: the amounts of `templateId`.',
  example: 'underfunded',
})

export const assignMode = z.enum(['set', 'add']).openapi({
  description:
    'Whether the amount replaces the assigned one (`set`, the default) or is added to it. `underfunded` and `cover` always add.',
  example: 'set',
})

export const dryRun = z.boolean().openapi({
  description: 'Whether to only say what would change. Default: false.',
  example: false,
})

const SPANS = [3, 6, 12] as const

/** Periods before one, of which an average is taken. The generator would list only the first of them. */
export const averagedPeriods = z.literal(SPANS)

const periods = averagedPeriods.openapi({
  type: 'integer',
  enum: [...SPANS],
  description: 'Of averages, which require it: how many periods before this one count.',
  example: 3,
})

const isAverage = (wanted: string) => wanted === 'averageAssigned' || wanted === 'averageSpent'

export const AssignMoneyRequest = z
  .strictObject({
    method,
    periods: periods.optional(),
    templateId: idInput('btp', 'Template whose amounts are assigned.').optional(),
    lineIds: z
      .array(idInput('bln', 'Id of a line.'))
      .min(1)
      .max(500)
      .refine(unique, 'must not name a line twice')
      .optional()
      .openapi({ description: 'The lines that may change; all of them if it is left out.' }),
    mode: assignMode.optional(),
    keep: z.boolean().optional().openapi({
      description: 'Whether to leave lines alone that have something assigned. Default: false.',
      example: false,
    }),
    dryRun: dryRun.optional(),
  })
  .refine((sent) => isAverage(sent.method) === (sent.periods !== undefined), {
    ...must('must be sent for averages, and for nothing else', 'combination'),
    path: ['periods'],
  })
  .refine((sent) => (sent.method === 'template') === (sent.templateId !== undefined), {
    ...must('must be sent for `template`, and for nothing else', 'combination'),
    path: ['templateId'],
  })
  .openapi('AssignMoneyRequest')

export const AssignedMoneyResponse = z
  .object({
    items: z
      .array(
        z.object({
          lineId: id('bln', 'Id of the line.'),
          before: money('Amount that the line was assigned before, or its earlier limit.'),
          after: money('Amount that the line is assigned now, or its new limit.'),
        }),
      )
      .openapi({ description: 'The lines whose amounts change, in their order.' }),
    toBeBudgeted: nullableText(
      'The pool after it; null in budgets of limits. Decimal text.',
      '57.13',
    ),
  })
  .openapi('AssignedMoneyResponse')

export const presentAssigned = ({
  budget: { currency },
  items,
  toBeBudgeted,
}: AssignedItems): z.infer<typeof AssignedMoneyResponse> => ({
  items: items.map(({ lineId, before, after }) => ({
    lineId,
    before: formatMoney(before, currency),
    after: formatMoney(after, currency),
  })),
  toBeBudgeted: toBeBudgeted === null ? null : formatMoney(toBeBudgeted, currency),
})

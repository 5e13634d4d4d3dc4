import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  dateInput,
  idInput,
  moneyInput,
  nullableText,
  text,
  textField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { averagedPeriods } from '../amounts/amounts.contract.ts'
import type { LineRow } from '../lines/lines.rules.ts'
import { FIELDS_OF_TARGET, TARGET_TYPES, targetOfLine } from './targets.rules.ts'
import type { SuggestedLine } from './targets.usecases.ts'

const type = z.enum(TARGET_TYPES).openapi({
  description:
    '`amount`: that much in each period; `refill`: up to that much to spend; `balance`: until that much is in it; `byDate`: that much by a date; `percentOfIncome`: a part of the income; `average`: what was spent on average; `schedule`: the cost of recurring items.',
  example: 'byDate',
})

const every = z
  .strictObject({
    count: z
      .int()
      .min(1)
      .max(120)
      .openapi({ description: 'Units of time from one date to the next.', example: 1 }),
    unit: z
      .enum(['week', 'month', 'year'])
      .openapi({ description: 'Unit of time.', example: 'year' }),
  })
  .openapi('BudgetTargetInterval')

const periods = averagedPeriods.nullable().openapi({
  type: ['integer', 'null'],
  enum: [...averagedPeriods.values, null],
  description: 'Of `average`: how many periods before count.',
  example: 6,
})

const priority = z.int().min(1).max(9).openapi({
  description: 'From 1 to 9: lines with a lower number are given money first.',
  example: 5,
})

const FIELDS = ['amount', 'date', 'every', 'percent', 'periods', 'recurringIds'] as const

/** Recurring items that a target may name. */
const MOST_ITEMS = 50

export const SetLineTargetRequest = z
  .strictObject({
    type,
    amount: moneyInput('Of `amount`, `refill`, `balance` and `byDate`: the money; more than 0.')
      .nullable()
      .optional(),
    date: dateInput('Of `byDate`: when the money has to be there.').nullable().optional(),
    every: every
      .nullable()
      .optional()
      .openapi({ description: 'Of `byDate`: when it has to be there again, counted from `date`.' }),
    percent: z
      .string()
      .regex(
        /^(?!0(?:\.0{1,2})?$)(?:100(?:\.0{1,2})?|[1-9]?\d(?:\.\d{1,2})?)$/,
        'must be more than 0 and at most 100, as text with at most 2 decimals, such as "7.5"',
      )
      .nullable()
      .optional()
      .openapi({
        type: 'string',
        description: 'Of `percentOfIncome`: percent of the income of the period.',
        example: '7.5',
      }),
    periods: periods.optional(),
    recurringIds: z
      .array(idInput('rec', 'Id of a recurring item.'))
      .min(1)
      .max(MOST_ITEMS)
      .refine((ids) => new Set(ids).size === ids.length, 'must name each item once')
      .nullable()
      .optional()
      .openapi({
        description:
          'Of `schedule`: recurring expenses and transfers on accounts of the budget. Items that go on from them count, too.',
      }),
    priority: priority.optional(),
    snoozedIn: text(
      1,
      10,
      'Period in which the target is snoozed: its nominal start, or `current`.',
      'current',
    )
      .nullable()
      .optional(),
  })
  .superRefine((sent, context) => {
    const wanted = FIELDS_OF_TARGET[sent.type]
    for (const field of FIELDS) {
      const isSent = sent[field] !== undefined && sent[field] !== null
      if (isSent && !wanted.includes(field)) {
        const { error, params } = must(`must be left out for \`${sent.type}\``, 'combination')
        context.addIssue({ code: 'custom', path: [field], message: error, params })
      }
      if (!isSent && wanted.includes(field) && field !== 'every') {
        const { error, params } = must(`must be sent for \`${sent.type}\``, 'combination')
        context.addIssue({ code: 'custom', path: [field], message: error, params })
      }
    }
  })
  .openapi('SetLineTargetRequest')

export const SnoozeLineTargetRequest = z
  .strictObject({
    period: text(
      1,
      10,
      'Period in which the target is snoozed: its nominal start, or `current`; null ends the snooze.',
      'current',
    ).nullable(),
  })
  .openapi('SnoozeLineTargetRequest')

export const BudgetTarget = z
  .object({
    type,
    amount: nullableText('The money. Decimal text.', '310.00'),
    date: nullableText('When the money has to be there.', '2026-12-31'),
    every: z
      .object(every.shape)
      .nullable()
      .openapi({ description: 'When it has to be there again.' }),
    percent: nullableText('Percent of the income of the period.', '7.50'),
    periods,
    recurringIds: z.array(z.string()).openapi({
      description:
        'Recurring items whose cost is needed. Without those that the budget cannot count now.',
      example: ['rec_01k9v3q8m5t0w2x4y6z8a1b3d5'],
    }),
    priority,
    snoozedIn: nullableText('Nominal start of the period in which the target is snoozed.'),
  })
  .openapi('BudgetTarget')

export function presentTarget(
  line: Pick<LineRow, 'target' | 'items'>,
  currency: string,
): z.infer<typeof BudgetTarget> | null {
  const target = targetOfLine(line)
  if (!target) {
    return null
  }
  const none = {
    ...{ amount: null, date: null, every: null, percent: null, periods: null },
    recurringIds: [],
  }
  const { priority: rank, snoozedIn } = target
  return { ...none, ...fieldsOf(target, line, currency), priority: rank, snoozedIn }
}

function fieldsOf(
  target: NonNullable<ReturnType<typeof targetOfLine>>,
  { items }: Pick<LineRow, 'items'>,
  currency: string,
) {
  if (target.type === 'schedule') {
    return { type: target.type, recurringIds: target.recurringIds.filter((id) => id in items) }
  }
  if (target.type === 'average') {
    return { type: target.type, periods: target.periods }
  }
  if (target.type === 'percentOfIncome') {
    const digits = String(target.hundredths).padStart(3, '0')
    return { type: target.type, percent: `${digits.slice(0, -2)}.${digits.slice(-2)}` }
  }
  const amount = formatMoney(target.amountMinor, currency)
  return target.type === 'byDate'
    ? { type: target.type, amount, date: target.date, every: target.every }
    : { type: target.type, amount }
}

export const BudgetLineSuggestionsResponse = z
  .object({
    lines: z
      .array(
        z.object({
          name: textField('Name for the line.', 'Groceries'),
          categoryIds: z.array(z.string()).openapi({
            description: 'Expense categories with this name that no line of the budget counts.',
            example: ['cat_01k9v3q8m5t0w2x4y6z8a1b3d5'],
          }),
        }),
      )
      .openapi({ description: 'The suggested lines, by name.' }),
  })
  .openapi('BudgetLineSuggestionsResponse')

export const presentBudgetSuggestions = (
  lines: SuggestedLine[],
): z.infer<typeof BudgetLineSuggestionsResponse> => ({ lines })

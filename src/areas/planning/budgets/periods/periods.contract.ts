import { z } from '@hono/zod-openapi'
import { OF_CATEGORIES } from '../../../../domain/budgets/outside.ts'
import {
  booleanField,
  count,
  currency,
  date,
  dateInput,
  id,
  integerField,
  money,
  nextCursor,
  nullableText,
  text,
  textField,
} from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'

export const periodName = text(1, 10, 'Nominal start of the period, or `current`.', 'current')

export const ListBudgetPeriodsQuery = z.strictObject({
  from: dateInput(
    'Nominal start of the first period; the first one of the budget if left out.',
  ).optional(),
  to: dateInput(
    'Nominal start of the last period; the current one if left out. The last one there is, is the 600th, or the current one if that is later.',
  ).optional(),
  on: dateInput('Only the period that contains this day.').optional(),
  ...pageQuery(),
})

export const UpdateBudgetPeriodRequest = z
  .strictObject({
    note: text(0, 2000, 'Note on the period.', 'Holidays').nullable().optional(),
    lineNotes: z
      .record(
        z.string().max(64),
        text(0, 2000, 'Note on the line in this period.', 'Party').nullable(),
      )
      .refine((notes) => Object.keys(notes).length <= 500, 'must have at most 500 lines')
      .optional()
      .openapi({
        description: 'Notes on lines in this period, by the id of the line; null takes one off.',
        example: {},
      }),
  })
  .openapi('UpdateBudgetPeriodRequest')

const four = {
  carriedIn: money('Amount carried from the period before, by the policy of the line.'),
  assigned: money('Amount that the line was assigned in the period.'),
  activity: money('Sum of the bookings: spending is negative, refunds are positive.'),
  available: money('Amount that is left: the sum of `carriedIn`, `assigned` and `activity`.'),
}

const lineFields = {
  lineId: id('bln', 'Id of the line.'),
  name: textField('Name of the line.', 'Food'),
  parentLineId: nullableText('Line below which this one is shown.'),
  note: nullableText('Note on the line in this period.'),
}

export const EnvelopeRow = z
  .object({
    ...lineFields,
    kind: z
      .enum(['line', 'cardPayment'])
      .openapi({ description: 'Kind of the line.', example: 'line' }),
    ...four,
    lateActivity: money(
      'The part of the activity that was booked into periods after they were closed.',
    ),
    withBelow: z
      .object(four)
      .openapi({ description: 'Sums of the line and of the lines below it.' }),
    cashOverspent: money('Amount overspent in cash; it is carried or not, by the policy.'),
    creditOverspent: money(
      'Amount overspent on cards; it becomes debt of the card, and is neither carried nor taken from the pool.',
    ),
    needed: nullableText(
      'Amount that the target still needs in the period; null without a target.',
      '32.86',
    ),
    targetStatus: z.enum(['funded', 'underfunded', 'overdue', 'snoozed']).nullable().openapi({
      description:
        'Status of the target: `overdue` if its date has passed, `snoozed` if it needs nothing in this period because of a snooze; null without a target.',
      example: 'underfunded',
    }),
    moved: money('Of a payment line: what spending on the card put aside.').optional(),
    payments: money('Of a payment line: what was paid to the card.').optional(),
    owed: money('Of a payment line: what is owed on the card at the end of the period.').optional(),
    debt: money('Of a payment line: what is owed and not put aside.').optional(),
  })
  .openapi('EnvelopeRow')

export const LimitRow = z
  .object({
    ...lineFields,
    carriedIn: money('Amount carried from the period before.'),
    amount: money('The limit of the period.'),
    total: money('The limit with what was carried in.'),
    spent: money('Spending, less refunds.'),
    remaining: money('What is left.'),
    percent: integerField(
      'Part of the total that is spent, in whole percent; null without a total.',
      42,
    ).nullable(),
  })
  .openapi('LimitRow')

const outside = z
  .object({
    uncategorised: money('Without a category.'),
    uncovered: money('In categories of no line.'),
    excluded: money('In categories that budgets exclude.'),
    transfers: money('Transfers over the edge of the budget without a category.'),
    private: money('Private transactions that not everybody who sees the budget may see.'),
  })
  .openapi({
    description:
      'Bookings that count on no line. In an envelope budget they are part of the pool, and spending is negative. In a budget of limits, spending is positive and counts in no sum.',
  })

const envelopeSums = {
  fromBefore: money(
    'Amount of the pool from the period before: its `toBeBudgeted`, `held` and `deferred`.',
  ),
  opening: money(
    'Opening balances of cash accounts; in the first period also what they held before it.',
  ),
  income: money('Income of the period.'),
  adjustments: money('Adjustments of the balances of cash accounts.'),
  released: money(
    'Amounts that lines did not carry over from the period before: positive if money was left, negative if it was overspent.',
  ),
  exchangeDifference: money('Effect of changed exchange rates on the money in cash accounts.'),
  assigned: money('Sum that was assigned to lines.'),
  held: money('Amount held back for the next period.'),
  deferred: money('Income that counts in the next period. It is no part of `income`.'),
  toBeBudgeted: money(
    'The pool, money without a job: `fromBefore`, `opening`, `income`, `adjustments`, `released`, `exchangeDifference` and all of `outside`, less `assigned` and `held`.',
  ),
  assignedAhead: money('Sum assigned in later periods.'),
  free: money(
    'Amount that can be assigned now without making the pool of this or a later period negative; negative if too much is assigned.',
  ),
  overspent: money('Sum by which lines are overspent, without payment lines.'),
  latePool: money(
    'The part of the figures of this period outside of lines that was booked into closed periods.',
  ),
  pending: money('Pending amounts that do not count; null if the budget counts them.').nullable(),
}

const limitSums = {
  amount: money(
    'Sum of the limits of lines by category, without those whose categories are below those of another line. In a budget without lines by category it is over lines over everything or by account; of lines that share an account only the first counts. Lines by tag or payee are in no sum.',
  ),
  spent: money('Spending on these lines; each category, or each account, counts once.'),
  remaining: money('Amount that is left: `amount` and the amounts carried in, less `spent`.'),
  income: money('Income of the period; it counts nowhere.'),
  pending: money('Pending amounts that do not count; null if the budget counts them.').nullable(),
}

const periodFields = {
  period: date('Nominal start, which names the period.'),
  start: date('First day.'),
  end: date('Last day.'),
  state: z
    .enum(['open', 'closed'])
    .openapi({ description: 'Whether the period is closed.', example: 'open' }),
  isCurrent: booleanField('Whether today is in the period.', true),
  currency: currency(),
  note: nullableText('Note on the period.'),
  version: integerField('Version of what was decided about the period. See If-Match.', 1),
  outside,
  unconverted: z
    .array(
      z.object({
        lineId: nullableText('The line; null outside of lines.'),
        currency: currency(),
        amount: money('The amount that counts nowhere.'),
        from: date('First day of it; of private rows that of the period.'),
        to: date('Last day of it; of private rows that of the period.'),
      }),
    )
    .openapi({
      description:
        'Amounts without an exchange rate, which count nowhere. In an envelope budget also what cash accounts hold in such a currency at the end of the period.',
    }),
  ratesAsOf: nullableText(
    'Date of the oldest rate by which a booking was converted; null if none was.',
    '2026-11-20',
  ),
}

export const BudgetPeriodResponse = z
  .object({
    ...periodFields,
    outsideCategories: z
      .array(
        z.object({
          figure: z.enum(OF_CATEGORIES).openapi({
            description: 'Figure of `outside` that the category counts in.',
            example: 'uncovered',
          }),
          categoryId: id('cat', 'Id of the category.'),
          amount: money('What it adds to the figure.'),
        }),
      )
      .openapi({
        description:
          'The categories that `uncovered` and `excluded` are made of, but for late amounts; none of a closed period.',
      }),
    envelope: z
      .object({
        ...envelopeSums,
        lines: z.array(EnvelopeRow).openapi({ description: 'All lines.' }),
      })
      .optional()
      .openapi({ description: 'The figures of an envelope budget.' }),
    limit: z
      .object({ ...limitSums, lines: z.array(LimitRow).openapi({ description: 'All lines.' }) })
      .optional()
      .openapi({ description: 'The figures of a limit budget.' }),
  })
  .openapi('BudgetPeriodResponse')

export const BudgetPeriodSums = z
  .object({
    ...periodFields,
    envelope: z
      .object(envelopeSums)
      .optional()
      .openapi({ description: 'The figures of an envelope budget.' }),
    limit: z
      .object(limitSums)
      .optional()
      .openapi({ description: 'The figures of a limit budget.' }),
  })
  .openapi('BudgetPeriodSums')

export const BudgetPeriodsResponse = z
  .object({
    periods: z.array(BudgetPeriodSums).openapi({ description: 'One page of periods, in order.' }),
    count,
    nextCursor,
  })
  .openapi('BudgetPeriodsResponse')

export const ReopenBudgetPeriodRequest = z
  .strictObject({
    reason: text(1, 500, 'Why the period is opened again. The log keeps it.', 'A receipt was late'),
  })
  .openapi('ReopenBudgetPeriodRequest')

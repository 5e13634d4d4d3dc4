import { z } from '@hono/zod-openapi'
import { isActiveCurrency } from '../../../../domain/currency.ts'
import { exampleId } from '../../../../domain/ids.ts'
import { REPORT_INTERVALS } from '../../../../domain/reports/intervals.ts'
import {
  booleanField,
  currency,
  date,
  dateInput,
  id,
  idInput,
  integerField,
  money,
  nullableText,
  severalInQuery,
  text,
  textField,
} from '../../../../http/fields.ts'
import { isWithin, must } from '../../../../http/issues.ts'
import { rateWarnings } from '../../../money/exchange-rates/exchange-rates.public.ts'
import {
  conditionInQuery,
  lineInput,
} from '../../../money/transaction-views/transaction-views.public.ts'
import { BREAKDOWNS } from './flows.rules.ts'

const interval = z.enum(REPORT_INTERVALS).openapi({
  description: 'Interval of the series; weeks begin on Monday. Without it, there is one sum.',
  example: 'month',
})

const MOST_ACCOUNTS = 100

/** The parameters of all reports of flows. */
const flowsQuery = {
  from: dateInput('First day, together with `to`.').optional(),
  to: dateInput('Last day, together with `from`.').optional(),
  period: text(
    1,
    20,
    'Name of the span in place of days, such as `lastMonth`, `last12Months`, `2026`, `2026-Q3` or `2026-03`; by default `thisMonth`.',
    '2026-Q1',
  ).optional(),
  interval: interval.optional(),
  currency: z
    .string()
    .refine(
      (code) => code === 'none' || isActiveCurrency(code),
      must('must be the ISO 4217 code of a currency in use, such as EUR, or none'),
    )
    .openapi({
      description:
        'Currency into which all is converted, or `none` for each currency by itself; by default the user’s base currency.',
      example: 'EUR',
    })
    .optional(),
  accountIds: severalInQuery(
    idInput('acc', 'Only these accounts, in place of those that count in your own totals.'),
    exampleId('acc'),
    undefined,
    MOST_ACCOUNTS,
  ).optional(),
}

const narrowing = { q: lineInput.optional(), condition: conditionInQuery.optional() }

export const IncomeStatementQuery = z.strictObject({ ...flowsQuery, ...narrowing })

const DEFAULT_ROWS = 100
const MOST_ROWS = 500

export const SpendingQuery = z.strictObject({
  ...flowsQuery,
  ...narrowing,
  by: z
    .enum(BREAKDOWNS)
    .default('category')
    .openapi({ description: 'What each row is of.', example: 'category' }),
  side: z
    .enum(['spent', 'earned'])
    .default('spent')
    .openapi({ description: 'The sums that are broken down.', example: 'spent' }),
  limit: z
    .string()
    .refine(isWithin(1, MOST_ROWS), must(`must be a whole number from 1 to ${MOST_ROWS}`, 'range'))
    .default(String(DEFAULT_ROWS))
    .transform(Number)
    .openapi({
      type: 'integer',
      ...{ minimum: 1, maximum: MOST_ROWS, default: DEFAULT_ROWS },
      description: 'Maximum number of rows; the others are together in one row `other`.',
      example: 20,
    }),
})

export const CashFlowQuery = z.strictObject(flowsQuery)

/** Sums in the currency of the report, or of each currency by itself. */
const sums = <Shape extends z.ZodRawShape>(shape: Shape) => ({
  ...z.object(shape).partial().shape,
  byCurrency: z
    .array(z.object({ currency: currency(), ...shape }))
    .optional()
    .openapi({ description: 'The sums of each currency, in place of converted ones.' }),
})

const flows = {
  earned: money('Sum of what was earned.'),
  spent: money('Sum of what was spent, less what came back.'),
}

const inPercent = (description: string) => nullableText(`${description} In percent.`, '53.4')

const statementSums = {
  ...flows,
  net: money('Earned less spent.'),
  savingsRate: inPercent('Net as a share of what was earned; null if nothing was earned.'),
}

const days = {
  from: date('First day that counts.'),
  to: date('Last day that counts.'),
  partial: booleanField('Whether the span of the report cuts the interval.', false),
}

const rowSums = {
  own: money('Sum of the row itself.'),
  total: money('Sum with all subcategories.'),
}

const row = {
  ...sums({
    ...rowSums,
    share: inPercent('Share of the total of the report; null if that is zero.'),
  }),
  periods: z
    .array(z.object({ from: date('First day that counts.'), ...sums(rowSums) }))
    .openapi({ description: 'The sums of each interval, oldest first.' }),
}

const path = nullableText('Names of the category and those above it.', 'Living / Food')

/** What all reports of flows answer. */
const frame = {
  from: date('First day of the report.'),
  to: date('Last day of the report.'),
  currency: nullableText('Currency of the sums; null if each currency stands by itself.', 'EUR'),
  interval: interval.nullable(),
}

const remainder = {
  unconverted: z
    .array(
      z.object({
        accountId: id('acc', 'Id of the account.'),
        currency: currency('Currency of the account and of the sums.'),
        ...flows,
        from: date('First day without a rate.'),
        to: date('Last day without a rate.'),
      }),
    )
    .openapi({ description: 'What is in no converted sum, because there was no rate on its day.' }),
  excluded: z
    .object(sums(flows))
    .openapi({ description: 'Sums of what is excluded from reports.' }),
  ratesAsOf: nullableText('Date of the oldest rate used.', '2026-11-20'),
  warnings: rateWarnings,
}

const StatementRow = z
  .object({
    categoryId: nullableText('Id of the category; null without a category.', exampleId('cat')),
    name: nullableText('Name of the category.', 'Food'),
    path,
    depth: integerField('1 for a category below no other.', 2),
    ...row,
  })
  .openapi('IncomeStatementRow')

export const IncomeStatementResponse = z
  .object({
    ...frame,
    periods: z.array(z.object({ ...days, ...sums(statementSums) })).openapi({
      description: 'Sums of each interval, oldest first; of the whole span without one.',
    }),
    totals: z.object(sums(statementSums)).openapi({ description: 'Sums of the whole span.' }),
    earned: z
      .array(StatementRow)
      .openapi({ description: 'What was earned by category, in the order of their paths.' }),
    spent: z
      .array(StatementRow)
      .openapi({ description: 'What was spent by category, in the order of their paths.' }),
    ...remainder,
  })
  .openapi('IncomeStatementResponse')

export const SpendingResponse = z
  .object({
    ...frame,
    by: z.enum(BREAKDOWNS).openapi({ description: 'What each row is of.', example: 'category' }),
    rows: z
      .array(
        z.object({
          key: textField(
            'Id of what the row is of; `none` without one, and `other` for the rows that `limit` leaves out.',
            exampleId('cat'),
          ),
          kind: z
            .enum([...BREAKDOWNS, 'none', 'other'])
            .openapi({ description: 'What the row is of.', example: 'category' }),
          name: nullableText('Name of what the row is of.', 'Food'),
          path,
          ...row,
        }),
      )
      .openapi({
        description:
          'Largest totals first; in the order of their names if each currency stands by itself.',
      }),
    total: z
      .object(sums({ amount: money('Sum of all amounts, each counted once.') }))
      .openapi({ description: 'Sum of the report.' }),
    overlap: z
      .object(sums({ amount: money('Sums of all rows less the total.') }))
      .openapi({ description: 'What several rows count.' }),
    ...remainder,
  })
  .openapi('SpendingResponse')

const cashSums = {
  opening: money('Balances before the first day, at the rates of that time.'),
  in: money('What was earned.'),
  out: money('What was spent, negative.'),
  otherAccounts: money('What came from accounts outside of the report, less what went there.'),
  adjustments: money(
    'Opening balances, adjustments, valuations, and what is private to somebody else.',
  ),
  exchange: money('What transfers between the accounts brought into a currency.').optional(),
  currencyEffect: money(
    'What exchange and the change of rates brought; in place of `exchange` if all is converted.',
  ).optional(),
  closing: money('Balances at the end of the last day, at the rates of that time.'),
}

export const CashFlowResponse = z
  .object({
    ...frame,
    periods: z
      .array(z.object({ ...days, ...sums(cashSums) }))
      .openapi({ description: 'Each interval, oldest first; the whole span without one.' }),
    ...remainder,
  })
  .openapi('CashFlowResponse')

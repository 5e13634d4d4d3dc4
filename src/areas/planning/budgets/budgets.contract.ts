import { z } from '@hono/zod-openapi'
import {
  archivedInQuery,
  booleanField,
  color,
  colorInput,
  count,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  idInput,
  integerField,
  nameInput,
  nextCursor,
  nullableText,
  presentStamps,
  stamps,
  text,
  textField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { type Listed, pageQuery } from '../../../http/pagination.ts'
import { isTimeZone } from '../../../domain/calendar.ts'
import { POLICIES } from '../../../domain/budgets/policies.ts'
import type { Period } from '../../../domain/budgets/periods.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { cardsOf, parsedList, MOST_CARDS, permissionOf, type BudgetRow } from './budgets.rules.ts'

/** Tells whether no value occurs twice in a list. */
export const unique = (list: readonly unknown[]): boolean => new Set(list).size === list.length

const MODES = ['envelope', 'limit'] as const

const mode = z.enum(MODES).openapi({
  description:
    '`envelope` assigns all money to lines; `limit` sets how much may be spent. The mode cannot change.',
  example: 'envelope',
})

const ruleInput = z
  .strictObject({
    unit: z
      .enum(['day', 'week', 'month', 'year'])
      .openapi({ description: 'Unit of time.', example: 'month' }),
    count: z
      .int()
      .min(1)
      .max(366)
      .openapi({ description: 'Units in a period, from 1 to 366.', example: 1 }),
    anchor: dateInput('Any nominal start of a period; all others are counted from it.').openapi({
      example: '2026-01-01',
    }),
    weekend: z.enum(['keep', 'before', 'after']).optional().openapi({
      description:
        'Where a start on a Saturday or Sunday moves: to the Friday before or the Monday after. Months and years only.',
      example: 'keep',
    }),
  })
  .openapi('BudgetPeriodRuleInput')

const rule = z
  .object({
    unit: z
      .enum(['day', 'week', 'month', 'year'])
      .openapi({ description: 'Unit of time.', example: 'month' }),
    count: integerField('Units in a period.', 1),
    anchor: date('A nominal start; all others are counted from it.'),
    weekend: z
      .enum(['keep', 'before', 'after'])
      .openapi({ description: 'Where a start on a weekend moves.', example: 'keep' }),
  })
  .openapi('BudgetPeriodRule')

const startsOn = dateInput('A day of the first period.').openapi({ example: '2026-01-01' })

const handling = z.enum(['payment', 'cash']).openapi({
  description:
    '`payment`: the budget puts money aside to pay the card. `cash`: the card counts as cash with a negative balance.',
  example: 'payment',
})

const policy = z.enum(POLICIES).openapi({
  description:
    'Amounts that lines without their own policy carry into the next period: `surplus` (default) carries money that is left, `deficit` overspent money, `both` or `none`. Use `none` for limits that start anew in each period.',
  example: 'surplus',
})

const optional = {
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, must('must be an IANA name, such as Europe/Berlin'))
    .optional()
    .openapi({ description: 'Time zone that decides what today is.', example: 'Europe/Berlin' }),
  accounts: z.enum(['onBudget', 'chosen']).optional().openapi({
    description:
      '`onBudget`: all accounts that are on the budget. `chosen`: those of `accountIds`.',
    example: 'onBudget',
  }),
  accountIds: z
    .array(idInput('acc', 'Id of an account.'))
    .max(200)
    .refine(unique, 'must not name an account twice')
    .optional()
    .openapi({ description: 'Accounts inside of the budget, if `accounts` is `chosen`.' }),
  cards: z
    .array(z.strictObject({ accountId: idInput('acc', 'Id of the account.'), handling }))
    .max(MOST_CARDS)
    .refine(
      (cards) => unique(cards.map(({ accountId }) => accountId)),
      'must not name an account twice',
    )
    .optional()
    .openapi({
      description:
        'How cards are handled; `payment` for accounts of type `creditCard` if left out. Envelope budgets only.',
    }),
  policy: policy.optional(),
  strict: booleanField(
    'Whether to refuse assigning more than there is. Envelope budgets only.',
    false,
  ).optional(),
  countPending: booleanField('Whether pending transactions count.', true).optional(),
  countTransfers: booleanField(
    'Whether transfers to accounts outside of the budget count. Limit budgets only.',
    false,
  ).optional(),
  incomeInNextPeriod: z
    .array(idInput('cat', 'Id of an income category.'))
    .max(50)
    .refine(unique, 'must not name a category twice')
    .optional()
    .openapi({
      description: 'Income categories that count in the next period. Envelope budgets only.',
    }),
  thresholds: z
    .array(z.int().min(1).max(500))
    .max(10)
    .refine(unique, 'must not name a percent twice')
    .optional()
    .openapi({
      description: 'Percents of a total at which to alert, from 1 to 500.',
      example: [80, 100],
    }),
  note: text(0, 2000, 'Note on the budget.', 'Our household').nullable().optional(),
  order: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .openapi({ description: 'Place in the list.', example: 0 }),
  color: colorInput().nullable().optional(),
  icon: text(1, 50, 'Name of an icon, for display.', 'home').nullable().optional(),
  archived: booleanField('Whether the budget is archived.', false).optional(),
}

const name = nameInput(
  100,
  'Name of the budget; unique for its owner, regardless of case and width.',
  'Household',
)

export const CreateBudgetRequest = z
  .strictObject({
    name,
    mode,
    currency: currencyInput('Currency of the budget.').optional(),
    period: ruleInput,
    startsOn: startsOn.optional(),
    groupId: idInput(
      'grp',
      'Group to which the budget belongs; your own budget if left out.',
    ).optional(),
    lines: z.enum(['leaves', 'top', 'none']).optional().openapi({
      description:
        'Lines to begin with: one for each expense category without subcategories, below lines for the categories above it; one for each without a parent; or none.',
      example: 'top',
    }),
    ...optional,
  })
  .openapi('CreateBudgetRequest')

export const UpdateBudgetRequest = z
  .strictObject({
    name: name.optional(),
    mode: mode.optional(),
    currency: currencyInput('Currency of the budget; fixed once anything is assigned.').optional(),
    period: ruleInput.optional(),
    startsOn: startsOn.optional(),
    ...optional,
  })
  .openapi('UpdateBudgetRequest')

export const ListBudgetsQuery = z.strictObject({
  mode: mode.optional(),
  archived: archivedInQuery.optional(),
  groupId: idInput('grp', 'Only budgets of this group.').optional(),
  ...pageQuery(),
})

export const PreviewBudgetPeriodsRequest = z
  .strictObject({
    period: ruleInput,
    startsOn: startsOn.optional(),
    count: z.int().min(1).max(60).optional().openapi({
      description:
        'Number of periods; 12 if left out. There are fewer where the calendar ends, in 2200.',
      example: 12,
    }),
  })
  .openapi('PreviewBudgetPeriodsRequest')

export const BudgetPeriodsPreviewResponse = z
  .object({
    periods: z
      .array(
        z.object({
          nominal: date('Name of the period: its start before weekends are considered.'),
          start: date('First day.'),
          end: date('Last day.'),
          days: integerField('Number of days.', 30),
        }),
      )
      .openapi({ description: 'The periods, in order.' }),
  })
  .openapi('BudgetPeriodsPreviewResponse')

export const BudgetResponse = z
  .object({
    id: id('bud', 'Id of the budget.'),
    name: textField('Name of the budget.', 'Household'),
    mode,
    currency: currency(),
    period: rule,
    startsOn: date('A day of the first period.'),
    timeZone: textField('Time zone that decides what today is.', 'Europe/Berlin'),
    accounts: z
      .enum(['onBudget', 'chosen'])
      .openapi({ description: 'Which accounts are inside.', example: 'onBudget' }),
    accountIds: z.array(z.string()).openapi({ description: 'The chosen accounts.', example: [] }),
    cards: z
      .array(z.object({ accountId: id('acc', 'Id of the account.'), handling }))
      .openapi({ description: 'How accounts are handled as cards or cash, if that was chosen.' }),
    policy,
    strict: booleanField('Whether assigning more than there is gets refused.', false),
    countPending: booleanField('Whether pending transactions count.', true),
    countTransfers: booleanField('Whether transfers to accounts outside count.', false),
    incomeInNextPeriod: z
      .array(z.string())
      .openapi({ description: 'Income categories that count in the next period.', example: [] }),
    thresholds: z
      .array(integerField('Percent of a total.', 80))
      .openapi({ description: 'Percents at which to alert.' }),
    note: nullableText('Note on the budget.'),
    archived: booleanField('Whether the budget is archived.', false),
    order: integerField('Place in the list.', 0),
    color: color(),
    icon: nullableText('Name of an icon, for display.', 'home'),
    groupId: nullableText('Group to which the budget belongs.'),
    permission: z
      .enum(['view', 'write', 'manage', 'owner'])
      .openapi({ description: 'What you may do with the budget.', example: 'owner' }),
    ...stamps,
  })
  .openapi('BudgetResponse')

export const BudgetsResponse = z
  .object({
    budgets: z
      .array(BudgetResponse)
      .openapi({ description: 'One page of budgets, in their order.' }),
    count,
    nextCursor,
  })
  .openapi('BudgetsResponse')

/** The accounts and categories that a budget names, without those that it cannot have now or that the caller does not see. */
function presentNamed(
  budget: BudgetRow,
): Pick<z.infer<typeof BudgetResponse>, 'accountIds' | 'cards' | 'incomeInNextPeriod'> {
  const untold = new Set([budget.resting, budget.unseen].flatMap(parsedList<string>))
  const isShown = (one: string) => !untold.has(one)
  return {
    accountIds: parsedList<string>(budget.accountIds).filter(isShown),
    cards: Object.entries(cardsOf(budget))
      .filter(([accountId]) => isShown(accountId))
      .map(([accountId, handled]) => ({ accountId, handling: handled })),
    incomeInNextPeriod: parsedList<string>(budget.incomeInNextPeriod).filter(isShown),
  }
}

export const presentBudget = (
  budget: BudgetRow,
  ctx: SignedIn,
): z.infer<typeof BudgetResponse> => ({
  ...presentNamed(budget),
  id: budget.id,
  name: budget.name,
  mode: budget.mode,
  currency: budget.currency,
  period: {
    unit: budget.unit,
    count: budget.unitCount,
    anchor: budget.anchor,
    weekend: budget.weekend,
  },
  startsOn: budget.startsOn,
  timeZone: budget.timeZone,
  accounts: budget.accounts,
  policy: budget.policy,
  strict: budget.strict,
  countPending: budget.countPending,
  countTransfers: budget.countTransfers,
  thresholds: parsedList<number>(budget.thresholds),
  note: budget.note,
  archived: budget.archived,
  order: budget.order,
  color: budget.color,
  icon: budget.icon,
  groupId: budget.groupId,
  permission: permissionOf(ctx, budget),
  ...presentStamps(budget),
})

export const presentBudgets = (
  { rows, count: total, nextCursor: next }: Listed<BudgetRow>,
  ctx: SignedIn,
): z.infer<typeof BudgetsResponse> => ({
  budgets: rows.map((budget) => presentBudget(budget, ctx)),
  count: total,
  nextCursor: next,
})

export const presentBudgetPreview = (
  periods: Period[],
): z.infer<typeof BudgetPeriodsPreviewResponse> => ({
  periods: periods.map(({ nominal, start, end, days }) => ({ nominal, start, end, days })),
})

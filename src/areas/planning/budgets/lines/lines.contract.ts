import { z } from '@hono/zod-openapi'
import { POLICIES } from '../../../../domain/budgets/policies.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  archivedInQuery,
  color,
  colorInput,
  count,
  dateInput,
  id,
  idInput,
  integerField,
  moneyInput,
  nameInput,
  nullableText,
  presentStamps,
  stamps,
  text,
  textField,
} from '../../../../http/fields.ts'
import { unique } from '../budgets.contract.ts'
import { parsedList } from '../budgets.rules.ts'
import { BudgetTarget, presentTarget } from '../targets/targets.contract.ts'
import type { DeletedLine } from './deletion.usecases.ts'
import type { ListedLines, ShownLine } from './lines.usecases.ts'

const SCOPES = ['category', 'tag', 'payee', 'account', 'everything'] as const

export const policy = z.enum(POLICIES).openapi({
  description:
    'Amounts carried into the next period: `surplus` carries money that is left, `deficit` overspent money, `both` or `none`; null for the policy of the budget. Amounts that an envelope does not carry go back to the pool, or come out of it.',
  example: 'surplus',
})

export const thresholds = z
  .array(z.int().min(1).max(500))
  .max(10)
  .refine(unique, 'must not name a percent twice')
  .openapi({
    description: 'Percents of the total at which to alert, from 1 to 500.',
    example: [80, 100],
  })

const scopeInput = z
  .strictObject({
    kind: z.enum(SCOPES).openapi({
      description:
        'Scope of the line: what it counts. Lines of envelope budgets count only categories.',
      example: 'category',
    }),
    ids: z
      .array(idInput('cat', 'Id of what is counted.'))
      .max(200)
      .refine(unique, 'must not name an id twice')
      .optional()
      .openapi({
        description:
          'Ids of that kind; none for `everything`. Subcategories count with their category. A line without categories counts nothing: it groups the lines below it, or holds money.',
      }),
  })
  .openapi('BudgetLineScopeInput')

const note = text(0, 2000, 'Note on the line.', 'Without restaurants')
const icon = text(1, 50, 'Name of an icon, for display.', 'cart')
const parentLineId = idInput('bln', 'Line below which this one is shown; at most 5 levels deep.')

const sent = {
  name: nameInput(
    100,
    'Name of the line; unique in the budget, regardless of case and width.',
    'Food',
  ),
  policy: policy.nullable().optional(),
  cap: moneyInput('The most surplus that a limit carries into the next period.')
    .nullable()
    .optional(),
  amount: moneyInput('The limit of each period, from the current one on.').nullable().optional(),
  thresholds: thresholds.nullable().optional(),
  parentLineId: parentLineId.nullable().optional(),
  note: note.nullable().optional(),
  order: z.int().min(0).max(1_000_000).optional().openapi({
    description:
      'Place in the list; a new line is the last one if left out. Lines with the same place stand in the order of their creation.',
    example: 0,
  }),
  color: colorInput().nullable().optional(),
  icon: icon.nullable().optional(),
}

export const CreateBudgetLineRequest = z
  .strictObject({ ...sent, scope: scopeInput })
  .openapi('CreateBudgetLineRequest')

export const UpdateBudgetLineRequest = z
  .strictObject({
    ...sent,
    name: sent.name.optional(),
    scope: scopeInput.optional(),
    from: dateInput(
      'Nominal start of the first period in which a new amount, cap or policy holds; the current period if it is left out.',
    ).optional(),
  })
  .openapi('UpdateBudgetLineRequest')

export const DeleteBudgetLineQuery = z.strictObject({
  reassignTo: text(
    1,
    64,
    'Line that gets the categories and the money of this one, or `pool`, which is what happens if it is left out.',
    'pool',
  ).optional(),
})

export const ReorderBudgetLinesRequest = z
  .strictObject({
    lineIds: z
      .array(idInput('bln', 'Id of a line.'))
      .min(1)
      .max(500)
      .refine(unique, 'must not name a line twice')
      .openapi({
        description: 'Lines in the order in which they are shown. Lines that are left out follow.',
      }),
    parents: z.record(idInput('bln', 'Id of a line.'), parentLineId.nullable()).optional().openapi({
      description: 'The new parent of lines, by the id of the line; null for none.',
      example: {},
    }),
  })
  .openapi('ReorderBudgetLinesRequest')

export const ListBudgetLinesQuery = z.strictObject({ archived: archivedInQuery.optional() })

export const BudgetLineResponse = z
  .object({
    id: id('bln', 'Id of the line.'),
    name: textField('Name of the line.', 'Food'),
    kind: z.enum(['line', 'cardPayment']).openapi({
      description: '`cardPayment` is the line that holds the money put aside to pay a credit card.',
      example: 'line',
    }),
    accountId: nullableText('The card of a payment line.'),
    scope: z
      .object({
        kind: z
          .enum(SCOPES)
          .openapi({ description: 'Scope of the line: what it counts.', example: 'category' }),
        ids: z.array(z.string()).openapi({ description: 'Ids of that kind.', example: [] }),
      })
      .openapi({ description: 'Scope of the line: what it counts.' }),
    parentLineId: nullableText('Line below which this one is shown.'),
    policy: policy
      .nullable()
      .openapi({ description: 'Policy of the line; null for that of the budget.' }),
    cap: nullableText('The most surplus that a limit carries. Decimal text.', '50.00'),
    amount: nullableText('The limit of each period. Decimal text.', '400.00'),
    thresholds: z
      .array(integerField('Percent of the total.', 80))
      .nullable()
      .openapi({ description: 'Percents at which to alert; null for those of the budget.' }),
    target: BudgetTarget.nullable().openapi({
      description: 'Target of the line in each period; null without a target.',
    }),
    note: nullableText('Note on the line.'),
    order: integerField('Place in the list.', 0),
    color: color(),
    icon: nullableText('Name of an icon, for display.', 'cart'),
    archivedFrom: nullableText('Nominal start of the first period without the line.'),
    ...stamps,
  })
  .openapi('BudgetLineResponse')

export const BudgetLinesResponse = z
  .object({
    lines: z.array(BudgetLineResponse).openapi({ description: 'All lines, in their order.' }),
    count,
  })
  .openapi('BudgetLinesResponse')

export const presentLine = ({ line, currency }: ShownLine): z.infer<typeof BudgetLineResponse> => ({
  id: line.id,
  name: line.name,
  kind: line.kind,
  accountId: line.accountId,
  scope: { kind: line.scopeKind, ids: line.targetIds },
  parentLineId: line.parentLineId,
  policy: line.policy,
  cap: line.capMinor === null ? null : formatMoney(line.capMinor, currency),
  amount: line.amountMinor === null ? null : formatMoney(line.amountMinor, currency),
  thresholds: line.thresholds === null ? null : parsedList<number>(line.thresholds),
  target: presentTarget(line, currency),
  note: line.note,
  order: line.order,
  color: line.color,
  icon: line.icon,
  archivedFrom: line.archivedFrom,
  ...presentStamps(line),
})

export function presentDeletedLine({ isArchived, isBooked }: DeletedLine): { message: string } {
  if (isArchived) {
    return { message: 'The line was archived. Past periods keep it.' }
  }
  return {
    message: isBooked
      ? 'The line was deleted. Past periods have no such line any more: what it spent there counts on the line of a category above, or outside of lines (`uncovered`).'
      : 'The line was deleted.',
  }
}

export const presentLines = ({
  lines,
  currency,
}: ListedLines): z.infer<typeof BudgetLinesResponse> => ({
  lines: lines.map((line) => presentLine({ line, currency })),
  count: lines.length,
})

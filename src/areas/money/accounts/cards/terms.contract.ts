import { z } from '@hono/zod-openapi'
import { DUE_WEEKENDS } from '../../../../domain/cards.ts'
import { formatMoney } from '../../../../domain/money.ts'
import { moneyInput, nullableText } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import type { AccountRow } from '../accounts.queries.ts'
import { isCard } from '../accounts.rules.ts'

const dueWeekendField = (description: string) =>
  z.enum(DUE_WEEKENDS).openapi({ description, example: 'after' })

const dayOfMonth = (description: string) =>
  z.number().int().min(1).max(31).nullable().optional().openapi({ description, example: 25 })

/** When statements close, and when and how they are paid. */
export const cardTermInputs = {
  statementDay: dayOfMonth('Day of the month on which the statement closes.'),
  dueDay: dayOfMonth('Day of the month on which payment is due.'),
  dueAfterDays: z.number().int().min(1).max(60).nullable().optional().openapi({
    description: 'Days from the statement until payment is due, instead of `dueDay`; cards only.',
    example: 21,
  }),
  dueWeekend: dueWeekendField(
    'What happens to a due date on a weekend; null means `after`; cards only.',
  )
    .nullable()
    .optional(),
  minimumPercent: z
    .string()
    .regex(
      /^(100(\.0{1,2})?|(0|[1-9]\d?)(\.\d{1,2})?)$/,
      'must be a percentage from 0 to 100 as text with at most 2 decimals, such as "2.5"',
    )
    .nullable()
    .optional()
    .openapi({
      description: 'Part of a statement that has to be paid at least, in percent; cards only.',
      example: '3',
    }),
  minimumAmount: moneyInput('Amount that has to be paid at least; cards only.')
    .refine((amount) => !amount.startsWith('-'), must('must not have a sign', 'range'))
    .nullable()
    .optional(),
}

const maybeDay = (description: string) =>
  z.number().int().nullable().openapi({ description, example: 25 })

/** The fields about the terms of a card in answers. */
export const cardTermFields = {
  statementDay: maybeDay('Day of the month on which the statement closes.'),
  dueDay: maybeDay('Day of the month on which payment is due.'),
  dueAfterDays: z.number().int().nullable().openapi({
    description: 'Days from the statement until payment is due, instead of `dueDay`.',
    example: 21,
  }),
  dueWeekend: dueWeekendField(
    'What happens to a due date on a weekend; null for accounts that are not cards.',
  ).nullable(),
  minimumPercent: nullableText('Part of a statement that has to be paid at least, in percent.'),
  minimumAmount: nullableText('Amount that has to be paid at least.'),
}

export const presentCardTerms = (account: AccountRow) => ({
  statementDay: account.statementDay,
  dueDay: account.dueDay,
  dueAfterDays: account.dueAfterDays,
  dueWeekend: isCard(account.type) ? (account.dueWeekend ?? 'after') : null,
  minimumPercent: account.minimumPercent,
  minimumAmount:
    account.minimumAmountMinor === null
      ? null
      : formatMoney(account.minimumAmountMinor, account.currency),
})

import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { currency, date, id, nullableText, textField, idInput } from '../../../../http/fields.ts'
import type { SpendingByMember } from './members.usecases.ts'

const spent = (description: string) => textField(description, '84.50')

export const BudgetByMemberResponse = z
  .object({
    period: date('Nominal start of the period.'),
    start: date('First day.'),
    end: date('Last day.'),
    currency: currency(),
    members: z
      .array(
        z.object({
          userId: id('usr', 'Who recorded the transactions.'),
          name: nullableText('Name of that person; null if they are no longer a member.', 'Ada'),
          spent: spent(
            'Spending that the member recorded on all lines; each category counts once.',
          ),
          lines: z
            .array(
              z.object({
                lineId: id('bln', 'Id of the line.'),
                spent: spent('Spending that the member recorded on the line.'),
              }),
            )
            .openapi({ description: 'The lines by category, in their order.' }),
        }),
      )
      .openapi({
        description: 'Everybody who recorded something on a line, in order of their ids.',
      }),
  })
  .openapi('BudgetByMemberResponse')

export function presentByMember({
  budget,
  period,
  members,
}: SpendingByMember): z.infer<typeof BudgetByMemberResponse> {
  const money = (minor: number) => formatMoney(minor, budget.currency)
  return {
    period: period.nominal,
    start: period.start,
    end: period.end,
    currency: budget.currency,
    members: members.map(({ userId, name, spentMinor, lines }) => ({
      userId,
      name,
      spent: money(spentMinor),
      lines: lines.map((line) => ({ lineId: line.lineId, spent: money(line.spentMinor) })),
    })),
  }
}

export const ShareBudgetRequest = z
  .strictObject({
    groupId: idInput('grp', 'Group that the budget belongs to from then on. You must be a member.'),
  })
  .openapi('ShareBudgetRequest')

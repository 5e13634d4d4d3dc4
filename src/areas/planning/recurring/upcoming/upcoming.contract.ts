import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  date,
  dateInput,
  idInput,
  money,
  nullableText,
  textField,
} from '../../../../http/fields.ts'
import { OccurrenceResponse, presentOccurrence } from '../occurrences/occurrences.contract.ts'
import { MODES, PURPOSES } from '../recurring.contract.ts'
import type { Upcoming } from './upcoming.usecases.ts'

export const ListUpcomingQuery = z.strictObject({
  from: dateInput('First day; today if left out.').optional(),
  to: dateInput('Last day; in 30 days if left out.').optional(),
  accountId: idInput('acc', 'Only items with this account, with its balances.').optional(),
})

const UpcomingOccurrenceResponse = z
  .object({
    ...OccurrenceResponse.shape,
    name: textField('Name of the item.', 'Rent'),
    purpose: z.enum(PURPOSES).openapi({ description: 'Purpose of the item.', example: 'bill' }),
    mode: z.enum(MODES).openapi({ description: 'Mode of the item.', example: 'post' }),
    kind: z
      .enum(['expense', 'income', 'transfer'])
      .openapi({ description: 'Kind of transaction.', example: 'expense' }),
    accountId: nullableText('Account; of a transfer the one that pays. Null for any own account.'),
    toAccountId: nullableText('Receiving account of a transfer.'),
  })
  .openapi('UpcomingOccurrence')

const dayBalance = z.object({ date: date('Day.'), balance: money('Balance at its end.') })

export const UpcomingResponse = z
  .object({
    occurrences: z.array(UpcomingOccurrenceResponse).openapi({
      description: 'Occurrences that are planned, due or late, in the order of their dates.',
    }),
    count,
    totals: z
      .array(
        z.object({
          currency: currency(),
          in: money('Income that is not paid yet.'),
          out: money('Expenses that are not paid yet.'),
        }),
      )
      .openapi({ description: 'Sums by currency, without transfers.' }),
    currency: currency('Currency of the account.').optional(),
    days: z
      .array(dayBalance)
      .optional()
      .openapi({ description: 'Expected balance of the account on each day from today on.' }),
    lowest: dayBalance
      .nullable()
      .optional()
      .openapi({ description: 'First of the days with the lowest balance.' }),
    belowZeroOn: nullableText('First day on which the balance is below zero.').optional(),
    unconverted: z.array(z.string()).optional().openapi({
      description:
        'Items that the balances leave out, as only a rate would tell what arrives on the account.',
      example: [],
    }),
  })
  .openapi('UpcomingResponse')

export const presentUpcoming = ({
  occurrences,
  totals,
  outlook,
}: Upcoming): z.infer<typeof UpcomingResponse> => ({
  occurrences: occurrences.map((view) => {
    const { name, purpose, mode, transaction, accountId } = view.item
    return {
      ...presentOccurrence(view),
      ...{ name, purpose, mode, kind: transaction.kind, accountId },
      toAccountId: transaction.kind === 'transfer' ? transaction.toAccountId : null,
    }
  }),
  count: occurrences.length,
  totals: totals.map(({ currency: code, in: income, out }) => ({
    currency: code,
    in: formatMoney(income, code),
    out: formatMoney(out, code),
  })),
  ...(outlook && presentOutlook(outlook)),
})

const presentOutlook = ({
  currency: code,
  days,
  lowest,
  belowZeroOn,
  unconverted,
}: NonNullable<Upcoming['outlook']>) => {
  const presentDay = (day: (typeof days)[number]) => ({
    date: day.date,
    balance: formatMoney(day.balanceMinor, code),
  })
  return {
    ...{ currency: code, belowZeroOn, unconverted },
    days: days.map(presentDay),
    lowest: lowest && presentDay(lowest),
  }
}

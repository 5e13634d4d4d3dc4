import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import { LINK_REASONS } from '../../../../domain/recurring/linking.ts'
import {
  currency,
  date,
  dateInput,
  id,
  idInput,
  money,
  text,
  textField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import {
  countOfPairs,
  pairQuery,
  truncated,
} from '../../../money/transactions/transactions.public.ts'
import type { FoundMatches } from './matches.usecases.ts'

const { from, to, limit } = pairQuery(0, 0)

export const ListRecurringMatchesQuery = z.strictObject({ from, to, limit })

export const RecurringMatchesResponse = z
  .object({
    matches: z
      .array(
        z.object({
          recurringId: id('rec', 'Recurring item.'),
          nominalDate: date('Nominal date of the occurrence.'),
          transactionId: id('txn', 'Transaction that may be of the occurrence.'),
          name: textField('Name of the item.', 'Rent'),
          date: date('Date of the transaction.'),
          amount: money('Amount of the transaction.'),
          currency: currency(),
          description: textField('Description of the transaction.', 'RENT MARCH'),
          score: z.number().int().openapi({
            description: 'Score up to 100; the best matches come first.',
            example: 67,
          }),
          reasons: z.array(z.enum(LINK_REASONS)).openapi({
            description: 'Reasons for the match.',
            example: ['sameAmount', 'closeDays'],
          }),
        }),
      )
      .openapi({ description: 'Matches, the most likely first.' }),
    count: countOfPairs,
    truncated,
  })
  .openapi('RecurringMatchesResponse')

export const presentMatches = ({
  matches,
  truncated: isTruncated,
}: FoundMatches): z.infer<typeof RecurringMatchesResponse> => ({
  matches: matches.map(({ item, nominalDate, transactionId, row, score, reasons }) => ({
    ...{ recurringId: item.id, nominalDate, transactionId, name: item.name, date: row.date },
    amount: formatMoney(Math.abs(row.amountMinor), row.currency),
    ...{ currency: row.currency, description: row.description, score, reasons },
  })),
  count: matches.length,
  truncated: isTruncated,
})

export const DismissRecurringRequest = z
  .strictObject({
    recurringId: idInput('rec', 'Recurring item of the match.').optional(),
    nominalDate: dateInput('Nominal date of the match.').optional(),
    transactionId: idInput('txn', 'Transaction of the match.').optional(),
    key: text(
      1,
      200,
      'Key of the suggestion.',
      'acc_01k9v3q8m5t0w2x4y6z8a1b3d5 out pay_01k9v3',
    ).optional(),
  })
  .refine(
    ({ key, ...match }) =>
      Object.values(match).filter((value) => value !== undefined).length ===
      (key === undefined ? 3 : 0),
    must(
      'must have either all of recurringId, nominalDate and transactionId, or a key',
      'combination',
    ),
  )
  .openapi('DismissRecurringRequest', {
    description:
      'A match (`recurringId`, `nominalDate` and `transactionId`) or a suggestion (`key`).',
  })

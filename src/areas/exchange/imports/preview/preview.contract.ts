import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  currency,
  date,
  id,
  instant,
  integerField,
  money,
  nullableText,
  textField,
  toInstantOrNull,
} from '../../../../http/fields.ts'
import { countsField } from '../counts.contract.ts'
import type { Preview } from './preview.usecases.ts'
import { presentStatement, statementField } from './statements.contract.ts'

const PROPOSAL =
  'Nothing is booked on the account yet, and the file says what it had before. The commit does not book that: set `openingBalance` and `openingDate` of the account if it is right.'

export const ImportPreviewResponse = z
  .object({
    accounts: z
      .array(
        z.object({
          accountId: id('acc', 'Own account, or the one that the commit makes.'),
          accountName: textField('Name of the account.', 'Everyday'),
          currency: currency('Currency of the account.'),
          counts: countsField,
          balanceBefore: money('Balance of the account now.'),
          balanceAfter: money('Balance once the rows are booked.'),
          proposedOpening: z
            .object({
              amount: money('Opening balance that the file says.'),
              date: nullableText('Day on which it stood; null if the file does not say it.'),
              message: textField('What to do with it.', PROPOSAL),
            })
            .nullable()
            .openapi({
              description:
                'Opening balance for an account that nothing is booked on yet. The commit does not set it. Null if there is nothing to propose.',
            }),
        }),
      )
      .openapi({ description: 'What a commit does to each account.' }),
    unmapped: z
      .array(
        z.object({
          name: textField('Category in the file.', 'Food'),
          rows: integerField('Number of rows to be booked.', 3),
        }),
      )
      .openapi({ description: 'Categories of the file that are booked as none.' }),
    unmappedTags: z
      .array(
        z.object({
          name: textField('Tag in the file.', 'Holiday'),
          rows: integerField('Number of rows to be booked.', 2),
        }),
      )
      .openapi({
        description:
          'Tags of the file that are left out, as no tag has the name. Create the tag before the commit to have it booked.',
      }),
    vanished: z
      .array(
        z.object({
          transactionId: nullableText('Pending transaction.'),
          date: date('Its date.'),
          amount: textField('Its amount; money that leaves is negative.', '-50.00'),
        }),
      )
      .openapi({ description: 'Pending transactions that the file should tell of, and does not.' }),
    statements: z.array(statementField).openapi({ description: 'Statements in the file.' }),
    analysedAt: instant('When the file was read.').nullable(),
  })
  .openapi('ImportPreviewResponse')

export const presentPreview = ({
  accounts,
  unmapped,
  unmappedTags,
  vanished,
  statements,
  analysedAt,
}: Preview): z.infer<typeof ImportPreviewResponse> => {
  const currencies = new Map(accounts.map((one) => [one.accountId, one.currency]))
  return {
    accounts: accounts.map(({ currency: code, beforeMinor, afterMinor, proposed, ...one }) => ({
      ...{ ...one, currency: code },
      balanceBefore: formatMoney(beforeMinor, code),
      balanceAfter: formatMoney(afterMinor, code),
      proposedOpening: proposed && {
        amount: formatMoney(proposed.minor, code),
        ...{ date: proposed.date, message: PROPOSAL },
      },
    })),
    unmapped,
    unmappedTags,
    vanished: vanished.flatMap(({ transactionId = null, accountId, date: day, minor }) => {
      const code = currencies.get(accountId)
      return code === undefined
        ? []
        : [{ transactionId, date: day, amount: formatMoney(minor, code) }]
    }),
    statements: statements.map(presentStatement),
    analysedAt: toInstantOrNull(analysedAt),
  }
}

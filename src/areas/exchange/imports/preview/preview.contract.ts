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
import { mismatchOf } from './statements.rules.ts'
import { presentStatement, statementField } from './statements.contract.ts'

const PROPOSAL =
  'Nothing is booked on the account yet, and the file states its earlier balance. The commit does not book that balance: set `openingBalance` and `openingDate` of the account if it is right.'

const BOOKED_PROPOSAL =
  'An import has created the account without an opening balance, and the file tells what it was. The commit sets it.'

export const ImportPreviewResponse = z
  .object({
    message: nullableText(
      'Sentence about statements whose balances do not fit their rows; the commit then needs `force`. Null if all fit.',
      'The rows of the statement of 2026-03-31 do not lead from its opening balance to its closing balance: 1.00 EUR are missing.',
    ),
    accounts: z
      .array(
        z.object({
          accountId: id('acc', 'Own account, or the one that the commit will create.'),
          accountName: textField('Name of the account.', 'Everyday'),
          currency: currency('Currency of the account.'),
          counts: countsField,
          balanceBefore: money('Balance of the account now.'),
          balanceAfter: money('Balance once the rows are booked.'),
          proposedOpening: z
            .object({
              amount: money('Opening balance in the file.'),
              date: nullableText('Day of that balance; null if the file does not state it.'),
              message: textField('What to do with the proposal, as a sentence.', PROPOSAL),
            })
            .nullable()
            .openapi({
              description:
                'Opening balance for an account without bookings, which the commit does not set, or for one that an import has created without an opening balance, which it sets. Null if there is nothing to propose.',
            }),
        }),
      )
      .openapi({ description: 'Effect of a commit on each account.' }),
    unmapped: z
      .array(
        z.object({
          name: textField('Category in the file.', 'Food'),
          rows: integerField('Number of rows to be booked.', 3),
        }),
      )
      .openapi({
        description:
          'Categories of the file that you do not have; their rows are booked without a category.',
      }),
    unmappedTags: z
      .array(
        z.object({
          name: textField('Tag in the file.', 'Holiday'),
          rows: integerField('Number of rows to be booked.', 2),
        }),
      )
      .openapi({
        description:
          'Tags of the file that are left out because you have no tag of that name. Create the tag before the commit to keep it.',
      }),
    vanished: z
      .array(
        z.object({
          transactionId: nullableText('Pending transaction.'),
          date: date('Its date.'),
          amount: textField('Its amount; money that leaves is negative.', '-50.00'),
        }),
      )
      .openapi({
        description:
          'Pending transactions that the file does not contain although it covers their days.',
      }),
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
    message: mismatchOf(statements),
    accounts: accounts.map(({ currency: code, beforeMinor, afterMinor, proposed, ...one }) => ({
      ...{ ...one, currency: code },
      balanceBefore: formatMoney(beforeMinor, code),
      balanceAfter: formatMoney(afterMinor, code),
      proposedOpening: proposed && {
        amount: formatMoney(proposed.minor, code),
        ...{ date: proposed.date, message: proposed.isBooked ? BOOKED_PROPOSAL : PROPOSAL },
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

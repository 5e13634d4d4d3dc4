import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
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
} from '../../../http/fields.ts'
import { fromWideSum } from '../../../platform/database/wide-sums.ts'
import { countsField } from './counts.contract.ts'
import type { ShownStatement } from './imports.queries.ts'
import type { Preview } from './preview.usecases.ts'
import { mismatchOf, checkOf, type StatementContent } from './imports.rules.ts'

const PROPOSAL =
  'Nothing is booked on the account yet, and the file states its earlier balance. The commit does not book that balance: set `openingBalance` and `openingDate` of the account if it is right.'

const BOOKED_PROPOSAL =
  'An import has created the account without an opening balance, and the file tells what it was. The commit sets it.'

const amount = (description: string) => money(description).nullable()

export const statementField = z
  .object({
    accountId: nullableText('Own account; null while it is not known.'),
    number: nullableText('Number of the statement.'),
    from: date('First day.').nullable(),
    to: date('Last day.').nullable(),
    currency: currency('Currency of the statement.'),
    opening: amount('Balance at the beginning; null if the file does not state it.'),
    rows: integerField('Number of rows.', 12),
    matched: integerField(
      'Number of these rows that the reading matched with transactions that were there before.',
      1,
    ),
    sum: money('Sum of the rows, also of those that were matched.'),
    closing: amount('Balance at the end, as stated in the file.'),
    closingDate: date('Day of `closing`: `to`, unless the file states another one.').nullable(),
    computed: amount('`opening` and `sum`.'),
    difference: amount('`closing` less `computed`.'),
    ok: z.boolean().nullable().openapi({
      description: 'Whether there is no difference; null unless the file has both balances.',
      example: true,
    }),
    ledger: z
      .object({
        clearedAtClose: money('Cleared balance of the account at the end of the last day.'),
        difference: money('`closing` less `clearedAtClose`.'),
      })
      .nullable()
      .openapi({
        description:
          'Cleared balance of the account for comparison; null right after the file was read, for accounts of others, and without a closing balance.',
      }),
    causes: z
      .array(
        z.object({
          line: integerField('Line of the file.', 7),
          reason: textField('Why the row may explain a difference.', 'error'),
          amount: nullableText('Amount of the row.'),
          explainsAll: z
            .boolean()
            .openapi({ description: 'Whether the row alone explains it.', example: true }),
        }),
      )
      .openapi({ description: 'Rows that may explain a difference.' }),
  })
  .openapi('ImportStatement')

export function presentStatement(row: ShownStatement): z.infer<typeof statementField> {
  const formatted = (minor: number | null) =>
    minor === null ? null : formatMoney(minor, row.currency)
  const { openingMinor, closingMinor, sumMinor } = row
  const { causes, closingDate, matched = 0 } = JSON.parse(row.content) as StatementContent
  const { computed, difference } = checkOf(row)
  return {
    accountId: row.accountId === '' ? null : row.accountId,
    number: row.number,
    from: row.fromDate,
    to: row.throughDate,
    currency: row.currency,
    opening: formatted(openingMinor),
    rows: row.rows,
    matched,
    sum: formatMoney(sumMinor, row.currency),
    closing: formatted(closingMinor),
    closingDate: closingMinor === null ? null : (closingDate ?? row.throughDate),
    computed: formatted(computed),
    difference: formatted(difference),
    ok: difference === null ? null : difference === 0,
    ledger: ledgerOf(row),
    causes: causes.map(({ amountMinor, ...cause }) => ({
      ...cause,
      amount: formatted(amountMinor),
    })),
  }
}

function ledgerOf({ closingMinor, clearedAtClose = null, currency: code }: ShownStatement) {
  if (closingMinor === null || clearedAtClose === null) {
    return null
  }
  const cleared = fromWideSum(clearedAtClose)
  const difference = BigInt(closingMinor) - cleared
  return {
    clearedAtClose: formatMoney(cleared, code),
    difference: formatMoney(difference, code),
  }
}

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

export const presentImportPreview = ({
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

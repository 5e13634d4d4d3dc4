import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  currency,
  date,
  integerField,
  money,
  nullableText,
  textField,
} from '../../../../http/fields.ts'
import { fromWideSum } from '../../../../platform/wide-sums.ts'
import type { ShownStatement } from '../imports.queries.ts'
import { checkOf, type StatementContent } from './statements.rules.ts'

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
  const told = (minor: number | null) => (minor === null ? null : formatMoney(minor, row.currency))
  const { openingMinor, closingMinor, sumMinor } = row
  const { causes, closingDate, matched = 0 } = JSON.parse(row.content) as StatementContent
  const { computed, difference } = checkOf(row)
  return {
    accountId: row.accountId === '' ? null : row.accountId,
    number: row.number,
    from: row.fromDate,
    to: row.throughDate,
    currency: row.currency,
    opening: told(openingMinor),
    rows: row.rows,
    matched,
    sum: formatMoney(sumMinor, row.currency),
    closing: told(closingMinor),
    closingDate: closingMinor === null ? null : (closingDate ?? row.throughDate),
    computed: told(computed),
    difference: told(difference),
    ok: difference === null ? null : difference === 0,
    ledger: ledgerOf(row),
    causes: causes.map(({ amountMinor, ...cause }) => ({ ...cause, amount: told(amountMinor) })),
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

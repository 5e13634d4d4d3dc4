import { z } from '@hono/zod-openapi'
import { csvLine, guardCell } from '../../../../domain/csv/writing.ts'
import { VERDICTS } from '../../../../domain/imports/verdicts.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  currency,
  id,
  integerField,
  money,
  nullableText,
  stamps,
  textField,
} from '../../../../http/fields.ts'
import { countsField } from '../counts.contract.ts'
import { state } from '../imports.contract.ts'
import { countsFrom } from '../imports.rules.ts'
import { presentStatement, statementField } from '../preview/statements.contract.ts'
import { presentReverted, revertedField } from '../reverting/reverted.contract.ts'
import type { Reverted } from '../reverting/reverting.rules.ts'
import type { ImportReport } from './report.usecases.ts'

export const ImportReportResponse = z
  .object({
    id: id('imp', 'Id of the import.'),
    state,
    fileName: textField('Name of the file.', 'statement.csv'),
    counts: countsField,
    accounts: z
      .array(
        z.object({
          accountId: id('acc', 'Own account.'),
          currency: currency('Currency of the account.'),
          booked: integerField('Number of rows that became transactions.', 12),
          sum: money('Sum of these rows; money that leaves is negative.'),
          matched: integerField('Number of rows that were matched with transactions.', 1),
        }),
      )
      .openapi({ description: 'What was booked and matched on each account.' }),
    leftOut: z
      .array(
        z.object({
          verdict: z
            .enum(VERDICTS)
            .openapi({ description: 'What the rows came to.', example: 'duplicate' }),
          reason: nullableText('Why they were left out; null if the verdict says it.', 'sameRow'),
          rows: integerField('Number of rows.', 3),
          lines: z
            .array(z.int())
            .openapi({ description: 'The first 20 lines of the file.', example: [2, 5, 9] }),
        }),
      )
      .openapi({ description: 'Rows that were left out, by reason.' }),
    statements: z.array(statementField).openapi({ description: 'Statements in the file.' }),
    reverted: revertedField
      .nullable()
      .openapi({ description: 'What a revert did; null if there was none.' }),
    version: stamps.version,
  })
  .openapi('ImportReportResponse')

type Report = z.infer<typeof ImportReportResponse>

export const presentReport = ({ row, accounts, leftOut, statements }: ImportReport): Report => ({
  id: row.id,
  state: row.state,
  fileName: row.fileName,
  counts: countsFrom(row.counts),
  accounts: accounts.map(({ sumMinor, ...one }) => ({
    ...one,
    sum: formatMoney(sumMinor, one.currency),
  })),
  leftOut,
  statements: statements.map(presentStatement),
  reverted: row.reverted === null ? null : presentReverted(JSON.parse(row.reverted) as Reverted),
  version: row.version,
})

const COLUMNS = [
  ...(['what', 'accountId', 'reason', 'rows', 'sum', 'currency', 'lines'] as const),
  ...(['number', 'from', 'to', 'opening', 'closing', 'computed', 'difference'] as const),
]

type Cells = Partial<Record<(typeof COLUMNS)[number], string | number | null>>

/** The report as a table: a line for each account, each reason and each statement. */
export function reportAsCsv(report: ImportReport): string {
  const { accounts, leftOut, statements } = presentReport(report)
  const lines: Cells[] = [
    ...accounts.flatMap(({ booked, matched, sum, ...one }) => [
      { what: 'booked', ...one, rows: booked, sum },
      ...(matched === 0 ? [] : [{ what: 'matched', ...one, rows: matched }]),
    ]),
    ...leftOut.map(({ verdict, lines: some, ...one }) => ({
      ...{ what: verdict, ...one, lines: some.join(' ') },
    })),
    ...statements.map(({ ok: _ok, causes: _causes, ledger: _ledger, ...one }) => ({
      what: 'statement',
      ...one,
    })),
  ]
  const cell = (value: string | number | null | undefined) => guardCell(String(value ?? ''))
  return [
    csvLine(COLUMNS),
    ...lines.map((line) => csvLine(COLUMNS.map((name) => cell(line[name])))),
  ].join('')
}

import { z } from '@hono/zod-openapi'
import { csvLine, guardCell } from '../../../domain/csv/writing.ts'
import { VERDICTS } from '../../../domain/imports/verdicts.ts'
import { formatMoney } from '../../../domain/money.ts'
import {
  currency,
  id,
  integerField,
  money,
  nullableText,
  stamps,
  textField,
  booleanField,
} from '../../../http/fields.ts'
import { presentStartedJob, type StartedJobResponse } from '../../operations/jobs/jobs.public.ts'
import { countsField } from './counts.contract.ts'
import { state } from './imports.contract.ts'
import { countsFrom } from './imports.rules.ts'
import { presentStatement, statementField } from './preview.contract.ts'
import { keptField, presentReverted, revertedField } from './reverting/reverting.contract.ts'
import type { Reverted } from './reverting/reverting.rules.ts'
import { sentenceOf } from './rows/pieces.rules.ts'
import type { ImportReport } from './imports.usecases.ts'
import type { Begun } from './booking/commit.usecases.ts'

const accountName = nullableText(
  'Name of the account; null if it is gone or you do not see it.',
  'Everyday',
)

const leftOutRow = z.object({
  line: integerField('Line of the file.', 5),
  date: nullableText('Date of the row; null if it cannot be read.', '2026-03-11'),
  payee: nullableText('Payee in the file, or else the description.', 'COFFEE BAR'),
  amount: nullableText(
    'Amount; money that leaves is negative. As the file has it if it cannot be read.',
    '-3.00',
  ),
  currency: nullableText('Currency of the amount; null if that cannot be read.', 'EUR'),
})

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
          accountName,
          currency: currency('Currency of the account.'),
          booked: integerField('Number of rows that became transactions.', 12),
          sum: money('Sum of these rows; money that leaves is negative.'),
          matched: integerField('Number of rows that were matched with transactions.', 1),
        }),
      )
      .openapi({ description: 'Booked and matched rows of each account.' }),
    leftOut: z
      .array(
        z.object({
          verdict: z
            .enum(VERDICTS)
            .openapi({ description: 'Verdict on the rows.', example: 'duplicate' }),
          reason: nullableText(
            'Why the rows were left out; null if the verdict is the reason.',
            'sameRow',
          ),
          message: nullableText(
            'The reason as a sentence.',
            'A transaction from the same row exists already.',
          ),
          rows: integerField('Number of rows.', 3),
          lines: z.array(z.int()).openapi({
            description: 'Lines of the file with such rows, at most 20.',
            example: [2, 5, 9],
          }),
          shown: z.array(leftOutRow).openapi({
            description:
              'Contents of these lines. Empty before a commit, and for old imports that did not store them.',
          }),
        }),
      )
      .openapi({ description: 'Rows that were left out, by reason.' }),
    rules: z
      .array(
        z.object({
          id: id('rul', 'Id of the rule.'),
          name: textField('Name of the rule.', 'Amazon'),
          rows: integerField('Number of booked rows that it changed.', 3),
        }),
      )
      .openapi({
        description: 'Your rules that changed booked rows, in their order.',
        example: [],
      }),
    statements: z
      .array(statementField.extend({ accountName }))
      .openapi({ description: 'Statements in the file.' }),
    reverted: revertedField
      .extend({
        kept: z
          .array(
            keptField.extend({
              name: nullableText(
                'Name of the account or category; for a transaction, its payee or else its description.',
                'COFFEE BAR',
              ),
            }),
          )
          .openapi({
            description:
              'Transactions, accounts and categories that stay; at most 1,000 are listed.',
          }),
      })
      .nullable()
      .openapi({ description: 'Result of the revert; null if there was none.' }),
    version: stamps.version,
  })
  .openapi('ImportReportResponse')

type Report = z.infer<typeof ImportReportResponse>

export function presentReport(report: ImportReport): Report {
  const { row, accounts, leftOut, statements, rules, names } = report
  const nameOf = (one: string | null) => names.get(one ?? '') ?? null
  const reverted =
    row.reverted === null ? null : presentReverted(JSON.parse(row.reverted) as Reverted)
  return {
    id: row.id,
    state: row.state,
    fileName: row.fileName,
    counts: countsFrom(row.counts),
    accounts: accounts.map(({ sumMinor, accountId, ...one }) => ({
      ...{ accountId, accountName: nameOf(accountId), ...one },
      sum: formatMoney(sumMinor, one.currency),
    })),
    leftOut: leftOut.map(({ verdict, reason, rows, lines, shown = [] }) => ({
      ...{ verdict, reason, message: sentenceOf(verdict, reason), rows, lines, shown },
    })),
    rules,
    statements: statements.map((one) => ({
      ...presentStatement(one),
      accountName: nameOf(one.accountId),
    })),
    reverted: reverted && {
      ...reverted,
      kept: reverted.kept.map((one) => ({ ...one, name: nameOf(one.id) })),
    },
    version: row.version,
  }
}

const COLUMNS = [
  ...(['what', 'account', 'accountId', 'reason', 'message', 'rows', 'sum', 'currency'] as const),
  ...(['lines', 'date', 'payee', 'amount', 'number', 'from', 'to', 'opening'] as const),
  ...(['closing', 'computed', 'difference', 'clearedAtClose', 'ledgerDifference'] as const),
]

type Cells = Partial<Record<(typeof COLUMNS)[number], string | number | null>>

/** The report as a table: a line for each account, each reason, each row that is named for it, each rule and each statement. */
export function reportAsCsv(report: ImportReport): string {
  const { accounts, leftOut, rules, statements } = presentReport(report)
  const lines: Cells[] = [
    ...accounts.flatMap(({ booked, matched, sum, accountName: account, ...one }): Cells[] => [
      { what: 'booked', account, ...one, rows: booked, sum },
      ...(matched === 0 ? [] : [{ what: 'matched', account, ...one, rows: matched }]),
    ]),
    ...leftOut.flatMap(({ verdict, lines: some, shown, ...one }): Cells[] => [
      { what: verdict, ...one, lines: some.join(' ') },
      ...shown.map(({ line, ...row }) => ({
        ...{ what: 'row', reason: one.reason ?? verdict, lines: line, ...row },
      })),
    ]),
    ...rules.map(({ id: reason, name: message, rows }) => ({
      ...{ what: 'rule', reason, message, rows },
    })),
    ...statements.map(
      ({ ok: _ok, causes: _causes, ledger, accountName: account, ...one }): Cells => ({
        ...{ what: 'statement', account, ...one },
        clearedAtClose: ledger?.clearedAtClose ?? null,
        ledgerDifference: ledger?.difference ?? null,
      }),
    ),
  ]
  const cell = (value: string | number | null | undefined) => guardCell(String(value ?? ''))
  return [
    csvLine(COLUMNS),
    ...lines.map((line) => csvLine(COLUMNS.map((name) => cell(line[name])))),
  ].join('')
}

export const CommitImportRequest = z
  .strictObject({
    transfers: z.enum(['suggest', 'match']).optional().openapi({
      description:
        'Likely transfers: `suggest` only suggests them, `match` joins pairs that score 0.85 or more.',
      example: 'match',
    }),
    vanished: z.enum(['keep', 'trash']).optional().openapi({
      description:
        'Pending transactions that the preview lists as `vanished`: `keep` leaves them, `trash` moves them to the trash.',
      example: 'keep',
    }),
    assertBalances: booleanField(
      'true to state the closing balance of each statement as a balance assertion.',
      true,
    ).optional(),
    reconcile: booleanField(
      'true to open a reconciliation of the newest statement of each account, with the rows of the import ticked.',
      true,
    ).optional(),
    applyRules: booleanField(
      'false to leave rules and the usual categories of payees out.',
      true,
    ).optional(),
    force: booleanField(
      'Required for statements whose balances do not fit their rows, for rows under a soft period lock, and to change what is reconciled.',
      true,
    ).optional(),
  })
  .openapi('CommitImportRequest')

export const presentBegun = ({ job }: Begun): z.infer<typeof StartedJobResponse> =>
  presentStartedJob(job)

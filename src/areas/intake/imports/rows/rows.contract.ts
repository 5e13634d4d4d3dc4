import { z } from '@hono/zod-openapi'
import { VERDICTS } from '../../../../domain/imports/verdicts.ts'
import type { SettledRow } from '../../../../domain/imports/rows.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  booleanField,
  count,
  date,
  dateInput,
  id,
  idInput,
  integerField,
  moneyInput,
  nextCursor,
  nullableText,
  text,
  textField,
  yesInQuery,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import { tagIdsInput } from '../../../money/transaction-views/transaction-views.public.ts'
import { rowIdOf } from '../imports.rules.ts'
import { messageOf } from './pieces.rules.ts'
import { ruledFields } from './ruled.contract.ts'
import type { ShownRow } from './rows.usecases.ts'
import type { RowsDecided } from './decisions.usecases.ts'

const verdict = z
  .enum(VERDICTS)
  .openapi({ description: 'Verdict on the row: what the commit does with it.', example: 'new' })

export const ListImportRowsQuery = z.strictObject({
  verdict: verdict.optional().openapi({ description: 'Only rows with this verdict.' }),
  accountId: idInput('acc', 'Only rows of this account.').optional(),
  text: text(1, 200, 'Only rows with this text in payee or description.', 'coffee').optional(),
  fromLine: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be a line of the file, from 1')
    .transform(Number)
    .optional()
    .openapi({ type: 'integer', description: 'Only rows from this line on.', example: 100 }),
  applyRules: yesInQuery(
    'false shows the rows as a commit with `applyRules: false` books them.',
    false,
  ).optional(),
  ...pageQuery(),
})

const problems = (description: string) =>
  z
    .array(
      z.object({
        code: textField('Code of the problem.', 'dateInvalid'),
        column: nullableText('Column or element.', 'Date'),
        message: textField('What is wrong.', '"31/02/2026" is no date in the order DMY.'),
      }),
    )
    .openapi({ description })

const path = (description: string) =>
  z
    .array(z.string())
    .nullable()
    .openapi({ description, example: ['Food'] })

const parsed = z
  .object({
    account: textField('Account, as the file names it.', ''),
    date: date('Booking date.').nullable(),
    time: nullableText('Local time.', '18:45:00'),
    amount: nullableText('Amount; money that leaves is negative.', '-12.30'),
    currency: textField('Currency of the account.', 'EUR'),
    balance: nullableText('Balance after the row.', '100.00'),
    payeeRaw: nullableText('The other party.', 'TESCO STORES 3021'),
    description: nullableText('Description.', 'Card payment'),
    note: nullableText('Note.'),
    category: path('Path of the category in the file, from the top.'),
    counterAccount: nullableText('Account of the other party.'),
    bankId: nullableText('Id given by the bank.'),
    pending: booleanField('Whether the row is pending.', false),
    tags: z.array(z.string()).openapi({ description: 'Tags in the file.', example: ['Holiday'] }),
    transfer: nullableText(
      'Other account of a transfer, as the file names it; empty if the file has only an id for it, null if the row is no transfer.',
    ),
    original: z
      .object({
        amount: textField('Amount in the other currency.', '21.80'),
        currency: textField('Other currency.', 'USD'),
        rate: nullableText('Exchange rate in the file.', '0.917'),
      })
      .nullable()
      .openapi({ description: 'Amount in another currency, if the file has one.' }),
    parts: z
      .array(
        z.object({
          amount: textField('Amount; money that leaves is negative.', '-12.30'),
          description: nullableText('Description.'),
          category: path('Path of the category in the file, from the top.'),
          tags: z.array(z.string()).openapi({ description: 'Tags.', example: [] }),
          fee: booleanField('Whether the part is a fee.', false),
          transfer: nullableText('Other account, if the part is a transfer.'),
        }),
      )
      .openapi({ description: 'Parts of a split. Empty if the row is not split.' }),
    metadata: z
      .record(z.string(), z.any())
      .openapi({ description: 'Values of the file for which there is no field.', example: {} }),
  })
  .openapi('ImportRowParsed')

const overridesField = {
  date: dateInput('Date instead of the one in the file.').optional(),
  amount: moneyInput(
    'Amount instead of the one in the file; money that leaves is negative.',
  ).optional(),
  accountId: idInput('acc', 'Account instead of the one of the file.').optional(),
  categoryId: idInput('cat', 'Category of the transaction.').nullable().optional(),
  payeeId: idInput('pay', 'Payee of the transaction.').nullable().optional(),
  description: text(0, 500, 'Description instead of the one in the file.', 'Lunch').optional(),
  tagIds: tagIdsInput('Tags of the transaction.').optional(),
  note: text(0, 2000, 'Note instead of the one in the file.', 'With Ada').nullable().optional(),
  takeDate: booleanField(
    'Whether a matched transaction gets the date of the row.',
    false,
  ).optional(),
}

const decision = z.enum(['book', 'skip', 'match']).nullable().openapi({
  description:
    '`book` books the row whatever its verdict was; `skip` leaves it out; `match` matches it with `transactionId`; null takes the decision back.',
  example: 'book',
})

const decided = {
  decision: decision.optional(),
  once: booleanField(
    'Whether `skip` applies to this import only; otherwise the row is skipped in later imports, too.',
    false,
  ).optional(),
  transactionId: idInput('txn', 'Transaction to match the row with; only with `match`.').optional(),
}

const isWhole = (sent: {
  decision?: string | null | undefined
  transactionId?: string | undefined
}) => (sent.decision === 'match') === (sent.transactionId !== undefined)

const needsBoth = {
  ...must('must be sent with the decision `match`, and only with it', 'combination'),
  path: ['transactionId'],
}

export const UpdateImportRowRequest = z
  .strictObject({ ...decided, ...overridesField })
  .refine(isWhole, needsBoth)
  .openapi('UpdateImportRowRequest')

export const UpdateImportRowsRequest = z
  .strictObject({
    ids: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(500)
      .optional()
      .openapi({ description: 'Ids of rows. Send either these or `filter`.' }),
    filter: z
      .strictObject({
        verdict: verdict.optional(),
        accountId: idInput('acc', 'Rows of this account.').optional(),
        text: text(1, 200, 'Rows with this text in payee or description.', 'coffee').optional(),
      })
      .optional()
      .openapi({ description: 'Filter that selects rows. Send either this or `ids`.' }),
    decision: z
      .enum(['book', 'skip'])
      .nullable()
      .optional()
      .openapi({ description: 'Decision for each row, as for a single row.', example: 'skip' }),
    once: decided.once,
    categoryId: overridesField.categoryId,
    payeeId: overridesField.payeeId,
    tagIds: overridesField.tagIds,
    note: overridesField.note,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    ...must('and filter exclude each other, and one of them must be sent', 'combination'),
    path: ['ids'],
  })
  .openapi('UpdateImportRowsRequest')

export const UpdatedImportRowsResponse = z
  .object({ rows: integerField('Number of rows that were decided.', 12) })
  .openapi('UpdatedImportRowsResponse')

export const presentRowsDecided = ({
  rows,
}: RowsDecided): z.infer<typeof UpdatedImportRowsResponse> => ({ rows })

export const ImportRowResponse = z
  .object({
    id: id('irw', 'Id of the row.'),
    line: integerField('First line of the row in the file, from 1.', 2),
    raw: z.record(z.string(), z.string()).openapi({
      description: 'Values in the file, by column or element.',
      example: { Amount: '-12,30' },
    }),
    parsed,
    verdict,
    reason: nullableText('Why the row is not new.', 'sameRow'),
    message: nullableText(
      'Sentence that says why the row is left out; null if it is not.',
      'A transaction from the same row exists already.',
    ),
    matchedId: nullableText(
      'Transaction that the row belongs to, or the other half of its transfer.',
    ),
    transactionId: nullableText(
      'Transaction that the row was booked as, or matched with; null before the commit, and for a row that was left out or was booked beside an equal one.',
    ),
    suggestedMatchId: nullableText(
      'Transaction that the row may belong to. Decide `match` to confirm it.',
    ),
    score: z
      .number()
      .nullable()
      .openapi({ description: 'How well the transaction fits, from 0 to 1.', example: 0.75 }),
    reasons: z
      .array(z.string())
      .openapi({ description: 'Why the transaction fits.', example: ['sameAmount', 'sameDay'] }),
    errors: problems('Problems that prevent the row from being booked.'),
    warnings: z.array(z.string()).openapi({ description: 'Warnings about the row.', example: [] }),
    decision: decision.openapi({ description: 'Decision of the user; null for none.' }),
    once: booleanField('Whether `skip` applies to this import only.', false),
    overrides: z
      .object({
        date: date('Date.').optional(),
        amount: textField('Amount.', '-12.30').optional(),
        accountId: textField('Account.', 'acc_…').optional(),
        categoryId: nullableText('Category.').optional(),
        payeeId: nullableText('Payee.').optional(),
        description: textField('Description.', 'Lunch').optional(),
        tagIds: z.array(z.string()).optional().openapi({ description: 'Tags.', example: [] }),
        note: nullableText('Note.').optional(),
        takeDate: booleanField(
          'Whether the transaction gets the date of the row.',
          false,
        ).optional(),
      })
      .openapi({ description: 'Values that the user set in place of those in the file.' }),
    ...ruledFields,
  })
  .openapi('ImportRowResponse')

export const ImportRowsResponse = z
  .object({
    rows: z.array(ImportRowResponse).openapi({
      description: 'One page of the rows, in the order of the file. It may be short, or empty.',
    }),
    count: count.openapi({
      description: 'Number of rows with the verdict; the other filters do not affect it.',
    }),
    nextCursor,
  })
  .openapi('ImportRowsResponse')

export function presentRow({
  importId,
  read: { row },
  note,
  found,
  ...shown
}: ShownRow): z.infer<typeof ImportRowResponse> {
  const { source } = row
  return {
    id: rowIdOf(importId, row.at + 1),
    line: source.line,
    raw: source.raw,
    parsed: {
      account: source.account,
      date: row.date ?? null,
      time: source.time ?? null,
      amount:
        row.minor === undefined ? (source.amount ?? null) : formatMoney(row.minor, row.currency),
      currency: row.currency,
      balance: row.balanceMinor === undefined ? null : formatMoney(row.balanceMinor, row.currency),
      payeeRaw: source.payeeRaw ?? null,
      description: source.description ?? null,
      note: source.note ?? null,
      category: source.category ?? null,
      counterAccount: source.counterAccount ?? null,
      bankId: source.bankId?.id ?? null,
      pending: source.pending,
      tags: source.tags,
      transfer: source.transfer?.account ?? null,
      original: originalOf(row),
      parts: source.parts.map((part, at) => ({
        amount:
          row.minor === undefined
            ? part.amount
            : formatMoney(row.partMinors[at] ?? 0, row.currency),
        description: part.description ?? null,
        category: part.category ?? null,
        tags: part.tags ?? [],
        fee: part.fee === true,
        transfer: part.transfer ?? null,
      })),
      metadata: source.ownMetadata ?? source.metadata,
    },
    verdict: shown.verdict,
    reason: shown.reason,
    message: messageOf(shown, row.errors),
    matchedId: shown.matchedId,
    transactionId: shown.transactionId,
    suggestedMatchId: found.suggestedMatchId ?? null,
    score: found.score ?? null,
    reasons: found.reasons ?? [],
    errors: row.errors.map(({ column = null, ...error }) => ({ ...error, column })),
    warnings: [...new Set([...row.warnings, ...(found.warnings ?? [])])],
    decision: note?.decision ?? null,
    once: note?.once ?? false,
    overrides: shown.overrides,
    rules: shown.ruled?.rules ?? null,
    changes: shown.ruled?.changes ?? null,
  }
}

function originalOf({ source: { original }, originalMinor }: SettledRow) {
  if (original === undefined) {
    return null
  }
  const { amount, currency, rate = null } = original
  const shown = originalMinor === undefined ? amount : formatMoney(originalMinor, currency)
  return { amount: shown, currency, rate }
}

export const presentImportRows = ({
  rows,
  count: all,
  nextCursor: next,
}: Listed<ShownRow>): z.infer<typeof ImportRowsResponse> => ({
  rows: rows.map(presentRow),
  count: all,
  nextCursor: next,
})

import { z } from '@hono/zod-openapi'
import {
  dateInput,
  id,
  idInput,
  instant,
  integerField,
  nullableText,
  presentStamps,
  stamps,
  textField,
  toInstant,
  toInstantOrNull,
  yesInQuery,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { fileNameInput } from '../../files/attachments/attachments.public.ts'
import type { ImportRow } from './imports.queries.ts'
import type { ImportView } from './imports.usecases.ts'
import { countsFrom, type ForeignAccount, IMPORT_STATES, type Mapping } from './imports.rules.ts'
import { countsField } from './counts.contract.ts'
import type { Question } from '../../../domain/bank-files/format.ts'
import type { FileWarning } from '../../../domain/bank-files/source.ts'
import { mappingField } from './formats/mapping.contract.ts'
import { presentReverted, revertedField } from './reverting/reverting.contract.ts'
import type { Reverted } from './reverting/reverting.rules.ts'
import { presentStatement, statementField } from './preview.contract.ts'

export const CreateImportQuery = z
  .strictObject({
    fileName: fileNameInput.optional().openapi({
      description: 'Name of the file. For an attachment, its own name by default.',
      example: 'statement.csv',
    }),
    attachmentId: idInput('att', 'Attachment to import, in place of a body.').optional(),
    accountId: idInput(
      'acc',
      'Account for the rows, if the file names one account or none.',
    ).optional(),
    profileId: idInput('ipr', 'Import profile with which the file is read.').optional(),
    again: yesInQuery(
      'true to import the file although another import of it is open.',
      false,
    ).optional(),
  })
  .refine(({ fileName, attachmentId }) => fileName !== undefined || attachmentId !== undefined, {
    ...must('is required without attachmentId', 'required'),
    path: ['fileName'],
  })

export const ReplaceImportFileQuery = z.strictObject({ fileName: fileNameInput.optional() })

export const state = z
  .enum(IMPORT_STATES)
  .openapi({ description: 'State of the import.', example: 'previewed' })

export const ListImportsQuery = z.strictObject({
  state: state.optional().openapi({ description: 'Only imports in this state.' }),
  accountId: idInput('acc', 'Only imports into this account.').optional(),
  from: dateInput('Only imports from this day on (UTC).').optional(),
  to: dateInput('Only imports up to this day (UTC).').optional(),
  ...pageQuery(),
})

const evidence = z
  .array(
    z.object({
      line: integerField('Line of the file.', 2),
      raw: textField('Content of the line.', '03/04/2026'),
    }),
  )
  .openapi({ description: 'Lines of the file that cause the question.' })

export const questionField = z
  .object({
    key: textField(
      'Name of the question, which is the field of the mapping that answers it. `account` is answered by `accountId`, and `accounts` by `accountMap`.',
      'dateOrder',
    ),
    options: z
      .array(z.string())
      .openapi({ description: 'Possible answers, as they are sent.', example: ['DMY', 'MDY'] }),
    evidence,
    suggestion: nullableText('Answer that probably fits; it is never used without being sent.'),
    choices: z
      .array(
        z.object({
          option: textField('Answer, as it is sent.', 'create'),
          foreign: nullableText(
            'Account of the file for which `create` makes a new one; the key of `newAccounts`. Null for an own account.',
          ),
          name: textField('Name of the account; of a new one, the suggested name.', 'Everyday'),
          type: textField('Type of the account; of a new one, the suggested type.', 'checking'),
          currency: textField('Currency; of a new one, the suggested currency.', 'EUR'),
        }),
      )
      .openapi({
        description: 'Accounts to choose from; empty for questions that are not about accounts.',
      }),
    outcomes: z
      .array(
        z.object({
          option: textField('Answer, as it is sent.', 'DMY'),
          rows: integerField('Number of rows that would be booked.', 3),
          errors: integerField('Number of rows that could not be booked.', 0),
          from: nullableText('Day of the first row; null without rows.'),
          to: nullableText('Day of the last row; null without rows.'),
          sums: z
            .array(
              z.object({
                currency: textField('Currency of the rows.', 'EUR'),
                in: textField('Sum of the money that comes in.', '0.00'),
                out: textField('Sum of the money that goes out, without a sign.', '60.10'),
              }),
            )
            .openapi({ description: 'Sums, one for each currency.' }),
        }),
      )
      .openapi({
        description:
          'What the file would book under each answer, and under the suggested answers to other questions; for `columns`, under the suggestion. An answer is left out if another question without a suggestion stays open. Empty for questions about accounts, and for files of more than 256 KiB.',
      }),
  })
  .openapi('ImportQuestion')

/** A code, with particulars that differ from code to code. */
export const warningField = z
  .object({ code: textField('Code of the warning. Other fields depend on it.', 'bankIdsReused') })
  .catchall(z.any())
  .openapi('ImportWarning')

export const foreignAccountField = z
  .object({
    foreign: textField(
      'Key of the account in `accountMap`; empty if the file names no account.',
      'DE89…',
    ),
    iban: nullableText('IBAN in the file.'),
    number: nullableText('Number in the file.'),
    name: nullableText('Name in the file.'),
    currency: nullableText('Currency in the file.', 'EUR'),
    rows: integerField('Number of rows.', 12),
    accountId: nullableText('Own account, `create` or `ignore`; null if it is not decided.'),
  })
  .openapi('ImportAccount')

const fields = {
  id: id('imp', 'Id of the import.'),
  state,
  format: nullableText('Format of the file; null while it is not known.', 'csv'),
  fileName: textField('Name of the file.', 'statement.csv'),
  size: integerField('Size of the file in bytes.', 4812),
  sha256: textField('Hexadecimal SHA-256 of the file.', '9f86d081884c7d659a2feaa0c55ad015…'),
  counts: countsField,
  accounts: z.array(foreignAccountField).openapi({
    description: 'Accounts of the file, with the own accounts that they are mapped to.',
  }),
  expiresAt: instant('When the file and its rows are erased.'),
  ...stamps,
}

export const ImportSummary = z.object(fields).openapi('ImportSummary')

const details = {
  mapping: mappingField.openapi({ description: 'How the file is read.' }),
  questions: z.array(questionField).openapi({ description: 'Questions that are still open.' }),
  warnings: z.array(warningField).openapi({ description: 'Warnings about the whole file.' }),
  statements: z.array(statementField).openapi({ description: 'Statements in the file.' }),
  reverted: revertedField
    .nullable()
    .openapi({ description: 'Result of the revert; null if there was none.' }),
  progress: z
    .object({
      step: z
        .enum(['reading', 'comparing', 'booking', 'reverting'])
        .openapi({ description: 'Current step of the job.', example: 'booking' }),
      rowsDone: integerField('Number of rows that are done.', 2000),
      rowsTotal: integerField('Total number of rows.', 10_000),
    })
    .nullable()
    .openapi({ description: 'Progress of the job; null if none is running.' }),
  jobId: nullableText('Current or last job of the import.'),
  error: z
    .object({
      code: textField('Code of the error.', 'imports.truncated'),
      message: textField('What is wrong.', 'The file ends before it is complete.'),
    })
    .nullable()
    .openapi({
      description: 'Why the file cannot be read, or why the commit stopped; null otherwise.',
    }),
  analysedAt: instant('When the file was last read.').nullable(),
}

export const ImportResponse = z.object({ ...fields, ...details }).openapi('ImportResponse')

export const ImportsResponse = pageResponse(
  'imports',
  ImportSummary,
  'One page of the list, newest first.',
).openapi('ImportsResponse')

export const presentImportAccount = ({
  key,
  rows,
  accountId,
  ...said
}: ForeignAccount): z.infer<typeof foreignAccountField> => ({
  foreign: key,
  iban: said.iban ?? null,
  number: said.number ?? null,
  name: said.name ?? null,
  currency: said.currency ?? null,
  rows,
  accountId,
})

export const presentQuestion = ({
  key,
  options,
  evidence: lines,
  suggestion,
  choices = [],
  outcomes = [],
}: Question): z.infer<typeof questionField> => ({
  ...{ key, options, evidence: lines },
  suggestion: suggestion ?? null,
  choices: choices.map(({ option, foreign = null, ...one }) => ({ option, foreign, ...one })),
  outcomes,
})

const presentSummary = (row: ImportRow): z.infer<typeof ImportSummary> => ({
  id: row.id,
  state: row.state,
  format: (JSON.parse(row.mapping) as Mapping).format ?? null,
  fileName: row.fileName,
  size: row.size,
  sha256: row.sha256,
  counts: countsFrom(row.counts),
  accounts: (JSON.parse(row.accounts) as ForeignAccount[]).map(presentImportAccount),
  expiresAt: toInstant(row.expiresAt),
  ...presentStamps(row),
})

const isAtWork = ({ task }: ImportRow) => task === 'queued' || task === 'running'

export const presentImport = ({ row, statements }: ImportView): z.infer<typeof ImportResponse> => ({
  ...presentSummary(row),
  // Options that only readers of files need are left out.
  mapping: mappingField.parse(JSON.parse(row.mapping)),
  questions: (JSON.parse(row.questions) as Question[]).map(presentQuestion),
  warnings: JSON.parse(row.warnings) as FileWarning[],
  statements: statements.map(presentStatement),
  reverted: row.reverted === null ? null : presentReverted(JSON.parse(row.reverted) as Reverted),
  progress:
    row.step !== null && isAtWork(row)
      ? { step: row.step, rowsDone: row.rowsDone, rowsTotal: row.rowsTotal }
      : null,
  jobId: row.taskId,
  error: row.error === null ? null : JSON.parse(row.error),
  analysedAt: toInstantOrNull(row.analysedAt),
})

export const presentImports = presentPage('imports', presentSummary)

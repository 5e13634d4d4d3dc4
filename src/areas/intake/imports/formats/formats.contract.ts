import { z } from '@hono/zod-openapi'
import { BUILT_IN_PROFILES } from '../../../../domain/csv/profiles/profiles.ts'
import { FORMAT_KEYS, type FormatKey } from '../../../../domain/bank-files/format.ts'
import { formats } from '../../../../domain/bank-files/formats.ts'
import { integerField, nullableText, textField } from '../../../../http/fields.ts'
import {
  foreignAccountField,
  presentImportAccount,
  presentQuestion,
  questionField,
} from '../imports.contract.ts'
import { mappingField } from './mapping.contract.ts'
import type { Detected } from './formats.usecases.ts'

const key = z.enum(FORMAT_KEYS).openapi({ description: 'Format.', example: 'csv' })

export const ImportFormatsResponse = z
  .object({
    formats: z
      .array(
        z.object({
          key,
          name: textField('Name of the format.', 'CSV'),
          options: z.array(z.string()).openapi({
            description: 'Fields of the mapping that matter for the format.',
            example: ['delimiter', 'columns'],
          }),
        }),
      )
      .openapi({ description: 'The formats that can be imported.' }),
    profiles: z
      .array(
        z.object({
          key: textField('Built-in profile, for `builtIn` of a mapping.', 'revolut'),
          name: textField('Bank or program.', 'Revolut'),
        }),
      )
      .openapi({ description: 'Built-in profiles for CSV.' }),
  })
  .openapi('ImportFormatsResponse')

const ALWAYS = [
  ...['accountId', 'accountMap', 'newAccounts', 'categoryMap'],
  ...['pending', 'matching', 'from', 'through'],
]
const OF_TEXT = ['encoding', 'dateOrder', 'decimal', 'year', 'currency', 'zeroRows']

const DETAILS: Record<FormatKey, { name: string; options: string[] }> = {
  csv: {
    name: 'CSV',
    options: [
      ...['delimiter', 'quote', 'headerLine', 'skipLines', 'columns', 'sign', 'fee', 'builtIn'],
      ...OF_TEXT,
    ],
  },
  ofx: { name: 'OFX and QFX', options: ['encoding', 'zeroRows'] },
  qif: { name: 'QIF', options: OF_TEXT },
  camt: { name: 'CAMT.052, .053 and .054', options: ['batches', 'zeroRows'] },
  mt940: { name: 'MT940 and MT942', options: ['encoding', 'zeroRows'] },
  ynab: { name: 'YNAB plan (JSON)', options: [] },
  coffer: { name: 'Coffer (NDJSON)', options: [] },
}

export const presentImportFormats = (): z.infer<typeof ImportFormatsResponse> => ({
  formats: formats.map((format) => ({
    key: format.key,
    name: DETAILS[format.key].name,
    options: [...DETAILS[format.key].options, ...ALWAYS],
  })),
  profiles: BUILT_IN_PROFILES.map((profile) => ({ key: profile.key, name: profile.name })),
})

export const DetectedImportFileResponse = z
  .object({
    format: key.nullable().openapi({ description: 'Format; null if several fit.' }),
    mapping: mappingField.openapi({ description: 'How the file would be read.' }),
    confidence: z
      .record(
        z.string(),
        z.object({
          confidence: z.number().openapi({ description: 'From 0 to 1.', example: 1 }),
          evidence: z
            .array(z.string())
            .openapi({ description: 'Values of the file that show it.', example: ['13/04/2026'] }),
        }),
      )
      .openapi({ description: 'How the fields of the mapping are known.', example: {} }),
    accounts: z
      .array(foreignAccountField)
      .openapi({ description: 'Accounts of the file; rows are not counted.' }),
    questions: z.array(questionField).openapi({ description: 'Questions that are open.' }),
    profileId: nullableText('Own import profile that fits the file.'),
    shape: z
      .array(z.string())
      .openapi({ description: 'Headings or kinds of columns.', example: ['date', 'amount'] }),
    sample: z
      .array(z.array(z.string()))
      .openapi({ description: 'Cells of the first rows, at most 20.', example: [['2026-03-10']] }),
    size: integerField('Number of bytes that were looked at.', 4812),
  })
  .openapi('DetectedImportFileResponse')

export const presentDetected = ({
  surveyed,
  size,
}: Detected): z.infer<typeof DetectedImportFileResponse> => ({
  format: surveyed.format?.key ?? null,
  mapping: mappingField.parse(surveyed.mapping),
  confidence: Object.fromEntries(Object.entries(surveyed.survey?.found ?? {})),
  accounts: surveyed.accounts.map(presentImportAccount),
  questions: surveyed.questions.map(presentQuestion),
  profileId: surveyed.profileId,
  shape: surveyed.shape,
  sample: (surveyed.survey?.sample ?? []).slice(0, 20),
  size,
})

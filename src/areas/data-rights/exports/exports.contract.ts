import { z } from '@hono/zod-openapi'
import { ARCHIVE_STATES, archiveState } from '../../../domain/archives.ts'
import {
  booleanField,
  count,
  id,
  idInput,
  instant,
  integerField,
  presentStamps,
  stamps,
  textField,
  toInstantOrNull,
} from '../../../http/fields.ts'
import { pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import { profileFields } from '../../identity/auth/auth.public.ts'
import { filterFields } from '../../money/transactions/transactions.public.ts'
import { presentStartedJob, StartedJobResponse } from '../../operations/jobs/jobs.public.ts'
import type { DataExportRow, StoredExport } from './exports.queries.ts'
import {
  CONTENTS,
  type ExportManifest,
  FORMAT_FACTS,
  EXPORT_FORMATS,
  lossyOf,
  OPTIONS,
} from './exports.rules.ts'
import type { RequestedExport } from './exports.usecases.ts'

export const exportFormat = z
  .enum(EXPORT_FORMATS)
  .openapi({ description: 'Format of the file.', example: 'csv' })

const content = z
  .enum(CONTENTS)
  .openapi({ description: 'A kind of data.', example: 'transactions' })

export const exportOptions = {
  locale: profileFields.locale.optional().openapi({
    description:
      'Language whose decimal mark and order of dates csvExcel uses; by default the language of the user.',
  }),
  keepDigits: booleanField(
    'Whether csvExcel writes ids of digits as formulas, which keeps their zeros but cannot be read back.',
    false,
  ).optional(),
  assertions: booleanField(
    'Whether journals state the balance assertions of their accounts, so that the programs check them. Of the scope, only `accountId`, `shared` and `to` can be sent with it.',
    true,
  ).optional(),
}

const { accountId: _, ...selected } = filterFields(booleanField)

export const exportScope = {
  ...selected,
  accountId: z
    .array(idInput('acc', 'Id of an account.'))
    .min(1)
    .max(200)
    .optional()
    .openapi({
      description: 'Only these accounts; by default all.',
      example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
    }),
  shared: booleanField(
    'Whether accounts that others share with the caller are exported, too.',
    false,
  ).default(false),
  what: z
    .array(content)
    .min(1)
    .max(CONTENTS.length)
    .default(['transactions'])
    .openapi({ description: 'Kinds of data to export.', example: ['transactions'] }),
}

export const CreateExportRequest = z
  .strictObject({
    format: exportFormat,
    options: z.strictObject(exportOptions).default({}),
    scope: z.strictObject(exportScope).default({ shared: false, what: ['transactions'] }),
  })
  .openapi('CreateExportRequest')

export const ListExportsQuery = z.strictObject(pageQuery())

const lossy = z.array(z.string()).openapi({
  description:
    'Kinds of data that the file leaves out, or that an import of the file does not bring back.',
  example: ['files', 'links'],
})

const SHA = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'

export const ExportResponse = z
  .object({
    id: id('exp', 'Id of the export.'),
    state: z.enum(ARCHIVE_STATES).openapi({
      description: 'State of the export. It can be downloaded while it is `ready`.',
      example: 'ready',
    }),
    format: exportFormat,
    options: z
      .object(exportOptions)
      .openapi({ description: 'Options, as requested.', example: {} }),
    scope: z.object(exportScope).openapi({
      description: 'Selected data, as requested.',
      example: { shared: false, what: ['transactions'] },
    }),
    lossy,
    scheduled: booleanField('Whether a schedule had it made.', false),
    counts: z
      .record(z.string(), z.number().int())
      .nullable()
      .openapi({
        description: 'Number of rows of each kind; null until it is ready.',
        example: { transactions: 120 },
      }),
    changedMeanwhile: z.boolean().nullable().openapi({
      description: 'Whether data was changed while it was read; null until it is ready.',
      example: false,
    }),
    jobId: id('tsk', 'Job that makes the export.').nullable(),
    size: integerField('Size in bytes; null until it is ready.', 48_211).nullable(),
    sha256: textField('SHA-256 of the file.', SHA).nullable(),
    finishedAt: instant('Time at which it was ready.').nullable(),
    expiresAt: instant('Time at which it is deleted; null while a schedule keeps it.').nullable(),
    ...stamps,
  })
  .openapi('ExportResponse')

export const ExportRequestedResponse = z
  .object({ id: id('exp', 'Id of the export.'), ...StartedJobResponse.shape })
  .openapi('ExportRequestedResponse')

export const ExportsResponse = pageResponse(
  'exports',
  ExportResponse,
  'One page of the list, newest first.',
).openapi('ExportsResponse')

const ExportFormatResponse = z
  .object({
    format: exportFormat,
    contentType: textField('Media type of the file.', 'text/csv'),
    extension: textField('Ending of the name of the file.', 'csv'),
    what: z.array(content).openapi({
      description: 'Kinds of data that the format can contain.',
      example: ['transactions'],
    }),
    options: z
      .array(z.enum(OPTIONS))
      .openapi({ description: 'Options of the format.', example: ['locale'] }),
    lossy,
  })
  .openapi('ExportFormatResponse')

export const ExportFormatsResponse = z
  .object({
    formats: z.array(ExportFormatResponse).openapi({ description: 'All formats.' }),
    count,
  })
  .openapi('ExportFormatsResponse')

export function presentExport(row: DataExportRow): z.infer<typeof ExportResponse> {
  const { format, options, scope } = JSON.parse(row.filter ?? '{}') as StoredExport
  const manifest = row.manifest === null ? null : (JSON.parse(row.manifest) as ExportManifest)
  return {
    id: row.id,
    state: archiveState(row.stored, row.task),
    format,
    options,
    scope,
    lossy: lossyOf(format, options),
    scheduled: row.scheduleId !== null,
    counts: manifest && manifest.counts,
    changedMeanwhile: manifest && manifest.changedMeanwhile,
    jobId: row.taskId,
    size: row.size,
    sha256: row.sha256,
    finishedAt: toInstantOrNull(row.finishedAt),
    expiresAt: toInstantOrNull(row.expiresAt),
    ...presentStamps(row),
  }
}

export const presentExports = presentPage('exports', presentExport)

export const presentRequestedExport = ({
  id: exportId,
  job,
}: RequestedExport): z.infer<typeof ExportRequestedResponse> => ({
  id: exportId,
  ...presentStartedJob(job),
})

/** The formats are code, so there is nothing to fetch. */
export const presentExportFormats = (): z.infer<typeof ExportFormatsResponse> => ({
  formats: EXPORT_FORMATS.map((one) => {
    const { contentType, extension, what, options: known } = FORMAT_FACTS[one]
    return {
      format: one,
      contentType,
      extension,
      what: [...what],
      options: [...known],
      lossy: lossyOf(one, {}),
    }
  }),
  count: EXPORT_FORMATS.length,
})

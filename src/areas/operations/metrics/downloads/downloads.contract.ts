import { z } from '@hono/zod-openapi'
import {
  date,
  instant,
  nullableText,
  textField,
  toInstant,
  integerField,
} from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import { sumBy } from './downloads.rules.ts'
import type { Downloads } from './downloads.usecases.ts'

const { limit } = pageQuery()

export const DownloadMetricsQuery = z.strictObject({
  limit: limit.openapi({ description: 'Maximum number of downloads in `recent`.' }),
})

const KIND = 'attachment'
const downloads = integerField('Number of downloads.', 12)
const bytes = integerField('Number of bytes that were sent.', 52_428_800)

export const DownloadMetricsResponse = z
  .object({
    totals: z
      .object({
        downloads,
        users: integerField('Number of users who downloaded something.', 3),
        bytes,
      })
      .openapi({ description: 'Totals of all time.' }),
    byKind: z
      .array(
        z.object({
          kind: textField('Kind of the file: attachment, backup or auditLog.', KIND),
          downloads,
          bytes,
        }),
      )
      .openapi({ description: 'The same numbers by kind of file.' }),
    byDay: z
      .array(z.object({ date: date('Date in UTC.'), downloads, bytes }))
      .openapi({ description: 'The same numbers by day, for days with downloads, oldest first.' }),
    recent: z
      .array(
        z.object({
          at: instant('Time of the event.'),
          userId: nullableText('User who downloaded the file; null if a signed link was used.'),
          kind: textField('Kind of the file.', KIND),
          resourceId: nullableText('Id of the file.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: nullableText('Name of the file, while it exists.', 'receipt.pdf'),
          bytes,
        }),
      )
      .openapi({ description: 'The newest downloads, newest first.' }),
  })
  .openapi('DownloadMetricsResponse')

export function presentDownloads({
  days,
  users,
  recent,
}: Downloads): z.infer<typeof DownloadMetricsResponse> {
  const [{ downloads, bytes } = { downloads: 0, bytes: 0 }] = sumBy(days, () => '')
  return {
    totals: { downloads, users, bytes },
    byKind: sumBy(days, ({ kind }) => kind).map(({ key, ...sum }) => ({ kind: key, ...sum })),
    byDay: sumBy(days, ({ date }) => date).map(({ key, ...sum }) => ({ date: key, ...sum })),
    recent: recent.map(({ at, userId, kind, resourceId, fileName, bytes: sent }) => ({
      ...{ at: toInstant(at), userId, kind, resourceId, fileName, bytes: sent },
    })),
  }
}

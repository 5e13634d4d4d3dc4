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
  limit: limit.openapi({ description: 'How many of the newest downloads at most' }),
})

const KIND = 'attachment'
const downloads = integerField('How often something was downloaded.', 12)
const bytes = integerField('How many bytes were sent.', 52_428_800)

export const DownloadMetricsResponse = z
  .object({
    totals: z
      .object({ downloads, users: integerField('How many people downloaded something.', 3), bytes })
      .openapi({ description: 'Of all time.' }),
    byKind: z
      .array(
        z.object({ kind: textField('attachment, backup or auditLog.', KIND), downloads, bytes }),
      )
      .openapi({ description: 'The same by what was downloaded.' }),
    byDay: z
      .array(z.object({ date: date('Day in UTC.'), downloads, bytes }))
      .openapi({ description: 'The same by day, for the days that have any; oldest first.' }),
    recent: z
      .array(
        z.object({
          at: instant('When it was.'),
          userId: nullableText('Who it was; null for whoever held a signed link.'),
          kind: textField('What was downloaded.', KIND),
          resourceId: nullableText('Its id.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: nullableText('Its name, while the file exists.', 'receipt.pdf'),
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

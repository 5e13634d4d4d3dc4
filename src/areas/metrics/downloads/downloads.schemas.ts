import { z } from '@hono/zod-openapi'
import { date, instant, maybe, output, whole } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'

const { limit } = pageQuery()

export const DownloadMetricsQuery = z.strictObject({
  limit: limit.openapi({ description: 'How many of the newest downloads at most' }),
})

const KIND = 'attachment'
const downloads = whole('How often something was downloaded.', 12)
const bytes = whole('How many bytes were sent.', 52_428_800)

export const DownloadMetricsResponse = z
  .object({
    totals: z
      .object({ downloads, users: whole('How many people downloaded something.', 3), bytes })
      .openapi({ description: 'Of all time.' }),
    byKind: z
      .array(z.object({ kind: output('attachment, backup or auditLog.', KIND), downloads, bytes }))
      .openapi({ description: 'The same by what was downloaded.' }),
    byDay: z
      .array(z.object({ date: date('Day in UTC.'), downloads, bytes }))
      .openapi({ description: 'The same by day, for the days that have any; oldest first.' }),
    recent: z
      .array(
        z.object({
          at: instant('When it was.'),
          userId: maybe('Who it was; null for whoever held a signed link.'),
          kind: output('What was downloaded.', KIND),
          resourceId: maybe('Its id.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: maybe('Its name, while the file exists.', 'receipt.pdf'),
          bytes,
        }),
      )
      .openapi({ description: 'The newest downloads, newest first.' }),
  })
  .openapi('DownloadMetricsResponse')

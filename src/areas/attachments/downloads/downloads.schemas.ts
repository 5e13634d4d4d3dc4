import { z } from '@hono/zod-openapi'
import { count, instant, maybe, nextCursor, output, whole } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import { LONGEST_MINUTES } from './downloads.rules.ts'

export const DownloadLinkRequest = z
  .strictObject({
    minutes: z.number().int().min(1).max(LONGEST_MINUTES).default(15).openapi({
      description:
        'How long it works, at most: it ends with the session or token that it was asked for with.',
      example: 15,
    }),
  })
  .openapi('DownloadLinkRequest')

export const DownloadLinkResponse = z
  .object({
    url: output('Path of the service; whoever has it gets the file.', '/download/WyJhdHRf…'),
    expiresAt: instant('Until when it works.'),
  })
  .openapi('DownloadLinkResponse')

export const linkPath = z.object({
  token: z.string().max(2000).openapi({ description: 'As in `url`.', example: 'WyJhdHRf….k2J' }),
})

export const ListDownloadsQuery = z.strictObject({ ...pageQuery() })

export const ListDownloadsResponse = z
  .object({
    downloads: z
      .array(
        z.object({
          at: instant('When.'),
          kind: z
            .enum(['attachment', 'backup', 'auditLog'])
            .openapi({ description: 'What kind of file it was.', example: 'attachment' }),
          resourceId: maybe('The file.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: maybe('Its name, while the caller sees it.', 'bill.pdf'),
          bytes: whole('How much of it was asked for.', 48_213),
        }),
      )
      .openapi({ description: 'The last one first.' }),
    count,
    nextCursor,
  })
  .openapi('ListDownloadsResponse')

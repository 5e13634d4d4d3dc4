import { z } from '@hono/zod-openapi'
import {
  countOfLog,
  instant,
  nullableText,
  nextCursor,
  textField,
  toInstant,
  integerField,
} from '../../../../http/fields.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import type { DownloadRow } from './downloads.queries.ts'
import { LONGEST_MINUTES } from './downloads.rules.ts'
import type { DownloadLink } from './downloads.usecases.ts'

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
    url: textField('Path of the service; whoever has it gets the file.', '/download/WyJhdHRf…'),
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
          resourceId: nullableText('The file.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: nullableText('Its name, while the caller sees it.', 'bill.pdf'),
          bytes: integerField('How much of it was asked for.', 48_213),
        }),
      )
      .openapi({ description: 'The last one first.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('ListDownloadsResponse')

export const presentDownloadLink = ({
  token,
  expiresAt,
}: DownloadLink): z.infer<typeof DownloadLinkResponse> => ({
  url: `/download/${token}`,
  expiresAt: toInstant(expiresAt),
})

export const presentDownloads = ({
  rows,
  count,
  nextCursor,
}: Listed<DownloadRow>): z.infer<typeof ListDownloadsResponse> => ({
  downloads: rows.map(({ at, kind, resourceId, fileName, bytes }) => ({
    at: toInstant(at),
    kind,
    resourceId,
    fileName,
    bytes,
  })),
  count,
  nextCursor,
})

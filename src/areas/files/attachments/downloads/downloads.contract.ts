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
        'Maximum lifetime of the link. It ends earlier if the session or token that created it ends.',
      example: 15,
    }),
  })
  .openapi('DownloadLinkRequest')

export const DownloadLinkResponse = z
  .object({
    url: textField(
      'Path on this service. Anyone who has it can get the file.',
      '/download/WyJhdHRf…',
    ),
    expiresAt: instant('Time at which the link expires.'),
  })
  .openapi('DownloadLinkResponse')

export const linkPath = z.object({
  token: z
    .string()
    .max(2000)
    .openapi({ description: 'Token, as in `url`.', example: 'WyJhdHRf….k2J' }),
})

export const ListDownloadsQuery = z.strictObject({ ...pageQuery() })

export const DownloadsResponse = z
  .object({
    downloads: z
      .array(
        z.object({
          at: instant('Time of the download.'),
          kind: z
            .enum(['attachment', 'backup', 'export', 'auditLog', 'import'])
            .openapi({ description: 'Kind of the file.', example: 'attachment' }),
          resourceId: nullableText('Id of the file.', 'att_01k9v3q8m5t0w2x4y6z8a1b3c5'),
          fileName: nullableText('Name of the file, while the caller can see it.', 'bill.pdf'),
          bytes: integerField('Number of bytes that were requested.', 48_213),
        }),
      )
      .openapi({ description: 'One page of the list, latest first.' }),
    count: countOfLog,
    nextCursor,
  })
  .openapi('DownloadsResponse')

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
}: Listed<DownloadRow>): z.infer<typeof DownloadsResponse> => ({
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

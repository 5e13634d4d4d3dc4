import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import type { DownloadRow } from './downloads.queries.ts'
import type { DownloadLinkResponse, ListDownloadsResponse } from './downloads.schemas.ts'
import type { DownloadLink } from './downloads.usecases.ts'

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

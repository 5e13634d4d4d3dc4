import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import { sumBy } from './downloads.rules.ts'
import type { DownloadMetricsResponse } from './downloads.schemas.ts'
import type { Downloads } from './downloads.usecases.ts'

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

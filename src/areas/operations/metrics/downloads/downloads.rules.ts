import { dateInZone } from '../../../../domain/calendar.ts'

export const DOWNLOADED = 'file.downloaded'
export const DOWNLOADS_READER = 'metrics.downloads'

/** How often, and how much. */
interface Sum {
  downloads: number
  bytes: number
}

/** Adds up rows that share a key, in the order in which each key comes first. */
export function sumBy<Row extends Sum>(
  rows: Row[],
  keyOf: (row: Row) => string,
): (Sum & { key: string })[] {
  const sums = new Map<string, Sum>()
  for (const row of rows) {
    const key = keyOf(row)
    const { downloads, bytes } = sums.get(key) ?? { downloads: 0, bytes: 0 }
    sums.set(key, { downloads: downloads + row.downloads, bytes: bytes + row.bytes })
  }
  return [...sums].map(([key, sum]) => ({ key, ...sum }))
}

/** What was downloaded of a kind in a day. */
export interface DayOfKind extends Sum {
  /** In UTC. */
  date: string
  kind: string
}

interface DownloadEvent {
  at: number
  resourceType: string
  facts: string | null
}

/** A download as the sum of itself. */
export function dayOfDownload({ at, resourceType: kind, facts }: DownloadEvent): DayOfKind {
  const { bytes = 0 } = (facts === null ? {} : JSON.parse(facts)) as { bytes?: number }
  return { date: dateInZone(at, 'UTC'), kind, downloads: 1, bytes }
}

import type { Context, SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { withoutEvents } from '../../../../platform/events.ts'
import { pageFinders, readOn } from '../../../../platform/log-reading.ts'
import type { LoggedEvent } from '../../../../platform/reader-rows.ts'
import type { Reaction } from '../../../../platform/readers.ts'
import {
  addDownloaders,
  addToDays,
  countOfDownloaders,
  type Download,
  downloadsByDay,
  recentDownloads,
} from './downloads.queries.ts'
import { type DayOfKind, dayOfDownload } from './downloads.rules.ts'

export interface Downloads {
  days: DayOfKind[]
  users: number
  recent: Download[]
}

export async function getDownloadMetrics(ctx: SignedIn, limit: number): Promise<Downloads> {
  const [list, page] = [recentDownloads(), { limit, after: undefined }]
  const [days, [who], ...found] = await read(
    ctx,
    downloadsByDay(),
    countOfDownloaders(),
    ...pageFinders(list, page),
  )
  const { rows } = await readOn(ctx, list, page, found)
  return { days, users: who?.users ?? 0, recent: rows }
}

/** Adds up downloads by day, so that the sums of all time need not be counted anew from the whole log. */
export async function addUpDownloads(_: Context, events: LoggedEvent[]): Promise<Reaction> {
  const userIds = events.flatMap(({ actorId }) => (actorId === null ? [] : [actorId]))
  const statements = [addToDays(events.map(dayOfDownload)), addDownloaders(userIds)]
  return { changes: [withoutEvents(statements)] }
}

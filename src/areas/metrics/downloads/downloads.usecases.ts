import type { SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import {
  type DayOfKind,
  type Download,
  downloaders,
  downloadsByDay,
  recentDownloads,
} from './downloads.queries.ts'

export interface Downloads {
  days: DayOfKind[]
  users: number
  recent: Download[]
}

export async function findDownloads(ctx: SignedIn, limit: number): Promise<Downloads> {
  const [days, [who], recent] = await read(
    ctx,
    downloadsByDay(),
    downloaders(),
    recentDownloads(limit),
  )
  return { days, users: who?.users ?? 0, recent }
}

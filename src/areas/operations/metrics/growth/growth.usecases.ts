import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { type DayCount, downloadsSince, registrationsSince } from './growth.queries.ts'
import { daysUpTo } from './growth.rules.ts'

export interface Growth {
  days: string[]
  registrations: DayCount[]
  downloads: DayCount[]
}

export async function getGrowthTrends(ctx: SignedIn, count: number): Promise<Growth> {
  const days = daysUpTo(ctx.now, count)
  const since = Date.parse(days[0] ?? '')
  const [registrations, downloads] = await read(
    ctx,
    registrationsSince(since),
    downloadsSince(since),
  )
  return { days, registrations, downloads }
}

import type { z } from '@hono/zod-openapi'
import type { DayCount } from './growth.queries.ts'
import type { GrowthTrendsResponse } from './growth.schemas.ts'
import type { Growth } from './growth.usecases.ts'

const byDate = (counts: DayCount[]) => new Map(counts.map(({ date, count }) => [date, count]))

export function presentGrowth({ days, ...found }: Growth): z.infer<typeof GrowthTrendsResponse> {
  const [registrations, downloads] = [byDate(found.registrations), byDate(found.downloads)]
  return {
    days: days.map((date) => ({
      date,
      registrations: registrations.get(date) ?? 0,
      downloads: downloads.get(date) ?? 0,
    })),
  }
}

import { z } from '@hono/zod-openapi'
import { date, integerField } from '../../../../http/fields.ts'
import { isWithin, must } from '../../../../http/issues.ts'
import type { DayCount } from './growth.queries.ts'
import type { Growth } from './growth.usecases.ts'

const MOST_DAYS = 365

export const GrowthTrendsQuery = z.strictObject({
  days: z
    .string()
    .refine(isWithin(1, MOST_DAYS), must(`must be between 1 and ${MOST_DAYS}`, 'range'))
    .transform(Number)
    .optional()
    .transform((days) => days ?? 90)
    .openapi({
      ...{ type: 'integer', minimum: 1, maximum: MOST_DAYS, default: 90, example: 90 },
      description: 'Number of days, including today.',
    }),
})

export const GrowthTrendsResponse = z
  .object({
    days: z
      .array(
        z.object({
          date: date('Date in UTC.'),
          registrations: integerField('Number of users who registered.', 2),
          downloads: integerField('Number of downloads.', 12),
        }),
      )
      .openapi({ description: 'All days up to today, oldest first.' }),
  })
  .openapi('GrowthTrendsResponse')

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

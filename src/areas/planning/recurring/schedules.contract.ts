import { z } from '@hono/zod-openapi'
import { SHORT_MONTHS, WEEKDAYS, WEEKENDS } from '../../../domain/schedules/schedules.ts'
import { dateInput, integerField } from '../../../http/fields.ts'

const dayEntry = z
  .strictObject({
    weekday: z
      .enum([...WEEKDAYS, 'workday'])
      .optional()
      .openapi({ description: 'Day of the week.', example: 'fri' }),
    day: integerField('Day of the month.', 31).optional(),
    nth: integerField('Which of these days of the month.', -1).optional(),
  })
  .openapi('ScheduleDay', {
    description:
      'Of weeks a `weekday`. Of months and years a `day` from 1 to 31 or from -1 to -28, or a `weekday` (a `workday` is Monday to Friday) with `nth` from 1 to 5 or from -1 to -5; negative ones count from the end.',
  })

/** The days on which something comes again. `checkSchedule` checks what depends on several of its fields. */
export const ScheduleField = z
  .strictObject({
    unit: z.enum(['day', 'week', 'month', 'year']).openapi({
      description: 'Unit of the interval.',
      example: 'month',
    }),
    count: z.number().int().min(1).max(366).default(1).openapi({
      description: 'Number of units between occurrences.',
      example: 1,
    }),
    anchor: dateInput(
      'Day from which the intervals count; the first occurrence is on or after it.',
    ),
    on: z
      .array(dayEntry)
      .min(1)
      .max(31)
      .optional()
      .openapi({
        description:
          'Days within each interval; by default that of the anchor. In years they are days of the month of the anchor.',
        example: [{ day: 31 }],
      }),
    shortMonth: z.enum(SHORT_MONTHS).default('last').openapi({
      description:
        'Occurrence on a day that a month lacks: on its last day, none, or on the first day of the next month.',
      example: 'last',
    }),
    weekend: z.enum(WEEKENDS).default('keep').openapi({
      description:
        'Date of an occurrence on a Saturday or Sunday: the same, the Friday before, the Monday after, the nearer of the two, or none.',
      example: 'keep',
    }),
    until: dateInput('Last nominal date; not together with `times`.').optional(),
    times: z
      .number()
      .int()
      .min(1)
      .max(2000)
      .optional()
      .openapi({ description: 'Number of occurrences.', example: 12 }),
  })
  .openapi('Schedule')

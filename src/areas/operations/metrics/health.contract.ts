import { z } from '@hono/zod-openapi'
import {
  date,
  instant,
  nullableText,
  textField,
  toInstant,
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { taskState } from '../queue-tasks/queue-tasks.public.ts'
import { type Health, PROBLEMS, problemsOf, RATE_STATES, rateStateOf } from './metrics.rules.ts'

export const SystemHealthResponse = z
  .object({
    status: z
      .enum(['ok', 'degraded'])
      .openapi({ description: '`degraded` if there is any problem.', example: 'ok' }),
    problems: z.array(z.enum(PROBLEMS)).openapi({
      description: 'Problems that were found. The fields below describe each of them.',
      example: ['lag'],
    }),
    bindings: z
      .object({
        database: booleanField(
          'Whether the database responds. If it does not, nothing else is reported.',
          true,
        ),
        files: booleanField('Whether the bucket responds.', true),
        queue: booleanField('Whether the queue responds.', true),
      })
      .openapi({ description: 'Resources that the service depends on.' }),
    queue: z
      .object({
        due: integerField('Number of tasks that could run now.', 0),
        oldestDueAt: instant('Time at which the oldest of them became due.').nullable(),
        lagSeconds: integerField(
          'Number of seconds since then. More than ten minutes is a problem.',
          0,
        ),
        dead: integerField(
          'Number of tasks that failed five times. Any such task is a problem.',
          0,
        ),
      })
      .openapi({ description: 'Tasks that wait.' }),
    migrations: z
      .object({
        applied: nullableText('Newest migration of the database.', '0013_sharing_files_chain.sql'),
        shipped: textField(
          'Newest migration that the build knows.',
          '0013_sharing_files_chain.sql',
        ),
      })
      .openapi({ description: 'Database migrations. Missing migrations are a problem.' }),
    clock: z
      .object({
        service: instant('Time of the service at the request.'),
        database: instant('Time of the database.'),
        differenceMs: integerField('Difference in milliseconds. More than 5,000 is a problem.', 12),
      })
      .openapi({ description: 'Clocks of the service and the database.' }),
    nightly: z
      .array(
        z.object({
          kind: textField('Kind of the nightly task.', 'ledger.check'),
          date: date('Last night for which the task was requested.'),
          state: taskState,
          finishedAt: instant('Time at which the task ended.').nullable(),
          error: nullableText('Error code of the last attempt.'),
        }),
      )
      .openapi({ description: 'Results of the nightly tasks.' }),
    ledgerCheck: z
      .object({
        at: instant('Time of the event.'),
        differences: integerField(
          'Number of differences that were found. Any difference is a problem.',
          0,
        ),
      })
      .nullable()
      .openapi({
        description: 'Last integrity check of the ledger; null before the first.',
      }),
    readers: z
      .array(
        z.object({
          name: textField(
            'Name of the reader that reacts to events of the log.',
            'sharing.notices',
          ),
          behind: integerField('Number of events that the reader has not processed.', 0),
          failures: integerField(
            'Number of failed attempts at the next event. Any failure is a problem.',
            0,
          ),
          skipped: integerField('Number of events that were skipped after five failures.', 0),
          error: nullableText('Error code of the last failure; null after a success.'),
        }),
      )
      .openapi({ description: 'Progress of each reader of the log.' }),
    auditLog: z
      .object({
        unsealedSince: instant(
          'Time of the oldest entry that is not sealed. More than 15 minutes ago is a problem.',
        ).nullable(),
      })
      .openapi({ description: 'Progress of sealing the log.' }),
    exchangeRates: z
      .object({
        state: z.enum(RATE_STATES).openapi({
          description:
            '`failing` if the last fetch failed, `stale` if the newest rate is more than 5 days old. Both are problems.',
          example: 'ok',
        }),
        newestDate: nullableText('Date of the newest rate of the system.', '2026-11-20'),
      })
      .nullable()
      .openapi({ description: 'Reference rates; null if no source is configured.' }),
  })
  .openapi('SystemHealthResponse')

export function presentHealth(health: Health): z.infer<typeof SystemHealthResponse> {
  const problems = problemsOf(health)
  const { files, queue, due, lagSeconds, applied, shipped, now, databaseNow, ledgerCheck } = health
  return {
    status: problems.length === 0 ? 'ok' : 'degraded',
    problems,
    bindings: { database: true, files, queue },
    queue: { due, oldestDueAt: toInstantOrNull(health.oldestDueAt), lagSeconds, dead: health.dead },
    migrations: { applied, shipped },
    clock: {
      service: toInstant(now),
      database: toInstant(databaseNow),
      differenceMs: databaseNow - now,
    },
    nightly: health.nightly.map(({ kind, date, state, finishedAt, error }) => ({
      ...{ kind, date, state, finishedAt: toInstantOrNull(finishedAt), error },
    })),
    ledgerCheck: ledgerCheck && {
      at: toInstant(ledgerCheck.at),
      differences: ledgerCheck.differences,
    },
    readers: health.readers,
    auditLog: { unsealedSince: toInstantOrNull(health.unsealedSince) },
    exchangeRates: health.rates && {
      state: rateStateOf(health.rates, now),
      newestDate: health.rates.newestDate,
    },
  }
}

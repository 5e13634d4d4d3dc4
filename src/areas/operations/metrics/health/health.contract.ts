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
} from '../../../../http/fields.ts'
import { taskState } from '../../queue-tasks/queue-tasks.public.ts'
import { type Health, PROBLEMS, problemsOf } from './health.rules.ts'

export const SystemHealthResponse = z
  .object({
    status: z
      .enum(['ok', 'degraded'])
      .openapi({ description: 'Degraded when there is any problem.', example: 'ok' }),
    problems: z.array(z.enum(PROBLEMS)).openapi({
      description: 'What is wrong; each is told of below.',
      example: ['lag'],
    }),
    bindings: z
      .object({
        database: booleanField('Whether the database answers; without it nothing is told.', true),
        files: booleanField('Whether the bucket answers.', true),
        queue: booleanField('Whether the queue answers.', true),
      })
      .openapi({ description: 'What the service is bound to.' }),
    queue: z
      .object({
        due: integerField('Tasks that could be done now.', 0),
        oldestDueAt: instant('Since when the first of them has waited.').nullable(),
        lagSeconds: integerField('How long that is; more than ten minutes is a problem.', 0),
        dead: integerField('Tasks that were given up after five attempts; any is a problem.', 0),
      })
      .openapi({ description: 'What waits to be done.' }),
    migrations: z
      .object({
        applied: nullableText('The newest that the database has.', '0013_sharing_files_chain.sql'),
        shipped: textField('The newest that the build knows.', '0013_sharing_files_chain.sql'),
      })
      .openapi({ description: 'An older database than the build needs is a problem.' }),
    clock: z
      .object({
        service: instant('What time it was when the request came.'),
        database: instant('What time the database has.'),
        differenceMs: integerField('Milliseconds between them; more than 5,000 are a problem.', 12),
      })
      .openapi({ description: 'Whether service and database agree on the time.' }),
    nightly: z
      .array(
        z.object({
          kind: textField('What is done every night.', 'ledger.check'),
          date: date('The last night that it was asked for.'),
          state: taskState,
          finishedAt: instant('When it ended.').nullable(),
          error: nullableText('Code of what went wrong in the last attempt.'),
        }),
      )
      .openapi({ description: 'What became of each in the last night.' }),
    ledgerCheck: z
      .object({
        at: instant('When it was.'),
        differences: integerField('How many it found; any is a problem.', 0),
      })
      .nullable()
      .openapi({
        description: 'The last comparison of the ledger with itself; null before the first.',
      }),
    readers: z
      .array(
        z.object({
          name: textField('What reads the log to react to its events.', 'sharing.notices'),
          behind: integerField('Events of the log that it has not seen.', 0),
          failures: integerField('How often the next event has failed; any is a problem.', 0),
          skipped: integerField('Events that it left out because they failed five times.', 0),
          error: nullableText('Code of the last failure; null after a success.'),
        }),
      )
      .openapi({ description: 'How far each reader of the log has come.' }),
    auditLog: z
      .object({
        unsealedSince: instant(
          'When the first entry came that is not sealed; more than 15 minutes ago is a problem.',
        ).nullable(),
      })
      .openapi({ description: 'Whether the log is being sealed.' }),
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
  }
}

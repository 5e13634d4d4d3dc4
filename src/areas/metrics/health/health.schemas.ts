import { z } from '@hono/zod-openapi'
import { date, instant, maybe, output, whole, yes } from '../../../http/fields.ts'
import { taskState } from '../../queue-tasks/queue-tasks.public.ts'
import { PROBLEMS } from './health.rules.ts'

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
        database: yes('Whether the database answers; without it nothing is told.', true),
        files: yes('Whether the bucket answers.', true),
        queue: yes('Whether the queue answers.', true),
      })
      .openapi({ description: 'What the service is bound to.' }),
    queue: z
      .object({
        due: whole('Tasks that could be done now.', 0),
        oldestDueAt: instant('Since when the first of them has waited.').nullable(),
        lagSeconds: whole('How long that is; more than ten minutes is a problem.', 0),
      })
      .openapi({ description: 'What waits to be done.' }),
    migrations: z
      .object({
        applied: maybe('The newest that the database has.', '0013_sharing_files_chain.sql'),
        shipped: output('The newest that the build knows.', '0013_sharing_files_chain.sql'),
      })
      .openapi({ description: 'An older database than the build needs is a problem.' }),
    clock: z
      .object({
        service: instant('What time it was when the request came.'),
        database: instant('What time the database has.'),
        differenceMs: whole('Milliseconds between them; more than 5,000 are a problem.', 12),
      })
      .openapi({ description: 'Whether service and database agree on the time.' }),
    nightly: z
      .array(
        z.object({
          kind: output('What is done every night.', 'ledger.check'),
          date: date('The last night that it was asked for.'),
          state: taskState,
          finishedAt: instant('When it ended.').nullable(),
          error: maybe('Code of what went wrong in the last attempt.'),
        }),
      )
      .openapi({ description: 'What became of each in the last night.' }),
    ledgerCheck: z
      .object({
        at: instant('When it was.'),
        differences: whole('How many it found; any is a problem.', 0),
      })
      .nullable()
      .openapi({
        description: 'The last comparison of the ledger with itself; null before the first.',
      }),
    readers: z
      .array(
        z.object({
          name: output('What reads the log to react to its events.', 'sharing.notices'),
          behind: whole('Events of the log that it has not seen.', 0),
          failures: whole('How often the next event has failed; any is a problem.', 0),
          skipped: whole('Events that it left out because they failed five times.', 0),
          error: maybe('Code of the last failure; null after a success.'),
        }),
      )
      .openapi({ description: 'How far each reader of the log has come.' }),
  })
  .openapi('SystemHealthResponse')

import type { z } from '@hono/zod-openapi'
import { toInstant, toInstantOrNull } from '../../../http/fields.ts'
import { type Health, problemsOf } from './health.rules.ts'
import type { SystemHealthResponse } from './health.schemas.ts'

export function presentHealth(health: Health): z.infer<typeof SystemHealthResponse> {
  const problems = problemsOf(health)
  const { files, queue, due, lagSeconds, applied, shipped, now, databaseNow, ledgerCheck } = health
  return {
    status: problems.length === 0 ? 'ok' : 'degraded',
    problems,
    bindings: { database: true, files, queue },
    queue: { due, oldestDueAt: toInstantOrNull(health.oldestDueAt), lagSeconds },
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
  }
}

import type { AppError } from '../../../domain/errors.ts'
import { pingBucket } from '../../../platform/files/bucket.ts'
import type { Context } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database/database.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { limitOf, noteTry } from '../../../platform/limits.ts'
import { serviceErrors } from '../../../platform/platform.errors.ts'
import { pingQueue } from '../../../platform/work/task-queue.ts'
import { ping } from './service.queries.ts'

/** The time for which the result of a probe counts. Anybody may ask, and frequent requests cause no more writes. */
const PROBE_MS = 10_000

/** When this isolate or process last tried to write, and whether that failed. */
interface Probe {
  at: number
  failed: boolean
}

const probes = new WeakMap<Context['settings'], Probe>()

/** @throws AppError unavailable when the database, the bucket or the queue cannot serve */
export const requireServiceReady = (ctx: Context): Promise<unknown> =>
  Promise.all([askDatabase(ctx), pingBucket(ctx), pingQueue(ctx)])

/** Tries a write, as a disk that is full still answers queries; where one was tried just now, a query. */
async function askDatabase(ctx: Context): Promise<void> {
  const last = probes.get(ctx.settings)
  if (last && Math.abs(ctx.now - last.at) < PROBE_MS) {
    if (last.failed) {
      throw serviceErrors.unavailable({ retryAfter: PROBE_MS / 1000 })
    }
    await read(ctx, ping())
    return
  }
  // Requests during the probe get the previous result.
  const probe: Probe = { at: ctx.now, failed: last?.failed ?? false }
  probes.set(ctx.settings, probe)
  try {
    await commit(ctx, {
      // Always the same row, which is deleted at night like others of its table.
      changes: [withoutEvents([noteTry(ctx, await limitOf(ctx, 'readiness', 0))])],
      result: undefined,
    })
    probe.failed = false
  } catch (error) {
    probe.failed = true
    // The cause is the error of the database, for the log.
    const { cause } = error as AppError
    throw serviceErrors.unavailable({ cause, retryAfter: PROBE_MS / 1000 })
  }
}

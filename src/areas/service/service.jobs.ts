import { commit } from '../../platform/database.ts'
import type { Job } from '../../platform/tasks.ts'
import { purge } from './service.queries.ts'

/** Throws away, every night, what is kept for a time only: used keys, ended windows, spent tokens, done tasks. */
export const purgePlatform: Job = {
  kind: 'platform.purge',
  run: (ctx, _payload, finish) =>
    commit(ctx, {
      action: 'platform.purged',
      resource: { type: 'platform', id: null },
      writes: [...purge(ctx), ...finish],
      result: undefined,
    }),
}

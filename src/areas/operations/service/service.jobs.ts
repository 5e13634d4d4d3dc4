import { commit } from '../../../platform/database.ts'
import type { Job } from '../../../platform/tasks.ts'
import { platformEvents } from './service.events.ts'
import { purge } from './service.queries.ts'

/** Throws away, every night, what is kept for a time only: used keys, ended windows, spent tokens, done tasks. */
export const purgePlatform: Job = {
  kind: 'platform.purge',
  run: (ctx, _payload, finish) =>
    commit(ctx, {
      changes: [
        {
          statements: [...purge(ctx), ...finish],
          events: [platformEvents.purged({ id: null })],
        },
      ],
      result: undefined,
    }),
}

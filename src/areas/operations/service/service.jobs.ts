import { commit } from '../../../platform/database/database.ts'
import { defineJob } from '../../../platform/work/payloads.ts'
import { platformEvents } from './service.events.ts'
import { purge } from './service.queries.ts'

/** Throws away, every night, what is kept for a time only: used keys, ended windows, spent tokens, done tasks. */
export const purgePlatform = defineJob({
  kind: 'platform.purge',
  payload: {},
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
})

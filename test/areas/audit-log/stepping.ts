import { testDone } from '../../support/events.ts'
import {
  eventsTellingOf,
  redactEvents,
} from '../../../src/areas/insight/audit-log/redaction/redaction.queries.ts'
import type { Context } from '../../../src/platform/context.ts'
import { commit, read } from '../../../src/platform/database/database.ts'
import { contextWith } from '../../support/service.ts'

/** Takes out what the log says of a user, step by step as a job does; gives the sizes of the steps. */
export async function redactAll(userId: string, ctx: Context = contextWith()): Promise<number[]> {
  const steps: number[] = []
  for (let after = 0; ;) {
    const [found] = await read(ctx, eventsTellingOf(userId, after))
    const last = found.at(-1)
    if (!last) {
      return steps
    }
    await commit(ctx, {
      changes: [
        testDone(
          null,
          redactEvents(
            userId,
            found.map(({ number }) => number),
          ),
        ),
      ],
      result: undefined,
    })
    steps.push(found.length)
    after = last.number
  }
}

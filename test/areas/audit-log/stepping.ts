import { redactRows, rowsTellingOf } from '../../../src/areas/audit-log/audit-log.public.ts'
import { commit, read } from '../../../src/platform/database.ts'
import { contextWith } from '../../support/service.ts'

/** Takes out what the log says of a user, step by step as a job does; gives the sizes of the steps. */
export async function redactAll(userId: string): Promise<number[]> {
  const ctx = contextWith()
  const steps: number[] = []
  for (let after = 0; ;) {
    const [found] = await read(ctx, rowsTellingOf(userId, after))
    const last = found.at(-1)
    if (!last) {
      return steps
    }
    await commit(ctx, {
      action: 'user.dataErased',
      resource: { type: 'user', id: userId },
      ownerId: userId,
      writes: redactRows(
        userId,
        found.map(({ id }) => id),
      ),
      result: undefined,
    })
    steps.push(found.length)
    after = last.sequence
  }
}

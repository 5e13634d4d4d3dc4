import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { ownStatistics, type StatisticsRow } from './statistics.queries.ts'

export async function getStatistics(ctx: SignedIn): Promise<StatisticsRow> {
  const [[row]] = await read(ctx, ownStatistics(ctx))
  if (!row) {
    throw new Error('the session check let somebody pass who is not there')
  }
  return row
}

import type { SignedIn } from '../../platform/context.ts'
import { read } from '../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../platform/paging.ts'
import { ofVersion } from '../../platform/refusals.ts'
import { trashErrors } from './trash.errors.ts'
import {
  countOfTrashedAccounts,
  countOfTrashedRows,
  countOfTrashedTransactions,
  trashedAccounts,
  trashedRows,
  trashedTransactions,
  type TrashFilter,
} from './trash.queries.ts'
import { newestFirst, type TrashItem } from './trash.rules.ts'

/** What is in the trash has another version than was read, or is there no more. */
export const changedMeanwhile = ofVersion(trashErrors.changedMeanwhile)

/** Everything that was deleted and can be restored. */
export async function findTrash(
  ctx: SignedIn,
  filter: TrashFilter,
  page: PageRequest,
): Promise<Page<TrashItem>> {
  const [accounts, transactions, others, ...counts] = await read(
    ctx,
    trashedAccounts(ctx, filter, page),
    trashedTransactions(ctx, filter, page),
    trashedRows(ctx, filter, page),
    countOfTrashedAccounts(ctx, filter),
    countOfTrashedTransactions(ctx, filter),
    countOfTrashedRows(ctx, filter),
  )
  const found = newestFirst([...accounts, ...transactions, ...others])
  return {
    ...cutPage(found, page, ({ deletedAt, id }) => [String(deletedAt), id]),
    count: counts.flat().reduce((sum, { count }) => sum + count, 0),
  }
}

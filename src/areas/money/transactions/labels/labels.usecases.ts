import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { accountsForBooking } from '../../accounts/accounts.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { countOfLabels, type LabelFilter, type LabelRow, pageOfLabels } from './labels.queries.ts'

/** Lists the labels that transactions of an account can have, no matter who owns it. */
export async function listAccountLabels(
  ctx: SignedIn,
  filter: LabelFilter,
  page: PageRequest,
): Promise<Page<LabelRow & Pick<LabelFilter, 'kind'>>> {
  const [[account], found, [total]] = await read(
    ctx,
    accountsForBooking(ctx, [filter.accountId]),
    pageOfLabels(ctx, filter, page),
    countOfLabels(ctx, filter),
  )
  if (!account) {
    throw transactionErrors.accountNotFound()
  }
  const { rows, next } = cutPage(found, page, ({ id }) => [id])
  return {
    rows: rows.map((row) => ({ ...row, kind: filter.kind })),
    next,
    count: total?.count ?? 0,
  }
}

import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { membershipIn } from '../../../identity/memberships/memberships.public.ts'
import { requireIn } from '../groups.rules.ts'
import { type ActivityRow, countOfActivity, pageOfActivity } from './activity.queries.ts'

export async function listGroupActivity(
  ctx: SignedIn,
  groupId: string,
  page: PageRequest,
): Promise<Page<ActivityRow>> {
  const [[own], found, [total]] = await read(
    ctx,
    membershipIn(ctx, groupId),
    pageOfActivity(ctx, groupId, page),
    countOfActivity(ctx, groupId),
  )
  requireIn(own)
  return {
    ...cutPage(found, page, ({ sequence }) => [String(sequence)]),
    count: total?.count ?? 0,
  }
}

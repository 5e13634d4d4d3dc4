import type { SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import { pageFinders, readOn } from '../../../../platform/log-reading.ts'
import type { Page, PageRequest } from '../../../../platform/paging.ts'
import { membershipIn } from '../../../identity/memberships/memberships.public.ts'
import { requireIn } from '../groups.rules.ts'
import { activityList, type ActivityRow } from './activity.queries.ts'

export async function listGroupActivity(
  ctx: SignedIn,
  groupId: string,
  page: PageRequest,
): Promise<Page<ActivityRow>> {
  const list = activityList(ctx, groupId)
  const [[own], ...found] = await read(ctx, membershipIn(ctx, groupId), ...pageFinders(list, page))
  requireIn(own)
  return readOn(ctx, list, page, found)
}

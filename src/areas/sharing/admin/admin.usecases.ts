import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { sharingErrors } from '../sharing.errors.ts'
import { deleteShare, insertShare, type Share, updateShare, userNamed } from '../sharing.queries.ts'
import type { SharedRight } from '../sharing.rules.ts'
import { accountEntry, conflicts, imageOf, newShare } from '../sharing.usecases.ts'
import {
  accountOf,
  countOfAllShares,
  pageOfAllShares,
  shareBetween,
  type ShareFilter,
} from './admin.queries.ts'

export async function findAllShares(
  ctx: SignedIn,
  filter: ShareFilter,
  page: PageRequest,
): Promise<Page<Share>> {
  const [found, [total]] = await read(ctx, pageOfAllShares(filter, page), countOfAllShares(filter))
  requireUnrestricted(ctx)
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

/** What is of everybody's accounts is not for a token that is for some of its owner's. */
function requireUnrestricted({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw sharingErrors.tokenIsRestricted()
  }
}

interface Target {
  resourceId: string
  userId: string
}

/** Shares any account with a user, who need not accept it; what they had of it is changed to this. */
export async function shareAsAdmin(
  ctx: SignedIn,
  { resourceId: accountId, userId, permission }: Target & { permission: SharedRight },
): Promise<void> {
  const [[account], [user], [share]] = await read(
    ctx,
    accountOf(accountId),
    userNamed(userId),
    shareBetween(accountId, userId),
  )
  requireUnrestricted(ctx)
  if (!account) {
    throw sharingErrors.unknownAccount({ field: 'resourceId' })
  }
  if (!user) {
    throw sharingErrors.unknownUser({ field: 'userId' })
  }
  const { ownerId } = account
  if (userId === ownerId) {
    throw sharingErrors.withOwner({ field: 'userId' })
  }
  const changed = { permission, acceptedAt: share?.acceptedAt ?? ctx.now, expiresAt: null }
  const after = share
    ? { ...share, ...changed }
    : newShare(ctx, { accountId, ownerId, granteeUserId: userId, ...changed })
  await commit(ctx, {
    ...accountEntry(ctx, 'account.shared', after),
    changes: { ...(share ? { before: imageOf(share) } : {}), after: imageOf(after) },
    writes: share ? updateShare(ctx, share, changed) : insertShare(after),
    result: undefined,
    guards: { limit: sharingErrors.tooMany },
    conflicts,
  })
}

/** Ends the share of any account with a user. */
export async function unshareAsAdmin(ctx: SignedIn, { resourceId, userId }: Target): Promise<void> {
  const [[share]] = await read(ctx, shareBetween(resourceId, userId))
  requireUnrestricted(ctx)
  if (!share) {
    throw sharingErrors.notFound()
  }
  requireVersion(ctx, share.version)
  await commit(ctx, {
    ...accountEntry(ctx, 'account.unshared', share),
    changes: { before: imageOf(share) },
    writes: deleteShare(share),
    result: undefined,
  })
}

import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/paging.ts'
import { mailTask } from '../../../../platform/mail.ts'
import {
  callerHolds,
  mustNotBeStronger,
  strongerThanCaller,
} from '../../../identity/roles/roles.public.ts'
import { sharingErrors } from '../sharing.errors.ts'
import { shared, unshared } from '../sharing.events.ts'
import {
  deleteShareRow,
  insertShare,
  type Share,
  updateShareRow,
  userNamed,
} from '../sharing.queries.ts'
import { permissionsToShare, type SharedRight } from '../sharing.rules.ts'
import { conflicts, newShare } from '../sharing.usecases.ts'
import {
  accountOf,
  countOfAllShares,
  pageOfAllShares,
  peopleOf,
  shareBetween,
  type ShareFilter,
} from './admin.queries.ts'

export async function listAllShares(
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

/**
 * Shares any account with a user, who need not accept it; what they had of it is changed to this. The owner is told by
 * mail. Neither of them may be stronger than the caller, who shares only what they are permitted themselves, so that
 * sharing gives nobody a right that they could not have: with themselves above all.
 */
export async function shareResource(
  ctx: SignedIn,
  { resourceId: accountId, userId, permission }: Target & { permission: SharedRight },
): Promise<void> {
  const people = peopleOf(accountId, userId)
  const [[account], [user], [share], stronger] = await read(
    ctx,
    accountOf(accountId),
    userNamed(userId),
    shareBetween(accountId, userId),
    strongerThanCaller(ctx, people),
  )
  requireUnrestricted(ctx)
  if (!account) {
    throw sharingErrors.unknownAccount({ field: 'resourceId' })
  }
  if (!user) {
    throw sharingErrors.unknownUser({ field: 'userId' })
  }
  const { ownerId, ownerEmail } = account
  if (userId === ownerId) {
    throw sharingErrors.withOwner({ field: 'userId' })
  }
  requireNoneStronger(stronger)
  const needed = permissionsToShare(permission)
  if (!needed.every((one) => profileOf(ctx).permissions.includes(one))) {
    throw sharingErrors.rightNotHeld({ field: 'permission' })
  }
  const changed = { permission, acceptedAt: share?.acceptedAt ?? ctx.now, expiresAt: null }
  const after = share
    ? { ...share, ...changed }
    : newShare(ctx, { accountId, ownerId, granteeUserId: userId, ...changed })
  await commit(ctx, {
    changes: [
      {
        statements: [
          mustNotBeStronger(ctx, people),
          callerHolds(ctx, needed),
          ...(share ? updateShareRow(ctx, share, changed) : insertShare(after)),
        ],
        events: [shared(ctx, after, share)],
      },
    ],
    tasks: [
      await mailTask(ctx, {
        to: ownerEmail,
        template: 'accountShared',
        values: { at: ctx.now },
      }),
    ],
    result: undefined,
    conflicts,
  })
}

function requireNoneStronger(stronger: { id: string }[]): void {
  if (stronger.length > 0) {
    throw sharingErrors.strongerUser()
  }
}

/** Ends the share of any account with a user, unless it or the account is somebody's who is stronger than the caller. */
export async function unshareResource(
  ctx: SignedIn,
  { resourceId, userId }: Target,
): Promise<void> {
  const people = peopleOf(resourceId, userId)
  const [[share], stronger] = await read(
    ctx,
    shareBetween(resourceId, userId),
    strongerThanCaller(ctx, people),
  )
  requireUnrestricted(ctx)
  if (!share) {
    throw sharingErrors.notFound()
  }
  requireNoneStronger(stronger)
  requireVersion(ctx, share.version)
  await commit(ctx, {
    changes: [
      {
        statements: [mustNotBeStronger(ctx, people), ...deleteShareRow(share)],
        events: [unshared(ctx, share)],
      },
    ],
    result: undefined,
  })
}

import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import {
  callerHolds,
  mustNotBeStronger,
  strongerThanCaller,
} from '../../identity/roles/roles.public.ts'
import { sharingErrors } from './sharing.errors.ts'
import { shared, unshared } from './sharing.events.ts'
import {
  deleteShareRow,
  insertShare,
  type Share,
  updateShareRow,
  userNamed,
} from './sharing.queries.ts'
import {
  columnsOfResource,
  permissionsToShare,
  type SharedKind,
  type SharedRight,
  unknownResource,
} from './sharing.rules.ts'
import { shareConflicts, newShare } from './sharing.usecases.ts'
import {
  anyResource,
  countOfAllShares,
  pageOfAllShares,
  partiesOf,
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

/** Refuses tokens that are restricted to some accounts, because the operation concerns the accounts of everybody. */
function requireUnrestricted({ caller }: SignedIn): void {
  if (caller.token?.accountIds) {
    throw sharingErrors.tokenIsRestricted()
  }
}

interface Target {
  resourceType: SharedKind
  resourceId: string
  userId: string
}

/**
 * Shares anybody's resource with a user, who need not accept it; what they had of it is changed to this. The owner is notified by
 * mail. Neither of them may be stronger than the caller, who shares only what they are permitted themselves, so that
 * sharing gives nobody a right that they could not have: with themselves above all.
 */
export async function shareResource(
  ctx: SignedIn,
  { resourceType: kind, resourceId, userId, permission }: Target & { permission: SharedRight },
): Promise<void> {
  const resource = { kind, id: resourceId }
  const people = partiesOf(resource, userId)
  const [[found], [user], [share], stronger] = await read(
    ctx,
    anyResource(resource),
    userNamed(userId),
    shareBetween(resource, userId),
    strongerThanCaller(ctx, people),
  )
  requireUnrestricted(ctx)
  if (!found) {
    throw unknownResource(kind)
  }
  if (!user) {
    throw sharingErrors.unknownUser({ field: 'userId' })
  }
  const { ownerId, ownerEmail } = found
  if (userId === ownerId) {
    throw sharingErrors.withOwner({ field: 'userId' })
  }
  requireNoneStronger(stronger)
  const needed = permissionsToShare(kind, permission)
  if (!needed.every((one) => profileOf(ctx).permissions.includes(one))) {
    throw sharingErrors.rightNotHeld({ field: 'permission' })
  }
  const changed = { permission, acceptedAt: share?.acceptedAt ?? ctx.now, expiresAt: null }
  const after = share
    ? { ...share, ...changed }
    : newShare(ctx, { ...columnsOfResource(resource), ownerId, granteeUserId: userId, ...changed })
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
        values: { at: ctx.now, kind },
      }),
    ],
    result: undefined,
    conflicts: shareConflicts,
  })
}

function requireNoneStronger(stronger: { id: string }[]): void {
  if (stronger.length > 0) {
    throw sharingErrors.strongerUser()
  }
}

/** Ends the share of anybody's resource with a user, unless the owner or the user is stronger than the caller. */
export async function unshareResource(
  ctx: SignedIn,
  { resourceType: kind, resourceId, userId }: Target,
): Promise<void> {
  const resource = { kind, id: resourceId }
  const people = partiesOf(resource, userId)
  const [[share], stronger] = await read(
    ctx,
    shareBetween(resource, userId),
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

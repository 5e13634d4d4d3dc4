import { rankOf } from '../../../domain/sharing.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { commitAndRead, read, requireVersion } from '../../../platform/database/database.ts'
import { type Change, withoutEvents } from '../../../platform/log/events.ts'
import { nothing } from '../../../platform/database/statements.ts'
import {
  accountById,
  accountErrors,
  type AccountView,
  isOwn,
  updateAccountRow,
} from '../../money/accounts/accounts.public.ts'
import {
  isAtLeast,
  type Membership,
  type MembershipErrors,
  membershipIn,
  mustBeIn,
} from '../../identity/memberships/memberships.public.ts'
import { sharingErrors } from './sharing.errors.ts'
import { shared, unshared } from './sharing.events.ts'
import {
  deleteShareRow,
  groupShareOf,
  insertShare,
  type Share,
  type ShareRow,
  updateShareRow,
  peopleOf,
  type Person,
} from './sharing.queries.ts'
import type { SharedRight } from './sharing.rules.ts'
import { shareConflicts, newShare } from './sharing.usecases.ts'

/**
 * Lists the persons who see the account, with the source of their access. Callers who do not manage the account get
 * only their own entries.
 */
export async function listAccountShares(ctx: SignedIn, accountId: string): Promise<Person[]> {
  const [[view], people] = await read(ctx, accountById(ctx, accountId), peopleOf(ctx, accountId))
  return existing(view).seen.rank >= rankOf('manage')
    ? people
    : people.filter(({ userId }) => userId === ctx.caller.userId)
}

interface Sharing {
  groupId: string | null
  permission: SharedRight
}

/** The owner shares an account with all members of a group, instead of another one, or with none. */
export async function shareAccountToGroup(
  ctx: SignedIn,
  accountId: string,
  { groupId, permission }: Sharing,
): Promise<AccountView> {
  const [[found], [share], [membership]] = await read(
    ctx,
    accountById(ctx, accountId),
    groupShareOf(ctx, accountId),
    groupId === null ? nothing<Membership>() : membershipIn(ctx, groupId),
  )
  const view = requireOwn(found)
  requireVersion(ctx, view.account.version)
  if (groupId === null) {
    return share ? stopSharing(ctx, view, share) : view
  }
  requireMember(membership)
  const given = { accountId, ownerId: view.account.ownerId, groupId, permission }
  // One that has ended is made anew, as its end would end the new one, too.
  const isSame = share?.groupId === groupId && (share.expiresAt ?? Infinity) > ctx.now
  const [changed] = await commitAndRead(
    ctx,
    {
      changes: [
        withoutEvents([
          mustBeIn(ctx, groupId, 'member', membershipErrors),
          ...updateAccountRow(ctx, view.account, {}),
        ]),
        ...(isSame
          ? [changing(ctx, share, permission)]
          : [...(share ? [ending(ctx, share)] : []), adding(ctx, newShare(ctx, given))]),
      ],
      conflicts: shareConflicts,
    },
    accountById(ctx, accountId),
  )
  return existing(changed)
}

const adding = (ctx: SignedIn, share: ShareRow): Change => ({
  statements: insertShare(share),
  events: [shared(ctx, share)],
})

const changing = (ctx: SignedIn, share: Share, permission: SharedRight): Change => ({
  statements: updateShareRow(ctx, share, { permission }),
  events: [shared(ctx, { ...share, permission }, share)],
})

const ending = (ctx: SignedIn, share: Share): Change => ({
  statements: deleteShareRow(share),
  events: [unshared(ctx, share)],
})

const membershipErrors: MembershipErrors = {
  notIn: () => sharingErrors.unknownGroup({ field: 'groupId' }),
  roleTooLow: () => sharingErrors.viewersShareNothing({ field: 'groupId' }),
  suspended: () => sharingErrors.groupSuspended({ field: 'groupId' }),
}

function requireMember(membership: Membership | undefined): void {
  if (!membership) {
    throw membershipErrors.notIn()
  }
  if (!isAtLeast(membership.role, 'member')) {
    throw membershipErrors.roleTooLow()
  }
  if (membership.suspendedAt !== null) {
    throw membershipErrors.suspended()
  }
}

/** The owner stops sharing an account with its group. */
export async function unshareAccountFromGroup(ctx: SignedIn, accountId: string): Promise<void> {
  const [[found], [share]] = await read(
    ctx,
    accountById(ctx, accountId),
    groupShareOf(ctx, accountId),
  )
  const view = requireOwn(found)
  requireVersion(ctx, view.account.version)
  if (!share) {
    throw sharingErrors.notShared()
  }
  await stopSharing(ctx, view, share)
}

async function stopSharing(
  ctx: SignedIn,
  { account }: AccountView,
  share: Share,
): Promise<AccountView> {
  const [changed] = await commitAndRead(
    ctx,
    {
      changes: [withoutEvents(updateAccountRow(ctx, account, {})), ending(ctx, share)],
    },
    accountById(ctx, account.id),
  )
  return existing(changed)
}

function existing(view: AccountView | undefined): AccountView {
  if (!view) {
    throw accountErrors.notFound()
  }
  return view
}

function requireOwn(found: AccountView | undefined): AccountView {
  const view = existing(found)
  if (!isOwn(view.seen)) {
    throw sharingErrors.ownerOnly()
  }
  return view
}

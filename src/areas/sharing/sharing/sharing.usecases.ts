import { isSameAddress } from '../../../domain/email.ts'
import { freshId, profileOf, type SignedIn, type Context } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { withoutEvents } from '../../../platform/log/events.ts'
import { limitOf, noteTry, triesLeft, triesOf } from '../../../platform/limits.ts'
import { mailTask } from '../../../platform/outbound/mail.ts'
import type { LoggedEvent } from '../../../platform/work/reader-rows.ts'
import type { Reaction } from '../../../platform/work/readers.ts'
import { owns } from '../../identity/access/access.public.ts'
import { addressColumns, noAddress } from '../../identity/addresses/addresses.public.ts'
import { sharingErrors } from './sharing.errors.ts'
import { declined, onAccount, shared, shareEvents, unshared } from './sharing.events.ts'
import {
  countOfShares,
  deleteShareRow,
  insertShare,
  type NamedShare,
  mustOwn,
  mustStillReceive,
  pageOfShares,
  resourceById,
  setChoice,
  type Share,
  shareById,
  type ShareRow,
  updateShareRow,
  userNamed,
} from './sharing.queries.ts'
import {
  columnsOfResource,
  requireFuture,
  requireOptions,
  resourceOf,
  type SharedKind,
  type SharedRight,
  unknownResource,
  type WriteScope,
  noticesOf,
} from './sharing.rules.ts'
import { type Addressee, addresseesOf } from './notices.queries.ts'

/** Shares that the caller gave, or that it received, newest first. */
export async function findShares(
  ctx: SignedIn,
  side: 'given' | 'received',
  page: PageRequest,
): Promise<Page<NamedShare>> {
  const [found, [total]] = await read(ctx, pageOfShares(ctx, side, page), countOfShares(ctx, side))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

interface NewShare {
  resourceType: SharedKind
  resourceId: string
  userId?: string | undefined
  email?: string | undefined
  permission: SharedRight
  writeScope: WriteScope
  expiresAt?: number | null | undefined
}

/**
 * Shares what the caller owns with a user, who has to accept it. One that is named by an address is not looked up:
 * the share is for whoever has confirmed to have it, now or later.
 */
export async function createShare(ctx: SignedIn, wanted: NewShare): Promise<Share> {
  const { resourceType: kind, resourceId, userId, email } = wanted
  const resource = { kind, id: resourceId }
  const [[found], [user]] = await read(ctx, resourceById(ctx, resource), userNamed(userId))
  if (!found) {
    throw unknownResource(kind)
  }
  const { ownerId } = found
  if (found.isOwn === 0 || ownerId === null) {
    throw sharingErrors.ownerOnly()
  }
  requireOptions(kind, wanted)
  if (userId === ownerId || (email && isSameAddress(email, profileOf(ctx).email))) {
    throw sharingErrors.withOwner({ field: email ? 'email' : 'userId' })
  }
  if (!email && !user) {
    throw sharingErrors.unknownUser({ field: 'userId' })
  }
  requireFuture(ctx.now, wanted.expiresAt)
  const share = newShare(ctx, {
    ...columnsOfResource(resource),
    ownerId,
    granteeUserId: user?.id ?? null,
    ...(email ? addressColumns(email) : noAddress),
    permission: wanted.permission,
    writeScope: wanted.writeScope,
    expiresAt: wanted.expiresAt ?? null,
  })
  return commit(ctx, {
    changes: [
      {
        statements: [mustOwn(ctx, resource, () => unknownResource(kind)), ...insertShare(share)],
        events: [shared(ctx, share)],
      },
    ],
    result: { ...share, includeInTotals: false },
    conflicts: shareConflicts,
  })
}

export const shareConflicts = {
  'shares.account_id': sharingErrors.alreadyShared,
  'shares.budget_id': sharingErrors.alreadyShared,
  'shares.attachment_id': sharingErrors.alreadyShared,
}

type ShareDraft = Pick<ShareRow, 'ownerId' | 'permission'>

export const newShare = (ctx: SignedIn, given: ShareDraft & Partial<ShareRow>): ShareRow => ({
  id: freshId(ctx, 'shr'),
  accountId: null,
  budgetId: null,
  attachmentId: null,
  granteeUserId: null,
  groupId: null,
  ...noAddress,
  writeScope: 'all',
  acceptedAt: null,
  expiresAt: null,
  createdBy: ctx.caller.userId,
  version: 1,
  createdAt: ctx.now,
  updatedAt: ctx.now,
  ...given,
})

async function findShare(ctx: SignedIn, id: string): Promise<Share> {
  const [[share]] = await read(ctx, shareById(ctx, id))
  if (!share) {
    throw sharingErrors.notFound()
  }
  return share
}

/** Absent means left alone. */
interface ShareChanges {
  permission?: SharedRight | undefined
  writeScope?: WriteScope | undefined
  expiresAt?: number | null | undefined
}

/** The owner changes what a share permits, and until when. */
export async function updateShare(ctx: SignedIn, id: string, wanted: ShareChanges): Promise<Share> {
  const share = await findShare(ctx, id)
  requireOwner(ctx, share)
  requireVersion(ctx, share.version)
  requireFuture(ctx.now, wanted.expiresAt)
  const { permission = share.permission, writeScope = share.writeScope } = wanted
  const resource = resourceOf(share)
  requireOptions(resource.kind, { permission, writeScope })
  const expiresAt = wanted.expiresAt === undefined ? share.expiresAt : wanted.expiresAt
  const changed = { permission, writeScope, expiresAt }
  const [after, version] = [{ ...share, ...changed }, share.version + 1]
  return commit(ctx, {
    changes: [
      {
        statements: [
          mustOwn(ctx, resource, sharingErrors.notFound),
          ...updateShareRow(ctx, share, changed),
        ],
        events: [
          shareEvents.updated(
            { id, version, ...onAccount(share), groupId: share.groupId },
            { before: share, after },
          ),
        ],
      },
    ],
    result: { ...after, version, updatedAt: ctx.now },
  })
}

function requireOwner({ caller }: SignedIn, { ownerId }: Share): void {
  if (!owns(caller, { ownerId })) {
    throw sharingErrors.ownerOnly()
  }
}

/** The owner ends a share, or its one receiver gives it back. */
export async function deleteShare(ctx: SignedIn, id: string): Promise<void> {
  const share = await findShare(ctx, id)
  if (share.groupId !== null && !owns(ctx.caller, share)) {
    throw sharingErrors.ofGroup()
  }
  requireVersion(ctx, share.version)
  // Not the owner's to know who: it would tell whose the address is.
  const isDeclined = share.email !== null && !owns(ctx.caller, share)
  await commit(ctx, {
    changes: [
      {
        statements: deleteShareRow(share),
        events: [isDeclined ? declined(share) : unshared(ctx, share)],
      },
    ],
    result: undefined,
  })
}

/** The receiver accepts a share, or says anew whether an account counts in its totals. */
export async function acceptShare(
  ctx: SignedIn,
  id: string,
  includeInTotals: boolean,
): Promise<Share> {
  const share = await findShare(ctx, id)
  if (owns(ctx.caller, share)) {
    throw sharingErrors.withOwner()
  }
  const { accountId, ownerId } = share
  if (accountId === null && includeInTotals) {
    throw sharingErrors.accountsOnly({ field: 'includeInTotals' })
  }
  const isPending = share.groupId === null && share.acceptedAt === null
  const taken = { granteeUserId: ctx.caller.userId, ...noAddress }
  const accepted = isPending ? { ...taken, acceptedAt: ctx.now } : {}
  const version = share.version + 1
  const chosen = {
    before: { includeInTotals: share.includeInTotals },
    after: { includeInTotals },
  }
  return commit(ctx, {
    changes: [
      {
        statements: [
          mustStillReceive(ctx, share),
          ...(isPending ? updateShareRow(ctx, share, accepted) : []),
          ...(accountId === null ? [] : [setChoice(ctx, accountId, includeInTotals)]),
        ],
        events: [
          isPending
            ? shareEvents.accepted(
                { id, version, ownerId, ...onAccount(share), groupId: share.groupId },
                chosen,
              )
            : shareEvents.updated({ id }, chosen),
        ],
      },
    ],
    result: {
      ...share,
      ...accepted,
      ...(isPending ? { version, updatedAt: ctx.now } : {}),
      includeInTotals,
    },
    conflicts: shareConflicts,
  })
}

/** Notices of all kinds that somebody gets in a day: whoever shares and ends it over and over fills nobody's mailbox. */
export const MOST_NOTICES = 20
const DAY_MS = 24 * 60 * 60 * 1000

/** Tells the persons concerned by mail what has become of a share. */
export async function writeNotices(ctx: Context, events: LoggedEvent[]): Promise<Reaction> {
  const notices = events.flatMap(noticesOf)
  const [addressees] = await read(ctx, addresseesOf(notices, ctx.now))
  const ofUser = [...Map.groupBy(addressees, ({ userId }) => userId)]
  const limits = await Promise.all(
    ofUser.map(([userId]) => limitOf(ctx, `share notices to ${userId}`, MOST_NOTICES, DAY_MS)),
  )
  const [tries] = await read(ctx, triesOf(limits))
  const allowed = ofUser.flatMap(([, own], at) => {
    const limit = limits[at]
    return limit ? own.slice(0, triesLeft(ctx, limit, tries)).map((one) => ({ ...one, limit })) : []
  })
  const mailOf = ({ place, email: to, kind }: Addressee) => {
    const notice = notices[place]
    return notice
      ? [mailTask(ctx, { to, template: notice.template, values: { at: notice.at, kind } })]
      : []
  }
  return {
    changes: [withoutEvents(allowed.map(({ limit }) => noteTry(ctx, limit)))],
    tasks: await Promise.all(allowed.flatMap(mailOf)),
  }
}

import type { SignedIn } from '../../../platform/context.ts'
import {
  carries,
  defineEvents,
  type Deleted,
  type DomainEvent,
  type Updated,
} from '../../../platform/log/events.ts'
import { inHistory } from '../../money/accounts/accounts.public.ts'
import { withoutAddress } from '../../identity/addresses/addresses.public.ts'
import type { Share, ShareRow } from './sharing.queries.ts'
import { resourceOf } from './sharing.rules.ts'

/** An address is nobody's business in the log. */
type ShareContent = ReturnType<typeof withoutAddress<ShareRow>>

/** The receiver's choice. */
type Chosen = Pick<Share, 'includeInTotals'>

export const shareEvents = defineEvents('share', {
  updated: carries<Updated<ShareContent & Chosen>>(),
  accepted: carries<Updated<Chosen>>(),
  declined: carries<Deleted<ShareContent>>(),
})

/** The events that all kinds of shared things have. */
const SHARING = {
  /** Without `before` it is new. */
  shared: carries<{ before: ShareContent | undefined; after: ShareContent }>(),
  unshared: carries<Deleted<ShareContent>>(),
}

const events = {
  account: defineEvents('account', SHARING),
  budget: defineEvents('budget', SHARING),
  attachment: defineEvents('attachment', SHARING),
}

/** Says that somebody does not want a share. It is of that user alone. */
export const declined = (share: ShareRow): DomainEvent =>
  shareEvents.declined({ id: share.id }, { before: withoutAddress(share) })

/**
 * In the history of an account. The group is named, as an ended share does not tell it any more; a group that the account
 * is shared with besides does not see with whom else it is.
 */
const of = (ctx: SignedIn, { id, accountId, ownerId, groupId }: ShareRow) => ({
  ...{ id, resourceType: 'share', ownerId, groupId },
  ...(accountId === null ? {} : inHistory(ctx, accountId)),
})

/** The account of a share, where it is one of an account. */
export const onAccount = ({ accountId }: ShareRow): { accountId?: string } =>
  accountId === null ? {} : { accountId }

/** Says that something is shared, or shared otherwise than before. */
export const shared = (ctx: SignedIn, after: ShareRow, before?: ShareRow): DomainEvent =>
  events[resourceOf(after).kind].shared(
    { ...of(ctx, after), version: before ? before.version + 1 : 1 },
    { before: before && withoutAddress(before), after: withoutAddress(after) },
  )

/** Says that a share has ended, by itself or with something else. */
export const unshared = (ctx: SignedIn, share: ShareRow): DomainEvent =>
  events[resourceOf(share).kind].unshared(of(ctx, share), { before: withoutAddress(share) })

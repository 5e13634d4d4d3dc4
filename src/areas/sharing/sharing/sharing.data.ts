import { and, eq, gt } from 'drizzle-orm'
import { accountChoices, shares } from '../../../../drizzle/schema/shares.ts'
import { presentStamps, toInstantOrNull } from '../../../http/fields.ts'
import { byId, stored } from '../../../platform/owned-data/exports.ts'
import { forgetBy, type OwnedData } from '../../../platform/owned-data/owned-data.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { db } from '../../../platform/database/statements.ts'
import { isAddressedToUser } from '../../identity/addresses/addresses.public.ts'
import type { ShareRow } from './sharing.queries.ts'
import { resourceOf } from './sharing.rules.ts'

const pageOfShares = (ownerId: string, { after, limit }: PageRequest) =>
  db
    .select()
    .from(shares)
    .where(and(eq(shares.ownerId, ownerId), gt(shares.id, after?.[0] ?? '')))
    .orderBy(shares.id)
    .limit(limit + 1)

const presentGivenShare = (share: ShareRow) => ({
  id: share.id,
  resourceType: resourceOf(share).kind,
  resourceId: resourceOf(share).id,
  userId: share.granteeUserId,
  groupId: share.groupId,
  permission: share.permission,
  writeScope: share.writeScope,
  acceptedAt: toInstantOrNull(share.acceptedAt),
  expiresAt: toInstantOrNull(share.expiresAt),
  ...presentStamps(share),
})

export const sharingData: OwnedData = {
  area: 'sharing',
  tables: [shares, accountChoices],
  // Shares with the user: by name, or by an address that may soon belong to somebody else.
  forget: (ctx, userId) => [
    ...forgetBy(accountChoices.userId, shares.granteeUserId)(ctx, userId),
    db.delete(shares).where(isAddressedToUser('shares', userId)),
  ],
  goWithAccount: [shares, accountChoices],
  exports: [stored('shares', pageOfShares, presentGivenShare, byId)],
}

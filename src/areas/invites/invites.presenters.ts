import type { z } from '@hono/zod-openapi'
import { presentStamps, toInstant, toInstantOrNull } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { InviteRow, RedemptionRow } from './invites.queries.ts'
import type {
  AdminInviteCodeResponse,
  InviteCodeResponse,
  IssuedInviteCodeResponse,
  IssuedInviteCodesResponse,
  ListAllInviteCodesResponse,
  ListInviteCodesResponse,
  ListRedemptionsResponse,
} from './invites.schemas.ts'
import type { IssuedInvite } from './invites.usecases.ts'

export const presentInvite = (invite: InviteRow): z.infer<typeof InviteCodeResponse> => ({
  id: invite.id,
  codePrefix: invite.codePrefix,
  maxUses: invite.maxUses,
  uses: invite.uses,
  expiresAt: toInstantOrNull(invite.expiresAt),
  roleId: invite.roleId,
  groupId: invite.groupId,
  groupRole: invite.groupRole,
  note: invite.note,
  state: invite.state,
  ...presentStamps(invite),
})

export const presentInvites = ({
  rows,
  count,
  nextCursor,
}: Listed<InviteRow>): z.infer<typeof ListInviteCodesResponse> => ({
  inviteCodes: rows.map(presentInvite),
  count,
  nextCursor,
})

export const presentIssued = (invite: IssuedInvite): z.infer<typeof IssuedInviteCodeResponse> => ({
  ...presentInvite(invite),
  code: invite.code,
})

const presentForAdmin = (invite: InviteRow): z.infer<typeof AdminInviteCodeResponse> => ({
  ...presentInvite(invite),
  byAdministrator: invite.byAdministrator,
  issuer:
    invite.issuedBy === null
      ? null
      : {
          id: invite.issuedBy,
          name: invite.issuerName ?? '',
          email: invite.issuerEmail ?? '',
        },
})

export const presentAllInvites = ({
  rows,
  count,
  nextCursor,
}: Listed<InviteRow>): z.infer<typeof ListAllInviteCodesResponse> => ({
  inviteCodes: rows.map(presentForAdmin),
  count,
  nextCursor,
})

export const presentIssuedInvites = (
  invites: IssuedInvite[],
): z.infer<typeof IssuedInviteCodesResponse> => ({
  inviteCodes: invites.map((invite) => ({ ...presentForAdmin(invite), code: invite.code })),
  count: invites.length,
})

export const presentRedemptions = ({
  rows,
  count,
  nextCursor,
}: Listed<RedemptionRow>): z.infer<typeof ListRedemptionsResponse> => ({
  redemptions: rows.map(({ name, redeemedAt }) => ({ name, redeemedAt: toInstant(redeemedAt) })),
  count,
  nextCursor,
})

import type { z } from '@hono/zod-openapi'
import { presentStamps, toInstant } from '../../../http/fields.ts'
import type { Listed } from '../../../http/pagination.ts'
import type { InviteRow, ReceivedRow } from './invites.queries.ts'
import type {
  GroupInviteResponse,
  JoinedGroupResponse,
  ListGroupInvitesResponse,
  ListReceivedInvitesResponse,
  NewGroupInviteResponse,
} from './invites.schemas.ts'
import type { NewInvite } from './invites.usecases.ts'

const presentInvite = (invite: InviteRow): z.infer<typeof GroupInviteResponse> => ({
  id: invite.id,
  groupId: invite.groupId,
  role: invite.role,
  expiresAt: toInstant(invite.expiresAt),
  email: invite.email,
  tokenPrefix: invite.tokenPrefix,
  invitedBy: invite.invitedBy,
  ...presentStamps(invite),
})

export const presentNewInvite = (invite: NewInvite): z.infer<typeof NewGroupInviteResponse> => ({
  ...presentInvite(invite),
  token: invite.token,
})

export const presentInvites = ({
  rows,
  count,
  nextCursor,
}: Listed<InviteRow>): z.infer<typeof ListGroupInvitesResponse> => ({
  invites: rows.map(presentInvite),
  count,
  nextCursor,
})

export const presentReceived = ({
  rows,
  count,
  nextCursor,
}: Listed<ReceivedRow>): z.infer<typeof ListReceivedInvitesResponse> => ({
  invites: rows.map(({ id, groupId, role, expiresAt, groupName, inviterName }) => ({
    id,
    groupId,
    role,
    expiresAt: toInstant(expiresAt),
    groupName,
    inviterName,
  })),
  count,
  nextCursor,
})

export const presentJoined = ({
  groupId,
  groupName,
  role,
}: ReceivedRow): z.infer<typeof JoinedGroupResponse> => ({ groupId, groupName, role })

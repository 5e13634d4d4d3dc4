import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  idInPath,
  idInput,
  instant,
  instantInput,
  nullableText,
  nextCursor,
  textField,
  presentStamps,
  stamps,
  text,
  toInstant,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { type Listed, pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  isConfirmationPending,
  pendingConfirmation,
} from '../../../identity/addresses/addresses.public.ts'
import { RegisterRequest } from '../../../identity/auth/auth.public.ts'
import { givenRole } from '../groups.contract.ts'
import type { GroupInviteRow, ReceivedRow } from './invites.queries.ts'
import type { NewInvite } from './invites.usecases.ts'

const CODE = 'gic_…'

export const inviteParams = z.object({
  id: idInPath('grp', 'Id of the group.'),
  inviteId: idInPath('giv', 'Id of the invitation.'),
})

export const ListGroupInvitesQuery = z.strictObject(pageQuery())

export const CreateGroupInviteRequest = z
  .strictObject({
    role: givenRole.default('member'),
    email: RegisterRequest.shape.email.optional().openapi({
      description:
        'Address to which the code is mailed. If it is left out, the answer shows the code.',
    }),
    expiresAt: instantInput(
      'Time at which the invitation expires, within 30 days; by default in 7 days.',
    ).optional(),
  })
  .openapi('CreateGroupInviteRequest')

/** By what one names an invitation that one got. */
export const AnswerGroupInviteRequest = z
  .strictObject({
    code: text(
      1,
      100,
      'Code of the invitation, from the mail or from the inviter. Send either this or `inviteId`.',
      CODE,
    ).optional(),
    inviteId: idInput(
      'giv',
      'The `id` of an invitation to the caller’s confirmed address, from GET /group/invite/received. Send either this or `code`.',
    ).optional(),
  })
  .refine(({ code, inviteId }) => (code === undefined) !== (inviteId === undefined), {
    ...must('or inviteId is required, and not both', 'combination'),
    path: ['code'],
  })
  .openapi('AnswerGroupInviteRequest', {
    description: 'Either `code` or `inviteId` is required.',
  })

const invite = {
  id: id('giv', 'Id of the invitation.'),
  groupId: id('grp', 'Id of the group.'),
  role: givenRole,
  expiresAt: instant('Time at which it ends.'),
}

export const GroupInviteResponse = z
  .object({
    ...invite,
    email: nullableText(
      'Address to which the code was mailed; null if it was not mailed.',
      'a@example.com',
    ),
    codePrefix: textField('First characters of the code, to tell codes apart.', 'gic_3q2-'),
    invitedBy: id('usr', 'User who sent the invitation.'),
    ...stamps,
  })
  .openapi('GroupInviteResponse')

export const NewGroupInviteResponse = GroupInviteResponse.extend({
  code: nullableText(
    'Code for POST /group/invite/accept, to pass on. It is shown only once; null if it was mailed.',
    CODE,
  ),
}).openapi('NewGroupInviteResponse')

export const GroupInvitesResponse = pageResponse(
  'invites',
  GroupInviteResponse,
  'One page of the list, newest first.',
).openapi('GroupInvitesResponse')

export const ReceivedInviteResponse = z
  .object({
    ...invite,
    groupName: textField('Name of the group.', 'Home'),
    inviterName: textField('Name of the inviter.', 'Ada'),
  })
  .openapi('ReceivedInviteResponse')

export const ListReceivedInvitesResponse = z
  .object({
    invites: z
      .array(ReceivedInviteResponse)
      .openapi({ description: 'One page of the list, newest first.' }),
    count,
    nextCursor,
    pendingConfirmation: pendingConfirmation('invitations'),
  })
  .openapi('ListReceivedInvitesResponse')

export const JoinedGroupResponse = z
  .object({
    groupId: id('grp', 'Id of the group.'),
    groupName: textField('Name of the group.', 'Home'),
    role: givenRole,
  })
  .openapi('JoinedGroupResponse')

const presentInvite = (invite: GroupInviteRow): z.infer<typeof GroupInviteResponse> => ({
  id: invite.id,
  groupId: invite.groupId,
  role: invite.role,
  expiresAt: toInstant(invite.expiresAt),
  email: invite.email,
  codePrefix: invite.codePrefix,
  invitedBy: invite.invitedBy,
  ...presentStamps(invite),
})

export const presentNewInvite = (invite: NewInvite): z.infer<typeof NewGroupInviteResponse> => ({
  ...presentInvite(invite),
  code: invite.code,
})

export const presentGroupInvites = presentPage('invites', presentInvite)

export const presentReceived = (
  { rows, count, nextCursor }: Listed<ReceivedRow>,
  ctx: SignedIn,
): z.infer<typeof ListReceivedInvitesResponse> => ({
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
  pendingConfirmation: isConfirmationPending(ctx),
})

export const presentJoined = ({
  groupId,
  groupName,
  role,
}: ReceivedRow): z.infer<typeof JoinedGroupResponse> => ({ groupId, groupName, role })

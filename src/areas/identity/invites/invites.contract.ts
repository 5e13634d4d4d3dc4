import { z } from '@hono/zod-openapi'
import {
  count,
  id,
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
  toInstantOrNull,
  integerField,
  booleanField,
} from '../../../http/fields.ts'
import { type Listed, pageQuery, pageResponse, presentPage } from '../../../http/pagination.ts'
import type { InviteRow, RedemptionRow } from './invites.queries.ts'
import type { IssuedInvite } from './invites.usecases.ts'

const CODE = 'inc_…'
const STATES = ['active', 'used', 'expired', 'revoked'] as const

export const ValidateInviteCodeRequest = z
  .strictObject({ code: text(1, 100, 'The invite code.', CODE) })
  .openapi('ValidateInviteCodeRequest')

export const InviteCodeValidityResponse = z
  .object({ usable: booleanField('Whether somebody could register with the code now.', true) })
  .openapi('InviteCodeValidityResponse')

export const ListInviteCodesQuery = z.strictObject({
  state: z
    .enum(STATES)
    .optional()
    .openapi({ description: 'Only codes in this state.', example: 'active' }),
  ...pageQuery(),
})

export const ListRedemptionsQuery = z.strictObject(pageQuery())

const maxUses = z
  .number()
  .int()
  .min(1)
  .max(1000)
  .openapi({ description: 'Number of users who may register with the code.', example: 1 })

const expiresAt = instantInput('Time at which the code expires, within a year.')

const note = text(0, 200, 'Note about the purpose of the code.', 'For Grace')

const terms = {
  maxUses: maxUses.default(1),
  expiresAt: expiresAt.optional().openapi({
    description: 'Time at which the code expires, within a year; by default in 7 days.',
  }),
  roleId: idInput(
    'rol',
    'Role that users get in addition to `user`. The caller must hold all its permissions.',
  ).optional(),
  groupId: idInput(
    'grp',
    'Group that users join when they register, as long as the caller may invite users into it.',
  ).optional(),
  groupRole: z.enum(['admin', 'member', 'viewer']).optional().openapi({
    description: 'Role of the users in the group; by default `member`.',
    example: 'member',
  }),
  note: note.default(''),
}

export const CreateInviteCodeRequest = z.strictObject(terms).openapi('CreateInviteCodeRequest')

export const CreateInviteCodesRequest = z
  .strictObject({
    quantity: z
      .number()
      .int()
      .min(1)
      .max(100)
      .default(1)
      .openapi({ description: 'Number of codes to create.', example: 10 }),
    ...terms,
  })
  .openapi('CreateInviteCodesRequest')

export const UpdateInviteCodeRequest = z
  .strictObject({
    maxUses: maxUses.optional(),
    expiresAt: expiresAt.optional(),
    note: note.optional(),
  })
  .openapi('UpdateInviteCodeRequest')

export const InviteCodeResponse = z
  .object({
    id: id('inv', 'Id of the invite code.'),
    codePrefix: textField('First characters of the code, to tell codes apart.', 'inc_3q2-'),
    maxUses: integerField('Number of users who may register with the code.', 1),
    uses: integerField('Number of users who have registered with the code.', 0),
    expiresAt: instant('Time at which the code expires.').nullable(),
    roleId: id('rol', 'Role that users get in addition to `user`.').nullable(),
    groupId: nullableText('Group that users join.', 'grp_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    groupRole: nullableText('Role of the users in the group.', 'member'),
    note: textField('Note about the purpose of the code.', 'For Grace'),
    state: z.enum(STATES).openapi({
      description: 'State of the code.',
      example: 'active',
    }),
    ...stamps,
  })
  .openapi('InviteCodeResponse')

const code = textField('The code, which is shown only once.', CODE)

export const IssuedInviteCodeResponse = InviteCodeResponse.extend({ code }).openapi(
  'IssuedInviteCodeResponse',
)

export const InviteCodesResponse = pageResponse(
  'inviteCodes',
  InviteCodeResponse,
  'One page of the list, newest first.',
).openapi('InviteCodesResponse')

export const AdminInviteCodeResponse = InviteCodeResponse.extend({
  byAdministrator: booleanField('Whether the code works even while registration is closed.', true),
  issuer: z
    .object({
      id: id('usr', 'Id of the user.'),
      name: textField('The name.', 'Ada'),
      email: textField('The e-mail address.', 'ada@example.com'),
    })
    .nullable()
    .openapi({ description: 'User who issued the code; null for the operator of the service.' }),
}).openapi('AdminInviteCodeResponse')

export const AllInviteCodesResponse = pageResponse(
  'inviteCodes',
  AdminInviteCodeResponse,
  'One page of the list, newest first.',
).openapi('AllInviteCodesResponse')

export const IssuedInviteCodesResponse = z
  .object({
    inviteCodes: z
      .array(AdminInviteCodeResponse.extend({ code }))
      .openapi({ description: 'The new codes.' }),
    count,
  })
  .openapi('IssuedInviteCodesResponse')

export const ListRedemptionsResponse = z
  .object({
    redemptions: z
      .array(
        z.object({
          name: textField('Name of the user who registered.', 'Grace'),
          redeemedAt: instant('Time of the registration.'),
        }),
      )
      .openapi({ description: 'One page of the list, latest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListRedemptionsResponse')

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

export const presentInvites = presentPage('inviteCodes', presentInvite)

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

export const presentAllInvites = presentPage('inviteCodes', presentForAdmin)

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

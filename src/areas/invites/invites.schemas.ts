import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  idInput,
  instant,
  instantInput,
  maybe,
  nextCursor,
  output,
  stamps,
  text,
  whole,
  yes,
} from '../../http/fields.ts'
import { pageQuery } from '../../http/pagination.ts'

const CODE = 'inv_…'
const STATES = ['active', 'used', 'expired', 'revoked'] as const

export const ValidateInviteCodeRequest = z
  .strictObject({ code: text(1, 100, 'The invite code.', CODE) })
  .openapi('ValidateInviteCodeRequest')

export const InviteCodeValidityResponse = z
  .object({ usable: yes('Whether somebody could register with it now.', true) })
  .openapi('InviteCodeValidityResponse')

export const ListInviteCodesQuery = z.strictObject({
  state: z
    .enum(STATES)
    .optional()
    .openapi({ description: 'Only codes in this state', example: 'active' }),
  ...pageQuery(),
})

export const ListRedemptionsQuery = z.strictObject(pageQuery())

const maxUses = z
  .number()
  .int()
  .min(1)
  .max(1000)
  .openapi({ description: 'How many users may register with it.', example: 1 })

const expiresAt = instantInput('When it stops working: within a year.')

const note = text(0, 200, 'What to remember it by.', 'For Grace')

const terms = {
  maxUses: maxUses.default(1),
  expiresAt: expiresAt
    .optional()
    .openapi({ description: 'When it stops working: within a year; without it, in 7 days.' }),
  roleId: idInput(
    'rol',
    'Role that users get besides `user`; it permits only what the caller is permitted.',
  ).optional(),
  groupId: idInput(
    'grp',
    'Group that users join by registering, as long as the caller may invite into it.',
  ).optional(),
  groupRole: z.enum(['admin', 'member', 'viewer']).optional().openapi({
    description: 'What they are in it; `member` unless said.',
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
      .openapi({ description: 'How many such codes.', example: 10 }),
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
    codePrefix: output('How the code begins, to tell codes apart by.', 'inv_3q2-'),
    maxUses: whole('How many users may register with it.', 1),
    uses: whole('How many have.', 0),
    expiresAt: instant('When it stops working.').nullable(),
    roleId: id('rol', 'Role that users get besides `user`.').nullable(),
    groupId: maybe('Group that they join.', 'grp_01k9v3q8m5t0w2x4y6z8a1b3c5'),
    groupRole: maybe('What they are in it.', 'member'),
    note: output('What to remember it by.', 'For Grace'),
    state: z.enum(STATES).openapi({
      description: 'What has become of it.',
      example: 'active',
    }),
    ...stamps,
  })
  .openapi('InviteCodeResponse')

const code = output('The code, shown this once.', CODE)

export const IssuedInviteCodeResponse = InviteCodeResponse.extend({ code }).openapi(
  'IssuedInviteCodeResponse',
)

export const ListInviteCodesResponse = z
  .object({
    inviteCodes: z
      .array(InviteCodeResponse)
      .openapi({ description: 'One page of them, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListInviteCodesResponse')

export const AdminInviteCodeResponse = InviteCodeResponse.extend({
  byAdministrator: yes('Whether it works even while registration is closed.', true),
  issuer: z
    .object({
      id: id('usr', 'Id of the user.'),
      name: output('The name.', 'Ada'),
      email: output('The e-mail address.', 'ada@example.com'),
    })
    .nullable()
    .openapi({ description: 'Who issued it; null for the operator of the service.' }),
}).openapi('AdminInviteCodeResponse')

export const ListAllInviteCodesResponse = z
  .object({
    inviteCodes: z
      .array(AdminInviteCodeResponse)
      .openapi({ description: 'One page of them, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListAllInviteCodesResponse')

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
          name: output('The name of who joined.', 'Grace'),
          redeemedAt: instant('When.'),
        }),
      )
      .openapi({ description: 'One page of them, latest first.' }),
    count,
    nextCursor,
  })
  .openapi('ListRedemptionsResponse')

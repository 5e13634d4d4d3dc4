import { z } from '@hono/zod-openapi'
import { instant, toInstantOrNull } from '../../../http/fields.ts'
import { presentUser, profileFields, UserResponse } from '../../identity/auth/auth.public.ts'
import type { OwnProfile } from './own-user.usecases.ts'

export const ProfileResponse = UserResponse.extend({
  deletionDueAt: instant(
    'Time at which the user and all their data are erased; null unless the deletion was requested.',
  )
    .nullable()
    .openapi({ example: null }),
}).openapi('ProfileResponse')

export const UpdateProfileRequest = z
  .strictObject({
    name: profileFields.name.optional(),
    locale: profileFields.locale.optional(),
    timeZone: profileFields.timeZone.optional(),
    baseCurrency: profileFields.baseCurrency
      .optional()
      .openapi({ description: 'Base currency of the user. Stored amounts are not converted.' }),
  })
  .openapi('UpdateProfileRequest')

/** Asked for again before something is erased. */
export const proof = {
  password: z.string().max(1024).optional().openapi({
    description:
      'The caller’s password. Users who sign in only with an identity provider leave it out.',
    example: 'long enough to be only mine',
  }),
}

export const presentProfile = ({
  user,
  deletionDueAt,
}: OwnProfile): z.infer<typeof ProfileResponse> => ({
  ...presentUser(user),
  deletionDueAt: toInstantOrNull(deletionDueAt),
})

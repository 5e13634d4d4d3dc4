import { z } from '@hono/zod-openapi'
import { instant, toInstantOrNull } from '../../../http/fields.ts'
import { presentUser, profileFields, UserResponse } from '../../identity/auth/auth.public.ts'
import type { OwnProfile } from './own-user.usecases.ts'

export const ProfileResponse = UserResponse.extend({
  deletionDueAt: instant(
    'When the user and all that it owns is erased; null unless that was asked for.',
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
      .openapi({ description: 'The currency the user thinks in; nothing stored is converted.' }),
  })
  .openapi('UpdateProfileRequest')

/** Asked for again before something is erased. */
export const proof = {
  password: z.string().max(1024).optional().openapi({
    description: 'The own password; left out by who signs in with an identity provider only.',
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

import { addressColumns } from '../../src/areas/identity/addresses/addresses.public.ts'
import { registrationEvents } from '../../src/areas/identity/auth/auth.events.ts'
import {
  grantRoles,
  insertSession,
  insertUser,
} from '../../src/areas/identity/auth/auth.queries.ts'
import { freshId } from '../../src/platform/context.ts'
import { commit } from '../../src/platform/database/database.ts'
import { newOwnedToken } from '../../src/platform/secrets/owned-tokens.ts'
import { hashPassword } from '../../src/platform/secrets/passwords.ts'
import { signAccessToken } from '../../src/platform/secrets/tokens.ts'
import { contextWith } from './service.ts'
import type { NewUser, SignedUp } from './world.ts'

/**
 * Stores a signed-in user as the service would, in one batch, without the checks and the mail of a registration.
 * The tests of a release register instead: there `registration.ts` stands in for this module (vitest.config.ts).
 */
export async function signUp({ email, password, name, ...rest }: NewUser): Promise<SignedUp> {
  const ctx = contextWith({ operation: 'register', access: 'public' })
  const id = freshId(ctx, 'usr')
  const token = newOwnedToken(ctx, 'rft', id)
  const session = insertSession(ctx, { userId: id, tokenHash: token.hash })
  await commit(ctx, {
    actorId: id,
    changes: [
      {
        events: [registrationEvents.registered({ id, version: 1 })],
        statements: [
          insertUser({
            id,
            ...addressColumns(email),
            name,
            passwordHash: await hashPassword(ctx, password),
            baseCurrency: rest.baseCurrency ?? 'EUR',
            timeZone: rest.timeZone ?? 'UTC',
            locale: 'en',
            createdAt: ctx.now,
            updatedAt: ctx.now,
          }),
          grantRoles(id, ['rol_user']),
          ...session.writes,
        ],
      },
    ],
    result: undefined,
  })
  const accessToken = await signAccessToken(ctx, { userId: id, sessionId: session.id })
  return { id, accessToken, refreshToken: token.text }
}

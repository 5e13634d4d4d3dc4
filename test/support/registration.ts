import { register } from '../../src/areas/identity/auth/auth.routes.ts'
import { ok } from './api.ts'
import type { NewUser, SignedUp } from './world.ts'

/** Registers a user as anybody does, with the mail that asks to confirm the address. */
export async function signUp(json: NewUser): Promise<SignedUp> {
  const { accessToken, refreshToken, user } = await ok(register, { json })
  return { id: user.id, accessToken, refreshToken }
}

import type { z } from '@hono/zod-openapi'
import { createAccount } from '../../src/areas/accounts/accounts.routes.ts'
import type {
  AccountResponseDTO,
  CreateAccountDTO,
} from '../../src/areas/accounts/accounts.schemas.ts'
import { registerUser } from '../../src/areas/auth/auth.routes.ts'
import { ok, type Principal, rows } from './api.ts'
import { knowAddress, PASSWORD_MARK } from './canaries.ts'

export interface TestUser extends Principal {
  id: string
  email: string
  password: string
  refreshToken: string
}

let serial = 0

/** A user of its own for every test: nothing is shared, so nothing needs cleaning up. */
export async function newUser(
  wanted: { name?: string; baseCurrency?: string; timeZone?: string } = {},
): Promise<TestUser> {
  const email = `user-${++serial}-${crypto.randomUUID()}@coffer.test`
  const password = `${PASSWORD_MARK} ${crypto.randomUUID()}`
  const { accessToken, refreshToken, user } = await ok(registerUser, {
    json: { email, password, name: 'Ada', ...wanted },
  })
  knowAddress(user.id, email)
  return { id: user.id, email, password, accessToken, refreshToken }
}

/** A user who also has the system role `admin`. */
export async function newAdmin(): Promise<TestUser> {
  const admin = await newUser()
  await rows("INSERT INTO user_roles (user_id, role_id) VALUES (?, 'rol_admin')", admin.id)
  return admin
}

type AccountInput = z.input<typeof CreateAccountDTO>
type Account = z.infer<typeof AccountResponseDTO>

/** An account of the user; a checking account in euro unless told otherwise. */
export const newAccount = (as: Principal, wanted: Partial<AccountInput> = {}): Promise<Account> =>
  ok(createAccount, {
    as,
    json: { name: `Account ${++serial}`, type: 'checking', currency: 'EUR', ...wanted },
  })

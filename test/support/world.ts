import type { z } from '@hono/zod-openapi'
import { createAccount } from '../../src/areas/money/accounts/accounts.routes.ts'
import type {
  AccountResponseDTO,
  CreateAccountDTO,
} from '../../src/areas/money/accounts/accounts.contract.ts'
import { ok, type Principal, rows } from './api.ts'
import { knowAddress, PASSWORD_MARK } from './canaries.ts'
import { signUp as register } from './registration.ts'
import { signUp } from './sign-up.ts'

export interface TestUser extends Principal {
  id: string
  email: string
  password: string
  refreshToken: string
}

/** What a user is to be. */
export interface NewUser {
  email: string
  password: string
  name: string
  baseCurrency?: string
  timeZone?: string
}

/** What a user gets who signed up. */
export type SignedUp = Pick<TestUser, 'id' | 'accessToken' | 'refreshToken'>

type Wishes = Partial<Pick<NewUser, 'name' | 'baseCurrency' | 'timeZone'>>

let serial = 0

async function userBy(signUp: (user: NewUser) => Promise<SignedUp>, wanted: Wishes) {
  const email = `user-${++serial}-${crypto.randomUUID()}@coffer.test`
  const password = `${PASSWORD_MARK} ${crypto.randomUUID()}`
  const user = await signUp({ email, password, name: 'Ada', ...wanted })
  knowAddress(user.id, email)
  return { email, password, ...user }
}

/** A user of its own for every test: nothing is shared, so nothing needs cleaning up. */
export const newUser = (wanted: Wishes = {}): Promise<TestUser> => userBy(signUp, wanted)

/** A user who came by `POST /auth/register`: for tests of what a registration brings with it. */
export const registeredUser = (wanted: Wishes = {}): Promise<TestUser> => userBy(register, wanted)

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

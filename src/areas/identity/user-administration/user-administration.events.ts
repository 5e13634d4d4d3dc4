import { type Created, carries, defineEvents, type Updated } from '../../../platform/log/events.ts'
import type { SignInSource } from '../auth/auth.public.ts'
import type { UserRow } from './user-administration.queries.ts'

type NewUserContent = Pick<UserRow, 'email' | 'name' | 'baseCurrency' | 'locale' | 'timeZone'>

interface Roles {
  roleIds: string[]
}

/** Roles are named by their ids alone. */
type Change = Updated<Omit<UserRow, 'roles'>>

export const userEvents = defineEvents('user', {
  created: carries<Created<NewUserContent & Roles>>(),
  updated: carries<Change>(),
  /** By an administrator, or by the provider that the user signed in with. */
  rolesChanged: carries<Updated<Roles> & SignInSource>(),
  passwordReset: carries<{ delivery: 'mail' | 'reveal' }>(),
  mfaReset: carries<Change>(),
  sessionsRevoked: carries(),
  deleted: carries<Change>(),
  restored: carries<Change>(),
})

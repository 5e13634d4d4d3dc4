import { carries, defineEvents, type Thing } from '../../../../platform/events.ts'
import type { SignInSource } from '../../auth/auth.public.ts'

export const signInEvents = defineEvents('signIn', {
  begun: carries(),
  confirmed: carries(),
  refused: carries(),
})

export const newcomerEvents = defineEvents('user', {
  /** A provider confirmed who signs in for the first time. */
  provisioned: carries<SignInSource & { roleIds: string[] }>(),
})

export const atProvider = (id: string): Thing => ({ id, resourceType: 'identityProvider' })

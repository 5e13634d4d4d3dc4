import {
  type Created,
  carries,
  defineEvents,
  type Deleted,
  type Updated,
  type Thing,
} from '../../../platform/log/events.ts'
import type { SignInSource } from '../auth/auth.public.ts'
import type { MASK, ProviderContent } from './identity-providers.rules.ts'

interface Image extends ProviderContent {
  clientSecret: typeof MASK
}

interface Replaced {
  /** Only where it was replaced: both images of a secret look alike. */
  clientSecret?: [typeof MASK, typeof MASK]
}

export const providerEvents = defineEvents('identityProvider', {
  created: carries<Created<Image>>(),
  updated: carries<Updated<ProviderContent> & Replaced>(),
  deleted: carries<Deleted<Image>>(),
  tested: carries<{ failed: string[] }>(),
})

interface Subject {
  issuer: string
  subject: string
}

export const identityEvents = defineEvents('identity', {
  linked: carries<Created<Subject & { provider: string }>>(),
  unlinked: carries<Deleted<Subject>>(),
})

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

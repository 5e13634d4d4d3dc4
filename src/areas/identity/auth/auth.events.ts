import { carries, defineEvents, type Thing, type Updated } from '../../../platform/log/events.ts'

/** The provider that confirmed who signs in; empty where a password did. */
export interface SignInSource {
  provider?: string
  issuer?: string
}

interface Ended {
  /** Personal access tokens that ended with it. */
  tokensEnded: number
}

type Address = Updated<{ email: string }>

export const sessionEvents = defineEvents('session', {
  created: carries<SignInSource>(),
  /** A second factor is asked for. */
  challenged: carries<SignInSource>(),
  refused: carries(),
  codeRefused: carries(),
  refreshed: carries(),
  refreshTokenReused: carries(),
  revoked: carries(),
  allRevoked: carries<Ended>(),
})

export const registrationEvents = defineEvents('user', {
  registered: carries(),
  refused: carries(),
})

export const passwordEvents = defineEvents('password', {
  changed: carries<Ended>(),
  refused: carries(),
  reset: carries(),
  resetRequested: carries(),
  resetRefused: carries(),
})

export const emailEvents = defineEvents('email', {
  verified: carries(),
  refused: carries(),
  confirmationResent: carries(),
  changeRequested: carries<Address>(),
  changeRefused: carries(),
  changed: carries<Address & Ended>(),
})

export const mfaEvents = defineEvents('mfa', {
  begun: carries(),
  enabled: carries(),
  disabled: carries(),
  recoveryCodesReplaced: carries(),
  refused: carries(),
})

/** A user as the thing of an event whose type names something else; null where it is nobody. */
export const ofUser = (id: string | null): Thing => ({ id, resourceType: 'user', ownerId: id })

export const ofFactor = (id: string): Thing => ({ id, resourceType: 'mfaFactor' })

import { domainOfEmail, parseEmail } from '../../../../domain/email.ts'
import type { AppError } from '../../../../domain/errors.ts'
import type { ClaimMapping } from '../identity-providers.rules.ts'
import { signInErrors } from './sign-in.errors.ts'

/** Where a browser may be sent at the end: to this service, or to whom it answers across origins. */
export function mayReturnTo(redirectUri: string, origins: readonly string[]): boolean {
  const url = URL.parse(redirectUri)
  if (!url) {
    return false
  }
  const { origin, protocol, username, password } = url
  return /^https?:$/.test(protocol) && username + password === '' && origins.includes(origin)
}

export const pathOf = (providerId: string) => `/auth/provider/${providerId}`

/** Where a provider sends browsers back to. */
export const redirectUriOf = (providerId: string, origin: string): string =>
  `${origin}${pathOf(providerId)}/callback`

interface Person {
  email: string
  name: string
}

const textOf = (claim: unknown, most: number) =>
  typeof claim === 'string' && claim.isWellFormed() && !claim.includes('\0')
    ? claim.trim().slice(0, most)
    : ''

/** Whom the claims describe, if the provider may say so. */
export function personIn(
  claims: Record<string, unknown>,
  { domain, mapping }: { domain: string; mapping: ClaimMapping },
): Person | { refused: AppError } {
  const claimed = textOf(claims[mapping.email], 255)
  // The word of a provider that did not look is worth nothing; nor is "true", which is no boolean.
  if (claims['email_verified'] !== true) {
    return { refused: signInErrors.emailNotVerified() }
  }
  if (domainOfEmail(claimed) !== domain) {
    return { refused: signInErrors.foreignDomain() }
  }
  const email = parseEmail(claimed)
  return email === undefined
    ? { refused: signInErrors.unusableEmail() }
    : { email, name: textOf(claims[mapping.name], 100) || email.slice(0, email.lastIndexOf('@')) }
}

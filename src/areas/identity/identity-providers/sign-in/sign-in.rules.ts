import { domainOfEmail, parseEmail } from '../../../../domain/email.ts'
import type { AppError } from '../../../../domain/errors.ts'
import type { ProviderContent } from '../identity-providers.rules.ts'
import { signInErrors } from '../identity-providers.errors.ts'

/** True if a browser may be redirected there at the end: to this service, or to an origin that it answers. */
export function mayReturnTo(redirectUri: string, origins: readonly string[]): boolean {
  const url = URL.parse(redirectUri)
  if (!url) {
    return false
  }
  const { origin, protocol, username, password } = url
  return /^https?:$/.test(protocol) && username + password === '' && origins.includes(origin)
}

export const providerPath = (providerId: string) => `/auth/provider/${providerId}`

/** Returns the address to which a provider redirects browsers. */
export const redirectUriOf = (providerId: string, origin: string): string =>
  `${origin}${providerPath(providerId)}/callback`

interface Person {
  email: string
  name: string
}

const textOf = (claim: unknown, most: number) =>
  typeof claim === 'string' && claim.isWellFormed() && !claim.includes('\0')
    ? claim.trim().slice(0, most)
    : ''

type Claims = Record<string, unknown>

type Trust = Pick<ProviderContent, 'trustsEmail' | 'claimMapping' | 'roleClaim'>

/** True if an ID token lacks something that the provider may state elsewhere. */
export const isSilent = (
  claims: Claims,
  { trustsEmail, claimMapping, roleClaim }: Trust,
): boolean =>
  claims[claimMapping.email] === undefined ||
  (!trustsEmail && claims['email_verified'] === undefined) ||
  (roleClaim !== null && claimAt(claims, roleClaim) === undefined)

/** An ID token with what the userinfo endpoint said. What the token says of its own address verifies no other one. */
export function mergedClaims(token: Claims, userInfo: Claims, { claimMapping }: Trust): Claims {
  const [own, other] = [token[claimMapping.email], userInfo[claimMapping.email]]
  const isOther = own !== undefined && other !== undefined && own !== other
  return { ...token, ...(isOther && { email_verified: undefined }), ...userInfo }
}

/** Returns the person whom the claims describe, if the provider may state that. */
export function personIn(
  claims: Claims,
  { domain, trustsEmail, claimMapping: mapping }: Trust & Pick<ProviderContent, 'domain'>,
): Person | { refused: AppError } {
  const claimed = textOf(claims[mapping.email], 255)
  // Amazon Cognito writes booleans as text.
  if (!trustsEmail && claims['email_verified'] !== true && claims['email_verified'] !== 'true') {
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

/** A claim by its name, which may hold dots, or else by the path to it. */
function claimAt(claims: Claims, name: string): unknown {
  const within = (value: unknown, key: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key)
      ? (value as Claims)[key]
      : undefined
  return within(claims, name) ?? name.split('.').reduce(within, claims)
}

/** The roles of the map that the claims give: by a list, or a text of one value or of several between spaces. */
export function rolesIn(
  claims: Claims,
  roleClaim: string,
  roleMap: Record<string, string>,
): string[] {
  const claim = claimAt(claims, roleClaim)
  const values: unknown[] =
    typeof claim === 'string' ? [claim, ...claim.split(' ')] : Array.isArray(claim) ? claim : []
  return [
    ...new Set(
      Object.entries(roleMap).flatMap(([value, roleId]) =>
        values.includes(value) ? [roleId] : [],
      ),
    ),
  ]
}

/** Returns the roles of a user after a sign-in. @param decided by the provider: it gives or takes each of them */
export const rolesAfter = <Role extends { id: string }>(
  held: Role[],
  decided: (Role & { isGiven: boolean })[],
): Role[] => [
  ...held.filter(({ id }) => decided.every((one) => one.id !== id)),
  ...decided.filter(({ isGiven }) => isGiven),
]

import { targetOf } from '../../../domain/addresses.ts'

/** What stands in every answer where the secret would be. */
export const MASK = '********'

export interface ClaimMapping {
  email: string
  name: string
}

/** What of a provider can be chosen and seen. */
export interface ProviderContent {
  name: string
  domain: string
  issuer: string
  clientId: string
  scopes: string
  enabled: boolean
  autoProvision: boolean
  defaultRoleId: string | null
  claimMapping: ClaimMapping
}

type Required = 'name' | 'domain' | 'issuer' | 'clientId'
type Optional = Exclude<keyof ProviderContent, Required>

/** What was sent of it. */
export type SentProvider = Pick<ProviderContent, Required> & {
  [Field in Optional]?: ProviderContent[Field] | undefined
} & { clientSecret?: string | undefined }

/** What a new provider is where nothing else was sent. It brings nobody in until somebody says so. */
export const DEFAULTS: Pick<ProviderContent, Optional> = {
  scopes: 'openid email profile',
  enabled: true,
  autoProvision: false,
  defaultRoleId: null,
  claimMapping: { email: 'email', name: 'name' },
}

/** What becomes of a provider: fields that were not sent stay. */
export const contentAfter = (
  before: Pick<ProviderContent, Optional>,
  sent: SentProvider,
): ProviderContent => ({
  name: sent.name,
  domain: sent.domain,
  issuer: sent.issuer,
  clientId: sent.clientId,
  scopes: sent.scopes ?? before.scopes,
  enabled: sent.enabled ?? before.enabled,
  autoProvision: sent.autoProvision ?? before.autoProvision,
  defaultRoleId: sent.defaultRoleId === undefined ? before.defaultRoleId : sent.defaultRoleId,
  claimMapping: sent.claimMapping ?? before.claimMapping,
})

/** The secret that was sent, unless it is left out or comes back as it was shown: then it stays. */
export const sentSecret = ({ clientSecret }: SentProvider): string | undefined =>
  clientSecret === MASK ? undefined : clientSecret

/** Whether a secret that is kept would be shown to somebody who did not give it. */
export const isAnotherClient = (
  before: Pick<ProviderContent, 'issuer' | 'clientId'>,
  after: Pick<ProviderContent, 'issuer' | 'clientId'>,
): boolean => before.issuer !== after.issuer || before.clientId !== after.clientId

/** Whether an issuer can be asked at all: an address that may be called, and nothing behind its path. */
export function isIssuer(text: string, allowed: readonly string[]): boolean {
  return !/[?#]/.test(text) && 'url' in targetOf(text, allowed)
}

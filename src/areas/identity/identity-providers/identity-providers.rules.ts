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
  /** Whether all its addresses count as confirmed, whatever it says of them. */
  trustsEmail: boolean
  claimMapping: ClaimMapping
  /** The claim that decides at each sign-in who has the roles of the map; null: none does. */
  roleClaim: string | null
  /** Ids of roles by the values of that claim. */
  roleMap: Record<string, string>
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
  trustsEmail: false,
  claimMapping: { email: 'email', name: 'name' },
  roleClaim: null,
  roleMap: {},
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
  trustsEmail: sent.trustsEmail ?? before.trustsEmail,
  claimMapping: sent.claimMapping ?? before.claimMapping,
  roleClaim: sent.roleClaim === undefined ? before.roleClaim : sent.roleClaim,
  roleMap: sent.roleMap ?? before.roleMap,
})

/** The field that names each role that a provider may give. */
export const fieldsOfRoles = ({
  defaultRoleId,
  roleMap,
}: Pick<ProviderContent, 'defaultRoleId' | 'roleMap'>): [field: string, roleId: string][] => [
  ...(defaultRoleId === null ? [] : [['defaultRoleId', defaultRoleId] as [string, string]]),
  ...Object.entries(roleMap).map(([value, id]): [string, string] => [`roleMap.${value}`, id]),
]

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

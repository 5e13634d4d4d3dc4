import { outboundTarget } from '../../../domain/addresses.ts'

/** The text that every answer has in place of the secret. */
export const MASK = '********'

export interface ClaimMapping {
  email: string
  name: string
}

/** The fields of a provider that can be chosen and seen. */
export interface ProviderContent {
  name: string
  domain: string
  issuer: string
  clientId: string
  scopes: string
  enabled: boolean
  autoProvision: boolean
  defaultRoleId: string | null
  /** True if all its addresses count as confirmed, whatever it says of them. */
  trustsEmail: boolean
  claimMapping: ClaimMapping
  /** The claim that decides at each sign-in who has the roles of the map; null: none does. */
  roleClaim: string | null
  /** Ids of roles by the values of that claim. */
  roleMap: Record<string, string>
}

type Required = 'name' | 'domain' | 'issuer' | 'clientId'
type Optional = Exclude<keyof ProviderContent, Required>

/** The fields of a provider in a request. */
export type SentProvider = Pick<ProviderContent, Required> & {
  [Field in Optional]?: ProviderContent[Field] | undefined
} & { clientSecret?: string | undefined }

/** The values of a new provider for fields that were not sent. It creates no users until somebody enables that. */
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

/** Returns the changed provider: fields that were not sent stay. */
export const providerAfter = (
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

/** True if a kept secret would be sent to another party than it was entered for. */
export const isAnotherClient = (
  before: Pick<ProviderContent, 'issuer' | 'clientId'>,
  after: Pick<ProviderContent, 'issuer' | 'clientId'>,
): boolean => before.issuer !== after.issuer || before.clientId !== after.clientId

/** True if an issuer can be called: its address is allowed, and nothing follows its path. */
export function isIssuer(text: string, allowed: readonly string[]): boolean {
  return !/[?#]/.test(text) && 'url' in outboundTarget(text, allowed)
}

export const CHECKS = [
  'discovery',
  'endpoints',
  'codeFlow',
  'pkce',
  'clientAuthentication',
  'keys',
  'redirect',
] as const

export interface ProviderCheck {
  name: (typeof CHECKS)[number]
  ok: boolean
  detail: string
}

/** A provider's description of itself: any field may be missing, or have any value. */
export type Description = Record<string, unknown>

const AT = 'at its address followed by /.well-known/openid-configuration'

const UNDESCRIBED = {
  address: 'The issuer is no address that this service calls.',
  silent: `There is no complete answer ${AT}.`,
  malformed: `There is no description ${AT}.`,
  issuer: 'It describes itself as another issuer; they are compared to the byte.',
}

export const discoveryCheck = (failure: keyof typeof UNDESCRIBED | undefined): ProviderCheck =>
  failure === undefined
    ? { name: 'discovery', ok: true, detail: 'It describes itself, as this issuer.' }
    : { name: 'discovery', ok: false, detail: UNDESCRIBED[failure] }

/** Returns the result of a check that needs a missing description. */
export const unchecked = (name: ProviderCheck['name']): ProviderCheck => ({
  name,
  ok: false,
  detail: 'Not checked, as there is no description.',
})

const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'jwks_uri']

const textsIn = (list: unknown): string[] =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The algorithms that a provider signs ID tokens under: by the standard RS256 where it names none. */
export const algorithmsOf = (description: Description): string[] => {
  const { id_token_signing_alg_values_supported: named = ['RS256'] } = description
  return textsIn(named)
}

/** Returns the checks that need only the description. */
export function descriptionChecks(
  description: Description,
  allowed: readonly string[],
): ProviderCheck[] {
  // Asked only by sign-ins whose ID token says too little, so a provider may have none.
  const optional = description['userinfo_endpoint'] === undefined ? [] : ['userinfo_endpoint']
  const closed = [...ENDPOINTS, ...optional].filter(
    (name) => 'refused' in outboundTarget(textIn(description[name]), allowed),
  )
  const { grant_types_supported: grants = ['authorization_code'] } = description
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = description
  const offersCode =
    textsIn(description['response_types_supported']).includes('code') &&
    textsIn(grants).includes('authorization_code')
  const takesSecret = textsIn(methods).some((method) =>
    ['client_secret_basic', 'client_secret_post'].includes(method),
  )
  return [
    {
      name: 'endpoints',
      ok: closed.length === 0,
      detail:
        closed.length === 0
          ? 'All that a sign-in needs may be called.'
          : `No address that this service calls: ${closed.join(', ')}.`,
    },
    {
      name: 'codeFlow',
      ok: offersCode,
      detail: offersCode
        ? 'It offers the authorization code flow.'
        : 'It does not say that it offers the authorization code flow.',
    },
    pkceCheck(textsIn(description['code_challenge_methods_supported'])),
    {
      name: 'clientAuthentication',
      ok: takesSecret,
      detail: takesSecret
        ? 'It takes the client secret in the ways that this service sends it.'
        : 'It takes the client secret neither in the header nor in the form.',
    },
  ]
}

const pkceCheck = (methods: string[]): ProviderCheck =>
  methods.includes('S256')
    ? { name: 'pkce', ok: true, detail: 'It offers PKCE with S256.' }
    : {
        name: 'pkce',
        ok: false,
        detail:
          'It does not say that it offers PKCE with S256. Sign-ins send it all the same, and are protected by it only if the provider takes it.',
      }

/** @param found whether one of the keys is usable; undefined when there are none to look at */
export const keysCheck = (found: boolean | undefined): ProviderCheck => {
  const details = {
    true: 'It publishes a key that ID tokens can be verified with.',
    false: 'None of the keys that it publishes fits the algorithms that it names.',
    undefined: 'There is no set of keys at its jwks_uri.',
  }
  return { name: 'keys', ok: found === true, detail: details[`${found}`] }
}

export function redirectCheck(redirectUri: string): ProviderCheck {
  const { protocol, hostname } = new URL(redirectUri)
  const ok = protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return {
    name: 'redirect',
    ok,
    detail: ok
      ? 'Register the redirectUri at the provider, to the byte; whether that was done shows at the first sign-in.'
      : 'Providers send browsers back to https only; ask by the address under which browsers reach this service.',
  }
}

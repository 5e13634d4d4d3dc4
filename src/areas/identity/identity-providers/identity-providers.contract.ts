import { z } from '@hono/zod-openapi'
import {
  id,
  idInput,
  nameInput,
  textField,
  presentStamps,
  stamps,
  booleanField,
  count,
  instant,
  toInstant,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { MASK, CHECKS } from './identity-providers.rules.ts'
import type { Provider, ProviderTest } from './identity-providers.usecases.ts'
import type { Identity } from './identities.usecases.ts'

const claim = (description: string, fallback: string) =>
  z.string().min(1).max(100).default(fallback).openapi({ description, example: fallback })

const TRUSTS_EMAIL =
  'Whether all addresses of the provider count as confirmed, for a provider that does not send `email_verified`. Set it only if its users cannot choose their addresses themselves.'
const ROLE_CLAIM =
  'Claim that decides at each sign-in who has the roles of `roleMap`: a name, or a path such as `realm_access.roles`. null: the provider gives and takes no roles.'
const ROLE_MAP =
  'Ids of roles by values of `roleClaim`. Only these roles are given and taken. You need every permission of each of them.'

const ClaimMapping = z
  .strictObject({
    email: claim('The claim that holds the e-mail address.', 'email'),
    name: claim('The claim that holds the name.', 'name'),
  })
  .openapi({ description: 'Claims to read.' })

const DOMAIN = 'Unique e-mail domain that the provider is responsible for.'
const ISSUER = 'URL of the issuer (https), exactly as the provider publishes it.'
const ROLE = 'Role of users whom the provider registers; null for the system role `user`.'
const SCOPES = 'Scopes to request, separated by spaces. They must include `openid`.'

export const IdentityProviderRequest = z
  .strictObject({
    name: nameInput(100, 'Unique name of the provider.', 'Example Inc.'),
    domain: z.string().min(1).max(253).openapi({ description: DOMAIN, example: 'example.com' }),
    issuer: z
      .string()
      .min(1)
      .max(2048)
      .openapi({ description: ISSUER, example: 'https://login.example.com' }),
    clientId: z
      .string()
      .regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 visible ASCII characters')
      .openapi({ description: 'Client id of this service at the provider.', example: 'coffer' }),
    clientSecret: z
      .string()
      .regex(/^[\x20-\x7e]{1,1024}$/, 'must be 1 to 1024 visible ASCII characters')
      .optional()
      .openapi({
        description:
          'Client secret of this service at the provider. It is required for a new provider and when the issuer or the client id changes. Otherwise it stays the same if it is left out or masked.',
        example: 'a secret of the provider',
      }),
    scopes: z
      .string()
      .max(500)
      .regex(
        /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
        'must be scopes separated by single spaces, such as "openid email"',
      )
      .refine(
        (scopes) => scopes.split(' ').includes('openid'),
        must('must include the scope openid'),
      )
      .optional()
      .openapi({ description: SCOPES, example: 'openid email profile' }),
    enabled: z
      .boolean()
      .optional()
      .openapi({ description: 'Whether users can sign in with it.', example: true }),
    autoProvision: z.boolean().optional().openapi({
      description: 'Whether the provider registers users who are not registered yet.',
      example: false,
    }),
    defaultRoleId: idInput('rol', ROLE).nullable().optional(),
    trustsEmail: z.boolean().optional().openapi({ description: TRUSTS_EMAIL, example: false }),
    claimMapping: ClaimMapping.optional(),
    roleClaim: z
      .string()
      .min(1)
      .max(100)
      .nullable()
      .optional()
      .openapi({ description: ROLE_CLAIM, example: 'groups' }),
    roleMap: z
      .record(z.string().min(1).max(255), idInput('rol', 'Id of a role.'))
      .refine((map) => Object.keys(map).length <= 100, must('must have at most 100 values'))
      .optional()
      .openapi({ description: ROLE_MAP, example: { 'coffer-users': 'rol_user' } }),
  })
  .openapi('IdentityProviderRequest')

export const IdentityProviderResponse = z
  .object({
    id: id('idp', 'Id of the identity provider.'),
    name: textField('The name.', 'Example Inc.'),
    domain: textField('E-mail domain that the provider is responsible for.', 'example.com'),
    issuer: textField('URL of the issuer.', 'https://login.example.com'),
    clientId: textField('Client id of this service at the provider.', 'coffer'),
    clientSecret: z
      .literal('********')
      .openapi({ description: 'The secret is always masked.', example: '********' }),
    scopes: textField('Scopes that are requested.', 'openid email profile'),
    enabled: booleanField('Whether users can sign in with it.', true),
    autoProvision: booleanField(
      'Whether the provider registers users who are not registered yet.',
      false,
    ),
    defaultRoleId: id('rol', ROLE).nullable(),
    trustsEmail: booleanField(TRUSTS_EMAIL, false),
    claimMapping: z
      .object({
        email: textField('The claim that holds the e-mail address.', 'email'),
        name: textField('The claim that holds the name.', 'name'),
      })
      .openapi({ description: 'Claims to read.' }),
    roleClaim: textField(ROLE_CLAIM, 'groups').nullable(),
    roleMap: z
      .record(z.string(), id('rol', 'Id of a role.'))
      .openapi({ description: ROLE_MAP, example: { 'coffer-users': 'rol_user' } }),
    ...stamps,
  })
  .openapi('IdentityProviderResponse')

export const presentProvider = (provider: Provider): z.infer<typeof IdentityProviderResponse> => ({
  id: provider.id,
  name: provider.name,
  domain: provider.domain,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientSecret: MASK,
  scopes: provider.scopes,
  enabled: provider.enabled,
  autoProvision: provider.autoProvision,
  defaultRoleId: provider.defaultRoleId,
  trustsEmail: provider.trustsEmail,
  claimMapping: provider.claimMapping,
  roleClaim: provider.roleClaim,
  roleMap: provider.roleMap,
  ...presentStamps(provider),
})

export const presentProviders = (
  providers: Provider[],
): z.infer<typeof IdentityProviderResponse>[] => providers.map(presentProvider)

const CheckResponse = z
  .object({
    name: z.enum(CHECKS).openapi({ description: 'Name of the check.', example: 'discovery' }),
    ok: booleanField('Whether the check passed.', true),
    detail: textField('Readable result of the check.', 'It describes itself as the issuer.'),
  })
  .openapi('IdentityProviderCheckResponse')

export const IdentityProviderTestResponse = z
  .object({
    ok: booleanField('Whether all checks passed.', true),
    checks: z
      .array(CheckResponse)
      .openapi({ description: 'All checks, always in the same order.' }),
    redirectUri: textField(
      'The redirect URI to register at the provider.',
      'https://coffer.example.com/auth/provider/idp_01k9v3q8m5t0w2x4y6z8a1b3c5/callback',
    ),
  })
  .openapi('IdentityProviderTestResponse')

export const presentTest = ({
  ok,
  checks,
  redirectUri,
}: ProviderTest): z.infer<typeof IdentityProviderTestResponse> => ({ ok, checks, redirectUri })

export const IdentityResponse = z
  .object({
    id: id('ext', 'Id of the link.'),
    issuer: textField('Issuer of the identity.', 'https://login.example.com'),
    subject: textField('Id of the user at the issuer.', '248289761001'),
    createdAt: instant('When it was linked.'),
  })
  .openapi('IdentityResponse')

export const IdentitiesResponse = z
  .object({
    identities: z
      .array(IdentityResponse)
      .openapi({ description: 'Identities with which the user can sign in, oldest first.' }),
    count,
  })
  .openapi('IdentitiesResponse')

export const LinkIdentityRequest = z
  .strictObject({
    code: z.string().min(1).max(200).openapi({
      description: 'Unused code from a sign-in with an identity provider.',
      example: 'sic_…',
    }),
  })
  .openapi('LinkIdentityRequest')

export const presentIdentity = (identity: Identity): z.infer<typeof IdentityResponse> => ({
  id: identity.id,
  issuer: identity.issuer,
  subject: identity.subject,
  createdAt: toInstant(identity.createdAt),
})

export const presentIdentities = (identities: Identity[]): z.infer<typeof IdentitiesResponse> => ({
  identities: identities.map(presentIdentity),
  count: identities.length,
})

export const ProvidersForEmailResponse = z
  .object({
    providers: z
      .array(
        z.object({
          id: id('idp', 'Id of the identity provider.'),
          name: textField('Name of the provider.', 'Example Inc.'),
        }),
      )
      .openapi({ description: 'Providers that sign in users of this e-mail domain.' }),
  })
  .openapi('ProvidersForEmailResponse')

export const ProvidersQuery = z.strictObject({
  email: z.string().min(1).max(254).openapi({
    description: 'The e-mail address. Only its domain matters.',
    example: 'ada@example.com',
  }),
})

export const AuthorizeQuery = z.strictObject({
  redirectUri: z.string().min(1).max(2000).optional().openapi({
    description:
      'URL to which the browser is redirected with the code: on this service or an origin of CORS_ORIGINS. If it is left out, the answer shows the code.',
    example: 'https://app.example.com/signed-in',
  }),
})

const parameter = (description: string) => z.string().max(4096).optional().openapi({ description })

/** The documented parameters of the callback. The library of the protocol checks the query as it came. */
export const CallbackQuery = z.object({
  state: parameter('State with which the browser was sent to the provider.'),
  code: parameter('Code that the provider exchanges for its token.'),
  iss: parameter('Issuer of the provider.'),
  error: parameter('Reason why the provider did not sign in the user.'),
})

const code = 'Code for one call of POST /auth/provider/exchange within 5 minutes.'

export const SignInCodeResponse = z
  .object({ code: textField(code, 'sic_…') })
  .openapi('SignInCodeResponse')

export const ExchangeCodeRequest = z
  .strictObject({
    code: z.string().min(1).max(200).openapi({ description: code, example: 'sic_…' }),
  })
  .openapi('ExchangeCodeRequest')

import { z } from '@hono/zod-openapi'
import {
  id,
  idInput,
  nameInput,
  textField,
  presentStamps,
  stamps,
  booleanField,
} from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'
import { MASK } from './identity-providers.rules.ts'
import type { Provider } from './identity-providers.usecases.ts'

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

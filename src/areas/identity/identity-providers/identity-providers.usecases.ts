import { domainOf } from '../../../domain/email.ts'
import { type Permission, permissionsOfRole } from '../../../domain/permissions.ts'
import { foldKey } from '../../../domain/text.ts'
import { freshId, permissionsToGrant, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { sealSecret } from '../../../platform/secrets/key-ring.ts'
import { CLIENT_SECRETS, placeIn } from '../../../platform/secrets/sealed-columns.ts'
import type { Statement } from '../../../platform/database/statements.ts'
import { descriptionOf } from '../../../platform/outbound/oidc.ts'
import { hasUsableKey } from '../../../platform/outbound/oidc-keys.ts'
import { callerHolds } from '../roles/roles.public.ts'
import { providerErrors } from './identity-providers.errors.ts'
import { providerEvents } from './identity-providers.events.ts'
import {
  allProviders,
  deleteProvider,
  forgetCodesOf,
  type ProviderRole,
  insertProvider,
  providerById,
  type ProviderRow,
  rolesMustStillBe,
  rolesToGrant,
  updateProvider,
} from './identity-providers.queries.ts'
import {
  providerAfter,
  DEFAULTS,
  fieldsOfRoles,
  isAnotherClient,
  isIssuer,
  MASK,
  type ProviderContent,
  sentSecret,
  type SentProvider,
  algorithmsOf,
  type ProviderCheck,
  CHECKS,
  type Description,
  descriptionChecks,
  discoveryCheck,
  keysCheck,
  redirectCheck,
  textIn,
  unchecked,
} from './identity-providers.rules.ts'
import { redirectUriOf } from './sign-in/sign-in.rules.ts'

export interface Provider extends ProviderContent {
  id: string
  version: number
  createdAt: number
  updatedAt: number
}

export async function listIdentityProviders(ctx: SignedIn): Promise<Provider[]> {
  const [rows] = await read(ctx, allProviders())
  return rows.map(providerFrom)
}

export async function getIdentityProvider(ctx: SignedIn, id: string): Promise<Provider> {
  const [[row]] = await read(ctx, providerById(id))
  return providerFrom(row)
}

export async function createIdentityProvider(ctx: SignedIn, sent: SentProvider): Promise<Provider> {
  const sentRoles = fieldsOfRoles(providerAfter(DEFAULTS, sent))
  const [roles] = await read(ctx, rolesToGrant(sentRoles.map(([, roleId]) => roleId)))
  const content = providerAfter(DEFAULTS, cleaned(ctx, sent))
  const secret = sentSecret(sent)
  if (secret === undefined) {
    throw providerErrors.secretRequired({ field: 'clientSecret' })
  }
  const premises = requireGrantable(ctx, content, roles)
  const id = freshId(ctx, 'idp')
  const stamps = { version: 1, createdAt: ctx.now, updatedAt: ctx.now }
  const clientSecret = await sealSecret(ctx, placeIn(CLIENT_SECRETS, id), secret)
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...premises,
          insertProvider({ id, ...columnsOf(content), clientSecret, ...stamps }),
        ],
        events: [
          providerEvents.created({ id, version: 1 }, { after: { ...content, clientSecret: MASK } }),
        ],
      },
    ],
    result: { id, ...content, ...stamps },
    conflicts,
  })
}

export async function updateIdentityProvider(
  ctx: SignedIn,
  id: string,
  sent: SentProvider,
): Promise<Provider> {
  const sentRoles = fieldsOfRoles(providerAfter(DEFAULTS, sent))
  const sentIds = sentRoles.map(([, roleId]) => roleId)
  const [[row], roles] = await read(ctx, providerById(id), rolesToGrant(sentIds, id))
  const provider = providerFrom(row)
  requireVersion(ctx, provider.version)
  const content = providerAfter(provider, cleaned(ctx, sent))
  // Asked of every change: whoever redirects a provider decides who gets its roles.
  const premises = requireGrantable(ctx, content, roles)
  const secret = sentSecret(sent)
  if (secret === undefined && isAnotherClient(provider, content)) {
    throw providerErrors.secretRequired({ field: 'clientSecret' })
  }
  const replaced =
    secret === undefined
      ? {}
      : { clientSecret: await sealSecret(ctx, placeIn(CLIENT_SECRETS, id), secret) }
  const after = { ...provider, ...content, version: provider.version + 1, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      {
        statements: [
          ...premises,
          ...updateProvider(ctx, provider, { ...columnsOf(content), ...replaced }),
          // They say what the provider was trusted to say before.
          forgetCodesOf(id),
        ],
        events: [
          providerEvents.updated(
            { id, version: after.version },
            {
              before: provider,
              after,
              ...(secret === undefined ? {} : { clientSecret: [MASK, MASK] }),
            },
          ),
        ],
      },
    ],
    result: after,
    conflicts,
  })
}

export async function deleteIdentityProvider(ctx: SignedIn, id: string): Promise<void> {
  const provider = await getIdentityProvider(ctx, id)
  requireVersion(ctx, provider.version)
  const deleted = providerEvents.deleted({ id }, { before: { ...provider, clientSecret: MASK } })
  return commit(ctx, {
    changes: [{ statements: deleteProvider(provider), events: [deleted] }],
    result: undefined,
  })
}

const conflicts = {
  'identity_providers.name_key': () => providerErrors.nameTaken({ field: 'name' }),
  'identity_providers.domain': () => providerErrors.domainTaken({ field: 'domain' }),
}

function providerFrom(row: ProviderRow | undefined): Provider {
  if (!row) {
    throw providerErrors.notFound()
  }
  const { emailClaim, nameClaim, ...provider } = row
  return { ...provider, claimMapping: { email: emailClaim, name: nameClaim } }
}

const columnsOf = ({ claimMapping, ...content }: ProviderContent) => ({
  ...content,
  nameKey: foldKey(content.name),
  emailClaim: claimMapping.email,
  nameClaim: claimMapping.name,
})

/** With the domain as the DNS spells it. */
function cleaned(ctx: SignedIn, sent: SentProvider): SentProvider {
  const domain = domainOf(sent.domain)
  if (domain === undefined) {
    throw providerErrors.invalidDomain({ field: 'domain' })
  }
  if (!isIssuer(sent.issuer, ctx.settings.outboundAllow)) {
    throw providerErrors.invalidIssuer({ field: 'issuer' })
  }
  return { ...sent, domain }
}

/** So that nobody lets a provider hand out more than they have. Gives the premises of it for the commit. */
function requireGrantable(
  ctx: SignedIn,
  content: ProviderContent,
  roles: ProviderRole[],
): Statement[] {
  const held = new Set<Permission>(permissionsToGrant(ctx))
  const granted = new Map<ProviderRole, Permission[]>()
  for (const [field, roleId] of fieldsOfRoles(content)) {
    const role = roles.find(({ id }) => id === roleId)
    if (!role) {
      throw providerErrors.unknownRole({ field })
    }
    const permissions = permissionsOfRole(role.system, JSON.parse(role.stored) as string[])
    if (permissions.some((permission) => !held.has(permission))) {
      throw providerErrors.permissionNotHeld({ field })
    }
    granted.set(role, permissions)
  }
  return granted.size === 0
    ? []
    : [
        callerHolds(
          ctx,
          [...new Set([...granted.values()].flat())],
          providerErrors.permissionNotHeld,
        ),
        rolesMustStillBe([...granted.keys()]),
      ]
}

export interface ProviderTest {
  ok: boolean
  checks: ProviderCheck[]
  redirectUri: string
}

/**
 * Looks whether sign-ins can work, without one: asks the provider what anybody may ask it, past all that
 * is remembered. A provider that fails is a result.
 * @param origin of this service, as browsers know it
 */
export async function testIdentityProvider(
  ctx: SignedIn,
  id: string,
  origin: string,
): Promise<ProviderTest> {
  const { issuer } = await getIdentityProvider(ctx, id)
  const redirectUri = redirectUriOf(id, origin)
  const found = await descriptionOf(ctx, issuer)
  const seen =
    typeof found === 'string'
      ? [discoveryCheck(found), ...CHECKS.slice(1, -1).map(unchecked)]
      : [discoveryCheck(undefined), ...(await checksOf(ctx, found))]
  const checks = [...seen, redirectCheck(redirectUri)]
  const failed = checks.filter(({ ok }) => !ok).map(({ name }) => name)
  return commit(ctx, {
    changes: [{ statements: [], events: [providerEvents.tested({ id }, { failed })] }],
    result: { ok: failed.length === 0, checks, redirectUri },
  })
}

async function checksOf(ctx: SignedIn, description: Description): Promise<ProviderCheck[]> {
  const address = textIn(description['jwks_uri'])
  return [
    ...descriptionChecks(description, ctx.settings.outboundAllow),
    keysCheck(await hasUsableKey(ctx, address, algorithmsOf(description))),
  ]
}

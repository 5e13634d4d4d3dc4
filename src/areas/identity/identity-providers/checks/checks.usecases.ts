import type { SignedIn } from '../../../../platform/context.ts'
import { commit } from '../../../../platform/database.ts'
import { descriptionOf } from '../../../../platform/oidc.ts'
import { hasUsableKey } from '../../../../platform/oidc-keys.ts'
import { providerEvents } from '../identity-providers.events.ts'
import { getIdentityProvider } from '../identity-providers.usecases.ts'
import { redirectUriOf } from '../sign-in/sign-in.rules.ts'
import {
  algorithmsOf,
  type Check,
  CHECKS,
  type Description,
  descriptionChecks,
  discoveryCheck,
  keysCheck,
  redirectCheck,
  textIn,
  unchecked,
} from './checks.rules.ts'

export interface ProviderTest {
  ok: boolean
  checks: Check[]
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

async function checksOf(ctx: SignedIn, description: Description): Promise<Check[]> {
  const address = textIn(description['jwks_uri'])
  return [
    ...descriptionChecks(description, ctx.settings.outboundAllow),
    keysCheck(await hasUsableKey(ctx, address, algorithmsOf(description))),
  ]
}

import { domainOfEmail } from '../../../../domain/email.ts'
import type { Context } from '../../../../platform/context.ts'
import { macText, sameText, sha256Text, toBase64Url } from '../../../../platform/secrets/crypto.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { withoutEvents } from '../../../../platform/log/events.ts'
import { openSecret } from '../../../../platform/secrets/key-ring.ts'
import {
  clientOf,
  countTry,
  limitOf,
  requireTriesLeft,
  triesOf,
} from '../../../../platform/limits.ts'
import { authorizationUrl, type Ties, verifiedClaims } from '../../../../platform/outbound/oidc.ts'
import { CLIENT_SECRETS, placeIn } from '../../../../platform/secrets/sealed-columns.ts'
import { addressColumns } from '../../addresses/addresses.public.ts'
import { signInErrors } from '../identity-providers.errors.ts'
import { atProvider, signInEvents } from '../identity-providers.events.ts'
import {
  endFlow,
  flowUnderWay,
  insertCode,
  insertFlow,
  providerMustStillBe,
  providersFor,
  type ProviderToAsk,
  providerToAsk,
} from './sign-in.queries.ts'
import {
  isSilent,
  mayReturnTo,
  mergedClaims,
  providerPath,
  personIn,
  redirectUriOf,
  rolesIn,
} from './sign-in.rules.ts'

const FLOW_SECONDS = 10 * 60
const CODE_MS = 5 * 60 * 1000

/** A browser on its way through a sign-in: its request, and the address of the service from its side. */
interface Visit {
  origin: string
  query: URLSearchParams
  cookie: (name: string) => string | undefined
}

type Cookie = Record<'name' | 'value' | 'path', string> & { seconds: number }

export async function findProviders(
  ctx: Context,
  email: string,
): Promise<{ id: string; name: string }[]> {
  const [rows] = await read(ctx, providersFor(domainOfEmail(email) ?? ''))
  return rows
}

/** Sends a browser to the provider. All that ties its return to it stays with the browser, in a cookie. */
export async function authorizeWithProvider(
  ctx: Context,
  visit: Visit,
  { id, redirectUri }: { id: string; redirectUri?: string | undefined },
): Promise<{ location: string; cookie: Cookie }> {
  const origins = [visit.origin, ...ctx.settings.corsOrigins]
  if (redirectUri !== undefined && !mayReturnTo(redirectUri, origins)) {
    throw signInErrors.redirectNotAllowed({ field: 'redirectUri' })
  }
  const subject = `provider client ${clientOf(ctx)}`
  const client = await limitOf(ctx, subject, ctx.settings.loginLimitClient)
  const [[provider], tries] = await read(ctx, providerToAsk(id), triesOf([client]))
  requireTriesLeft(ctx, [client], tries)
  if (!provider) {
    throw signInErrors.unknownProvider()
  }
  const browser = randomText(ctx)
  const ties = await tiesOf(ctx, randomText(ctx), browser)
  const location = await authorizationUrl(ctx, partyOf(provider, visit), ties)
  const stateHash = sha256Text(ties.state)
  return commit(ctx, {
    changes: [
      withoutEvents(countTry(ctx, client)),
      {
        statements: insertFlow(ctx, {
          stateHash,
          browserHash: sha256Text(browser),
          providerId: id,
          redirectUri: redirectUri ?? null,
          expiresAt: ctx.now + FLOW_SECONDS * 1000,
        }),
        events: [signInEvents.begun(atProvider(id))],
      },
    ],
    result: { location, cookie: cookieOf(id, stateHash, browser, FLOW_SECONDS) },
  })
}

/** A browser at its journey's end. */
export interface ConfirmedSignIn {
  location: string | null
  code: string
  cookie: Cookie
}

/** Takes a browser back from the provider, and makes a code of what the provider confirms. */
export async function returnFromProvider(
  ctx: Context,
  visit: Visit,
  id: string,
): Promise<ConfirmedSignIn> {
  const state = visit.query.get('state') ?? ''
  const stateHash = sha256Text(state)
  const [[flow], [provider]] = await read(ctx, flowUnderWay(ctx, stateHash, id), providerToAsk(id))
  const browser = visit.cookie(cookieName(stateHash)) ?? ''
  if (!flow || !provider || !sameText(flow.browserHash, sha256Text(browser))) {
    throw signInErrors.invalidFlow()
  }
  try {
    const ties = await tiesOf(ctx, state, browser)
    const confirmed = await confirm(ctx, visit, provider, ties)
    const code = `sic_${randomText(ctx)}`
    return await commit(ctx, {
      changes: [
        {
          statements: [
            ...endFlow(stateHash),
            providerMustStillBe(id, provider.version, signInErrors.invalidFlow),
            ...insertCode(ctx, {
              codeHash: sha256Text(code),
              providerId: id,
              expiresAt: ctx.now + CODE_MS,
              ...confirmed,
            }),
          ],
          events: [signInEvents.confirmed(atProvider(id))],
        },
      ],
      result: {
        code,
        location: flow.redirectUri === null ? null : withCode(flow.redirectUri, code),
        cookie: cookieOf(id, stateHash, '', 0),
      },
    })
  } catch (error) {
    // A state works once, whatever came of it.
    await commit(ctx, {
      changes: [{ statements: endFlow(stateHash), events: [signInEvents.refused(atProvider(id))] }],
      result: undefined,
    })
    throw error
  }
}

async function confirm(ctx: Context, visit: Visit, provider: ProviderToAsk, ties: Ties) {
  const place = placeIn(CLIENT_SECRETS, provider.id)
  const clientSecret = await openSecret(ctx, place, provider.clientSecret)
  const party = { ...partyOf(provider, visit), clientSecret }
  const { emailClaim, nameClaim, roleClaim, roleMap } = provider
  const trust = { ...provider, claimMapping: { email: emailClaim, name: nameClaim } }
  const claims = await verifiedClaims(ctx, party, visit.query, ties, {
    isSilent: (token) => isSilent(token, trust),
    merged: (token, userInfo) => mergedClaims(token, userInfo, trust),
  })
  const person = personIn(claims, trust)
  if ('refused' in person) {
    throw person.refused
  }
  const { email, name } = person
  const roleIds = roleClaim === null ? null : rolesIn(claims, roleClaim, roleMap)
  return { issuer: provider.issuer, subject: claims.sub, ...addressColumns(email), name, roleIds }
}

const randomText = (ctx: Context) => toBase64Url(ctx.ports.random(32))

/** Nonce and verifier are made of the browser's word, so neither is stored. */
const tiesOf = async (ctx: Context, state: string, browser: string): Promise<Ties> => ({
  state,
  nonce: macText(ctx.settings.appSecret, 'sign-in nonce', `${state} ${browser}`),
  verifier: macText(ctx.settings.appSecret, 'sign-in verifier', `${state} ${browser}`),
})

const partyOf = ({ id, issuer, clientId, scopes }: ProviderToAsk, { origin }: Visit) => ({
  issuer,
  clientId,
  scopes,
  redirectUri: redirectUriOf(id, origin),
})

/** By its flow, as a browser may be under way in several windows. */
const cookieName = (stateHash: string) => `coffer_flow_${stateHash.slice(0, 16)}`

const cookieOf = (id: string, stateHash: string, value: string, seconds: number): Cookie => ({
  name: cookieName(stateHash),
  value,
  path: providerPath(id),
  seconds,
})

function withCode(redirectUri: string, code: string): string {
  const url = new URL(redirectUri)
  url.searchParams.set('code', code)
  return url.href
}

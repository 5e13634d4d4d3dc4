import * as oauth from 'oauth4webapi'
import { outboundTarget } from '../../domain/addresses.ts'
import { AppError } from '../../domain/errors.ts'
import { isWellFormedText } from '../../domain/text.ts'
import type { Context } from '../context.ts'
import { logEvent } from '../logger.ts'
import { fetchOutbound } from './outbound.ts'
import { oidcErrors } from '../platform.errors.ts'

// The relying party's side of OpenID Connect: code flow with PKCE. The protocol is the library's, every
// call goes by the one way out.

/** The provider, and the identity of this service at the provider. */
export interface RelyingParty {
  issuer: string
  clientId: string
  /** The address to which the provider redirects the browser. */
  redirectUri: string
}

/** The values that bind the answer to the question; each is 256 bits. */
export interface Ties {
  state: string
  nonce: string
  verifier: string
}

type Claims = Record<string, unknown>

/** The addition of the userinfo endpoint to an ID token. */
interface Completion {
  isSilent: (token: Claims) => boolean
  merged: (token: Claims, userInfo: Claims) => Claims
}

/** The time for which a provider's description and keys are trusted without fetching them again. */
const REMEMBERED_MS = 5 * 60 * 1000
const MOST_REMEMBERED = 100

/** By issuer, per isolate. The library keeps the keys beside the description, and fetches them once more,
 * at most once a minute, for a token that names a key it does not know. */
const remembered = new Map<string, { until: number; server: oauth.AuthorizationServer }>()

type Ctx = Pick<Context, 'settings' | 'requestId' | 'now'>

/** Returns the address to which the browser is redirected. */
export async function authorizationUrl(
  ctx: Ctx,
  party: RelyingParty & { scopes: string },
  { state, nonce, verifier }: Ties,
): Promise<string> {
  const server = await serverOf(ctx, party.issuer)
  const { authorization_endpoint: endpoint = '' } = server
  if ('refused' in outboundTarget(endpoint, ctx.settings.outboundAllow)) {
    throw unusable(ctx, party, 'authorizationEndpoint')
  }
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: party.clientId,
    redirect_uri: party.redirectUri,
    scope: party.scopes,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) {
    url.searchParams.set(name, value)
  }
  return url.href
}

/**
 * Swaps what the provider sent back for the claims of its ID token, which it has signed, for us alone, in
 * answer to this very question. Where that is silent, for those of its userinfo endpoint as well.
 * @param completion whether an ID token lacks a claim that is needed, and what it becomes then
 * @throws AppError `auth.providerRefused`, whatever was wrong with the answer; `outbound.failed`
 */
export async function verifiedClaims(
  ctx: Ctx,
  party: RelyingParty & { clientSecret: string },
  parameters: URLSearchParams,
  { state, nonce, verifier }: Ties,
  completion: Completion,
): Promise<Claims & { sub: string }> {
  const server = await serverOf(ctx, party.issuer)
  const client: oauth.Client = { client_id: party.clientId }
  try {
    const answer = oauth.validateAuthResponse(server, client, parameters, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticationOf(server, party.clientSecret),
      answer,
      party.redirectUri,
      verifier,
      optionsOf(ctx),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, response, optionsOf(ctx))
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    const fault = claims ? faultOf(claims, party.clientId, ctx.now) : 'missing'
    if (!claims || fault !== undefined) {
      throw Object.assign(new Error('the claims are not usable'), { code: `claim.${fault}` })
    }
    if (server.userinfo_endpoint === undefined || !completion.isSilent(claims)) {
      return claims
    }
    const { access_token: token } = tokens
    const userInfo = await oauth.userInfoRequest(server, client, token, optionsOf(ctx))
    const { sub } = claims
    return {
      ...completion.merged(
        claims,
        await oauth.processUserInfoResponse(server, client, sub, userInfo),
      ),
      sub,
    }
  } catch (cause) {
    throw refused(ctx, party, cause)
  }
}

/** Seconds that the clock of a provider may be ahead. */
const CLOCK_SKEW_SECONDS = 60
/** OpenID Connect Core 1.0, section 2. */
const MOST_SUBJECT = 255

/** Returns the claim that makes a token unusable, beyond the checks of the library; undefined if there is none. */
function faultOf(
  { sub, aud, azp, iat }: oauth.IDToken,
  clientId: string,
  now: number,
): string | undefined {
  const faults = {
    // Blank or cut off, it would name somebody else as well.
    sub: sub.trim() === '' || sub.length > MOST_SUBJECT || !isWellFormedText(sub),
    aud: [aud].flat().length !== 1,
    azp: azp !== undefined && azp !== clientId,
    iat: iat > now / 1000 + CLOCK_SKEW_SECONDS,
  }
  return Object.entries(faults).find(([, isFault]) => isFault)?.[0]
}

async function serverOf(ctx: Ctx, issuer: string): Promise<oauth.AuthorizationServer> {
  const known = remembered.get(issuer)
  if (known && known.until > ctx.now) {
    return known.server
  }
  const server = await describedBy(ctx, issuer).catch((cause: unknown) => {
    throw isOurs(cause) ? cause : unusable(ctx, { issuer }, reasonOf(cause))
  })
  // The library compares them as URLs.
  if (server.issuer !== issuer) {
    throw unusable(ctx, { issuer }, 'issuer')
  }
  if (remembered.size >= MOST_REMEMBERED) {
    remembered.clear()
  }
  remembered.set(issuer, { until: ctx.now + REMEMBERED_MS, server })
  return server
}

async function describedBy(ctx: Ctx, issuer: string): Promise<oauth.AuthorizationServer> {
  const url = new URL(issuer)
  const response = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...optionsOf(ctx) })
  return oauth.processDiscoveryResponse(url, response)
}

/** The reason a provider's description is unavailable. */
export type Undescribed = 'address' | 'silent' | 'malformed' | 'issuer'

/** Fetches a provider's current description, without the remembered one; no field of it is checked yet. */
export async function descriptionOf(
  ctx: Ctx,
  issuer: string,
): Promise<Record<string, unknown> | Undescribed> {
  try {
    const server = await describedBy(ctx, issuer)
    return server.issuer === issuer ? { ...server } : 'issuer'
  } catch (cause) {
    if (cause instanceof AppError) {
      return isOurs(cause) ? 'silent' : 'address'
    }
    return reasonOf(cause) === oauth.JSON_ATTRIBUTE_COMPARISON ? 'issuer' : 'malformed'
  }
}

function optionsOf(ctx: Ctx) {
  return {
    // `fetchOutbound` decides on the addresses that may be called, and accepts http on an allowed loopback only.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url: string, { method, headers, body }: OutboundRequest) =>
      fetchOutbound(ctx, url, {
        method,
        headers,
        ...(body ? { body: body.toString() } : {}),
      }),
  }
}

interface OutboundRequest {
  method: string
  headers: Record<string, string>
  body?: URLSearchParams | null | undefined
}

/** By header, as every provider must understand it, unless this one says that it wants the form. */
function authenticationOf(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

/** An address that must not be called is the provider's fault, not that of who is signing in. */
const isOurs = (cause: unknown): boolean =>
  cause instanceof AppError && cause.code !== 'outbound.refusedAddress'

/** The library's codes name the check that failed; its messages may hold what the other side sent. */
function reasonOf(cause: unknown): string {
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' ? code : 'unexpected'
}

function refused(ctx: Ctx, { issuer }: { issuer: string }, cause: unknown): AppError {
  if (cause instanceof AppError) {
    return isOurs(cause) ? cause : unusable(ctx, { issuer }, cause.code)
  }
  const { requestId } = ctx
  logEvent('error', 'provider.refused', { requestId, issuer, reason: reasonOf(cause) })
  return oidcErrors.providerRefused()
}

function unusable(ctx: Ctx, { issuer }: { issuer: string }, reason: string): AppError {
  logEvent('error', 'provider.unusable', { requestId: ctx.requestId, issuer, reason })
  return oidcErrors.providerUnusable({ retryAfter: 300 })
}

import { vi } from 'vitest'
import { base64Url } from '../auth/tokens.ts'

/** In what an answer of the provider differs from a good one. */
export interface Misconduct {
  claims?: Record<string, unknown>
  header?: Record<string, unknown>
  /** Signs with another key than the one it publishes. */
  forged?: boolean
  unsigned?: boolean
  /** Says so in its description. */
  description?: Record<string, unknown>
  tokenStatus?: number
  /** What its userinfo endpoint says of the subject; it has none otherwise. */
  userinfo?: Record<string, unknown>
  /** Publishes these. */
  keys?: unknown
}

interface Question {
  nonce: string
  challenge: string
  redirectUri: string
}

/** The access token that the provider gives. */
export const PROVIDER_TOKEN = 'access-token-of-the-provider'

const text = (part: object) => base64Url(JSON.stringify(part))

const digest = async (value: string) =>
  base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(value))))

const newKeys = () =>
  crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ]) as Promise<CryptoKeyPair>

/** A provider of OpenID Connect that stands where the service calls out, and does what a test tells it. */
export async function oidcDouble(issuer = `https://login-${crypto.randomUUID()}.example`) {
  let keys = await newKeys()
  let kid = 'first'
  const others = await newKeys()
  const questions = new Map<string, Question>()
  const called: string[] = []
  const conduct: { person: Record<string, unknown>; wrong: Misconduct } = { person: {}, wrong: {} }

  async function tokenFor(question: Question): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const { wrong, person } = conduct
    const head = text({ alg: wrong.unsigned ? 'none' : 'ES256', kid, ...wrong.header })
    const claims = { iss: issuer, aud: 'coffer', nonce: question.nonce, iat: now, exp: now + 60 }
    const message = `${head}.${text({ ...claims, ...person, ...wrong.claims })}`
    const { privateKey } = wrong.forged ? others : keys
    const signature = await crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      privateKey,
      new TextEncoder().encode(message),
    )
    const signed = base64Url(new Uint8Array(signature))
    return `${message}.${wrong.unsigned ? '' : signed}`
  }

  async function answer(url: URL, init: RequestInit): Promise<Response> {
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return Response.json({
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          id_token_signing_alg_values_supported: ['ES256'],
          ...(conduct.wrong.userinfo && { userinfo_endpoint: `${issuer}/userinfo` }),
          ...conduct.wrong.description,
        })
      case '/keys': {
        const jwk = await crypto.subtle.exportKey('jwk', keys.publicKey)
        const published = [{ ...jwk, kid, alg: 'ES256', use: 'sig' }]
        return Response.json({ keys: conduct.wrong.keys ?? published })
      }
      case '/token': {
        const form = new URLSearchParams(init.body as string)
        const question = questions.get(form.get('code') ?? '')
        questions.delete(form.get('code') ?? '')
        const { authorization } = init.headers as Record<string, string>
        const isRight =
          question &&
          authorization === `Basic ${btoa('coffer:canary%2Dof%2Da%2Dclient%2Dsecret')}` &&
          form.get('redirect_uri') === question.redirectUri &&
          (await digest(form.get('code_verifier') ?? '')) === question.challenge
        return isRight && !conduct.wrong.tokenStatus
          ? Response.json({
              access_token: PROVIDER_TOKEN,
              token_type: 'Bearer',
              id_token: await tokenFor(question),
            })
          : Response.json({ error: 'invalid_grant' }, { status: conduct.wrong.tokenStatus ?? 400 })
      }
      case '/userinfo': {
        const { authorization } = init.headers as Record<string, string>
        return authorization === `Bearer ${PROVIDER_TOKEN}`
          ? Response.json({ sub: conduct.person['sub'], ...conduct.wrong.userinfo })
          : Response.json({ error: 'invalid_token' }, { status: 401 })
      }
      default:
        return new Response('', { status: 404 })
    }
  }

  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const url = new URL(input as string)
    called.push(url.pathname)
    return url.origin === issuer
      ? answer(url, init ?? {})
      : Promise.reject(new Error(`nobody at ${url.origin}`))
  })

  return {
    issuer,
    called,
    conduct,
    /** What its own page does once the person has signed in: the query of the way back. */
    signIn: (location: string): Record<string, string> => {
      const asked = new URL(location).searchParams
      const code = crypto.randomUUID()
      questions.set(code, {
        nonce: asked.get('nonce') ?? '',
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
      })
      return { code, state: asked.get('state') ?? '' }
    },
    rotate: async () => {
      keys = await newKeys()
      kid = `next ${crypto.randomUUID()}`
    },
  }
}

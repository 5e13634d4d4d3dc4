import type { Send } from './books.ts'

/** An answer that is no success. */
export class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(request: string, status: number, text: string) {
    super(`${request}: ${status} ${text}`)
    this.status = status
    this.code = /"code":"([^"]+)"/.exec(text)?.[1] ?? ''
  }
}

/** The code of what the service refuses; undefined where it does it. */
export async function refusalOf(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request
    return undefined
  } catch (error) {
    if (error instanceof Refused && error.status < 500) {
      return error.code
    }
    throw error
  }
}

/** What somebody got when they signed up. */
export interface Session {
  accessToken: string
  refreshToken?: string
}

/** Sends requests to a service over HTTP, counts them, and refuses whatever the service refuses. */
export function sender(url: string): { sendAs: (session: Session) => Send; sent: () => number } {
  let requests = 0
  const sendAs = (session: Session): Send => {
    let { accessToken, refreshToken } = session
    let renewing: Promise<void> | undefined
    const renew = async () => {
      const tokens = await sendAs({ accessToken: '' })<Session>('POST', '/auth/refresh-token', {
        refreshToken,
      })
      ;({ accessToken, refreshToken } = tokens)
    }
    const send: Send = async <Body>(method: string, path: string, json?: object) => {
      requests += 1
      const token = accessToken
      const response = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(json ? { body: JSON.stringify(json) } : {}),
      })
      const text = await response.text()
      if (response.ok) {
        return JSON.parse(text) as Body
      }
      const refused = new Refused(
        `${method} ${path} ${JSON.stringify(json)}`,
        response.status,
        text,
      )
      if (refused.code !== 'auth.tokenExpired' || refreshToken === undefined) {
        throw refused
      }
      // Long walks outlive a token; whoever is at work at the same moment waits for the same new one.
      if (token === accessToken) {
        await (renewing ??= renew().finally(() => (renewing = undefined)))
      }
      return send<Body>(method, path, json)
    }
    return send
  }
  return { sendAs, sent: () => requests }
}

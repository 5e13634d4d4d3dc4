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

/** Sends requests to a service over HTTP, counts them, and refuses whatever the service refuses. */
export function sender(url: string): { sendAs: (accessToken: string) => Send; sent: () => number } {
  let requests = 0
  const sendAs =
    (accessToken: string): Send =>
    async <Body>(method: string, path: string, json?: object) => {
      requests += 1
      const response = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        ...(json ? { body: JSON.stringify(json) } : {}),
      })
      const text = await response.text()
      if (!response.ok) {
        throw new Refused(`${method} ${path} ${JSON.stringify(json)}`, response.status, text)
      }
      return JSON.parse(text) as Body
    }
  return { sendAs, sent: () => requests }
}

import type { Send } from './books.ts'

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
        throw new Error(`${method} ${path} ${JSON.stringify(json)}: ${response.status} ${text}`)
      }
      return JSON.parse(text) as Body
    }
  return { sendAs, sent: () => requests }
}

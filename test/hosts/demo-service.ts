import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { demoLogins } from '../../scripts/lib/demo-data.ts'
import { withLocalService } from '../../scripts/lib/local-service.ts'
import { createApp } from '../../src/app.ts'
import { work } from '../../src/areas/index.ts'
import { openQueue } from '../../src/hosts/node/queue.ts'
import { systemPorts } from '../../src/platform/context.ts'
import { consume } from '../../src/platform/work/tasks.ts'

// The service over a data folder, such as that of the demo data, with a queue that does tasks as they come.

const DAY = 24 * 60 * 60 * 1000

/** The demo data goes on to noon of today. */
const ports = { ...systemPorts, now: () => Date.now() + DAY }

const app = createApp(ports)

interface Sent {
  token?: string
  method?: string
  json?: object
  bytes?: Uint8Array | ArrayBuffer
}

/** Sends a request, which must succeed. */
export type Ask = (path: string, sent?: Sent) => Promise<Response>

export interface DemoService {
  ask: Ask
  /** The answer as JSON. */
  tell: <Body>(path: string, sent?: Sent) => Promise<Body>
  /** Does the tasks of a kind that are due in some days, until there are none. */
  workOn: (kind: string, days: number) => Promise<void>
}

export async function withService(
  data: string,
  use: (service: DemoService) => Promise<void>,
): Promise<void> {
  await withLocalService(
    data,
    async ({ env: without }) => {
      const queue = openQueue((batch) => consume(work, batch, env, ports))
      const env = { ...without, TASKS: queue.binding }
      const ringing: Promise<unknown>[] = []
      const nowhere = {
        waitUntil: (ring: Promise<unknown>) => void ringing.push(ring),
        passThroughOnException: () => undefined,
        props: {},
      }
      const ask: Ask = async (path, { token = '', json, bytes, method } = {}) => {
        const isRead = json === undefined && bytes === undefined
        const request = new Request(`http://coffer.test${path}`, {
          method: method ?? (isRead ? 'GET' : 'POST'),
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': bytes ? 'application/octet-stream' : 'application/json',
          },
          ...(isRead ? {} : { body: (bytes as ArrayBuffer) ?? JSON.stringify(json) }),
        })
        const response = await app.fetch(request, env, nowhere)
        expect(response.ok, `${path} ${response.status} ${await said(response)}`).toBe(true)
        return response
      }
      const workOn = async (kind: string, days: number) => {
        const later = { ...ports, now: () => ports.now() + days * DAY }
        for (;;) {
          const { results } = await env.DB.prepare(
            "SELECT id FROM tasks WHERE kind = ? AND state = 'queued'",
          )
            .bind(kind)
            .all<{ id: string }>()
          if (results.length === 0) {
            return
          }
          const messages = results.map(({ id }) => ({ body: id, ack: () => {}, retry: () => {} }))
          const batch = { queue: 'coffer-tasks', messages } as unknown as MessageBatch<string>
          await consume(work, batch, env, later)
        }
      }
      await use({
        ...{ ask, workOn },
        tell: async (path, sent) => (await ask(path, sent)).json(),
      })
      await Promise.all(ringing)
      await queue.stop()
    },
    { ...process.env, REGISTRATION: 'open', USER_LIMIT_DATABASE_MS: '1000000' },
  )
}

const said = async (response: Response) =>
  response.ok ? '' : (await response.clone().text()).slice(0, 500)

/** Somebody of the demo data. */
export const personOf = (name: 'one' | 'two') => {
  const login = demoLogins.find(({ email }) => email.startsWith(`${name}@`))
  if (!login) {
    throw new Error(`there is no ${name} in the demo data`)
  }
  return login
}

export async function signIn({ tell }: DemoService, name: 'one' | 'two'): Promise<string> {
  const { email, password } = personOf(name)
  const { accessToken } = await tell<{ accessToken: string }>('/auth/v2/login', {
    json: { email, password },
  })
  return accessToken
}

/** Somebody who has nothing. */
export async function signUp({ tell }: DemoService, name: string): Promise<string> {
  const { accessToken } = await tell<{ accessToken: string }>('/auth/register', {
    json: { email: `${name}@coffer.test`, password: 'only for this one test', name },
  })
  return accessToken
}

const ENDS = ['ready', 'done', 'failed', 'previewed', 'questions', 'reverted']

/** Asks until it is in a state that stays. */
export async function until<Body extends { state: string }>(
  { tell }: DemoService,
  path: string,
  token: string,
): Promise<Body> {
  for (;;) {
    const found = await tell<Body>(path, { token })
    if (ENDS.includes(found.state)) {
      return found
    }
    await pause(20)
  }
}

interface Backup {
  id: string
  state: string
  manifest: { contentHash: string }
}

/** Makes a backup, and gives its hash and its bytes. */
export async function backUp(service: DemoService, token: string) {
  const { id } = await service.tell<{ id: string }>('/backup', { token, json: {} })
  const { manifest } = await until<Backup>(service, `/backup/${id}`, token)
  const answer = await service.ask(`/backup/${id}/download`, { token })
  return { id, hash: manifest.contentHash, archive: await answer.arrayBuffer() }
}

interface Restore {
  state: string
  error: object | null
  contentHash: string | null
  idMap: { from: string; to: string }[]
  merged: Record<string, { added: number }> | null
}

export async function restore(
  service: DemoService,
  token: string,
  bytes: ArrayBuffer | Uint8Array,
  mode: 'empty' | 'merge' = 'empty',
): Promise<Restore> {
  const path = `/backup/restore?fileName=backup.zip&mode=${mode}`
  const { id } = await service.tell<{ id: string }>(path, { token, bytes })
  return until<Restore>(service, `/backup/restore/${id}`, token)
}

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoLogins, ensureDemoData } from '../../scripts/lib/demo-data.ts'
import { withLocalService } from '../../scripts/lib/local-service.ts'
import { createApp } from '../../src/app.ts'
import { work } from '../../src/areas/index.ts'
import { openQueue } from '../../src/hosts/node/queue.ts'
import { consume } from '../../src/platform/tasks.ts'
import { temporaryFolder } from '../support/running.ts'

const folder = temporaryFolder()
const app = createApp()

beforeAll(() => ensureDemoData(folder.path))
afterAll(folder.remove)

/** The service over the demo data, with a queue that does tasks as they come. */
async function withService(use: (ask: Ask) => Promise<void>) {
  await withLocalService(
    folder.path,
    async ({ env: without }) => {
      const queue = openQueue((batch) => consume(work, batch, env))
      const env = { ...without, TASKS: queue.binding }
      const ringing: Promise<unknown>[] = []
      const nowhere = {
        waitUntil: (ring: Promise<unknown>) => void ringing.push(ring),
        passThroughOnException: () => undefined,
        props: {},
      }
      await use(async (path, { token = '', json, bytes } = {}) => {
        const isRead = json === undefined && bytes === undefined
        const request = new Request(`http://coffer.test${path}`, {
          method: isRead ? 'GET' : 'POST',
          headers: {
            Authorization: `Bearer ${token}`,
            'Content-Type': bytes ? 'application/octet-stream' : 'application/json',
          },
          ...(isRead ? {} : { body: bytes ?? JSON.stringify(json) }),
        })
        const response = await app.fetch(request, env, nowhere)
        expect(response.ok, `${path} ${response.status}`).toBe(true)
        return response
      })
      await Promise.all(ringing)
      await queue.stop()
    },
    { ...process.env, REGISTRATION: 'open' },
  )
}

type Ask = (
  path: string,
  sent?: { token?: string; json?: object; bytes?: ArrayBuffer },
) => Promise<Response>

/** Asks until it is in one of the states. */
async function until<Body extends { state: string }>(ask: Ask, path: string, token: string) {
  for (;;) {
    const found = await (await ask(path, { token })).json<Body>()
    if (['ready', 'done', 'failed'].includes(found.state)) {
      return found
    }
    await pause(20)
  }
}

interface Restore {
  state: string
  error: object | null
  contentHash: string | null
  idMap: { from: string; to: string }[]
}

/** Without what is another one's of the same data: ids and times. */
const plain = (body: unknown) =>
  JSON.stringify(body, (key, value: unknown) =>
    /id$|ids$|^createdAt$|^updatedAt$|^version$/i.test(key) ? undefined : value,
  )

it('shows the same accounts and budgets where the demo data is restored', async () => {
  await withService(async (ask) => {
    // The household: the only one of them with a budget of their own.
    const login = demoLogins.find(({ email }) => email.startsWith('one@'))
    const { accessToken: first } = await (
      await ask('/auth/v2/login', { json: { email: login?.email, password: login?.password } })
    ).json<{ accessToken: string }>()
    const { accessToken: second } = await (
      await ask('/auth/register', {
        json: { email: 'second@coffer.test', password: 'only for this one test', name: 'Second' },
      })
    ).json<{ accessToken: string }>()
    const backUp = async (token: string) => {
      const { id } = await (await ask('/backup', { token, json: {} })).json<{ id: string }>()
      const made = await until<{ state: string; manifest: { contentHash: string } }>(
        ask,
        `/backup/${id}`,
        token,
      )
      return { id, hash: made.manifest.contentHash }
    }
    const backup = await backUp(first)
    const archive = await (
      await ask(`/backup/${backup.id}/download`, { token: first })
    ).arrayBuffer()
    const { id } = await (
      await ask('/backup/restore?fileName=demo.zip', { token: second, bytes: archive })
    ).json<{ id: string }>()
    const report = await until<Restore>(ask, `/backup/restore/${id}`, second)
    expect(report).toMatchObject({ state: 'done', error: null })
    expect((await backUp(second)).hash).toBe(report.contentHash)

    const newIds = new Map(report.idMap.map(({ from, to }) => [from, to]))
    const { accounts } = await (
      await ask('/account', { token: first })
    ).json<{ accounts: { id: string; permission: string }[] }>()
    const own = accounts.filter(({ permission }) => permission === 'owner')
    expect(own.length).toBeGreaterThan(5)
    for (const { id: account } of own) {
      const [before, after] = await Promise.all([
        ask(`/account/${account}`, { token: first }),
        ask(`/account/${newIds.get(account)}`, { token: second }),
      ])
      const { balance, clearedBalance } = await before.json<Record<string, unknown>>()
      expect(await after.json()).toMatchObject({ balance, clearedBalance })
    }
    const { budgets } = await (
      await ask('/budget', { token: second })
    ).json<{ budgets: { id: string; name: string; startsOn: string }[] }>()
    const { budgets: all } = await (
      await ask('/budget', { token: first })
    ).json<{ budgets: typeof budgets }>()
    expect(budgets.length).toBeGreaterThan(0)
    for (const budget of budgets) {
      const former = all.find(({ name }) => name === budget.name)
      // The first one is closed: what it keeps names lines by their ids.
      for (const period of [budget.startsOn, '2025-03-01', '2025-12-01', 'current']) {
        const [before, after] = await Promise.all([
          ask(`/budget/${former?.id}/period/${period}`, { token: first }),
          ask(`/budget/${budget.id}/period/${period}`, { token: second }),
        ])
        expect(plain(await after.json())).toBe(plain(await before.json()))
      }
    }
  })
})

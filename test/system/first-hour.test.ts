import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { demoLogins, ensureDemoData } from '../../scripts/lib/demo-data.ts'
import { bundleForNode } from '../../scripts/lib/node-release.ts'
import { MIGRATIONS } from '../../scripts/lib/project.ts'
import { work } from '../../src/areas/index.ts'
import { inviteAdministrator } from '../../src/areas/identity/invites/invites.public.ts'
import { type Host, startHost } from '../../src/hosts/node/host.ts'
import { systemPorts } from '../../src/platform/context.ts'
import { systemContext } from '../../src/platform/system-context.ts'
import { isProof } from '../support/rounds.ts'
import { temporaryFolder } from '../support/running.ts'

const MINUTE_MS = 60_000
/** How long the hour takes, and how long of that its last quarter, whose scheduled runs have to be done when it is over. */
const [TAKEN_MS, LAST_MS] = [3500, 2000]
const SPEED = (45 * MINUTE_MS) / (TAKEN_MS - LAST_MS)
const LAST_SPEED = (15 * MINUTE_MS) / LAST_MS

const folder = temporaryFolder()
let host: Host | undefined
afterEach(async () => {
  await host?.stop()
  folder.remove()
})

/** Begins an hour ago, and is at the present when the hour is over. */
function fastClock() {
  const [begin, ago] = [performance.now(), Date.now() - 60 * MINUTE_MS]
  const now = () => {
    const taken = performance.now() - begin
    const quick = Math.min(taken, TAKEN_MS - LAST_MS)
    return Math.min(Date.now(), ago + quick * SPEED + (taken - quick) * LAST_SPEED)
  }
  return { ...systemPorts, now: () => Math.floor(now()) }
}

const ask = async (path: string, token: string, json?: object) => {
  const request = new Request(`http://coffer.test${path}`, {
    method: json ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  const answer = await host?.fetch(request, '127.0.0.1')
  return (await answer?.json()) as Record<string, unknown>
}

/** What an administrator is told once the hour is over; on a busy machine after the next scheduled run, in five minutes. */
async function healthAfterHour(credentials: object): Promise<Record<string, unknown>> {
  await pause(TAKEN_MS + 500)
  const { accessToken } = await ask('/auth/v2/login', '', credentials)
  const health = () => ask('/admin/system-health', String(accessToken))
  const isWell = async () => (await health())['status'] === 'ok'
  await vi.waitUntil(isWell, { timeout: 310_000, interval: 500 }).catch(() => undefined)
  return health()
}

/** Nothing is wrong, and the work of the night is done. */
const HEALTHY = {
  status: 'ok',
  problems: [],
  nightly: Object.values(work.schedule)
    .flat()
    .toSorted()
    .map((kind) => ({ kind, state: 'succeeded' })),
}

it('is healthy after its first hour as a release, with nobody to send mail', async () => {
  const file = join(folder.path, 'host.js')
  await bundleForNode('src/hosts/node/host.ts', file)
  // Not by `import`, for which Vitest would first transform all 4 MB.
  const release = createRequire(file)(file) as { startHost: typeof startHost }
  const data = join(folder.path, 'release')
  const options = { data, migrations: MIGRATIONS, variables: {}, ports: fastClock(), speed: SPEED }
  host = await release.startHost(options)
  const inviteCode = await inviteAdministrator(systemContext(host.bindings, 'test', options.ports))
  const owner = { email: 'owner@coffer.test', password: 'only for this one test' }
  await ask('/auth/register', '', { ...owner, name: 'Owner', inviteCode })
  expect(await healthAfterHour(owner)).toMatchObject(HEALTHY)
}, 400_000)

// Making the demo data takes longest; the same service runs above.
it.runIf(isProof)(
  'is healthy after its first hour of development, with the demo data',
  async () => {
    const data = join(folder.path, 'development')
    await ensureDemoData(data)
    const options = {
      data,
      migrations: MIGRATIONS,
      variables: {},
      ports: fastClock(),
      speed: SPEED,
    }
    host = await startHost(options)
    const [{ email, password } = { email: '', password: '' }] = demoLogins
    expect(await healthAfterHour({ email, password })).toMatchObject(HEALTHY)
  },
)

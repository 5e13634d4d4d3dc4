import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { inProject, wrangler } from '../../scripts/lib/project.ts'
import { type Runtime, startRuntime } from '../../scripts/lib/runtime.ts'
import { INNER_HOSTS } from '../support/addresses.ts'
import { temporaryFolder } from '../support/running.ts'

// The way out on the real runtime, whose fetch reaches 127.0.0.1, against servers that listen there.

const data = temporaryFolder()
let runtime: Runtime
const logged: Record<string, unknown>[] = []

async function listen(handler: RequestListener) {
  const server = createServer(handler)
  let connections = 0
  server.on('connection', () => (connections += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { port, close, connections: () => connections }
}

/** Whatever answers here was called by mistake. */
let inner: Awaited<ReturnType<typeof listen>>
/** Begun first, as they take ten seconds while the others are asked. */
let slow: Promise<{ codes: (string | undefined)[]; seconds: number }>
/** On the list of what is allowed, and up to no good. */
let allowed: Awaited<ReturnType<typeof listen>>

const misbehave: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://allowed.test')
  switch (pathname) {
    case '/redirect':
      response.writeHead(Number(searchParams.get('status')), {
        Location: searchParams.get('to') ?? '',
      })
      return response.end('moved')
    case '/silent':
      return undefined
    case '/trickle':
      response.writeHead(200)
      return void setInterval(() => response.write('x'), 500).unref()
    case '/endless': {
      const more = () => {
        while (response.write('x'.repeat(16_384))) {
          // Until it wants to be waited for.
        }
      }
      response.on('drain', more)
      return more()
    }
    case '/bomb':
      response.writeHead(200, { 'Content-Encoding': 'gzip' })
      return response.end(gzipSync(Buffer.alloc(64 * 1024 * 1024)))
    case '/reset':
      return request.socket.resetAndDestroy()
    case '/secret':
      response.writeHead(500)
      return response.end('stack trace of the other side')
    default:
      return response.end('well answered')
  }
}

beforeAll(async () => {
  inner = await listen((_, response) => response.end('inner'))
  allowed = await listen(misbehave)
  const folder = join(data.path, 'bundle')
  const worker = inProject('test/support/outbound-worker.ts')
  wrangler(['deploy', worker, '--dry-run', '--env=dev', `--outdir=${folder}`])
  runtime = await startRuntime({
    script: readFileSync(join(folder, 'outbound-worker.js'), 'utf8'),
    data: data.path,
    environment: 'dev',
    bindings: { ...(await freshSecrets()), OUTBOUND_ALLOW: `127.0.0.1:${allowed.port}` },
    onLog: (line) => logged.push(JSON.parse(line) as Record<string, unknown>),
  })
  slow = askSlowOnes()
})

afterAll(async () => {
  await runtime?.stop()
  inner.close()
  allowed.close()
  data.remove()
})

async function callOut(url: string) {
  const response = await fetch(runtime.url, { method: 'POST', body: url })
  return (await response.json()) as {
    status?: number
    body?: string
    code?: string
    message?: string
  }
}

const onAllowed = (path: string) => callOut(`http://127.0.0.1:${allowed.port}${path}`)

/** One that never answers, and one whose answer never ends. */
async function askSlowOnes() {
  const start = Date.now()
  const answers = await Promise.all([onAllowed('/silent'), onAllowed('/trickle')])
  return { codes: answers.map(({ code }) => code), seconds: (Date.now() - start) / 1000 }
}

const failuresBy = (reason: string) =>
  logged.filter((line) => line['event'] === 'outbound.failed' && line['reason'] === reason).length

describe('the way out', () => {
  it('reaches what is allowed, and says in the log what that is', async () => {
    expect(await onAllowed('/')).toEqual({ status: 200, body: 'well answered' })
    expect(logged).toContainEqual({
      level: 'info',
      event: 'outbound.allowed',
      hosts: [`127.0.0.1:${allowed.port}`],
    })
  })

  it('reaches no inner host in any spelling, on any port', async () => {
    for (const host of INNER_HOSTS) {
      for (const url of [
        `https://${host}/`,
        `http://${host}:${inner.port}/`,
        `https://${host}:${inner.port}/`,
      ]) {
        expect((await callOut(url)).code, url).toBe('outbound.refusedAddress')
      }
    }
    expect(inner.connections()).toBe(0)
  })

  it.each([301, 302, 303, 307, 308])('follows no redirect: %i', async (status) => {
    const targets = ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']
    for (const target of targets) {
      const to = encodeURIComponent(`http://${target}:${inner.port}/`)
      const { code } = await onAllowed(`/redirect?status=${status}&to=${to}`)
      expect(code).toBe('outbound.failed')
    }
    expect(inner.connections()).toBe(0)
  })

  it.each(['/endless', '/bomb'])('stops reading what is too much: %s', async (path) => {
    const before = failuresBy('tooLarge')
    expect((await onAllowed(path)).code).toBe('outbound.failed')
    // Reading on would end in a timeout.
    expect(failuresBy('tooLarge')).toBe(before + 1)
  })

  it('waits ten seconds in all, for an answer or for its end', async () => {
    const { codes, seconds } = await slow
    expect(codes).toEqual(['outbound.failed', 'outbound.failed'])
    expect(seconds).toBeGreaterThan(9)
    expect(failuresBy('timeout')).toBe(2)
  })

  it('fails on a line that breaks, and passes on an error that is an answer', async () => {
    expect((await onAllowed('/reset')).code).toBe('outbound.failed')
    expect(await onAllowed('/secret')).toMatchObject({ status: 500 })
  })
})

import type { ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { serveRelease } from '../support/killable.ts'
import { migratedFolder } from '../support/releases.ts'
import { isProof } from '../support/rounds.ts'

// Files over HTTP, through a release in a process of its own, whose memory can be looked at.

const MIB = 1024 * 1024
const AT_ONCE = 3
/** As much as one may upload; a PDF as far as its first bytes go. */
const FILE = Buffer.alloc(25 * MIB, '%PDF-1.7 and so on\n')
const SHA256 = createHash('sha256').update(FILE).digest('hex')

const data = migratedFolder()
let child: ChildProcess
let url = ''
let headers: Record<string, string> = {}

beforeAll(async () => {
  const bindings = { ...(await freshSecrets()), REGISTRATION: 'open' }
  ;({ url, child } = await serveRelease(data.path, bindings))
  const registered = await fetch(`${url}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'a@b.example', password: 'a sea of green tea', name: 'A' }),
  })
  const { accessToken } = (await registered.json()) as { accessToken: string }
  headers = { Authorization: `Bearer ${accessToken}` }
})

afterAll(async () => {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  data.remove()
})

/** What the runtime below the process holds in memory, in MiB. */
function memory(): number {
  const [runtime = ''] = readFileSync(
    `/proc/${child.pid}/task/${child.pid}/children`,
    'utf8',
  ).split(' ')
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${runtime}/status`, 'utf8'))?.[1]) / 1024
}

/** The most that it held meanwhile, beyond what it held before. */
async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  const before = memory()
  let most = before
  const watch = setInterval(() => (most = Math.max(most, memory())), 10)
  await work()
  clearInterval(watch)
  return most - before
}

/** A body whose length nobody says. */
const inPieces = () =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < FILE.byteLength; at += MIB) {
        controller.enqueue(FILE.subarray(at, at + MIB))
      }
      controller.close()
    },
  })

async function upload(body: BodyInit = FILE) {
  const response = await fetch(`${url}/attachment?fileName=large.pdf`, {
    method: 'POST',
    headers,
    body,
    ...{ duplex: 'half' },
  })
  return (await response.json()) as { id: string; sha256: string; size: number }
}

async function download(id: string) {
  const response = await fetch(`${url}/attachment/${id}/download`, { headers })
  const hash = createHash('sha256')
  for await (const piece of response.body ?? []) {
    hash.update(piece)
  }
  return hash.digest('hex')
}

const times = <Result>(count: number, run: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, run))

it('go in and out in streams: memory does not grow with them', async () => {
  const { id, sha256 } = await upload()
  expect([sha256, await download(id)]).toEqual([SHA256, SHA256])
  const uploads = () => times(AT_ONCE, () => upload())
  const downloads = () => times(AT_ONCE, () => download(id))
  expect((await uploads()).map((one) => one.sha256)).toEqual(Array(AT_ONCE).fill(SHA256))
  expect(await downloads()).toEqual(Array(AT_ONCE).fill(SHA256))
  // How soon memory is collected is up to the runtime and to what else the machine does.
  if (isProof) {
    // Once before, as above, so that what the runtime keeps for the next time does not count.
    for (const round of [uploads, downloads]) {
      // What files are kept in grows every time; what a collection of garbage came too late for does not.
      let growth = Infinity
      for (let tries = 0; tries < 8 && growth >= FILE.byteLength / MIB; tries++) {
        growth = await growthDuring(round)
      }
      expect(growth).toBeLessThan(FILE.byteLength / MIB)
    }
  }
})

it('arrive whole although nobody says how long they are', async () => {
  const { sha256, size } = await upload(inPieces())
  expect([sha256, size]).toEqual([SHA256, FILE.byteLength])
})

it('that break off on the way leave nothing, and let others in', async () => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST /attachment?fileName=cut.pdf HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: ${headers['Authorization']}\r\nContent-Length: 1000000\r\n\r\n%PDF-1.7 and`,
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  socket.destroy()
  const { size } = await upload(FILE.subarray(0, 100))
  expect(size).toBe(100)
  const listed = await fetch(`${url}/attachment?text=cut`, { headers })
  expect(await listed.json()).toMatchObject({ count: 0 })
})

/** What is answered while the body has not ended: a client that is still sending may lose an answer. */
async function statusBeforeTheEnd(lengthIfSaid: object, body: Buffer[]): Promise<number> {
  const sending = request(`${url}/attachment?fileName=large.pdf`, {
    method: 'POST',
    headers: { ...headers, ...lengthIfSaid },
  })
  const answered = once(sending, 'response')
  sending.flushHeaders()
  body.forEach((piece) => sending.write(piece))
  const [{ statusCode }] = (await answered) as [IncomingMessage]
  sending.on('error', () => undefined).destroy()
  return statusCode ?? 0
}

it('that are too large are refused by their length, and without one on the way', async () => {
  const tooMuch = FILE.byteLength + 1
  expect(await statusBeforeTheEnd({ 'Content-Length': tooMuch }, [])).toBe(413)
  expect(await statusBeforeTheEnd({}, [FILE, Buffer.from('x')])).toBe(413)
})

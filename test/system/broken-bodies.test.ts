import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { type Release, startService } from '../support/releases.ts'

// Bodies that end early or are cut up wrongly, sent by hand to a running release.

const failures: string[] = []
let service: Release

beforeAll(async () => {
  service = await startService({
    variables: { REGISTRATION: 'open' },
    onLog: (line) => {
      if (/"event":"failure"|"status":5\d\d/.test(line)) {
        failures.push(line)
      }
    },
  })
})

afterAll(() => service.stop())

const BODY = JSON.stringify({
  email: 'a@coffer.test',
  password: 'only for this one test',
  name: 'A',
})

/** What comes back for a request that is sent byte by byte; nothing where the line is just cut. */
async function send(headers: string[], body: string, isCut = true): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const head = [
    'POST /auth/register HTTP/1.1',
    'Host: x',
    'Content-Type: application/json',
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  if (isCut) {
    socket.end()
  }
  await once(socket, 'close')
  return answer.split('\r\n')[0] ?? ''
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const CHUNKED = ['Transfer-Encoding: chunked']

it.each([
  ['a chunk without a size', CHUNKED, `zz\r\n${BODY}\r\n0\r\n\r\n`],
  ['a chunk of a negative size', CHUNKED, `-5\r\n${BODY}\r\n0\r\n\r\n`],
  ['a chunk that is longer than its size', CHUNKED, `5\r\n${BODY}\r\n0\r\n\r\n`],
  ['a chunk that ends early', CHUNKED, `${(BODY.length + 9).toString(16)}\r\n${BODY}`],
  ['no last chunk', CHUNKED, chunk(BODY)],
  ['nothing at all', CHUNKED, ''],
  ['fewer bytes than its length', [`Content-Length: ${BODY.length + 9}`], BODY],
  ['no byte of its length', ['Content-Length: 9'], ''],
  ['two lengths', [`Content-Length: ${BODY.length}`, 'Content-Length: 3'], BODY],
  ['a length and chunks', [`Content-Length: ${BODY.length}`, ...CHUNKED], chunk(BODY)],
])('a body with %s is no fault of the service', async (_, headers, body) => {
  expect(await send(headers, body)).toMatch(/^(HTTP\/1\.1 400 .*)?$/)
  expect(failures).toEqual([])
  const health = await fetch(`${service.url}/health`)
  expect(health.status).toBe(200)
})

it('a whole body in chunks is taken', async () => {
  const body = `${chunk(BODY.slice(0, 9))}${chunk(BODY.slice(9))}0\r\n\r\n`
  const answer = await send([...CHUNKED, 'Connection: close'], body, false)
  expect(answer).toBe('HTTP/1.1 201 Created')
})

interface Description {
  paths: Record<string, Record<string, { requestBody?: object }>>
}

it('no body at all is no fault of the service, whatever is asked', async () => {
  const registered = await fetch(`${service.url}/auth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: BODY.replace('a@', 'b@'),
  })
  const { accessToken } = await registered.json<{ accessToken: string }>()
  const { paths } = JSON.parse(readFileSync(inProject('openapi.json'), 'utf8')) as Description
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { requestBody }]) => requestBody && !/^\/auth\/|\{/.test(path))
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  )
  // Last, as it takes the user away.
  operations.sort((one, other) => Number(one.path === '/user') - Number(other.path === '/user'))
  expect(operations.length).toBeGreaterThan(40)
  for (const { method, path } of operations) {
    const { status } = await fetch(service.url + path, {
      method,
      headers: { Authorization: `Bearer ${accessToken}` },
    })
    expect([200, 201, 400, 403, 404, 409, 415], `${method} ${path}`).toContain(status)
  }
  expect(failures).toEqual([])
})

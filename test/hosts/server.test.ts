import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type HttpServer, publicOriginOf, serveHttp } from '../../src/hosts/node/server.ts'

let server: HttpServer | undefined
afterEach(() => server?.close())

/** Answers with the address that it was asked at, and what it was sent. */
async function echo(publicOrigin?: string): Promise<string> {
  server = await serveHttp(
    async (request) => new Response(`${request.url} ${await request.text()}`),
    '127.0.0.1',
    0,
    publicOrigin,
  )
  return server.url
}

/** Sends one request as it is written; gives the body of the answer. */
const send = async (url: string, target: string, headers: string, body = ''): Promise<string> =>
  (await sendWhole(url, target, headers, body)).split('\r\n\r\n')[1] ?? ''

/** Gives the whole answer. */
async function sendWhole(url: string, target: string, headers: string, body = ''): Promise<string> {
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.end(
    `POST ${target} HTTP/1.1\r\n${headers}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  )
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await once(socket, 'close')
  return answer
}

const PUBLIC = 'https://coffer.example.com'
const FORGED = 'Host: forged.example\r\n'

describe('the server', () => {
  it('is where each request says, when nothing else is known', async () => {
    const url = await echo()
    expect(await send(url, '/a?b=c', 'Host: coffer.lan\r\n', 'sent')).toContain(
      'http://coffer.lan/a?b=c sent',
    )
  })

  it.each(['', '[', 'a b', 'a/b', 'a:99999', '256.1.1.1', '1.2.3.4.5', '0x100000000'])(
    'refuses a request to the host “%s”, which is none',
    async (host) => {
      const url = await echo()
      const answer = await sendWhole(url, '/a', `Host: ${host}\r\n`)
      expect(answer.slice(0, answer.indexOf('\r\n'))).toBe('HTTP/1.1 400 Bad Request')
    },
  )

  it.each([
    ['/a?b=c', `${PUBLIC}/a?b=c`],
    ['//forged.example/a', `${PUBLIC}//forged.example/a`],
    ['http://forged.example/a?b=c', `${PUBLIC}/a?b=c`],
    ['https://user:password@forged.example', `${PUBLIC}/`],
  ])('is at PUBLIC_URL, whatever a request for %s says', async (target, address) => {
    const url = await echo(PUBLIC)
    expect(await send(url, target, FORGED, 'sent')).toContain(`${address} sent`)
  })
})

describe('PUBLIC_URL', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['https://coffer.example.com', PUBLIC],
    ['https://coffer.example.com/', PUBLIC],
    ['http://192.168.1.2:8888', 'http://192.168.1.2:8888'],
  ])('may be %s', (address, origin) => {
    expect(publicOriginOf(address)).toBe(origin)
  })

  it.each([
    'coffer.example.com',
    'ftp://a.example',
    `${PUBLIC}/coffer`,
    `${PUBLIC}?a`,
    'https://a@b',
  ])('may not be %s', (address) => {
    expect(() => publicOriginOf(address)).toThrow(/^PUBLIC_URL must be the address/)
  })
})

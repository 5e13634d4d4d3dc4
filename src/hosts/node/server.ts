import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'

type Answer = (request: Request, remoteAddress: string | undefined) => Promise<Response>

export interface HttpServer {
  url: string
  /** Takes no more requests; fulfilled when those that came are answered. */
  close: () => Promise<void>
}

/** Longer than the 60 seconds after which a reverse proxy lets go of an idle connection. */
const KEEP_ALIVE_MS = 65_000

/**
 * Serves over HTTP.
 * @param publicOrigin where browsers find the service; without it, that is what each request says itself
 * @throws Error when the port is taken or may not be used
 */
export async function serveHttp(
  answer: Answer,
  host: string,
  port: number,
  publicOrigin?: string,
): Promise<HttpServer> {
  const server = createAdaptorServer({
    // The adaptor refuses a host by its characters, so one such as 256.1.1.1, which is no address, gets this far.
    fetch: (request, env) =>
      URL.parse(request.url)
        ? answer(request, (env as HttpBindings).incoming.socket.remoteAddress)
        : new Response(null, { status: 400 }),
  }) as Server
  server.keepAliveTimeout = KEEP_ALIVE_MS
  if (publicOrigin !== undefined) {
    server.prependListener('request', (request) => {
      request.url = publicOrigin + pathOf(request.url ?? '/')
    })
  }
  try {
    await once(server.listen(port, host), 'listening')
  } catch (cause) {
    throw new Error(reasonOf(cause as NodeJS.ErrnoException, host, port), { cause })
  }
  const { address, port: found, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${found}`,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      // A connection is idle once its request is answered, and would be kept for the next one.
      const idle = setInterval(() => server.closeIdleConnections(), 20)
      await closed
      clearInterval(idle)
    },
  }
}

/** The path and query of a request's target, which is an address where the request was made to a proxy. */
function pathOf(target: string): string {
  const url = target.startsWith('/') ? null : URL.parse(target)
  return url ? url.pathname + url.search : target.replace(/^(?!\/)/, '/')
}

/**
 * The origin of a `PUBLIC_URL`, such as `https://coffer.example.com`.
 * @throws Error when it is no address of HTTP, or has more than an origin
 */
export function publicOriginOf(address = ''): string | undefined {
  if (address === '') {
    return undefined
  }
  const url = URL.parse(address)
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new Error(
      'PUBLIC_URL must be the address of the service without a path, such as https://coffer.example.com.',
    )
  }
  return url.origin
}

const REASONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is already in use. Choose another one: PORT=${port + 1}`,
  EACCES: (_, port) =>
    `Port ${port} needs more privileges than this user has. Choose one above 1023: PORT=8888`,
  EADDRNOTAVAIL: (host) =>
    `${host} is not an address of this machine. Set HOST to one of its addresses, such as 127.0.0.1.`,
}

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException, host: string, port: number) =>
  REASONS[code]?.(host, port) ?? `The service cannot listen on ${host}:${port}: ${message}`

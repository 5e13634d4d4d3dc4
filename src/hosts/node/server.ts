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
 * @throws Error when the port is taken or may not be used
 */
export async function serveHttp(answer: Answer, host: string, port: number): Promise<HttpServer> {
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, (env as HttpBindings).incoming.socket.remoteAddress),
  }) as Server
  server.keepAliveTimeout = KEEP_ALIVE_MS
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

const REASONS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} of ${host} is taken. Choose another one: PORT=${port + 1}`,
  EACCES: (_, port) =>
    `Port ${port} may not be used by this user. Choose one above 1023: PORT=8888`,
  EADDRNOTAVAIL: (host) =>
    `${host} is no address of this machine. Set HOST to one that is, such as 127.0.0.1.`,
}

const reasonOf = ({ code = '', message }: NodeJS.ErrnoException, host: string, port: number) =>
  REASONS[code]?.(host, port) ?? `The service cannot listen on ${host}:${port}: ${message}`

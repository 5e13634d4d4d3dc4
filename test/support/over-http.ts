import type { Bindings } from '../../src/env.ts'
import { watchLine } from './canaries.ts'
import { DEAF_MAIL_SERVER, startService } from './releases.ts'
import type { Running } from './running.ts'

// What `cloudflare:workers` and `in-process.ts` are to the tests of a release (vitest.config.ts): the bindings of one
// that is running, and the release itself, over HTTP. So what calls the service inside calls it from outside too.

export const env = {} as Bindings

let origin = 'http://nobody.test'

export function serve(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const sent = new Request(origin + pathname + search, request)
  // A connection of its own: a host closes one whose request it refused before it read all of it.
  sent.headers.set('Connection', 'close')
  return fetch(sent, { redirect: 'manual' })
}

/** Starts a release that anybody may join, and looks at every line that it logs. */
export async function serveOverHttp(): Promise<Running> {
  const variables = {
    ...DEAF_MAIL_SERVER.variables,
    REGISTRATION: 'open',
    PASSWORD_COST: '1',
    LOGIN_LIMIT_ACCOUNT: '1000000',
    LOGIN_LIMIT_CLIENT: '1000000',
    // Nowhere that may be called: who asks for rates leaves the machine alone.
    EXCHANGE_RATES_URL: 'https://rates.test/eurofxref-daily.xml',
  }
  const { url, stop, stores, secrets } = await startService({
    ...{ ...DEAF_MAIL_SERVER, variables },
    onLog: watchLine,
  })
  origin = url
  Object.assign(env, secrets, variables, stores)
  return { url, stop }
}

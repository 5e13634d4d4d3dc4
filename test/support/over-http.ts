import { freshSecrets } from '../../src/hosts/node/secrets.ts'
import { startRelease } from '../../scripts/lib/release.ts'
import type { Bindings } from '../../src/env.ts'
import { watchLine } from './canaries.ts'
import { type Running, temporaryFolder } from './running.ts'

// What `cloudflare:workers` is to the tests outside of the runtime (vitest.config.ts): the bindings of a release
// that is running, and the release itself, over HTTP. So what calls the service inside calls it from outside too.

export const env = { TEST_WHOLE: process.env['COFFER_WHOLE'] ?? '' } as Bindings & {
  TEST_WHOLE: string
}

let origin = 'http://nobody.test'

export const exports = {
  default: {
    fetch: (request: Request): Promise<Response> => {
      const { pathname, search } = new URL(request.url)
      return fetch(new Request(origin + pathname + search, request), { redirect: 'manual' })
    },
  },
}

/** Starts a release bundle that anybody may join, and looks at every line that it logs. */
export async function serveOverHttp(script: string): Promise<Running> {
  const data = temporaryFolder()
  const bindings = {
    ...(await freshSecrets()),
    REGISTRATION: 'open',
    PASSWORD_COST: '1',
    LOGIN_LIMIT_ACCOUNT: '1000000',
    LOGIN_LIMIT_CLIENT: '1000000',
    // Nowhere that may be called: who asks for rates leaves the machine alone.
    EXCHANGE_RATES_URL: 'https://rates.test/eurofxref-daily.xml',
  }
  const { miniflare, url, stop } = await startRelease({
    script,
    data: data.path,
    bindings,
    onLog: watchLine,
  })
  origin = url
  const [DB, FILES] = await Promise.all([
    miniflare.getD1Database('DB'),
    miniflare.getR2Bucket('FILES'),
  ])
  Object.assign(env, bindings, { DB, FILES })
  return {
    url,
    stop: async () => {
      await stop()
      data.remove()
    },
  }
}

import type { AppError } from '../../src/domain/errors.ts'
import { type Bindings, settingsOf } from '../../src/env.ts'
import { fetchOutbound } from '../../src/platform/outbound/outbound.ts'

/** A Worker that calls what it is told to, by the service's own way out. */
// oxlint-disable-next-line import/no-default-export -- the runtime starts a Worker by it
export default {
  fetch: async (request, env) => {
    const ctx = { settings: settingsOf(env), requestId: 'req_test' }
    try {
      const response = await fetchOutbound(ctx, await request.text())
      return Response.json({ status: response.status, body: await response.text() })
    } catch (error) {
      const { code, message } = error as AppError
      return Response.json({ code, message })
    }
  },
} satisfies ExportedHandler<Bindings>

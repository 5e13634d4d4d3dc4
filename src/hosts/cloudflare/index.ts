import { createApp } from '../../app.ts'
import { work } from '../../areas/index.ts'
import type { Bindings } from '../../env.ts'
import { consume, tick } from '../../platform/work/tasks.ts'

const app = createApp()

export default {
  fetch: (request, env, executionCtx) => app.fetch(request, env, executionCtx),
  queue: (batch, env) => consume(work, batch, env),
  scheduled: (event, env) => tick(work, event.cron, env),
} satisfies ExportedHandler<Bindings, string>

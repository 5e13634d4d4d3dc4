import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createApp } from '../../src/app.ts'
import { testPorts } from './ports.ts'

const app = createApp(testPorts)

/** Lets the service of this process answer; done when what it does after its answer is done. */
export async function serve(request: Request): Promise<Response> {
  const executionCtx = createExecutionContext()
  const response = await app.fetch(request, env, executionCtx)
  await waitOnExecutionContext(executionCtx)
  return response
}

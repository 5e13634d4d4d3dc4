import { newId } from '../domain/ids.ts'
import { type Bindings, settingsOf } from '../env.ts'
import { type Context, noCost, type Ports, systemPorts } from './context.ts'

/** The context of work that nobody signed in for: tasks, the clock, and the tools of an operator. */
export function systemContext(
  env: Bindings,
  operation: string,
  ports: Ports = systemPorts,
): Context {
  const now = ports.now()
  return {
    settings: settingsOf(env),
    database: env.DB.withSession('first-primary'),
    files: env.FILES,
    queue: env.TASKS,
    ports,
    now,
    requestId: newId('req', now, ports.random(10)),
    operation,
    access: 'system',
    client: { ip: null, userAgent: null },
    cost: noCost(),
    // The next tick of the clock finds what is left to do.
    ring: () => undefined,
  }
}

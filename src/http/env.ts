import type { Bindings } from '../env.ts'
import type { Context, Cost, Ports } from '../platform/context.ts'

/** The facts about a request that the first middleware has before the route is known. */
export interface RequestInfo {
  id: string
  startedAt: number
  cost: Cost
  ports: Ports
  unseenIn: NonNullable<Context['unseenIn']>
  wanted: NonNullable<Context['wanted']>
}

/** The Hono environment of every app of the service. */
export interface AppEnv {
  Bindings: Bindings
  Variables: {
    request: RequestInfo
    /** Set by the gate of the route; absent on unknown routes. */
    ctx?: Context
    /** The body text as it came, once it was read and accepted. */
    bodyText?: string
  }
}

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../http/env.ts'
import { appOf, nameOperations, type Operation } from '../http/route.ts'
import type { AreaCheck } from '../ledger/integrity/integrity.public.ts'
import type { LedgerHook } from '../ledger/ledger.public.ts'
import type { Reader } from '../platform/work/readers.ts'
import type { Sweep, Work } from '../platform/work/tasks.ts'
import type { Job } from '../platform/work/payloads.ts'

/** The parts that an area adds to the service. Each area declares them in its `x.area.ts`. */
export interface Area {
  /** Its modules of operations, each a whole `x.routes.ts`. */
  operations?: Record<string, Operation>[]
  /** The tag under which the description lists them. */
  tag?: string
  jobs?: Job[]
  /** The jobs that the clock starts once a day. */
  nightly?: Job[]
  /** Work at the end of every scheduled run. */
  sweeps?: Sweep[]
  readers?: Reader[]
  /** Additions to every change of transactions. */
  hooks?: LedgerHook[]
  /** Checks that run whenever the ledger is compared with itself. */
  checks?: AreaCheck[]
}

/** Names all operations: each is named as its constant, which only its module knows. */
export function nameAll(areas: Area[]): void {
  for (const { operations = [], tag = '' } of areas) {
    operations.forEach((module) => nameOperations(module, tag))
  }
}

/** The Hono app of each area that has operations. */
export const appsOf = (areas: Area[]): OpenAPIHono<AppEnv>[] =>
  areas.flatMap(({ operations }) =>
    operations ? [appOf(operations.flatMap((module) => Object.values(module)))] : [],
  )

/** All work outside of a request. */
export const workOf = (areas: Area[]): Work => ({
  jobs: areas.flatMap(({ jobs = [] }) => jobs),
  schedule: {
    // Starts nothing of its own: it sweeps up what is due.
    '*/5 * * * *': [],
    '17 3 * * *': areas.flatMap(({ nightly = [] }) => nightly.map(({ kind }) => kind)),
  },
  sweeps: areas.flatMap(({ sweeps = [] }) => sweeps),
  readers: areas.flatMap(({ readers = [] }) => readers),
})

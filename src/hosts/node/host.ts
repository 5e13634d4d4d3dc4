import { createApp } from '../../app.ts'
import { work } from '../../areas/index.ts'
import type { Bindings } from '../../env.ts'
import { type Ports, systemPorts } from '../../platform/context.ts'
import { openLanes } from '../../platform/work/fair-turns.ts'
import { detailOf, logEvent } from '../../platform/logger.ts'
import { consume, endLeasesBefore, tick } from '../../platform/work/tasks.ts'
import { startClock } from './clock.ts'
import { bindingsOf, filesFolder, lockData, openData } from './data-folder.ts'
import { openFiles, removeUnfinished } from './files.ts'
import { fetchFromPublic } from './outgoing.ts'
import { openQueue } from './queue.ts'

/** The variables of the environment; src/env.ts explains each. */
type Variables = Record<string, string | undefined>

export interface HostOptions {
  /** The folder of database, files and secrets. */
  data: string
  /** The folder of the SQL files that make the tables. */
  migrations: string
  variables: Variables
  /** Other ports than the system's, and how fast their clock runs: for tests. */
  ports?: Ports
  speed?: number
}

/**
 * So that two users with long tasks do not hold up the others. All tasks run in one thread, so more at once would finish no
 * sooner, and each of them may need a hundred megabytes.
 */
const TASKS_AT_ONCE = 3
/** Those that wait for servers of others need neither the thread nor memory, so that slow ones leave turns to the others. */
const WAITS_AT_ONCE = 50

/** The service on Node: everything but the HTTP server in front of it. */
export interface Host {
  bindings: Bindings
  /** @param remoteAddress who is at the other end of the connection */
  fetch: (request: Request, remoteAddress: string | undefined) => Promise<Response>
  /** Ends the work outside of requests, then closes the database. */
  stop: () => Promise<void>
}

/**
 * Opens the data folder and starts the clock.
 * @throws Error with a sentence for the operator when the folder or a variable cannot be used
 */
export async function startHost(options: HostOptions): Promise<Host> {
  const { data, migrations, variables, ports = systemPorts, speed = 1 } = options
  fetchFromPublic(variables['OUTBOUND_ALLOW'])
  const unlock = lockData(data)
  const { database, secrets } = await openData(data, migrations, variables)
  await removeUnfinished(filesFolder(data))
  const files = openFiles(filesFolder(data))
  const lanes = openLanes(TASKS_AT_ONCE, WAITS_AT_ONCE)
  const queue = openQueue((batch) => consume(work, batch, forTasks, ports, lanes))
  const bindings = {
    ...bindingsOf(variables, secrets),
    DB: database.binding,
    FILES: files,
    TASKS: queue.binding,
  }
  const forTasks = { ...bindings, DB: database.background }

  const app = createApp(ports)
  const startedAt = ports.now()
  let areLeasesEnded = false
  const clock = startClock({
    crons: Object.keys(work.schedule),
    tick: async (cron) => {
      try {
        if (!areLeasesEnded) {
          // This process has the lock of the folder, so no other one is at work on a task.
          await endLeasesBefore(startedAt, forTasks, ports)
          areLeasesEnded = true
        }
        await tick(work, cron, forTasks, ports, 0)
        return true
      } catch (error) {
        logEvent('error', 'tick.failed', { cron, ...detailOf(error) })
        return false
      }
    },
    now: ports.now,
    speed,
  })
  const pending = new Set<Promise<unknown>>()
  const waitUntil = (promise: Promise<unknown>) => {
    const settled = promise
      .catch((error: unknown) => logEvent('error', 'background.failed', detailOf(error)))
      .finally(() => pending.delete(settled))
    pending.add(settled)
  }
  return {
    bindings,
    fetch: async (request, remoteAddress) => {
      const props = { remoteAddress }
      return app.fetch(request, bindings, { waitUntil, passThroughOnException: ignore, props })
    },
    stop: async () => {
      lanes.stop()
      await Promise.all([clock.stop(), queue.stop(), ...pending])
      database.close()
      unlock()
    },
  }
}

const ignore = () => undefined

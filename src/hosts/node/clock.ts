import { Cron } from 'croner'

export interface Clock {
  /** Starts nothing any more; fulfilled when what it has started is done. */
  stop: () => Promise<void>
}

interface Options {
  /** Cron expressions, in UTC. */
  crons: readonly string[]
  /** Returns true if it succeeded; if not, it is called again after a minute. */
  tick: (cron: string) => Promise<boolean>
  /** Milliseconds since 1970 UTC. */
  now: () => number
  /** The factor by which this clock is faster than real time, for tests. */
  speed?: number
}

/** The longest wait that a timer of Node can have. */
const LONGEST_MS = 2 ** 31 - 1
/** A failed run is tried again after this time, because the database may be back by then. */
const AGAIN_MS = 60_000

/**
 * Calls `tick` with each cron expression when its time has come, and once at the start: a machine that was off at
 * night does the work of the night when it is on again. One tick runs at a time.
 */
export function startClock({ crons, tick, now, speed = 1 }: Options): Clock {
  const timers = new Map<string, NodeJS.Timeout>()
  let ticking: Promise<void> = Promise.resolve()
  let isStopped = false

  const runNow = async (cron: string) => {
    if (!isStopped && !(await tick(cron)) && !isStopped) {
      clearTimeout(timers.get(`${cron} again`))
      const again = setTimeout(() => run(cron), AGAIN_MS / speed)
      timers.set(`${cron} again`, again)
    }
  }
  const run = (cron: string) => {
    ticking = ticking.then(() => runNow(cron))
  }
  const wait = (cron: string) => {
    const at = new Cron(cron, { timezone: 'UTC', paused: true }).nextRun(new Date(now()))?.getTime()
    if (at === undefined) {
      return
    }
    const timer = setTimeout(
      () => {
        if (now() >= at) {
          run(cron)
        }
        wait(cron)
      },
      Math.min(Math.max((at - now()) / speed, 0), LONGEST_MS),
    )
    timers.set(cron, timer)
  }
  for (const cron of crons) {
    run(cron)
    wait(cron)
  }
  return {
    stop: async () => {
      isStopped = true
      for (const timer of timers.values()) {
        clearTimeout(timer)
      }
      await ticking
    },
  }
}

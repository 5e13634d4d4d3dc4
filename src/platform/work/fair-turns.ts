/** Work that waits for its turn; two who ask for the same share it. */
interface Waiting {
  start: () => void
  done: Promise<boolean>
}

interface FairTurns {
  /**
   * Runs work of an owner in its turn. While work with the same id waits, no other is added.
   * @returns what the work returns, and false if the turns were stopped before it began
   */
  run: (owner: string, id: string, work: () => Promise<boolean>) => Promise<boolean>
  /** Begins nothing more; what runs goes on. */
  stop: () => void
}

/**
 * Lets owners take turns: so much work runs at once, only one piece of it for each owner, and an owner with more work goes to
 * the end of the line. So nobody waits for more than one piece of work of each other owner.
 */
export function fairTurnsOf(atOnce: number): FairTurns {
  /** By owner and id, in the order in which it came. */
  const waiting = new Map<string, Map<string, Waiting>>()
  /** The owners whose turn comes, in their order: all with work that waits and none that runs. */
  const line = new Set<string>()
  const running = new Set<string>()
  let isStopped = false

  const startNext = () => {
    for (const owner of line) {
      if (running.size >= atOnce) {
        return
      }
      line.delete(owner)
      const works = waiting.get(owner)
      const [next] = works ?? []
      if (next) {
        const [id, { start }] = next
        works?.delete(id)
        running.add(owner)
        start()
      }
    }
  }

  const leave = (owner: string) => {
    running.delete(owner)
    if ((waiting.get(owner)?.size ?? 0) > 0) {
      line.add(owner)
    } else {
      waiting.delete(owner)
    }
    startNext()
  }

  const run: FairTurns['run'] = async (owner, id, work) => {
    if (isStopped) {
      return false
    }
    const works = waiting.get(owner) ?? new Map<string, Waiting>()
    const same = works.get(id)
    if (same) {
      return same.done
    }
    const { promise: turn, resolve: start } = Promise.withResolvers<void>()
    const done = turn.then(async () => {
      try {
        return !isStopped && (await work())
      } finally {
        leave(owner)
      }
    })
    works.set(id, { start, done })
    waiting.set(owner, works)
    if (!running.has(owner)) {
      line.add(owner)
    }
    startNext()
    return done
  }

  return {
    run,
    stop: () => {
      isStopped = true
      const works = [...waiting.values()].flatMap((ofOwner) => [...ofOwner.values()])
      waiting.clear()
      line.clear()
      works.forEach(({ start }) => start())
    },
  }
}

/** The turns of tasks, of those that wait, and of readers: on Node those of the whole process, on Workers those of one invocation. */
export interface Lanes {
  tasks: FairTurns
  /** Those of tasks that wait for others, see `Job.waits`. */
  waits: FairTurns
  readers: FairTurns
  /** Begins nothing more. */
  stop: () => void
}

/** Two, so that the tasks of one user do not hold up those of others, and no more, as an isolate has 128 MB of memory. */
const TASKS_AT_ONCE = 2
/** An invocation on Workers has six connections, of which some are for what needs no other server. */
const WAITS_AT_ONCE = 4

export function openLanes(tasksAtOnce = TASKS_AT_ONCE, waitsAtOnce = WAITS_AT_ONCE): Lanes {
  const lanes = {
    ...{ tasks: fairTurnsOf(tasksAtOnce), waits: fairTurnsOf(waitsAtOnce) },
    readers: fairTurnsOf(1),
  }
  const stop = () => Object.values(lanes).forEach((lane) => lane.stop())
  return { ...lanes, stop }
}

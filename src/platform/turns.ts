import type { AppError } from '../domain/errors.ts'

/** How much of some costly work is done at once, and how much of it may wait. */
interface Bounds {
  atOnce: number
  waiting: number
  /** How long one waits for a turn at most. */
  waitMs: number
  /** What to throw once as much waits as may, or one has waited too long. */
  busy: () => AppError
}

export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** A turn counts as lost after this time: the runtime drops a request whose client has gone without a word. */
const LOST_AFTER_MS = 10_000
const POLL_MS = 10

interface Place {
  until: number
  /** Has whoever waits look again at once. */
  wake?: () => void
}

/**
 * Makes a function that runs work in turns, in the order in which it comes, per isolate or process. Whoever waits is
 * woken when a place is free, and looks again every now and then: a request that was dropped wakes nobody.
 * @throws the error `busy` once as much waits as may
 */
export function turnsOf({ atOnce, waiting, waitMs, busy }: Bounds): Turns {
  const running = new Set<Place>()
  const queue = new Set<Place>()

  async function turn(): Promise<Place> {
    const direct = queue.size === 0 ? enter(running, atOnce, LOST_AFTER_MS) : undefined
    if (direct) {
      return direct
    }
    const place = enter(queue, waiting, waitMs)
    if (!place) {
      throw busy()
    }
    // As long as it waits it has a timer of its own: workerd gives up a request that only another request could wake.
    const looking = setInterval(() => place.wake?.(), POLL_MS)
    try {
      while (place.until > performance.now()) {
        await new Promise<void>((resolve) => {
          place.wake = resolve
        })
        const found = enter(running, atOnce, LOST_AFTER_MS)
        if (found) {
          return found
        }
      }
    } finally {
      clearInterval(looking)
      queue.delete(place)
    }
    throw busy()
  }

  function wakeFirst(): void {
    let free = atOnce - running.size
    for (const { wake } of queue) {
      if (free <= 0) {
        return
      }
      wake?.()
      free -= 1
    }
  }

  return async (work) => {
    const own = await turn()
    try {
      return await work()
    } finally {
      running.delete(own)
      wakeFirst()
    }
  }
}

function enter(places: Set<Place>, most: number, lifeMs: number): Place | undefined {
  const now = performance.now()
  for (const place of places) {
    if (place.until <= now) {
      places.delete(place)
    }
  }
  if (places.size >= most) {
    return undefined
  }
  const place = { until: now + lifeMs }
  places.add(place)
  return place
}

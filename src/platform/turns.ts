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
/** How often whoever waits looks whether a place is free. */
const POLL_MS = 5

/**
 * Whether the runtime keeps the promises of requests apart, as Workers' does: what waits for another request may go on as a
 * part of that one, and ends with it.
 */
const KEEPS_REQUESTS_APART = navigator.userAgent === 'Cloudflare-Workers'

interface Place {
  until: number
  /** Has whoever waits look again at once. */
  look?: () => void
}

/**
 * Makes a function that runs work in turns, per isolate or process. Whoever waits looks every now and then whether a place is
 * free, and on Node also when one becomes free, in the order in which they came.
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
    const looking = setInterval(() => place.look?.(), POLL_MS)
    try {
      while (place.until > performance.now()) {
        await new Promise<void>((resolve) => {
          place.look = resolve
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
    let free = KEEPS_REQUESTS_APART ? 0 : atOnce - running.size
    for (const { look } of queue) {
      if (free <= 0) {
        return
      }
      look?.()
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

import { AppError } from '../domain/errors.ts'

/** How much of some costly work is done at once, and how much of it may wait. */
interface Bounds {
  atOnce: number
  waiting: number
  /** How long one waits for a turn at most. */
  waitMs: number
}

/** A turn counts as lost after this time: the runtime drops a request whose client has gone without a word. */
const LOST_AFTER_MS = 10_000
const POLL_MS = 10

interface Place {
  until: number
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Makes a function that runs work in turns, per isolate or process. Waiting asks again and again instead of being woken:
 * a request that was dropped could not pass its turn on.
 * @throws AppError `unavailable`, with when to come back, once as much waits as may
 */
export function turnsOf({ atOnce, waiting, waitMs }: Bounds) {
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
    try {
      while (place.until > performance.now()) {
        await pause(POLL_MS)
        const found = enter(running, atOnce, LOST_AFTER_MS)
        if (found) {
          return found
        }
      }
    } finally {
      queue.delete(place)
    }
    throw busy()
  }

  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const own = await turn()
    try {
      // Other requests get on between two pieces of work that hold the thread.
      await pause(0)
      return await work()
    } finally {
      running.delete(own)
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

const busy = () =>
  new AppError('unavailable', 'service.busy', 'Too many sign-ins at once; try again in a moment.', {
    retryAfter: 2,
  })

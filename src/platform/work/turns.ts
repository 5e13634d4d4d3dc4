import type { AppError } from '../../domain/errors.ts'

/** The amount of some costly work that is done at once, and the amount that may wait. */
interface Bounds {
  atOnce: number
  waiting: number
  /** The longest wait for a turn. */
  waitMs: number
  /** The error if too much work waits, or some has waited too long. */
  busy: () => AppError
}

/** @param client who asks; clients share what may wait fairly */
export type Turns = <Result>(work: () => Promise<Result>, client?: string) => Promise<Result>

let patience = 1

/** Makes everybody wait so many times as long for a turn: where it is not said how quick the machine is, as for tests. */
export function setPatience(times: number): void {
  patience = times
}

/** A turn counts as lost after this time: the runtime drops a request whose client has gone without a word. */
const LOST_AFTER_MS = 10_000
/** The interval at which a waiting request checks for a free place. */
const POLL_MS = 5
/** A waiting request that has not checked while all others did so this often was dropped, and holds up nobody. */
const LOOKS_OF_DROPPED = 20

/**
 * True if the runtime keeps the promises of requests apart, as Workers' does. Work that waits for another request may
 * then continue as a part of that one, and end with it.
 */
const KEEPS_REQUESTS_APART = navigator.userAgent === 'Cloudflare-Workers'

interface Place {
  until: number
  /** The total number of checks when this request checked last. */
  lookedAt: number
  client: string
  /** Its turn among those that wait: the lowest is next. */
  rank: number
  /** Has whoever waits look again at once. */
  look?: () => void
}

/**
 * Makes a function that runs work in turns, per isolate or process. Whoever waits looks every now and then whether it is next,
 * and on Node also when a place becomes free: clients one after the other, and what one client asks for in its order.
 * @throws the error `busy` once as much waits as may. A client that has less waiting than another one still gets in, and the
 * last place of the other one is given up.
 */
export function turnsOf({ atOnce, waiting, waitMs, busy }: Bounds): Turns {
  const running = new Set<Place>()
  const queue = new Set<Place>()
  let looks = 0

  /** One more than the client's last: so the second place of a client comes after the first of all others. */
  function rankOf(client: string): number {
    const [first] = inOrder(queue)
    const own = [...queue].filter((place) => place.client === client)
    return Math.max(first?.rank ?? 0, ...own.map(({ rank }) => rank + 1))
  }

  /** Ends the wait of whoever is last, if that is after this rank. */
  function makeRoom(rank: number): void {
    const last = inOrder(queue).at(-1)
    if (queue.size >= waiting && last && last.rank > rank) {
      last.until = 0
      queue.delete(last)
    }
  }

  function isNext(place: Place): boolean {
    looks += 1
    place.lookedAt = looks
    forgetLost(running)
    if (running.size >= atOnce) {
      return false
    }
    const since = looks - LOOKS_OF_DROPPED * queue.size
    return inOrder(queue).find(({ lookedAt }) => lookedAt >= since) === place
  }

  async function turn(client: string): Promise<Place> {
    forgetLost(queue)
    const rank = rankOf(client)
    const direct =
      queue.size === 0
        ? enter(running, atOnce, LOST_AFTER_MS, { client, rank, lookedAt: looks })
        : undefined
    if (direct) {
      return direct
    }
    makeRoom(rank)
    const place = enter(queue, waiting, waitMs * patience, { client, rank, lookedAt: looks })
    if (!place) {
      throw busy()
    }
    const looking = setInterval(() => place.look?.(), POLL_MS)
    try {
      while (place.until > performance.now()) {
        await new Promise<void>((resolve) => {
          place.look = resolve
        })
        const found = isNext(place) ? enter(running, atOnce, LOST_AFTER_MS, place) : undefined
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
    for (const { look } of inOrder(queue)) {
      if (free <= 0) {
        return
      }
      look?.()
      free -= 1
    }
  }

  return async (work, client = '') => {
    const own = await turn(client)
    try {
      return await work()
    } finally {
      running.delete(own)
      wakeFirst()
    }
  }
}

/** Returns the places by rank; equal ranks keep the order in which they came. */
const inOrder = (places: Set<Place>): Place[] => [...places].toSorted((a, b) => a.rank - b.rank)

function forgetLost(places: Set<Place>): void {
  const now = performance.now()
  for (const place of places) {
    if (place.until <= now) {
      places.delete(place)
    }
  }
}

function enter(
  places: Set<Place>,
  most: number,
  lifeMs: number,
  { client, rank, lookedAt }: Pick<Place, 'client' | 'rank' | 'lookedAt'>,
): Place | undefined {
  forgetLost(places)
  if (places.size >= most) {
    return undefined
  }
  const place = { until: performance.now() + lifeMs, client, rank, lookedAt }
  places.add(place)
  return place
}

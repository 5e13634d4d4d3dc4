import type { Steps } from '../../domain/steps.ts'

/** The longest time that work computes before others get their turn: a request needs a few turns. */
const MOST_MS = 10

/** A timer, and not a turn of the event loop: within it all turns fit that an answer to somebody else needs. */
const rest = () => new Promise<void>((resolve) => void setTimeout(resolve, 1))

/** Called between two pieces of work that computes: pauses once in a while, so that requests are answered meanwhile. */
export type Pause = () => Promise<void>

/**
 * @param now a clock; on Workers it stands still while code computes, so that it says nothing until there was a pause
 */
export function pauseRegularly(now: () => number = () => performance.now(), pause = rest): Pause {
  let last = now()
  return async () => {
    const passed = now() - last
    if (passed === 0 || passed >= MOST_MS) {
      await pause()
      last = now()
    }
  }
}

/** Runs work in steps, with pauses between them. */
export async function runWithPauses<Result>(steps: Steps<Result>, pause: Pause): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done) {
      return value
    }
    await pause()
  }
}

import { importErrors } from '../imports.errors.ts'

/** The maximum computing time for reading a file. */
const MOST_MS = 20_000

/** Runs work that computes, with pauses in between, and refuses once all of it takes too long. */
export type Busy = <Result>(work: () => Result) => Promise<Result>

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/**
 * @param letOthersIn called after each piece of work, and pauses once in a while
 * @param now a clock; on Workers it stands still while code computes, and moves on after a turn of the event loop
 * @param mostMs how long all work may take
 * @param pause waits for the next turn, where the clock has not moved
 */
export function busyFor(
  letOthersIn: () => Promise<void>,
  now: () => number,
  mostMs = MOST_MS,
  pause = nextTurn,
): Busy {
  let spent = 0
  return async (work) => {
    const begun = now()
    const result = work()
    if (now() === begun) {
      await pause()
    }
    spent += now() - begun
    if (spent > mostMs) {
      throw importErrors.tooSlow()
    }
    await letOthersIn()
    return result
  }
}

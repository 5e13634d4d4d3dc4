import { importErrors } from '../imports.errors.ts'

/** How long reading a file may compute. */
const MOST_MS = 20_000

/** Runs work that computes, and refuses once all of it takes too long. */
export type Busy = <Result>(work: () => Result) => Result

/** @param now a clock that goes on while the process computes */
export function busyFor(now: () => number, mostMs = MOST_MS): Busy {
  let spent = 0
  return (work) => {
    const begun = now()
    const result = work()
    spent += now() - begun
    if (spent > mostMs) {
      throw importErrors.tooSlow()
    }
    return result
  }
}

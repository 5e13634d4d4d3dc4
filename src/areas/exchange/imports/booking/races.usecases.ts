import { AppError } from '../../../../domain/errors.ts'

/** Somebody else has changed what was read: what is there now decides. */
const CHANGED = ['imports.changedMeanwhile', 'request.conflict']

/** What ends a step that is begun anew, and how often. */
const OF_STEP = {
  // A lock that was made meanwhile: its rows are locked at the next try.
  codes: [...CHANGED, 'locks.periodLocked', 'locks.forceNotAllowed'],
  most: 30,
}
const OF_REQUEST = { codes: CHANGED, most: 5 }

async function again<Result>(
  { codes, most }: typeof OF_STEP,
  run: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const isRace = error instanceof AppError && codes.includes(error.code)
      if (!isRace || attempt === most) {
        throw error
      }
    }
  }
}

/** Takes a step of a task, and decides it anew where another import, its user or a lock was faster. */
export const stepAgain = (step: () => Promise<void>): Promise<void> => again(OF_STEP, step)

/** Answers a request by what is there once others are done. */
export const answerAgain = <Result>(run: () => Promise<Result>): Promise<Result> =>
  again(OF_REQUEST, run)

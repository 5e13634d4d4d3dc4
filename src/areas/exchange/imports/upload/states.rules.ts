import { importErrors } from '../imports.errors.ts'

const AT_WORK = ['queued', 'running']

/** Refuses what another reading would undo: bookings, and work that is under way. */
export function requireReadable({ state, task }: { state: string; task: string | null }): void {
  if (state === 'reverted') {
    throw importErrors.reverted()
  }
  if (state === 'done' || state === 'cancelled') {
    throw importErrors.alreadyDone()
  }
  if (state === 'committing' || state === 'reverting' || (task && AT_WORK.includes(task))) {
    throw importErrors.underWay()
  }
}

import { listChanges, undoChange } from '../../../src/areas/events/changes/changes.routes.ts'
import { call, ok, type Principal } from '../../support/api.ts'

/** The newest change that somebody made. */
export async function lastChange(as: Principal) {
  const { changes } = await ok(listChanges, { as, query: { limit: 1 } })
  const [change] = changes
  if (!change) {
    throw new Error('nothing was changed')
  }
  return change
}

type Options = { force?: boolean; dryRun?: boolean }

export const undo = (as: Principal, id: string, json: Options = {}) =>
  call(undoChange, { as, id, json })

/** Undoes a change, as an answer in short: the verdicts, and what is kept as `field reason`. */
export async function undone(as: Principal, id: string, json: Options = {}) {
  const { results, kept } = await ok(undoChange, { as, id, json })
  return [
    ...results.map(({ status, code }) => [status, code].filter(Boolean).join(' ')),
    ...kept.map(({ field, reason }) => `${field} ${reason}`),
  ]
}

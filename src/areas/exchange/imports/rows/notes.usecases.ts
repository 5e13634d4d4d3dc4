import type { Decision } from '../../../../domain/imports/verdicts.ts'
import { pauseRegularly } from '../../../../platform/pauses.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { slices } from '../booking/slices.rules.ts'
import { insertNotes } from './rows.queries.ts'

const NOTES_AT_ONCE = 2000

/** Notes what was found about rows, of which there may be very many. */
export async function notesOn(importId: string, decisions: Decision[]): Promise<Statement[]> {
  const pause = pauseRegularly()
  const statements: Statement[] = []
  for (const some of slices(decisions, NOTES_AT_ONCE)) {
    const notes = some.map((found) => ({ row: found.at + 1, found: JSON.stringify(found) }))
    statements.push(...insertNotes(importId, notes))
    await pause()
  }
  return statements
}

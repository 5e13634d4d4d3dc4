import { rows } from './api.ts'

/** Where the commits and the events of the log are counted from, to know their numbers when one sees them. */
const FIRST = { commit: 7_100_000_000_000, event: 7_300_000_000_000 }

/** Lets the log of a new database count from numbers that nothing else has. */
export async function raiseNumbersOfLog(): Promise<void> {
  await rows(
    `INSERT INTO log_commits (number, id, at, operation, actor_type, type, request_id, first_event, event_count)
      VALUES (?, 'log_first', 0, 'first', 'system', 'first.made', 'req_first', ?, 1)`,
    FIRST.commit,
    FIRST.event,
  )
  await rows(
    'INSERT INTO log_events (number, commit_number) VALUES (?, ?)',
    FIRST.event,
    FIRST.commit,
  )
  await rows(
    `INSERT INTO log_seals (number, content_hash, hash, key_id) VALUES (?, 'x', 'x', 'x')`,
    FIRST.commit,
  )
}

/** Whether an answer holds a number of the log, as a number or in a text. Cursors are opaque. */
export const showsNumberOfLog = (text: string): boolean => /7[13]0000\d{7}(?!\d)/.test(text)

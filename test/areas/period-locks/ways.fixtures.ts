import { expect, it } from 'vitest'
import { rows } from '../../support/api.ts'
import type { TestUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { LAST_YEAR, newBooks, ways } from '../ledger/ways.ts'
import { refusal } from '../transactions/booking.ts'
import { lock } from './locking.ts'

/** The columns of lines that a lock protects, as text. */
export const linesOf = async ({ id }: TestUser): Promise<string[]> =>
  (
    await rows<{ line: string }>(
      `SELECT e.transaction_id || ' ' || e.line || ' ' || e.account_id || ' ' || e.side || ' ' || e.date || ' ' ||
        e.amount_minor || ' ' || CASE WHEN e.status IN ('void', 'pending') THEN e.status ELSE '' END || ' ' ||
        ifnull(e.category_id, '') AS line
        FROM entries e WHERE e.owner_id = ? ORDER BY e.transaction_id, e.line`,
      id,
    )
  ).map(({ line }) => line)

/** Ways that a lock leaves free: they change labels, words, or how far a row is confirmed. Undoing keeps what it had booked. */
const FREE_WAYS =
  /^(?:a note|the note of a part|a change of many|a leg that is cleared|a reconciliation that is undone|.* of a (?:category|payee|tag)|a (?:category|payee|tag) that .*)$/

/** The lines of the locked days without their categories, which stand last. */
const movesOf = async (me: TestUser) =>
  (await linesOf(me))
    .filter((line) => line.includes(` ${LAST_YEAR} `))
    .map((line) => line.slice(0, line.lastIndexOf(' ')))

/** Tries each way in which what is booked changes, under a lock of this kind. */
export function tryWays(kind: 'hard' | 'soft'): void {
  it.each(ways)(`under a ${kind} lock: %s`, async (name, _, way) => {
    const books = await newBooks()
    const act = await way(books)
    await lock(books.me, { through: LAST_YEAR, kind })
    const before = await movesOf(books.me)
    const answer = await act()
    if (FREE_WAYS.test(name)) {
      expect(answer.status, answer.text).toBeLessThan(300)
    } else {
      expect(refusal(answer).slice(0, 2)).toEqual([409, 'locks.periodLocked'])
    }
    expect(await movesOf(books.me)).toEqual(before)
    expect(await differencesOf(books.me)).toEqual([])
  })
}

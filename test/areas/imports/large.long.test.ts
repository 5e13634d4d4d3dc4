import { describe, expect, it } from 'vitest'
import {
  createTransaction,
  listTransactions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { updateImportRow } from '../../../src/areas/intake/imports/imports.routes.ts'
import { addDays } from '../../../src/domain/calendar.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, csv, settled, upload, uploaded, type ImportBody } from './importing.ts'

// Files that are booked in more than one piece. Six rows of each day, each with an amount of its own.

const ROWS = 2300
const FIRST = '2024-01-10'
const dayOf = (n: number) => addDays(FIRST, Math.floor(n / 6))
const LAST_DAY = dayOf(ROWS - 1)

const lineOf = (n: number) => `${dayOf(n)},Shop ${n},-${((n + 1) / 100).toFixed(2)}`
const lines = Array.from({ length: ROWS }, (_, n) => lineOf(n))

async function household() {
  const me = await newUser()
  const account = await newAccount(me)
  return { me, account, query: { accountId: account.id } }
}

/** The transactions of the last day, as they are listed: the newest first. */
async function lastOf({ me, account }: Awaited<ReturnType<typeof household>>) {
  const { transactions } = await ok(listTransactions, {
    as: me,
    query: { accountId: account.id, from: LAST_DAY },
  })
  return transactions.map(({ payeeRaw }) => payeeRaw)
}

const newestFirst = Array.from({ length: ROWS }, (_, n) => n)
  .filter((n) => dayOf(n) === LAST_DAY)
  .map((n) => `Shop ${n}`)
  .toReversed()

describe('a file of more rows than are read at once', () => {
  it('is read by the task alone, matched on all its days, and listed in its order', async () => {
    const here = await household()
    const { me, account, query } = here
    for (const n of [3, ROWS - 3]) {
      await ok(createTransaction, {
        as: me,
        json: {
          ...{ kind: 'expense', accountId: account.id, date: dayOf(n), payeeRaw: `Shop ${n}` },
          amount: ((n + 1) / 100).toFixed(2),
        },
      })
    }
    const { body, headers } = await upload(me, csv(lines), query)
    const begun = body as unknown as ImportBody
    expect(begun.state).toBe('uploaded')
    // It looks at what there is, and stores the import: it looks up no row.
    expect(headers.get('Server-Timing')).toContain('2 trips')

    const read = await settled(me, begun.id)
    expect(read.counts).toMatchObject({ rows: ROWS, new: ROWS - 2, matched: 2 })
    const done = await committed(me, begun.id)
    expect(done.counts).toMatchObject({ rows: ROWS, new: ROWS - 2, matched: 2 })
    // With each piece its task may be lost five times more.
    expect(
      await rows('SELECT attempts, max_attempts FROM tasks WHERE id = ?', done['jobId']),
    ).toEqual([{ attempts: 1, max_attempts: 6 }])
    const typed = `Shop ${ROWS - 3}`
    expect((await lastOf(here)).filter((name) => name !== typed)).toEqual(
      newestFirst.filter((name) => name !== typed),
    )

    const again = await settled(me, (await uploaded(me, csv(lines), query)).id)
    expect(again.counts).toMatchObject({ rows: ROWS, duplicate: ROWS })
    // One row of the second piece is booked beside its twin; of the first there is nothing to do.
    const rowId = `irw_${again.id.slice(4)}_${ROWS}`
    const patch = { as: me, path: { id: again.id, rowId }, json: { decision: 'book' as const } }
    await ok(updateImportRow, patch)
    const twice = await committed(me, again.id)
    expect(twice.counts).toMatchObject({ rows: ROWS, new: 1, duplicate: ROWS - 1 })
    const [{ count } = { count: 0 }] = await rows<{ count: number }>(
      "SELECT count(*) AS count FROM entries WHERE account_id = ? AND side = 'account'",
      account.id,
    )
    expect(count).toBe(ROWS + 1)
  })

  it('is listed in the order of the bank, too, where its newest row is the first', async () => {
    const here = await household()
    const { id } = await uploaded(here.me, csv(lines.toReversed()), here.query)
    await settled(here.me, id)
    await committed(here.me, id)
    expect(await lastOf(here)).toEqual(newestFirst)
  })
})

import { describe, expect, it } from 'vitest'
import { listDuplicates } from '../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { suggestTransfers } from '../../src/areas/money/transfers/transfers.routes.ts'
import { ok, rows } from '../support/api.ts'
import { limit, rounds } from '../support/rounds.ts'
import { share } from '../areas/sharing/sharing.ts'
import { newAccount, newUser, type TestUser } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'

// Equal amounts are all alike, so that each row could be compared with each: what bounds the work is tested with these alone.

/** Rows of each sign. In `npm test` more than one search looks at in total, nevertheless. */
const ROWS = rounds(8_000, 100_000)
const MOST_MS = limit(100)
const WINDOW = { from: '2025-10-01', to: '2026-09-30', days: 14 }

/** Expressions of SQL over the number `i` of a row; every other row is paid, unless `sign` says something else. */
interface Shape {
  account?: string
  day?: string
  sign?: string
  kind?: string
  /** Which rows have three parts; they are 3.00 each, as other rows are. */
  isSplit?: string
}

const IS_OUT = 'i % 2 = 0'
const DAY = "'2026-03-01'"
const spread = (days: number) => `date('2026-09-30', '-' || (i % ${days}) || ' days')`

const SHAPES: Record<string, Shape> = {
  'on one day of two accounts': {},
  'on one account': { account: '0' },
  'with one sign, on one account': { account: '0', sign: '-1' },
  'over years': { day: spread(3650) },
  'over one year': { day: spread(365) },
  'far from each other': { day: `iif(${IS_OUT}, '2026-09-05', '2025-11-05')` },
  'with alternating signs and accounts': { account: 'i / 2 % 2', sign: 'iif(i % 2, 1, -1)' },
  'on many accounts': { account: 'i % 40' },
  'in several currencies': { account: '40 + i % 4', sign: 'iif(i / 4 % 2, 1, -1)' },
  'of adjustments': { kind: "'adjustment'" },
  'with parts': { isSplit: IS_OUT },
  'of splits alone': { isSplit: 'true' },
}

/** Somebody with 40 accounts in euros, and two in each of two other currencies. */
async function newOwner() {
  const me = await newUser()
  const accounts: { id: string }[] = []
  for (let at = 0; at < 44; at++) {
    const currency = at < 40 ? 'EUR' : at < 42 ? 'USD' : 'CHF'
    accounts.push(await newAccount(me, { currency, openingDate: '2000-01-01' }))
  }
  return { me, accounts }
}

/** Books equal amounts past the service, with the triggers on. */
async function bookEqual({ id: ownerId }: TestUser, shape: Shape): Promise<void> {
  const {
    account = `iif(${IS_OUT}, 0, 1)`,
    day = DAY,
    sign = `iif(${IS_OUT}, -1, 1)`,
    kind = `iif(${sign} < 0, 'expense', 'income')`,
    isSplit = 'false',
  } = shape
  const id = `'txn_' || substr(?1, 5, 18) || printf('%08d', i)`
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${2 * ROWS - 1}),
    own AS MATERIALIZED (SELECT id, currency, row_number() OVER (ORDER BY rowid) - 1 AS place FROM accounts WHERE owner_id = ?1)`
  await rows(
    `${numbers} INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      SELECT ${id}, ?1, ${kind}, ${day}, 'import', ?1, 0, 0 FROM n`,
    ownerId,
  )
  for (const line of [1, 2, 3, 4]) {
    const [side, times] = line === 1 ? ["'account'", `iif(${isSplit}, 3, 1)`] : [kind, '-1']
    await rows(
      `${numbers} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status)
        SELECT ${id}, ${line}, ?1, own.id, ${side}, ${day}, (${sign}) * 300 * ${times}, own.currency, 'cleared'
        FROM n CROSS JOIN own ON own.place = ${account} WHERE ${line <= 2 ? 'true' : isSplit}`,
      ownerId,
    )
  }
}

/** Asks for transfers and duplicates; gives how many were found, and whether the searches were truncated. */
async function search(me: TestUser, what: string) {
  const stopWatch = startWatch()
  attend(`transfers ${what}`)
  const transfers = await ok(suggestTransfers, { as: me, query: WINDOW })
  attend(`duplicates ${what}`)
  const duplicates = await ok(listDuplicates, { as: me, query: WINDOW })
  stopWatch()
  return [transfers, duplicates].map(({ count, truncated }) => [count > 0, truncated])
}

async function expectQuick(before: number) {
  showLongest()
  const slower = Math.max(before, slowness())
  const tooLong = longestOfEach().filter(({ isBatch, ms }) => !isBatch && ms > slower * MOST_MS)
  expect(tooLong.map(inWords)).toEqual([])
}

const NOTHING_MORE = [false, true]
const SOME = [true, true]
const FOUND: Record<string, boolean[][]> = {
  'on one account': [NOTHING_MORE, SOME],
  'with one sign, on one account': [NOTHING_MORE, SOME],
  'far from each other': [NOTHING_MORE, SOME],
  'of adjustments': [NOTHING_MORE, NOTHING_MORE],
  'of splits alone': [NOTHING_MORE, SOME],
}

describe('pairs of equal amounts', () => {
  it.each(Object.entries(SHAPES))(
    'hold the database for a moment: %s',
    async (what, shape) => {
      const before = slowness()
      const { me } = await newOwner()
      await bookEqual(me, shape)
      expect(await search(me, what)).toEqual(FOUND[what] ?? [SOME, SOME])
      await expectQuick(before)
    },
    600_000,
  )

  it('hold the database for a moment where many were dismissed, and where they are shared', async () => {
    const before = slowness()
    const { me, accounts } = await newOwner()
    await bookEqual(me, {})
    // All pairs that are looked at: of the newest expenses with all incomes among the newest rows.
    await rows(
      `WITH newest AS MATERIALIZED (SELECT id, row_number() OVER (PARTITION BY kind ORDER BY id DESC) AS place, kind
          FROM transactions WHERE owner_id = ?1)
        INSERT INTO distinct_pairs (kind, one_id, other_id, owner_id, created_at)
        SELECT 'transfer', min(one.id, two.id), max(one.id, two.id), ?1, 0 FROM newest one CROSS JOIN newest two
        WHERE one.kind = 'expense' AND one.place <= 3 AND two.kind = 'income' AND two.place <= 8000`,
      me.id,
    )
    expect(await search(me, 'dismissed')).toEqual([NOTHING_MORE, SOME])
    await expectQuick(before)
    const friend = await newUser()
    for (const account of accounts.slice(0, 2)) {
      await share(me, account, friend, { permission: 'write' })
    }
    expect(await search(friend, 'shared')).toEqual([
      [false, false],
      [false, false],
    ])
    await expectQuick(before)
  }, 600_000)
})

import { beforeAll, describe, expect, it } from 'vitest'
import { matchTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { dismissDuplicate } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { matched } from '../transactions/matched-parts.fixtures.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { isPassing } from '../../../src/areas/data-rights/backups/restoring/runs.usecases.ts'
import { RowCheck } from '../../../src/areas/data-rights/backups/verifying/rows.usecases.ts'
import { tableNameOf } from '../../../src/platform/owned-data/archived-tables.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { withoutEvents } from '../../../src/platform/log/events.ts'
import { storeLate } from '../../../src/platform/owned-data/archived-storing.ts'
import { overheardDatabase, planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'
import { someId } from '../../support/of-file.ts'
import { contentsOf } from './archives.ts'
import { forged, rowsOf } from './forging.fixtures.ts'
import { type Files, packed } from './packing.ts'
import { backedUp, restored } from './restoring.ts'

// Rows that an archive can hold by their types, but that no service has ever stored.

let me: TestUser
let files: Files
/** What is matched into a transfer, and what is matched into a part. */
let intoTransfer: string
let intoPart: string

beforeAll(async () => {
  me = await newUser()
  const [one, two] = [await newAccount(me, { name: 'One' }), await newAccount(me, { name: 'Two' })]
  const terms = { dueAfterDays: 21, minimumPercent: '3', minimumAmount: '25' }
  await newAccount(me, { name: 'Card', type: 'creditCard', ...terms })
  const out = await book(me, one, { amount: '7' })
  const arrived = await book(me, two, { kind: 'income', amount: '7' })
  const halves = { fromTransactionId: out.id, toTransactionId: arrived.id }
  await ok(matchTransfer, { as: me, json: halves })
  const whole = await book(me, one, { amount: '11', splits: [{ amount: '5' }, { amount: '6' }] })
  const half = await book(me, two, { kind: 'income', amount: '6' })
  await matched(me, whole, whole.splits[1], half)
  const again = await book(me, one, { amount: '3' })
  const twice = await book(me, one, { amount: '3' })
  await ok(dismissDuplicate, { as: me, json: { transactionIds: [again.id, twice.id] } })
  ;[intoTransfer, intoPart] = [out.id, half.id]
  files = await contentsOf(me, (await backedUp(me)).id)
})

type Row = Record<string, string | number | null>

/** What becomes of an archive in which some rows of a table are others. */
async function sent(table: string, change: (row: Row) => Row) {
  const user = await newUser()
  const archive = await packed(
    forged(files, { rows: { [table]: (some) => some.map((row) => change(row)) } }),
  )
  const { state, error } = await restored(user, archive)
  const left = await rows('SELECT 1 FROM transactions WHERE owner_id = ?', user.id)
  return { state, message: error?.message ?? null, left: left.length }
}

describe('an archive', () => {
  it('is restored as it is', async () => {
    expect(await sent('transactions', (row) => row)).toMatchObject({ state: 'done', message: null })
  })

  it.each<[string, string, (row: Row) => Row, string]>([
    [
      'a row that is matched into a row that is matched itself',
      'transactions',
      (row) => {
        const part = rowsOf(files, 'transactions').find(({ id }) => id === intoPart)
        const { matched_part } = part ?? {}
        return row['id'] === intoTransfer
          ? { ...row, matched_into: intoPart, matched_part: matched_part ?? null }
          : row
      },
      'there are more than 2 levels',
    ],
    [
      'a transaction without line 1',
      'entries',
      (row) => ({ ...row, line: row['line'] === 1 ? 9 : (row['line'] ?? null) }),
      'are not those of its kind',
    ],
    [
      'a leg that comes back void',
      'transactions',
      (row) => {
        const part = JSON.parse(String(row['matched_part'])) as object | null
        const leg = { amountMinor: 600, payeeRaw: null, status: 'void', externalId: null }
        return part ? { ...row, matched_part: JSON.stringify({ ...part, leg }) } : row
      },
      'matched_part',
    ],
    [
      'a pair in the wrong order',
      'distinct_pairs',
      (row) => ({ ...row, one_id: row['other_id'] ?? null, other_id: row['one_id'] ?? null }),
      'other_id',
    ],
    [
      'two rules for the due date of a card',
      'accounts',
      (row) => (row['type'] === 'creditCard' ? { ...row, due_day: 5 } : row),
      'due_after_days',
    ],
    [
      'a minimum of an account that is no card',
      'accounts',
      (row) => (row['type'] === 'checking' ? { ...row, minimum_percent: '3' } : row),
      'minimum_percent',
    ],
    [
      'a negative minimum of a card',
      'accounts',
      (row) => (row['type'] === 'creditCard' ? { ...row, minimum_amount_minor: -1 } : row),
      'minimum_amount_minor',
    ],
  ])('is refused with %s, before anything is stored', async (_, table, change, says) => {
    const { state, message, left } = await sent(table, change)
    expect({ state, left }).toEqual({ state: 'failed', left: 0 })
    expect(message).toContain(says)
  })
})

it.each([
  ['transactions', 'matched_into', 100],
  ['transaction_tags', 'transaction_id', 1000],
  ['transaction_payees', 'transaction_id', 1000],
  ['budget_alerts', 'budget_id', 200_000],
  ['budget_line_scopes', 'budget_id', 200_000],
])('a row has no more %s than a statement reads quickly', (name, column, most) => {
  const table = archivedTables().find((one) => tableNameOf(one) === name)
  const limit = table?.most?.find(({ per = [] }) => per.some((one) => one.name === column))
  expect(limit?.rows).toBe(most)
})

it.each([
  ['a value that the database cannot hold', 'internal', 'string or blob too big', false],
  ['a row that a constraint refuses', 'internal', 'UNIQUE constraint failed: tags.id', false],
  ['a failing disk', 'internal', 'disk I/O error', true],
  ['a busy database', 'unavailable', 'database is locked', true],
] as const)('whether a restore is tried again: %s', (_, kind, message, isTriedAgain) => {
  const error = new AppError(kind, 'service.failed', 'x', { cause: new Error(message) })
  expect(isPassing(error)).toBe(isTriedAgain)
})

it('an archive with one row too many is refused', () => {
  const table = archivedTables().find((one) => tableNameOf(one) === 'transaction_tags')
  if (!table) {
    throw new Error('no archive has tags of transactions')
  }
  const check = new RowCheck(Date.now())
  const transactionId = someId('txn')
  const told = Array.from({ length: 1001 }, () =>
    check
      .take(table, { transaction_id: transactionId, tag_id: someId('tag'), line: 0 })
      .some(({ message }) => message.includes('more than 1000 transaction_tags')),
  )
  expect(told.indexOf(true)).toBe(1000)
})

it.each([
  ['created_at', 0, false],
  ['created_at', 1, true],
  ['updated_at', 1, true],
  ['deleted_at', 1, true],
] as const)('an archive with %s %i hours from now: refused is %s', (field, hours, isRefused) => {
  const table = archivedTables().find((one) => tableNameOf(one) === 'accounts')
  const [row] = rowsOf(files, 'accounts')
  const now = Number(row?.['created_at'])
  const told = table
    ? new RowCheck(now).take(table, { ...row, [field]: now + hours * 60 * 60 * 1000 })
    : []
  expect(told.some(({ message }) => message === `The field ${field} is in the future.`)).toBe(
    isRefused,
  )
})

it('rows that name rows that came later are found by their ids', async () => {
  const table = archivedTables().find((one) => tableNameOf(one) === 'transactions')
  if (!table) {
    throw new Error('no archive has transactions')
  }
  const { database, heard } = overheardDatabase()
  const ctx = contextWith({ database: database.withSession('first-primary') })
  const row = { id: someId('txn'), matched_into: null, matched_part: null }
  await commit(ctx, {
    changes: [withoutEvents(storeLate(table, [row], me.id))],
    result: undefined,
  })
  const [update = '', { values = [] } = {}] =
    [...heard].find(([sql]) => sql.includes('UPDATE "transactions"')) ?? []
  expect((await planOf(update, values)).join()).toContain(
    'transactions USING INDEX sqlite_autoindex',
  )
})

import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { coreOf } from '../../../src/domain/ids.ts'
import { shapeOf, tableNameOf } from '../../../src/platform/owned-data/archived-tables.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { archivedTables } from '../../../src/platform/owned-data/owned-data.ts'
import { rows } from '../../support/api.ts'
import { testEvents } from '../../support/events.ts'
import { contextWith } from '../../support/service.ts'
import { damages, newStage, type Stage } from './staging.fixtures.ts'
import { namesIn, objectOf } from './witnesses.fixtures.ts'

// What the tests of attacks compare: each kind of damage, done by SQL, shows in it.

let stage: Stage

beforeAll(async () => {
  stage = await newStage()
})

const BOOKED = `SELECT t.id FROM transactions t JOIN entries e ON e.transaction_id = t.id
  WHERE t.owner_id = ? AND t.kind = 'expense'`

const first = async (sql: string, ...values: unknown[]): Promise<string> => {
  const [found] = await rows<{ id: string }>(sql, ...values)
  if (!found) {
    throw new Error(`nothing found by ${sql}`)
  }
  return found.id
}

const DAMAGES: [damage: string, make: () => Promise<unknown>, told: RegExp][] = [
  [
    'a transaction that is erased',
    async () => {
      const id = await first(BOOKED, stage.stranger.id)
      await rows('DELETE FROM entries WHERE transaction_id = ?', id)
      await rows('DELETE FROM transactions WHERE id = ?', id)
    },
    /transactions of the stranger differ.*account_balances are gone or changed/,
  ],
  [
    'a tag on a transaction',
    async () => {
      const tag = await first('SELECT id FROM tags WHERE owner_id = ?', stage.stranger.id)
      const id = await first('SELECT id FROM transactions WHERE owner_id = ?', stage.sharer.id)
      await rows('INSERT INTO transaction_tags VALUES (?, 0, ?)', id, tag)
    },
    /transaction_tags of the sharer differ/,
  ],
  [
    'a transaction without its category',
    () => rows('UPDATE entries SET category_id = NULL WHERE owner_id = ?', stage.sharer.id),
    /entries of the sharer differ/,
  ],
  [
    'other bytes of a file',
    async () => env.FILES.put(await objectOf(stage.stranger.file), 'forged'),
    /the bytes of .* differ/,
  ],
  [
    'a file without its bytes',
    async () => env.FILES.delete(await objectOf(stage.sharer.file)),
    /the bytes of .* differ/,
  ],
  [
    'a share that ended',
    () => rows('DELETE FROM shares WHERE owner_id = ?', stage.sharer.id),
    /rows of shares are gone/,
  ],
  [
    'a balance that is not the sum of its account',
    () =>
      rows(
        `UPDATE account_balances SET balance_minor = balance_minor + 1
          WHERE account_id = ?`,
        stage.stranger.one,
      ),
    /rows of account_balances are gone or changed/,
  ],
  [
    'an event about what somebody has',
    () => {
      const event = testEvents.done({ id: stage.stranger.id, ownerId: stage.stranger.id })
      return commit(contextWith(), {
        changes: [{ statements: [], events: [event] }],
        result: undefined,
      })
    },
    /the log of the stranger differs/,
  ],
]

it.each(DAMAGES)('shows %s', async (_, make, told) => {
  expect(await damages(stage)).toEqual([])
  await make()
  expect((await damages(stage)).join('; ')).toMatch(told)
  expect(await damages(stage)).toEqual([])
})

it('shows a payee of somebody else on a transaction of whoever restored it', async () => {
  const cores = new Set([coreOf(stage.stranger.payee)])
  expect([...(await namesIn(stage.sharer, cores))]).toEqual([])
  await rows(
    'UPDATE transaction_payees SET payee_id = ? WHERE transaction_id IN (SELECT id FROM transactions WHERE owner_id = ?)',
    stage.stranger.payee,
    stage.sharer.id,
  )
  expect([...(await namesIn(stage.sharer, cores))]).toEqual([
    'transaction_payees.payee_id names a thing of others',
  ])
})

it('shows changed rows of each table of a backup', async () => {
  await damages(stage)
  const unchanged: string[] = []
  for (const archived of archivedTables()) {
    const { name, owner, columns, key } = shapeOf(archived)
    const [of, parent] = archived.of
      ? [archived.of.column.name, tableNameOf(archived.of.parent)]
      : []
    const isTheirs = owner[0]
      ? `${owner[0]} = '${stage.sharer.id}'`
      : `${of} IN (SELECT id FROM ${parent} WHERE owner_id = '${stage.sharer.id}')`
    const ways = columns
      .filter(({ refersTo, name: column }) => !refersTo && !key.includes(column))
      .map(({ name: column, kind }) => {
        const other = { flag: `1 - ${column}`, integer: `${column} + 1` }
        const value = kind in other ? other[kind as 'flag'] : `ifnull(${column}, '') || 'x'`
        return `UPDATE ${name} SET ${column} = ${value} WHERE ${isTheirs}`
      })
    if (!(await isDone([...ways, `DELETE FROM ${name} WHERE ${isTheirs}`]))) {
      unchanged.push(name)
    }
  }
  expect(unchanged).toEqual([])
  const found = await damages(stage)
  const places = archivedTables().map((table) => `${tableNameOf(table)} of the sharer differ`)
  expect(places.filter((place) => !found.includes(place))).toEqual([])
})

/** Runs the first statement that no constraint and no trigger refuses; tells whether there was one. */
async function isDone(ways: string[]): Promise<boolean> {
  for (const sql of ways) {
    try {
      await rows(sql)
      return true
    } catch {
      // The next column may be free to change.
    }
  }
  return false
}

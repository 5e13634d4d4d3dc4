import { describe, expect, it } from 'vitest'
import { roles } from '../../drizzle/schema/system.ts'
import { commit } from '../../src/platform/database/database.ts'
import { withoutEvents } from '../../src/platform/log/events.ts'
import { db } from '../../src/platform/database/statements.ts'
import { rows } from '../support/api.ts'
import { testDone, testEvents } from '../support/events.ts'
import { contextWith } from '../support/service.ts'

const newRole = (id: string) =>
  db.insert(roles).values({ id, name: id, nameKey: id, createdAt: 1, updatedAt: 1 })

const freshId = () => `rol_${crypto.randomUUID()}`

interface Entry {
  number: number
  commit_number: number
  id: string
  commit_id: string
  content: string | null
}

const entriesOf = (id: string) =>
  rows<Entry>('SELECT * FROM log_entries WHERE resource_id = ? ORDER BY number', id)

describe('what a commit leaves in the log', () => {
  it('stores an event for each thing, with numbers in a row and ids after that of the first', async () => {
    const [first, second] = [freshId(), freshId()]
    const ctx = contextWith()
    await commit(ctx, {
      changes: [
        withoutEvents([newRole(first)]),
        testDone(first),
        {
          statements: [newRole(second)],
          events: [
            testEvents.worked({ id: second, ownerId: second, resourceType: 'role', version: 1 }),
          ],
        },
      ],
      result: undefined,
    })
    const [one] = await entriesOf(first)
    const [other] = await entriesOf(second)
    expect(one).toMatchObject({ id: one?.commit_id, type: 'test.done', owner_id: null })
    expect(other).toMatchObject({
      number: Number(one?.number) + 1,
      id: `${one?.commit_id}-2`,
      commit_id: one?.commit_id,
      operation: ctx.operation,
      type: 'test.worked',
      resource_type: 'role',
      owner_id: second,
      version: 1,
    })
  })

  it('keeps of what changed the fields that differ, of what is new or gone no nulls and no stamps', async () => {
    const id = freshId()
    const row = { id, name: 'A', note: null, version: 1, createdAt: 1, updatedAt: 1 }
    const other = { ...row, note: 'B', version: 2, updatedAt: 2 }
    await commit(contextWith(), {
      changes: [
        {
          statements: [],
          events: [
            testEvents.created({ id }, { after: row }),
            testEvents.updated({ id }, { before: row, after: other }),
            testEvents.updated({ id }, { before: row, after: { ...row, version: 2 } }),
            testEvents.deleted({ id }, { before: other }),
          ],
        },
      ],
      result: undefined,
    })
    const entries = await entriesOf(id)
    expect(entries.map(({ content }) => JSON.parse(content ?? 'null'))).toEqual([
      { after: { name: 'A' } },
      { before: { note: null }, after: { note: 'B' } },
      null,
      { before: { name: 'A', note: 'B' } },
    ])
  })

  it('leaves nothing in the log of a commit that tells of nothing', async () => {
    const id = freshId()
    const ctx = contextWith({ requestId: id })
    await commit(ctx, { changes: [withoutEvents([newRole(id)])], result: undefined })
    expect(await rows('SELECT id FROM roles WHERE id = ?', id)).toHaveLength(1)
    expect(await rows('SELECT * FROM log_commits WHERE request_id = ?', id)).toEqual([])
  })
})

describe.each(['log_commits', 'log_events'])('the table %s', (table) => {
  /** Number and columns of a row. */
  async function stored() {
    const id = freshId()
    await commit(contextWith(), { changes: [testDone(id)], result: undefined })
    const [entry] = await entriesOf(id)
    const number = table === 'log_events' ? entry?.number : entry?.commit_number
    const find = () =>
      rows<Record<string, unknown>>(`SELECT * FROM ${table} WHERE number = ?`, number)
    const [row = {}] = await find()
    return { number, row, find }
  }

  const columns = (row: object) => Object.keys(row).join(', ')

  it.each<[string, (row: object) => string]>([
    ['changed', () => `UPDATE ${table} SET type = 'x' WHERE number = ?1`],
    ['renumbered', () => `UPDATE ${table} SET number = number + 1000000 WHERE number = ?1`],
    ['deleted', () => `DELETE FROM ${table} WHERE number = ?1`],
    [
      'replaced',
      (row) =>
        `INSERT OR REPLACE INTO ${table} (${columns(row)}) SELECT ${columns(row)} FROM ${table} WHERE number = ?1`,
    ],
    [
      'replaced by an upsert',
      (row) =>
        `INSERT INTO ${table} (${columns(row)}) SELECT ${columns(row)} FROM ${table} WHERE number = ?1
          ON CONFLICT (number) DO UPDATE SET type = 'x'`,
    ],
  ])('has no row that can be %s', async (_, statementFor) => {
    const { number, row, find } = await stored()
    await expect(rows(statementFor(row), number)).rejects.toThrow(`${table} is append-only`)
    expect(await find()).toEqual([row])
  })

  it('cannot be emptied', async () => {
    await stored()
    await expect(rows(`DELETE FROM ${table}`)).rejects.toThrow(`${table} is append-only`)
  })
})

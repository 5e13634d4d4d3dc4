import { describe, expect, it } from 'vitest'
import { getAccountHistory } from '../../../src/areas/accounts/history/history.routes.ts'
import { rowsTellingOf } from '../../../src/areas/audit-log/audit-log.public.ts'
import { freshId } from '../../../src/platform/context.ts'
import { listVersions } from '../../../src/areas/transactions/history/history.routes.ts'
import { createTransaction } from '../../../src/areas/transactions/transactions.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { planOf } from '../../support/plans.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { redactAll } from './stepping.ts'

interface Row {
  changes: string | null
  facts: string | null
  ip: string | null
  userAgent: string | null
}

interface Wanted {
  action?: string
  actorId?: string | null
  ownerId?: string | null
  items?: number
}

/** A row of the log that says all that one can say. */
async function logRow({ action = 'thing.changed', actorId, ownerId, items = 0 }: Wanted) {
  const id = freshId(contextWith(), 'log')
  await rows(
    `INSERT INTO audit_log (id, at, action, actor_type, actor_id, owner_id, resource_type, resource_id,
        changes, facts, request_id, ip, user_agent)
      VALUES (?, 1, ?, 'user', ?, ?, 'thing', 'x', '{"name":["a","b"]}', '{"bytes":1}', 'req_1', '192.0.2.1', 'UA')`,
    id,
    action,
    actorId ?? null,
    ownerId ?? null,
  )
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
      INSERT INTO audit_log_items (resource_id, log_id, changes)
      SELECT 'txn_' || i, ?1, '{"note":["a","b"]}' FROM n WHERE ?2 > 0`,
    id,
    items,
  )
  return id
}

const rowOf = async (id: string) =>
  (
    await rows<Row>(
      'SELECT content AS changes, facts, ip, user_agent AS userAgent FROM log_entries WHERE id = ?',
      id,
    )
  )[0]

const itemsOf = async (id: string) =>
  (await rows<{ changes: string }>('SELECT changes FROM audit_log_items WHERE log_id = ?', id)).map(
    ({ changes }) => changes,
  )

async function erasedUser() {
  const { id } = await newUser()
  await rows("UPDATE users SET status = 'deleted' WHERE id = ?", id)
  return id
}

const NOTHING = { changes: null, facts: null, ip: null, userAgent: null }

describe('what the log says of a user who is erased', () => {
  it('is taken out of rows about what was theirs, whoever did it, with their items', async () => {
    const [me, { id: other }] = await Promise.all([erasedUser(), newUser()])
    const mine = await logRow({ actorId: me, ownerId: me, items: 2 })
    const byOther = await logRow({ actorId: other, ownerId: me })
    await redactAll(me)
    expect(await rowOf(mine)).toEqual(NOTHING)
    expect(await itemsOf(mine)).toEqual(['{}', '{}'])
    expect(await rowOf(byOther)).toEqual(NOTHING)
    const [left] = await rows(
      'SELECT type AS action, actor_id, owner_id FROM log_entries WHERE id = ?',
      mine,
    )
    expect(left).toEqual({ action: 'thing.changed', actor_id: me, owner_id: me })
  })

  it('leaves of what they did with the data of others all but where they did it from', async () => {
    const [me, { id: other }] = await Promise.all([erasedUser(), newUser()])
    const id = await logRow({ actorId: me, ownerId: other, items: 1 })
    await redactAll(me)
    const left = { changes: '{"name":["a","b"]}', facts: '{"bytes":1}' }
    expect(await rowOf(id)).toEqual({ ...NOTHING, ...left })
    expect(await itemsOf(id)).toEqual(['{"note":["a","b"]}'])
  })

  it('leaves how much was downloaded', async () => {
    const me = await erasedUser()
    const id = await logRow({ action: 'file.downloaded', actorId: me, ownerId: me })
    await redactAll(me)
    expect(await rowOf(id)).toEqual({ ...NOTHING, facts: '{"bytes":1}' })
  })

  it('leaves the rows of everybody else alone, and those of nobody', async () => {
    const [me, { id: other }] = await Promise.all([erasedUser(), newUser()])
    const ids = [
      await logRow({ actorId: other, ownerId: other }),
      await logRow({ actorId: null, ownerId: null }),
    ]
    await redactAll(me)
    for (const id of ids) {
      expect((await rowOf(id))?.ip).toBe('192.0.2.1')
    }
  })

  it('is found in bounded steps, also of rows with many items, and only while it says something', async () => {
    const me = await erasedUser()
    await redactAll(me)
    for (const items of [1500, 1500, 0, 3]) {
      await logRow({ actorId: me, ownerId: me, items })
    }
    // The second is within what a step may have before it.
    expect(await redactAll(me)).toEqual([2, 2])
    expect(await redactAll(me)).toEqual([])
  })

  it('leaves no gap that the histories of a shared account fall into', async () => {
    const [owner, me] = await Promise.all([newUser(), newUser()])
    const account = await newAccount(owner)
    const transaction = { kind: 'income', accountId: account.id, date: '2026-01-05' } as const
    const { id } = await ok(createTransaction, {
      as: owner,
      json: { ...transaction, amount: '1' },
    })
    await storeShare(account.id, { user: me })
    const query = { accountId: account.id }
    expect(await ok(getAccountHistory, { as: me, query })).toHaveLength(1)
    await rows("UPDATE users SET status = 'deleted' WHERE id = ?", owner.id)
    await redactAll(owner.id)
    expect(await ok(getAccountHistory, { as: me, query })).toEqual([])
    expect((await ok(listVersions, { as: me, id })).versions).toEqual([])
  })

  it('cannot be taken out of the rows of somebody who stays', async () => {
    const { id: me } = await newUser()
    await logRow({ actorId: me, ownerId: me })
    await expect(redactAll(me)).rejects.toThrow('The service failed.')
  })

  it('is found without reading the whole log', async () => {
    const statement = rowsTellingOf('usr_x', 0) as unknown as {
      _prepare: () => { getQuery: () => { sql: string; params: unknown[] } }
    }
    const { sql, params } = statement._prepare().getQuery()
    const plan = await planOf(sql, params)
    expect(plan.filter((step) => /SCAN (l|i|audit_log\w*)\b/.test(step))).toEqual([])
  })
})

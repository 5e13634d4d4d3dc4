import { describe, expect, it } from 'vitest'
import { getAccountHistory } from '../../../src/areas/money/accounts/history/history.routes.ts'
import {
  createTransaction,
  listTransactionVersions,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { storeShare } from '../../support/stored.ts'
import { redactAll } from './stepping.ts'
import { storeCommit } from './stored-log.ts'

interface Row {
  content: string | null
  facts: string | null
  ip: string | null
  userAgent: string | null
}

interface Wanted {
  type?: string
  actorId?: string | null
  ownerId?: string | null
  items?: number
}

/** A commit that says all that one can say; gives the ids of its events. */
const storeTelling = ({ type = 'thing.changed', actorId, ownerId, items = 0 }: Wanted) =>
  storeCommit({
    ...{ type, actorId: actorId ?? null, ownerId: ownerId ?? null },
    ...{ ip: '192.0.2.1', userAgent: 'UA' },
    events: [
      { resourceId: 'x', content: { name: ['a', 'b'] }, facts: { bytes: 1 } },
      ...Array.from({ length: items }, (_, at) => ({
        resourceId: `txn_${at}`,
        content: { note: ['a', 'b'] },
      })),
    ],
  })

const rowOf = async (id: string | undefined) =>
  (
    await rows<Row>(
      'SELECT content, facts, ip, user_agent AS userAgent FROM log_entries WHERE id = ?',
      id,
    )
  )[0]

async function erasedUser() {
  const { id } = await newUser()
  await rows("UPDATE users SET status = 'deleted' WHERE id = ?", id)
  return id
}

const NOTHING = { content: null, facts: null, ip: null, userAgent: null }

describe('what the log says of a user who is erased', () => {
  it('is taken out of all events about what was theirs, whoever did it', async () => {
    const [me, { id: other }] = await Promise.all([erasedUser(), newUser()])
    const mine = await storeTelling({ actorId: me, ownerId: me, items: 2 })
    const [byOther] = await storeTelling({ actorId: other, ownerId: me })
    await redactAll(me)
    for (const id of [...mine, byOther]) {
      expect(await rowOf(id)).toEqual(NOTHING)
    }
    const left = await rows(
      'SELECT type, actor_id, owner_id FROM log_entries WHERE commit_id = ?',
      mine[0],
    )
    const said = { type: 'thing.changed', actor_id: me, owner_id: me }
    expect(left).toEqual([said, said, said])
  })

  it('leaves of what they did with the data of others all but where they did it from', async () => {
    const [me, { id: other }] = await Promise.all([erasedUser(), newUser()])
    const [id, item] = await storeTelling({ actorId: me, ownerId: other, items: 1 })
    await redactAll(me)
    const left = { content: '{"name":["a","b"]}', facts: '{"bytes":1}' }
    expect(await rowOf(id)).toEqual({ ...NOTHING, ...left })
    expect(await rowOf(item)).toEqual({ ...NOTHING, content: '{"note":["a","b"]}' })
  })

  it('is taken out of their events in a commit of somebody else, and only of these', async () => {
    const [me, { id: other }] = await Promise.all([erasedUser(), newUser()])
    const content = { name: ['a', 'b'] }
    const ids = await storeCommit({
      ...{ actorId: other, ip: '192.0.2.1', userAgent: 'UA' },
      events: [{ content }, { content, ownerId: me }, { content, ownerId: '' }],
    })
    await redactAll(me)
    const left = await Promise.all(ids.map(rowOf))
    expect(left.map((row) => [row?.content !== null, row?.ip])).toEqual([
      [true, '192.0.2.1'],
      [false, '192.0.2.1'],
      [true, '192.0.2.1'],
    ])
    expect(await redactAll(me)).toEqual([])
  })

  it('leaves how much was downloaded', async () => {
    const me = await erasedUser()
    const [id] = await storeTelling({ type: 'file.downloaded', actorId: me, ownerId: me })
    await redactAll(me)
    expect(await rowOf(id)).toEqual({ ...NOTHING, facts: '{"bytes":1}' })
  })

  it('leaves the rows of everybody else alone, and those of nobody', async () => {
    const [me, { id: other }] = await Promise.all([erasedUser(), newUser()])
    const ids = [
      ...(await storeTelling({ actorId: other, ownerId: other })),
      ...(await storeTelling({ actorId: null, ownerId: null })),
    ]
    await redactAll(me)
    for (const id of ids) {
      expect((await rowOf(id))?.ip).toBe('192.0.2.1')
    }
  })

  it('is found in bounded steps, also of commits with many events, and only while it says something', async () => {
    const me = await erasedUser()
    await redactAll(me)
    for (const items of [1499, 2999, 0, 3]) {
      await storeTelling({ actorId: me, ownerId: me, items })
    }
    expect(await redactAll(me)).toEqual([2000, 2000, 505])
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
    expect((await ok(listTransactionVersions, { as: me, id })).versions).toEqual([])
  })

  it('cannot be taken out of the rows of somebody who stays', async () => {
    const { id: me } = await newUser()
    await storeTelling({ actorId: me, ownerId: me })
    await expect(redactAll(me)).rejects.toThrow('The service failed. Try again later.')
  })

  it.each(['ip', 'user_agent'])('leaves the %s of somebody who stays', async (column) => {
    const { id: me } = await newUser()
    const [id] = await storeTelling({ actorId: me, ownerId: me })
    await expect(rows(`UPDATE log_commits SET ${column} = NULL WHERE id = ?`, id)).rejects.toThrow(
      'log_commits is append-only',
    )
    expect(await rowOf(id)).toMatchObject({ ip: '192.0.2.1', userAgent: 'UA' })
  })
})

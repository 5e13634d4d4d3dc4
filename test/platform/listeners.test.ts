import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { createTransaction } from '../../src/areas/money/transactions/transactions.routes.ts'
import { readerStates } from '../../src/areas/operations/metrics/metrics.queries.ts'
import { read } from '../../src/platform/database/database.ts'
import { MOST_EVENTS, MOST_LOOKED_AT, NEWS } from '../../src/platform/work/reader-rows.ts'
import { typesWanted } from '../../src/platform/work/readers.ts'
import { rows } from '../support/api.ts'
import { testEvents } from '../support/events.ts'
import { overheardDatabase, planOf, scansIn } from '../support/plans.ts'
import { contextWith, serviceWith } from '../support/service.ts'
import { newAccount, newUser } from '../support/world.ts'
import { expenseOn, tripsOf } from '../areas/transactions/booking.ts'
import { LEFT_OUT, MINUTE, newOwner, newReader, refusing, tell } from './listeners.fixtures.ts'

describe('a listener', () => {
  it('gets its events from when it begins to when it ends, and nobody else gets any', async () => {
    const reader = newReader()
    const [ana, ben] = [newOwner(), newOwner()]
    await reader.run()
    await tell([[ana, 'before']])
    await reader.listen(ana)
    await tell([
      [ana, 'a1'],
      [ben, 'b1'],
      [null, 'nobody'],
      [ana, 'a2'],
    ])
    await tell([[ana, 'unwanted']], {}, testEvents.done)
    await tell([[ana, 'left out']], { operation: LEFT_OUT })
    await reader.run()
    await tell([[ana, 'a3']])
    await reader.listen(ana)
    await reader.run()
    await tell([[ana, 'unread']])
    await reader.listen(ana, false)
    await reader.run()
    expect(await reader.stored()).toEqual({ [ana]: ['a1', 'a2', 'a3'] })
    expect(reader.pages).toEqual([['a1', 'a2'], ['a3']])
  })

  it('misses nothing that was committed before the reader has ever run', async () => {
    const reader = newReader()
    const ana = newOwner()
    await tell([[ana, 'before']])
    await reader.listen(ana)
    await tell([[ana, 'a1']])
    await reader.run()
    expect(await reader.stored()).toEqual({ [ana]: ['a1'] })
  })

  it('has the queue told of each commit with an event of its own, and of no other', async () => {
    const reader = newReader()
    const [ana, ben] = [newOwner(), newOwner()]
    await reader.listen(ana)
    expect(await tell([[ana, 'own']])).toEqual([NEWS])
    expect(
      await tell([
        [ben, 'other'],
        [ana, 'own'],
      ]),
    ).toEqual([NEWS])
    expect(
      await tell([
        [ben, 'other'],
        [null, 'nobody'],
      ]),
    ).toEqual([])
    await reader.listen(ana, false)
    expect(await tell([[ana, 'own']])).toEqual([])
    expect(typesWanted([reader.reader])).toEqual(new Set())
  })

  it('costs a booking of others nothing, and one of its own no trip and no statement', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const reader = newReader()
    const { database, heard, attend } = overheardDatabase()
    const rung: string[] = []
    const TASKS = {
      sendBatch: async (messages: Iterable<{ body: string }>) =>
        void rung.push(...Array.from(messages, ({ body }) => body)),
    } as unknown as Queue
    const service = serviceWith({ env: { DB: database, TASKS } })
    const book = async (who: string) => {
      heard.clear()
      attend(who)
      const answer = await service.call(createTransaction, { as: me, json: expenseOn(account) })
      expect(answer.status).toBe(201)
      return { trips: tripsOf(answer), statements: [...heard.keys()] }
    }
    await book('once')
    const alone = await book('alone')
    for (let at = 0; at < 100; at++) {
      await reader.listen(newOwner())
    }
    expect(await book('with others')).toEqual(alone)
    expect(rung).toEqual([])
    await reader.listen(me.id)
    expect(await book('listening')).toEqual(alone)
    expect(rung).toEqual([NEWS])
    const insert = alone.statements.find((one) => one.includes('INTO log_commits')) ?? ''
    const plan = await planOf(insert, heard.get(insert)?.values ?? [])
    expect(plan.filter((step) => step.includes('log_listeners'))).toEqual([
      'SEARCH log_listeners USING PRIMARY KEY (owner_id=?)',
    ])
    expect(plan).toContain('SEARCH l USING PRIMARY KEY (owner_id=?)')
  })

  it('gets a long log in pages, also over many events of its own that it does not want', async () => {
    const bad = new Set(['a0'])
    const reader = newReader(refusing(bad))
    const [ana, ben] = [newOwner(), newOwner()]
    await reader.run()
    await reader.listen(ana)
    await tell([[ana, 'a0']])
    const now = Date.now()
    await reader.run(now)
    const many = (owner: string, count: number) =>
      Array.from({ length: count }, (_, at): [string, string] => [owner, `${owner} ${at}`])
    await tell(many(ana, MOST_LOOKED_AT + 1), {}, testEvents.done)
    await tell([[ben, 'b'], ...many(ana, MOST_EVENTS + 5)])
    await reader.run(now)
    expect(await reader.stored()).toEqual({})
    bad.clear()
    await reader.run(now + MINUTE)
    const words = many(ana, MOST_EVENTS + 5).map(([, word]) => word)
    expect(await reader.stored()).toEqual({ [ana]: ['a0', ...words] })
  })
})

describe('a listener whose event fails', () => {
  it('waits alone, in order, leaves it out after the fifth time and goes on with the others', async () => {
    const reader = newReader(refusing(new Set(['bad'])))
    const [ana, ben] = [newOwner(), newOwner()]
    await reader.run()
    await reader.listen(ana)
    await reader.listen(ben)
    await tell([
      [ana, 'a1'],
      [ben, 'b1'],
      [ana, 'bad'],
      [ben, 'b2'],
      [ana, 'a2'],
    ])
    let now = Date.now()
    for (const [at, minutes] of [1, 4, 16, 64].entries()) {
      await reader.run(now)
      await tell([[ben, `later ${at}`]])
      await reader.run(now)
      const failed = { failures: at + 1, error: 'test.poison' }
      expect(await reader.place(ana)).toMatchObject(failed)
      const [states] = await read(contextWith(), readerStates())
      expect(states.find(({ name }) => name === reader.name)).toMatchObject(failed)
      const before = reader.pages.length
      await reader.run(now + minutes * MINUTE - 1)
      expect(reader.pages.length).toBe(before)
      expect((await reader.stored())[ana]).toEqual(['a1'])
      now += minutes * MINUTE
    }
    const later = [0, 1, 2, 3].map((at) => `later ${at}`)
    expect((await reader.stored())[ben]).toEqual(['b1', 'b2', ...later])
    await reader.run(now)
    expect([(await reader.stored())[ana], await reader.skipped()]).toEqual([['a1', 'a2'], 1])
    await tell([
      [ana, 'a3'],
      [ben, 'b3'],
    ])
    await reader.run(now)
    expect(reader.pages.at(-1)).toEqual(['a3', 'b3'])
    expect(await reader.place(ana)).toEqual({ failures: 0, nextAttemptAt: null, error: null })
  })

  it('does not have the others read again, be it one of 1,000 or 100 of them', async () => {
    const owners = Array.from({ length: 1000 }, newOwner)
    for (const count of [1, 100]) {
      const bad = new Set(owners.filter((_, at) => at % (1000 / count) === 7 % (1000 / count)))
      const reader = newReader(refusing(bad))
      await reader.run()
      await rows(
        `INSERT INTO log_listeners (owner_id, reader, cursor)
          SELECT value, ?, (SELECT max(number) FROM log_events) FROM json_each(?)`,
        ...[reader.name, JSON.stringify(owners)],
      )
      await tell(owners.map((owner) => [owner, owner]))
      let now = Date.now()
      await reader.run(now)
      const handed = reader.pages.splice(0).flat()
      expect(new Set(handed)).toEqual(new Set(owners))
      for (const minutes of [1, 4, 16]) {
        now += minutes * MINUTE
        await reader.run(now)
        const again = reader.pages.splice(0)
        expect(again.flat().toSorted()).toEqual([...bad].toSorted())
      }
      const good = owners.find((owner) => !bad.has(owner)) ?? ''
      expect((await reader.stored())[good]).toEqual([good])
      await rows('DELETE FROM log_listeners WHERE reader = ?', reader.name)
    }
  })

  it('gets nothing from before when it begins anew while others still decide about its events', async () => {
    let meanwhile = async () => {}
    const reader = newReader(async (words) => {
      if (words.length === 1) {
        await meanwhile()
      }
      throw new Error('broken')
    })
    const ana = newOwner()
    await reader.run()
    await reader.listen(ana)
    await tell([[ana, 'a1']])
    meanwhile = async () => {
      await reader.listen(ana, false)
      await tell([[ana, 'between']])
      await reader.listen(ana)
    }
    await reader.run()
    expect(await reader.place(ana)).toEqual({ failures: 0, nextAttemptAt: null, error: null })
  })

  it('loses nothing when it catches up while another run passes over it', async () => {
    const bad = new Set(['a1'])
    const gates = new Map<string, { reached: () => void; opened: Promise<void> }>()
    const reader = newReader(async (words) => {
      refusing(bad)(words)
      const gate = gates.get(words[0] ?? '')
      gate?.reached()
      await gate?.opened
    })
    /** Has a run wait before it stores what it makes of a word. */
    const waitAt = (word: string) => {
      const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      gates.set(word, { reached: reached.resolve, opened: opened.promise })
      return { reached: reached.promise, open: opened.resolve }
    }
    const [ana, ben] = [newOwner(), newOwner()]
    await reader.run()
    await reader.listen(ana)
    await reader.listen(ben)
    await tell([[ana, 'a1']])
    const now = Date.now()
    await reader.run(now)
    bad.clear()
    const [first, second] = [waitAt('a1'), waitAt('b1')]
    const catchesUp = reader.run(now + MINUTE)
    await first.reached
    await tell([
      [ana, 'a2'],
      [ben, 'b1'],
    ])
    const passesOver = reader.run(now)
    await second.reached
    first.open()
    await catchesUp
    second.open()
    await passesOver
    await reader.run(now + MINUTE)
    expect(await reader.stored()).toEqual({ [ana]: ['a1', 'a2'], [ben]: ['b1'] })
  })

  it('is found by its owner: no statement goes through the log or all listeners', async () => {
    const bad = new Set(['a1'])
    const reader = newReader(refusing(bad))
    const ana = newOwner()
    await reader.run()
    await reader.listen(ana)
    await tell([[ana, 'a1']])
    const now = Date.now()
    await reader.run(now)
    const { database, heard, attend } = overheardDatabase()
    attend(reader.name)
    bad.clear()
    await tell([[ana, 'a2']])
    await reader.run(now + MINUTE, { ...env, DB: database })
    await tell([[ana, 'a3']])
    await reader.run(now + MINUTE, { ...env, DB: database })
    expect(await reader.stored()).toEqual({ [ana]: ['a1', 'a2', 'a3'] })
    const scans = await scansIn(heard)
    expect(scans.filter(({ table }) => table !== 'log_readers')).toEqual([])
    const own = [...heard].find(([text]) => text.includes('c.owner_id = ?')) ?? ['', { values: [] }]
    const plan = await planOf(own[0], own[1].values)
    expect(plan.filter((step) => /SEARCH [ce] /.test(step)).slice(0, 3)).toEqual([
      'SEARCH c USING INDEX log_commits_of_owner (owner_id=? AND rowid>?)',
      'SEARCH e USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
      'SEARCH e USING COVERING INDEX log_events_of_owner (owner_id=? AND rowid>? AND rowid<?)',
    ])
  })
})

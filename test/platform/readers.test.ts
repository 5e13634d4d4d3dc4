import { createMessageBatch } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import type { Bindings } from '../../src/env.ts'
import { systemPorts } from '../../src/platform/context.ts'
import { commit } from '../../src/platform/database/database.ts'
import { MOST_EVENTS, MOST_LOOKED_AT, NEWS } from '../../src/platform/work/reader-rows.ts'
import type { Reader } from '../../src/platform/work/readers.ts'
import { consume, tick } from '../../src/platform/work/tasks.ts'
import { rows } from '../support/api.ts'
import { testEvents } from '../support/events.ts'
import { contextWith, databaseWith } from '../support/service.ts'

const MINUTE = 60_000

/** What a reader was handed, page by page, and what it stored: the words of events with its name. */
function newReader(effect: (words: string[], page: number) => unknown = () => undefined) {
  const name = `test.${crypto.randomUUID()}`
  const pages: string[][] = []
  const reader: Reader = {
    name,
    types: ['test.created', 'test.worked'],
    react: async (_, events) => {
      const words = events.map(({ resourceId }) => resourceId ?? '')
      pages.push(words)
      await effect(words, pages.length)
      return { changes: [{ statements: [], events: words.map((word) => told(name, word)) }] }
    },
  }
  const run = (now = Date.now(), bindings: Bindings = env) =>
    tick({ jobs: [], schedule: {}, readers: [reader] }, 'every now and then', bindings, {
      ...systemPorts,
      now: () => now,
    })
  return { name, pages, reader, run }
}

const told = (name: string, word: string) => testEvents.told({ id: name }, { word })

/** What a reader has stored, in the order of the log. */
const storedBy = async ({ name }: { name: string }) =>
  (
    await rows<{ word: string }>(
      `SELECT content ->> 'word' AS word FROM log_entries
        WHERE type = 'test.told' AND resource_id = ? ORDER BY number`,
      name,
    )
  ).map(({ word }) => word)

const placeOf = async ({ name }: { name: string }) =>
  (
    await rows<{ cursor: number; failures: number; skipped: number; error: string | null }>(
      'SELECT cursor, failures, skipped, error FROM log_readers WHERE name = ?',
      name,
    )
  )[0]

/** Commits events that a reader wants, with some between them that it does not. */
async function tell(...words: string[]): Promise<void> {
  const events = words.flatMap((id) => [testEvents.worked({ id }), testEvents.done({ id })])
  await commit(contextWith(), { changes: [{ statements: [], events }], result: undefined })
}

const words = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

/** The database of a run in which the second trip of the reader, its commit, is another one. */
const withCommit = (change: (run: () => Promise<D1Result[]>) => Promise<D1Result[]>) => {
  let commits = 0
  const DB = databaseWith((trip, run) => (trip === 2 && commits++ === 0 ? change(run) : run()))
  return { ...env, DB }
}

describe('a reader', () => {
  it('begins at the end of the log, and gets what comes then in its order, once', async () => {
    const reader = newReader()
    await tell('before')
    await reader.run()
    const some = words(3)
    await tell(...some)
    await reader.run()
    await reader.run()
    expect(reader.pages).toEqual([some])
    expect(await storedBy(reader)).toEqual(some)
  })

  it('gets a long log in pages, also over what it does not want', async () => {
    const reader = newReader()
    await reader.run()
    const [first = '', last = '', ...many] = words(MOST_EVENTS + 12)
    await tell(first)
    const unwanted = Array.from({ length: MOST_LOOKED_AT + 1 }, () => testEvents.done({ id: null }))
    const changes = [{ statements: [], events: unwanted }]
    await commit(contextWith(), { changes, result: undefined })
    await tell(last, ...many)
    await reader.run()
    expect(await storedBy(reader)).toEqual([first, last, ...many])
    expect(reader.pages.map(({ length }) => length)).toEqual([1, MOST_EVENTS, 11])
  })

  it('writes nothing when nothing has come', async () => {
    const reader = newReader()
    await reader.run()
    await tell(...words(1))
    await reader.run()
    const log = () => rows('SELECT max(number) AS last FROM log_commits')
    const [before, place] = [await log(), await placeOf(reader)]
    const unwritable = databaseWith(async (trip, run) => {
      expect(trip).toBe(1)
      return run()
    })
    await reader.run()
    await reader.run(Date.now(), { ...env, DB: unwritable })
    expect([await log(), (await placeOf(reader))?.failures]).toEqual([before, place?.failures])
  })

  it.each([
    ['before it is stored', () => Promise.reject(new Error('killed'))],
    [
      'when it is stored, and nobody hears of it',
      async (run: () => Promise<unknown>) => {
        await run()
        throw new Error('killed')
      },
    ],
  ])('does once what was killed %s', async (_, change) => {
    const reader = newReader()
    await reader.run()
    const some = words(2)
    await tell(...some)
    await reader.run(Date.now(), withCommit(change as never))
    await reader.run(Date.now() + MINUTE)
    expect(await storedBy(reader)).toEqual(some)
    expect(await placeOf(reader)).toMatchObject({ failures: 0, skipped: 0 })
  })

  it('does once what two runs decide at once', async () => {
    let waiting = 0
    let open = () => undefined as void
    const both = new Promise<void>((resolve) => (open = resolve))
    const reader = newReader(async (_, page) => {
      waiting += 1
      if (waiting === 2) {
        open()
      }
      await (page <= 2 ? both : undefined)
    })
    await reader.run()
    const some = words(2)
    await tell(...some)
    await Promise.all([reader.run(), reader.run()])
    expect(reader.pages).toEqual([some, some])
    expect(await storedBy(reader)).toEqual(some)
    expect(await placeOf(reader)).toMatchObject({ failures: 0, error: null })
  })
})

describe('an event that fails', () => {
  const refuse = (bad: string) => (some: string[]) => {
    if (some.includes(bad)) {
      throw new AppError('unavailable', 'test.poison', 'No.')
    }
  }

  it('waits alone, with all behind it, and is left out after the fifth time', async () => {
    const [first = '', bad = '', ...rest] = words(5)
    const [reader, other] = [newReader(refuse(bad)), newReader()]
    await reader.run()
    await other.run()
    await tell(first, bad, ...rest)
    let now = Date.now()
    for (const [at, minutes] of [1, 4, 16, 64].entries()) {
      await reader.run(now)
      expect(await placeOf(reader)).toMatchObject({ failures: at + 1, error: 'test.poison' })
      const before = reader.pages.length
      await reader.run(now + minutes * MINUTE - 1)
      expect([reader.pages.length, await storedBy(reader)]).toEqual([before, [first]])
      now += minutes * MINUTE
    }
    await other.run(now)
    expect(await storedBy(other)).toEqual([first, bad, ...rest])
    await reader.run(now)
    expect(await storedBy(reader)).toEqual([first, ...rest])
    expect(await placeOf(reader)).toMatchObject({ failures: 0, skipped: 1 })
    const noted = await rows<{ type: string; event: string }>(
      `SELECT type, content ->> 'event' AS event FROM log_entries
        WHERE resource_id = ? AND resource_type = 'reader' ORDER BY number`,
      reader.name,
    )
    const [{ id } = { id: '' }] = await rows<{ id: string }>(
      "SELECT id FROM log_entries WHERE type = 'test.worked' AND resource_id = ?",
      bad,
    )
    expect(noted).toEqual([
      ...Array.from({ length: 4 }, () => ({ type: 'reader.failed', event: id })),
      { type: 'reader.skipped', event: id },
    ])
  })

  it('goes through once it succeeds, with what is behind it in a page', async () => {
    let isBroken = true
    const reader = newReader(() => {
      if (isBroken) {
        throw new Error('broken')
      }
    })
    await reader.run()
    const [first = '', ...rest] = words(4)
    await tell(first, ...rest)
    await reader.run()
    isBroken = false
    await reader.run(Date.now() + MINUTE)
    expect(reader.pages.slice(-2)).toEqual([[first], rest])
    expect(await placeOf(reader)).toMatchObject({ failures: 0, skipped: 0, error: null })
  })

  it('holds up no other reader', async () => {
    const [bad, good] = [newReader(() => Promise.reject(new Error('broken'))), newReader()]
    const work = { jobs: [], schedule: {}, readers: [bad.reader, good.reader] }
    await tick(work, 'every now and then', env)
    const some = words(2)
    await tell(...some)
    await tick(work, 'every now and then', env)
    expect([await storedBy(bad), await storedBy(good)]).toEqual([[], some])
  })
})

it('is run once by the queue, which gets its tasks at once, too', async () => {
  const kind = `test.${crypto.randomUUID()}`
  const reader = newReader()
  const { react } = reader.reader
  reader.reader.react = async (ctx, events) => ({
    ...(await react(ctx, events)),
    tasks: [{ kind, payload: {} }],
  })
  const work = { jobs: [], schedule: {}, readers: [reader.reader] }
  const sent: string[] = []
  const TASKS = {
    sendBatch: async (bodies: Iterable<{ body: string }>) =>
      void sent.push(...Array.from(bodies, ({ body }) => body)),
  } as unknown as Queue
  const deliver = () => {
    const messages = [NEWS, NEWS].map((body) => ({
      ...{ id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body },
    }))
    return consume(work, createMessageBatch('coffer-tasks', messages), { ...env, TASKS })
  }
  await deliver()
  const some = words(2)
  await tell(...some)
  await deliver()
  expect(reader.pages).toEqual([some])
  const tasks = await rows<{ id: string }>('SELECT id FROM tasks WHERE kind = ?', kind)
  expect(tasks.map(({ id }) => id)).toEqual(sent)
  expect(sent).toHaveLength(1)
})

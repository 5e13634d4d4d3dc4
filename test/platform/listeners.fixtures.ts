import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { AppError } from '../../src/domain/errors.ts'
import type { Bindings } from '../../src/env.ts'
import type { Context } from '../../src/platform/context.ts'
import { systemPorts } from '../../src/platform/context.ts'
import { commit } from '../../src/platform/database/database.ts'
import { type DomainEvent, withoutEvents } from '../../src/platform/log/events.ts'
import { keepListener } from '../../src/platform/work/reader-rows.ts'
import { type Reader, runReaders } from '../../src/platform/work/readers.ts'
import { systemContext } from '../../src/platform/system-context.ts'
import { rows } from '../support/api.ts'
import { testEvents } from '../support/events.ts'
import { contextWith } from '../support/service.ts'

export const MINUTE = 60_000

/** The operation whose commits the readers of the tests leave out. */
export const LEFT_OUT = 'test.many'

/** A reader of listeners that stores the words that it gets, by their owners; `effect` may refuse them. */
export function newReader(effect: (words: string[]) => unknown = () => undefined) {
  const name = `test.${crypto.randomUUID()}`
  const pages: string[][] = []
  const reader: Reader = {
    name,
    of: 'listeners',
    types: ['test.worked'],
    leavesOut: [`${LEFT_OUT} test.worked`],
    react: async (_, events) => {
      const words = events.map(({ resourceId }) => resourceId ?? '')
      pages.push(words)
      await effect(words)
      const told = events.map(({ resourceId, ownerId }) =>
        testEvents.told({ id: name, ownerId: null }, { word: resourceId ?? '', owner: ownerId }),
      )
      return { changes: [{ statements: [], events: told }] }
    },
  }
  const runOnce = (now = Date.now(), bindings: Bindings = env) =>
    runReaders([reader], (operation) =>
      systemContext(bindings, operation, { ...systemPorts, now: () => now }),
    )
  return {
    ...{ name, pages, reader, runOnce },
    /** Runs it as often as it asks for. */
    run: async (now?: number, bindings?: Bindings) => {
      for (let most = 200; !(await runOnce(now, bindings)); most--) {
        expect(most).toBeGreaterThan(0)
      }
    },
    listen: (ownerId: string, listens = true) => {
      const statements = keepListener(name, ownerId, listens ? sql`TRUE` : sql`FALSE`)
      return commit(contextWith(), { changes: [withoutEvents(statements)], result: undefined })
    },
    /** The words of each owner that it has stored, in the order of the log. */
    stored: async (): Promise<Record<string, string[]>> => {
      const told = await rows<{ ownerId: string; words: string }>(
        `SELECT content ->> 'owner' AS ownerId, json_group_array(content ->> 'word' ORDER BY number) AS words
          FROM log_entries WHERE type = 'test.told' AND resource_id = ? GROUP BY 1`,
        name,
      )
      return Object.fromEntries(told.map(({ ownerId, words }) => [ownerId, JSON.parse(words)]))
    },
    place: async (ownerId: string) =>
      (
        await rows<{ failures: number; nextAttemptAt: number | null; error: string | null }>(
          `SELECT failures, next_attempt_at AS nextAttemptAt, error FROM log_listeners WHERE reader = ? AND owner_id = ?`,
          ...[name, ownerId],
        )
      )[0],
    skipped: async () =>
      (await rows<{ skipped: number }>('SELECT skipped FROM log_readers WHERE name = ?', name))[0]
        ?.skipped,
  }
}

export const newOwner = (): string => `usr_${crypto.randomUUID()}`

/** Commits events as an operation does, and gives the messages that the queue gets. */
export async function tell(
  events: [ownerId: string | null, word: string][],
  changed: Partial<Context> = {},
  make: (thing: { id: string; ownerId: string | null }) => DomainEvent = testEvents.worked,
): Promise<string[]> {
  const rung: string[] = []
  const ctx = contextWith({ ring: (messages) => void rung.push(...messages), ...changed })
  const made = events.map(([ownerId, id]) => make({ id, ownerId }))
  await commit(ctx, { changes: [{ statements: [], events: made }], result: undefined })
  return rung
}

/** Refuses pages with one of these words. */
export const refusing = (bad: ReadonlySet<string>) => (words: string[]) => {
  if (words.some((word) => bad.has(word))) {
    throw new AppError('unavailable', 'test.poison', 'No.')
  }
}

import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { MOST_PREMISES, roles, sessions, users } from '../../drizzle/schema/system.ts'
import { AppError } from '../../src/domain/errors.ts'
import { register as registerRoute } from '../../src/areas/identity/auth/auth.routes.ts'
import { type Commit, commit, read } from '../../src/platform/database/database.ts'
import { withoutEvents } from '../../src/platform/log/events.ts'
import {
  numberOf,
  premise,
  refuseIf,
  requireChangedOne,
} from '../../src/platform/database/premises.ts'
import {
  changedMeanwhile,
  conflicting,
  accessErrors,
  nothingHere,
} from '../../src/platform/database/refusals.ts'
import { tooManyTries } from '../../src/platform/limits.ts'
import { db, named, prepared, type Statement } from '../../src/platform/database/statements.ts'
import { rows } from '../support/api.ts'
import { testDone, testEvents } from '../support/events.ts'
import { contextWith, serviceWith } from '../support/service.ts'
import { newUser } from '../support/world.ts'

const newRole = (id: string) =>
  db.insert(roles).values({ id, name: id, nameKey: id, createdAt: 1, updatedAt: 1 })

/** Adds a role, unless other statements are given. */
const change = (
  id: string,
  {
    statements = [newRole(id)],
    ...rest
  }: Partial<Commit<string>> & { statements?: Statement[] } = {},
): Commit<string> => ({ changes: [testDone(id, statements)], result: 'done', ...rest })

const freshId = () => `rol_${crypto.randomUUID()}`

/** What a commit that concerns this id has left in any table. */
const tracesOf = async (id: string) =>
  Promise.all(
    [
      'SELECT id FROM roles WHERE id = ?',
      'SELECT id FROM log_entries WHERE resource_id = ?',
      'SELECT id FROM tasks WHERE kind = ?',
    ].map(async (query) => (await rows(query, id)).length),
  )

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  )

describe('read', () => {
  it('refuses two columns of one name, which would become one', async () => {
    const sameNames = db
      .select({ session: sessions.id, user: users.id })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
    await expect(read(contextWith(), sameNames)).rejects.toThrow(
      'two selected columns share a name',
    )
    const nameless = db.select({ one: sql`1` }).from(users)
    await expect(read(contextWith(), nameless)).rejects.toThrow('has no name')
  })

  it('keeps columns apart that were given names', async () => {
    const { id } = await newUser()
    const renamed = db
      .select({ session: named(sessions.id, 'session_id'), user: users.id, locale: users.locale })
      .from(sessions)
      .innerJoin(users, eq(users.id, sessions.userId))
      .where(eq(users.id, id))
    const [[row]] = await read(contextWith(), renamed)
    expect(row).toEqual({ session: expect.stringMatching(/^ses_/), user: id, locale: 'en' })
  })

  it('puts each value where the selection says, and null for what a LEFT JOIN did not find', async () => {
    const { id } = await newUser()
    const selection = {
      id: users.id,
      user: { locale: users.locale, isUser: sql<number>`${users.id} = ${id}`.as('is_user') },
      session: { sessionId: named(sessions.id, 'session_id'), revokedAt: sessions.revokedAt },
    }
    const joined = (sessionId: string) =>
      db
        .select(selection)
        .from(users)
        .leftJoin(sessions, eq(sessions.id, sessionId))
        .where(eq(users.id, id))
    const inner = db
      .select(selection)
      .from(users)
      .innerJoin(sessions, eq(users.id, sessions.userId))
      .where(eq(users.id, id))
    const [[found], [missing]] = await read(contextWith(), inner, joined('ses_none'))
    const user = { locale: 'en', isUser: 1 }
    const session = { sessionId: expect.stringMatching(/^ses_/), revokedAt: null }
    expect(found).toEqual({ id, user, session })
    expect(missing).toEqual({ id, user, session: null })
  })

  it('binds equal values once where a statement has more than a hundred, and no more than that', async () => {
    const ctx = contextWith()
    const joined = (values: string[], more = sql``) =>
      db.all<{ text: string }>(
        sql`SELECT group_concat(column1, '') AS text ${more} FROM (VALUES ${sql.join(
          values.map((value) => sql`(${value})`),
          sql`, `,
        )})`,
      )
    const equal = Array.from({ length: 150 }, (_, at) => ['a', 'b', 'c'][at % 3] ?? '')
    const [[found]] = await read(ctx, joined(equal))
    expect(found?.text).toBe('abc'.repeat(50))
    const different = Array.from({ length: 101 }, (_, at) => String(at))
    await expect(read(ctx, joined(different))).rejects.toThrow(
      'The service failed. Try again later.',
    )
    await expect(read(ctx, joined(equal, sql`, '?' AS mark`))).rejects.toThrow('is no parameter')
  })

  it('answers any number of queries in one trip, each with its rows', async () => {
    const ctx = contextWith()
    const one = db.select().from(roles).where(eq(roles.id, 'rol_admin'))
    const raw = db.all<{ two: number }>(sql`SELECT 2 AS two`)
    const [[admin], two, none] = await read(ctx, one, raw, db.select().from(roles).limit(0))
    expect([admin?.system, two, none]).toEqual(['admin', [{ two: 2 }], []])
    expect(ctx.cost.trips).toBe(1)
    await read(ctx)
    expect(ctx.cost.trips).toBe(1)
  })

  it('shows one moment: what is written between its queries is seen by all or none', async () => {
    const id = freshId()
    const count = () =>
      db.all<{ seen: number }>(sql`SELECT count(*) AS seen FROM roles WHERE id = ${id}`)
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => read(contextWith(), count(), count()))),
      commit(contextWith(), change(id)),
    ])
    for (const [[before], [after]] of answers) {
      expect(before).toEqual(after)
    }
  })
})

describe('commit', () => {
  it('stores its rows, one line of log and its tasks, and tells of the tasks', async () => {
    const id = freshId()
    const rung: string[] = []
    const ctx = contextWith({ ring: (ids) => rung.push(...ids) })
    const result = await commit(ctx, change(id, { tasks: [{ kind: id, payload: { id } }] }))
    expect([result, ctx.cost.trips]).toEqual(['done', 1])
    expect(await tracesOf(id)).toEqual([1, 1, 1])
    expect(await rows('SELECT id FROM tasks WHERE kind = ?', id)).toEqual([{ id: rung[0] }])
  })

  it('evaluates the facts of an event after all statements', async () => {
    const id = freshId()
    const facts = sql`(SELECT json_object('name', name) FROM roles WHERE id = ${id})`
    await commit(contextWith(), {
      changes: [
        { statements: [], events: [testEvents.done({ id, facts })] },
        withoutEvents([newRole(id)]),
      ],
      result: undefined,
    })
    const entries = await rows('SELECT * FROM log_entries WHERE resource_id = ?', id)
    expect(entries).toMatchObject([
      {
        type: 'test.done',
        actor_type: 'system',
        actor_id: null,
        facts: JSON.stringify({ name: id }),
      },
    ])
  })

  it.each([
    ['tokenInvalid', accessErrors.tokenInvalid, 'auth.tokenInvalid'],
    ['accountHidden', accessErrors.accountHidden, 'auth.accountHidden'],
    ['changedMeanwhile', changedMeanwhile, 'request.conflict'],
    ['nothingHere', nothingHere, 'request.notFound'],
    ['conflicting', conflicting, 'request.conflict'],
    ['tooManyTries', tooManyTries, 'request.limited'],
  ] as const)(
    'leaves nothing when a premise that answers %s has fallen',
    async (_, refusal, code) => {
      const id = freshId()
      const rung: string[] = []
      const answers: unknown[] = []
      const ctx = contextWith({
        ring: (ids) => rung.push(...ids),
        repeatable: { key: id, body: id, answer: () => ({ status: 200, body: '{}' }) },
      })
      const before = await rows('SELECT count(*) AS n FROM idempotency_keys')
      const failing = change(id, {
        statements: [newRole(id), refuseIf(sql`1`, refusal)],
        tasks: [{ kind: id, payload: {} }],
      })
      answers.push(await codeOf(commit(ctx, failing)))
      expect(answers).toEqual([code])
      expect(await tracesOf(id)).toEqual([0, 0, 0])
      expect(await rows('SELECT count(*) AS n FROM idempotency_keys')).toEqual(before)
      expect(rung).toEqual([])
    },
  )

  it('says when to come again whoever is over a limit, without a word of the change', async () => {
    const failing = change(freshId(), { statements: [refuseIf(sql`1`, tooManyTries)] })
    await expect(commit(contextWith(), failing)).rejects.toMatchObject({
      kind: 'limited',
      retryAfter: 15 * 60,
    })
  })

  it('answers a fallen premise with its own error, a broken UNIQUE as the change says', async () => {
    const id = freshId()
    const own = (code: string) => () => new AppError('conflict', code, 'Own.')
    const noSuchRole = db.update(roles).set({ name: 'x' }).where(eq(roles.id, id))
    const guarded = change(id, {
      statements: [noSuchRole, requireChangedOne(own('test.gone'))],
    })
    expect(await codeOf(commit(contextWith(), guarded))).toBe('test.gone')
    await commit(contextWith(), change(id))
    const conflicts = { 'roles.name_key': own('test.taken') }
    expect(await codeOf(commit(contextWith(), change(id, { conflicts })))).toBe('test.taken')
    expect(await tracesOf(id)).toEqual([1, 1, 0])
  })

  it('goes through while its premises stand', async () => {
    const id = freshId()
    await commit(contextWith(), change(id))
    const rename = db.update(roles).set({ name: 'x' }).where(eq(roles.id, id))
    const statements = [refuseIf(sql`0`, conflicting), rename, requireChangedOne(nothingHere)]
    expect(await codeOf(commit(contextWith(), change(id, { statements })))).toBe('done')
  })

  it('tells two premises of one commit apart', async () => {
    const own = (code: string) => () => new AppError('conflict', code, 'Own.')
    const falling = (one: number, other: number) =>
      change(freshId(), {
        statements: [
          refuseIf(sql`${one}`, own('test.one')),
          refuseIf(sql`${other}`, own('test.other')),
        ],
      })
    expect(await codeOf(commit(contextWith(), falling(1, 0)))).toBe('test.one')
    expect(await codeOf(commit(contextWith(), falling(0, 1)))).toBe('test.other')
    expect(await codeOf(commit(contextWith(), falling(1, 1)))).toBe('test.one')
  })

  it('tells apart the ways in which one premise can fall', async () => {
    const own = (code: string) => () => new AppError('conflict', code, 'Own.')
    const falling = (way: string) =>
      premise(
        db.run(sql`INSERT INTO write_guard (premise)
          SELECT CASE ${way} WHEN 'gone' THEN ${numberOf('gone')} ELSE ${numberOf('shut')} END`),
        { gone: own('test.gone'), shut: own('test.shut') },
      )
    const writes = (way: string) => [refuseIf(sql`0`, conflicting), falling(way)]
    const codes = await Promise.all(
      ['gone', 'shut'].map((way) =>
        codeOf(commit(contextWith(), change(freshId(), { statements: writes(way) }))),
      ),
    )
    expect(codes).toEqual(['test.gone', 'test.shut'])
  })

  it('keeps the error of a premise whose statement is put together once', async () => {
    const once = prepared<{ broken: number }, unknown>(() =>
      refuseIf(sql`${sql.placeholder('broken')}`, nothingHere),
    )
    const commitWith = (broken: number) =>
      codeOf(commit(contextWith(), change(freshId(), { statements: [once({ broken })] })))
    expect([await commitWith(1), await commitWith(0)]).toEqual(['request.notFound', 'done'])
  })

  it('holds as many premises as there are numbers, and says so when there are more', async () => {
    const writes = (count: number) =>
      Array.from({ length: count }, () => refuseIf(sql`0`, conflicting))
    const commitWith = (count: number) =>
      commit(contextWith(), change(freshId(), { statements: writes(count) }))
    expect(await codeOf(commitWith(MOST_PREMISES))).toBe('done')
    await expect(commitWith(MOST_PREMISES + 1)).rejects.toThrow('premises in one commit')
  })

  it('stores no number, known or not', async () => {
    const attempt = env.DB.prepare('INSERT INTO write_guard VALUES (1000)').run()
    await expect(attempt).rejects.toThrow('premise_known')
  })

  it('never stores a guard', async () => {
    expect(await rows('SELECT * FROM write_guard')).toEqual([])
  })
})

describe('a line that breaks', () => {
  const LOST = 'D1_ERROR: Network connection lost.'
  const person = () => ({
    email: `line-${crypto.randomUUID()}@coffer.test`,
    password: 'seven green bottles',
    name: 'Ada',
  })

  /** A database whose writing trip fails so many times, before or after it did its work. */
  const breaking = (times: number, moment: 'before' | 'after', message = LOST) => {
    const seen = { writes: 0 }
    const service = serviceWith({
      aroundTrips: async (trip, run) => {
        const isWrite = trip > 1 && seen.writes < times
        seen.writes += isWrite ? 1 : 0
        if (isWrite && moment === 'before') {
          throw new Error(message)
        }
        const results = await run()
        if (isWrite) {
          throw new Error(message)
        }
        return results
      },
    })
    return {
      seen,
      register: (json: object, headers = {}) => service.call(registerRoute, { json, headers }),
    }
  }

  const usersOf = ({ email }: { email: string }) =>
    rows('SELECT id FROM users WHERE email = ?', email)

  it.each(['before', 'after'] as const)(
    'is no harm to a write with an Idempotency-Key, %s it was done',
    async (moment) => {
      const { register, seen } = breaking(1, moment)
      const json = person()
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      const { status, text } = await register(json, headers)
      expect([status, seen.writes]).toEqual([201, 1])
      expect(await usersOf(json)).toHaveLength(1)
      const again = await register(json, headers)
      expect([again.status, again.text]).toEqual([201, text])
    },
  )

  it.each(['before', 'after'] as const)(
    'leaves a write without one in doubt, which nobody repeats, %s it was done',
    async (moment) => {
      const { register, seen } = breaking(1, moment)
      const json = person()
      const { status, error } = await register(json)
      expect([status, error.code, seen.writes]).toEqual([503, 'service.unavailable', 1])
      expect(await usersOf(json)).toHaveLength(moment === 'before' ? 0 : 1)
    },
  )

  it('is given up on after a few tries', async () => {
    const { register, seen } = breaking(100, 'before')
    const json = person()
    const { status } = await register(json, { 'Idempotency-Key': crypto.randomUUID() })
    expect([status, seen.writes]).toEqual([503, 4])
    expect(await usersOf(json)).toEqual([])
  })

  it.each([
    'D1 DB is overloaded.',
    'D1_ERROR: database or disk is full: SQLITE_FULL',
    'D1_ERROR: database is locked: SQLITE_BUSY',
    'D1_ERROR: disk I/O error: SQLITE_IOERR',
    'EIO: i/o error, fdatasync',
  ])('is not tried again when the store cannot serve: %s', async (message) => {
    const log = vi.spyOn(console, 'log')
    const { register, seen } = breaking(1, 'before', message)
    const { status, error } = await register(person(), { 'Idempotency-Key': crypto.randomUUID() })
    expect([status, error.code, seen.writes]).toEqual([503, 'service.unavailable', 1])
    const printed = log.mock.calls
    log.mockRestore()
    const lines = printed.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'failure', requestId: error.requestId, cause: message }),
    )
  })
})

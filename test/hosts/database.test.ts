import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase, type SqliteDatabase } from '../../src/hosts/node/database.ts'
import { temporaryFolder } from '../support/running.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

let database: SqliteDatabase
let DB: D1Database
let serial = 0
let path: string

beforeEach(() => {
  path = join(folder.path, `${++serial}.sqlite`)
  database = openDatabase(path)
  DB = database.binding
  database.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
    CREATE TABLE things (name TEXT UNIQUE, amount INTEGER CONSTRAINT amount_range CHECK (amount < 10),
      parent INTEGER REFERENCES parents (id)) STRICT`)
})

const insert = (name: string, amount: number, parent: number | null = null) =>
  DB.prepare('INSERT INTO things VALUES (?1, CAST(?2 AS INTEGER), ?3)').bind(name, amount, parent)

/** Counts for some milliseconds at least. */
const LONG =
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) SELECT max(i) FROM n'

const names = async () => {
  const { results } = await DB.prepare('SELECT name FROM things ORDER BY name').all()
  return results.map(({ name }) => name)
}

describe('a batch', () => {
  it('gives the rows of each statement, in their order', async () => {
    const count = DB.prepare('SELECT count(*) AS count FROM things')
    const results = await DB.batch([count, insert('a', 1), count])
    expect(results.map((one) => one.results)).toEqual([[{ count: 0 }], [], [{ count: 1 }]])
  })

  it('lets a statement see what the one before has changed', async () => {
    const changed = DB.prepare('SELECT changes() AS changes')
    const [, one] = await DB.batch([insert('a', 1), changed])
    const [, none] = await DB.batch([
      DB.prepare("UPDATE things SET amount = 2 WHERE name = 'x'"),
      changed,
    ])
    expect([one?.results, none?.results]).toEqual([[{ changes: 1 }], [{ changes: 0 }]])
  })

  it.each([
    [
      'UNIQUE',
      () => insert('a', 1),
      'D1_ERROR: UNIQUE constraint failed: things.name: SQLITE_CONSTRAINT',
    ],
    [
      'CHECK',
      () => insert('c', 10),
      'D1_ERROR: CHECK constraint failed: amount_range: SQLITE_CONSTRAINT',
    ],
    [
      'foreign key',
      () => insert('c', 1, 7),
      'D1_ERROR: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT',
    ],
    [
      'table',
      () => DB.prepare('SELECT * FROM nowhere'),
      'D1_ERROR: no such table: nowhere: SQLITE_ERROR',
    ],
  ])(
    'that breaks a %s leaves nothing behind, and says so as D1 does',
    async (_, broken, message) => {
      await DB.batch([insert('a', 1)])
      await expect(DB.batch([insert('b', 1), broken(), insert('d', 1)])).rejects.toThrow(message)
      expect(await names()).toEqual(['a'])
      await DB.batch([insert('e', 1)])
      expect(await names()).toEqual(['a', 'e'])
    },
  )

  it('of a task lets what waits for the thread go ahead', async () => {
    let done = 0
    const task = async () => {
      for (; done < 200; done++) {
        await database.background.prepare('SELECT 1').all()
      }
    }
    const allDone = task()
    await new Promise(setImmediate)
    expect(done).toBeLessThan(200)
    await allDone
  })

  it('lets this thread look for requests once for each millisecond that the one before held it', async () => {
    let looks = 0
    let isDone = false
    const look = () => {
      looks += 1
      if (!isDone) {
        setImmediate(look)
      }
    }
    setImmediate(look)
    const [[held]] = await Promise.all([
      DB.batch([DB.prepare(LONG)]),
      DB.batch([DB.prepare('SELECT 1')]),
    ])
    isDone = true
    const heldMs = held?.meta.duration ?? 0
    expect(heldMs).toBeGreaterThan(3)
    expect(looks).toBeGreaterThan(heldMs - 2)
  })

  it('tells how long each of its statements held the thread', async () => {
    const startedAt = performance.now()
    const [short, long] = await DB.batch([DB.prepare('SELECT 1'), DB.prepare(LONG)])
    const whole = performance.now() - startedAt
    const [shortMs = 0, longMs = 0] = [short?.meta.duration, long?.meta.duration]
    expect(shortMs).toBeGreaterThan(0)
    expect(longMs).toBeGreaterThan(3)
    expect(shortMs + longMs).toBeLessThanOrEqual(whole)
  })

  describe('that takes long', () => {
    const long = () => Array.from({ length: 10 }, () => DB.prepare(LONG))

    it.each([
      ['a request', () => DB],
      ['a task', () => database.background],
    ])('for %s lets requests read meanwhile, who see nothing of it', async (_, bindingOf) => {
      const batch = bindingOf().batch([insert('a', 1), ...long(), insert('b', 1)])
      await new Promise((resolve) => void setTimeout(resolve, 5))
      expect(await names()).toEqual([])
      await batch
      expect(await names()).toEqual(['a', 'b'])
    })

    it('lets nobody write meanwhile, and leaves nothing behind when it breaks', async () => {
      const broken = DB.batch([insert('a', 1), ...long(), insert('c', 10)])
      const after = DB.batch([insert('a', 2), DB.prepare('SELECT name FROM things')])
      await expect(broken).rejects.toThrow('amount_range')
      const [, found] = await after
      expect(found?.results).toEqual([{ name: 'a' }])
    })

    it('of what a task reads sees one state, whatever is written after it has begun', async () => {
      const count = DB.prepare('SELECT count(*) AS count FROM things')
      const [results] = await Promise.all([
        database.background.batch([count, ...long(), count]),
        new Promise((resolve) => void setTimeout(resolve, 5)).then(() =>
          DB.batch([insert('a', 1)]),
        ),
      ])
      const [first, last] = [results.at(0)?.results, results.at(-1)?.results]
      expect(last).toEqual(first)
      expect(await names()).toEqual(['a'])
    })
  })

  it('of many at once is done one after the other', async () => {
    await DB.batch([insert('counter', 0)])
    const step = () =>
      DB.batch([
        DB.prepare("UPDATE things SET amount = amount + 1 WHERE name = 'counter' AND amount < 9"),
      ])
    await Promise.all(Array.from({ length: 9 }, step))
    const { results } = await DB.prepare('SELECT amount FROM things').all()
    expect(results).toEqual([{ amount: 9 }])
  })
})

it.each([
  ['parameters', `SELECT ${'?,'.repeat(100)} ?`, 'too many SQL variables'],
  [
    'parts of a UNION',
    `SELECT 1${' UNION ALL SELECT 1'.repeat(5)}`,
    'too many terms in compound SELECT',
  ],
  ['levels of an expression', `SELECT 1${' AND 1'.repeat(100)}`, 'Expression tree is too large'],
  ['columns', `SELECT 1${', 1'.repeat(100)}`, 'too many columns in result set'],
  [
    'letters of a pattern',
    `SELECT 'a' LIKE '${'a'.repeat(51)}'`,
    'LIKE or GLOB pattern too complex',
  ],
  ['letters of a statement', `SELECT 1 -- ${'a'.repeat(100_000)}`, 'string or blob too big'],
  ['bytes of a value', 'SELECT zeroblob(2000001)', 'string or blob too big'],
])('refuses more %s than D1 takes', async (_, sql, message) => {
  await expect(
    DB.prepare(sql)
      .bind(...Array.from(sql.matchAll(/\?/g), () => 1))
      .all(),
  ).rejects.toThrow(message)
})

describe('a value', () => {
  it('is bound as D1 binds it: numbers as REAL, booleans as 0 and 1', async () => {
    const { results } = await DB.prepare(
      'SELECT typeof(?1) AS a, typeof(?2) AS b, ?3 AS c, ?4 AS d',
    )
      .bind(3, 'x', true, null)
      .all()
    expect(results).toEqual([{ a: 'real', b: 'text', c: 1, d: null }])
  })

  it.each([[undefined], [10n], [new Date(0)], [{}]])('of %s is refused', (value) => {
    expect(() => DB.prepare('SELECT ?').bind(value)).toThrow('D1_TYPE_ERROR')
  })
})

describe('the file', () => {
  it('holds what was committed when another process opens it', async () => {
    await DB.batch([insert('a', 1)])
    const other = new DatabaseSync(path)
    expect(other.prepare('SELECT name FROM things').all()).toEqual([{ name: 'a' }])
    other.close()
  })

  it('has a write-ahead log, and enforces foreign keys', () => {
    const pragmas = ['journal_mode', 'foreign_keys'].map(async (name) => {
      const { results } = await DB.prepare(`PRAGMA ${name}`).all()
      return Object.values(results[0] ?? {})[0]
    })
    return expect(Promise.all(pragmas)).resolves.toEqual(['wal', 1])
  })

  it('is whole without its write-ahead log once it is closed', async () => {
    await DB.batch([insert('a', 1)])
    database.close()
    const other = new DatabaseSync(path, { readOnly: true })
    expect(other.prepare('SELECT name FROM things').all()).toEqual([{ name: 'a' }])
    other.close()
  })

  it('waits to write, and not to read, while another process writes', async () => {
    const other = new DatabaseSync(path, { timeout: 0 })
    other.exec('BEGIN IMMEDIATE')
    const waits = openDatabase(path, { busyMs: 50 })
    const { results } = await waits.binding.prepare('SELECT name FROM things').all()
    expect(results).toEqual([])
    const batch = waits.binding.batch([
      waits.binding.prepare("INSERT INTO things VALUES ('late', 1, NULL)"),
    ])
    await expect(batch).rejects.toThrow('D1_ERROR: database is locked: SQLITE_BUSY')
    other.exec('COMMIT')
    await waits.binding.prepare("INSERT INTO things VALUES ('late', 1, NULL)").run()
    expect(await names()).toEqual(['late'])
    waits.close()
    other.close()
  })
})

it('keeps no more statements than it may, and each works after it was let go', async () => {
  for (let at = 0; at < 1100; at++) {
    const { results } = await DB.prepare(`SELECT ${at} AS at`).all()
    expect(results).toEqual([{ at }])
  }
  const { results } = await DB.prepare('SELECT 0 AS at').all()
  expect(results).toEqual([{ at: 0 }])
})

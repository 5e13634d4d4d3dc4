import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase, type SqliteDatabase } from '../../src/hosts/node/database.ts'
import { temporaryFolder } from '../support/running.ts'

type Done = (error: Error | null) => void

/** What the disk has been asked for, and has not done. */
let asked: Done[] = []
const bring = () =>
  new Promise<void>((resolve, reject) => {
    asked.push((error) => (error ? reject(error) : resolve()))
  })

const folder = temporaryFolder()
afterAll(() => folder.remove())

let database: SqliteDatabase
let DB: D1Database
let serial = 0

beforeEach(() => {
  database = openDatabase(join(folder.path, `${++serial}.sqlite`), { bring })
  DB = database.binding
  database.exec('CREATE TABLE things (name TEXT) STRICT')
})
afterEach(() => {
  asked = []
  database.close()
})

const SELECT = 'SELECT count(*) AS count FROM things'

/** A batch, and what has become of it by now. */
function send(sql = "INSERT INTO things VALUES ('a')") {
  const sent = { told: 'nothing', rows: [] as unknown[] }
  void DB.batch([DB.prepare(sql)]).then(
    ([result]) => Object.assign(sent, { told: 'done', rows: result?.results }),
    (error: Error) => (sent.told = error.message),
  )
  return sent
}

/** Lets what was sent begin, and what comes of it. */
async function turn(): Promise<void> {
  for (let at = 0; at < 50; at++) {
    await new Promise(setImmediate)
  }
}

/** Lets the disk finish what it was asked for first. */
async function finish(error: Error | null = null): Promise<void> {
  await turn()
  asked.shift()?.(error)
  await turn()
}

it('tells of a commit when the disk has it, which was asked after the commit', async () => {
  const one = send()
  await turn()
  const other = send()
  await turn()
  expect([one.told, other.told, asked.length]).toEqual(['nothing', 'nothing', 1])
  await finish()
  expect([one.told, other.told, asked.length]).toEqual(['done', 'nothing', 1])
  await finish()
  expect([one.told, other.told, asked.length]).toEqual(['done', 'done', 0])
})

it('asks the disk once for all that was committed meanwhile', async () => {
  const first = send()
  const meanwhile = Array.from({ length: 20 }, () => send())
  await finish()
  await finish()
  expect([first, ...meanwhile].map(({ told }) => told)).toEqual(Array(21).fill('done'))
  expect(asked).toEqual([])
})

it('does not show what the disk may lose, and asks it nothing for what only reads', async () => {
  send()
  const early = send(SELECT)
  const refused = send('INSERT INTO things VALUES (NULL), (1), (1, 2)')
  await turn()
  expect([early.told, refused.told]).toEqual(['nothing', 'nothing'])
  await finish()
  expect(early).toEqual({ told: 'done', rows: [{ count: 1 }] })
  expect(refused.told).toContain('D1_ERROR')
  const late = send(`WITH few AS (${SELECT}) SELECT * FROM few`)
  await turn()
  expect(late).toEqual({ told: 'done', rows: [{ count: 1 }] })
  expect(asked).toEqual([])
})

it('tells nothing any more once the disk has failed', async () => {
  const failed = send()
  const next = send()
  await finish(new Error('EIO: i/o error, fdatasync'))
  const later = [send(), send(SELECT)]
  await turn()
  expect([failed, next, ...later].map(({ told }) => told)).toEqual(
    Array(4).fill('EIO: i/o error, fdatasync'),
  )
  expect(asked).toEqual([])
})

it('finds a database in memory on no disk', async () => {
  const { binding, close } = openDatabase(':memory:', { bring })
  await binding.prepare('CREATE TABLE things (name TEXT)').run()
  expect(asked).toEqual([])
  close()
})

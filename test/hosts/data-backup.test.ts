import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import { backUpData } from '../../src/hosts/node/data-backup.ts'
import { databaseFile, filesFolder } from '../../src/hosts/node/data-folder.ts'
import { startHost } from '../../src/hosts/node/host.ts'
import { temporaryFolder } from '../support/running.ts'

// Files that are deleted, lost or damaged around a backup; every one was uploaded to the service itself.

const root = temporaryFolder()
afterAll(() => root.remove())

let data: string
let target: string
let serial = 0

const options = {
  migrations: inProject('migrations'),
  variables: { REGISTRATION: 'open', PASSWORD_COST: '1' },
}
/** Has all tables, which each test would have to make. */
const fresh = join(root.path, 'fresh')

beforeAll(async () => {
  const { stop } = await startHost({ data: fresh, ...options })
  await stop()
})

beforeEach(() => {
  data = join(root.path, `data-${++serial}`)
  target = join(root.path, `backup-${serial}`)
  cpSync(fresh, data, { recursive: true })
})

/** Uploads files to a service on the data folder and stops it; gives their keys. */
async function upload(count: number): Promise<string[]> {
  const { fetch, stop } = await startHost({ data, ...options })
  const send = async (path: string, headers: Record<string, string>, body: string) => {
    const request = new Request(`http://coffer.test${path}`, { method: 'POST', headers, body })
    const response = await fetch(request, '127.0.0.1')
    return (await response.json()) as Record<string, string>
  }
  const { accessToken } = await send(
    '/auth/register',
    { 'Content-Type': 'application/json' },
    JSON.stringify({ email: 'a@b.example', password: 'only for this one test', name: 'Ada' }),
  )
  const headers = { Authorization: `Bearer ${accessToken}` }
  for (let at = 0; at < count; at++) {
    await send(`/attachment?fileName=${at}.pdf`, headers, `%PDF-1.7 bill ${at}`)
  }
  await stop()
  return onDatabase((database) =>
    database
      .prepare('SELECT object_key AS key FROM attachments ORDER BY id')
      .all()
      .map(({ key }) => String(key)),
  )
}

function onDatabase<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(databaseFile(data))
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** As the service erases a file: its row first. */
function eraseRow(key: string): void {
  onDatabase((database) =>
    database.prepare('DELETE FROM attachments WHERE object_key = ?').run(key),
  )
}

const eraseFile = (key: string) => rmSync(join(filesFolder(data), key))

const pathsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .toSorted()

/** Backs up; `meanwhile` is called before each snapshot with its number, from 1. */
function backUp(meanwhile: (snapshot: number) => void = () => undefined) {
  let snapshots = 0
  return backUpData(data, target, () => {
    meanwhile(++snapshots)
    return Date.now()
  })
}

describe('a backup', () => {
  it('has exactly the files that its database names', async () => {
    const keys = await upload(3)
    writeFileSync(join(filesFolder(data), `${keys[0]}-of-no-row`), 'x')
    const manifest = await backUp()
    const paths = ['coffer.sqlite', ...keys.map((key) => `files/${key}`), 'secrets.env'].toSorted()
    expect(Object.keys(manifest.files).toSorted()).toEqual(paths)
    expect(pathsIn(target)).toEqual([...paths, 'manifest.json'].toSorted())
    expect(manifest).toMatchObject({ missing: [], damaged: [] })
  })

  it('is made anew when files were erased with their rows after its snapshot', async () => {
    const [first = '', second = '', third = ''] = await upload(3)
    // The copy of the third is there already when its row goes.
    const manifest = await backUp((snapshot) => {
      if (snapshot === 1) {
        eraseFile(first)
      } else if (snapshot === 2) {
        eraseRow(first)
        eraseRow(third)
      }
    })
    expect(manifest.missing).toEqual([])
    expect(Object.keys(manifest.files).filter((path) => path.startsWith('files/'))).toEqual([
      `files/${second}`,
    ])
    expect(pathsIn(join(target, 'files'))).toEqual([second])
  })

  it('says which files were missing before it', async () => {
    const [first = '', second = ''] = await upload(2)
    eraseFile(first)
    let taken = 0
    const manifest = await backUp((snapshot) => (taken = snapshot))
    expect([manifest.missing, taken]).toEqual([[first], 2])
    expect(pathsIn(join(target, 'files'))).toEqual([second])
  })

  it('ends after five snapshots, whatever happens meanwhile', async () => {
    await upload(1)
    let taken = 0
    const manifest = await backUp((snapshot) => {
      taken = snapshot
      // One more file that is uploaded before the snapshot and erased after it.
      onDatabase((database) =>
        database.exec(`CREATE TEMP TABLE one AS SELECT * FROM attachments LIMIT 1;
          UPDATE one SET id = 'att_${snapshot}', object_key = 'gone-${snapshot}';
          DELETE FROM attachments WHERE object_key LIKE 'gone-%';
          INSERT INTO attachments SELECT * FROM one`),
      )
    })
    expect([taken, manifest.missing]).toEqual([5, ['gone-5']])
  })

  it('has damaged files as they are, and says which those are', async () => {
    const [first = '', second = ''] = await upload(2)
    writeFileSync(join(filesFolder(data), first), '%PDF-1.7 bilk 0')
    const manifest = await backUp()
    expect(manifest.damaged).toEqual([first])
    expect(readFileSync(join(target, 'files', first), 'utf8')).toBe('%PDF-1.7 bilk 0')
    expect(readFileSync(join(target, 'files', second), 'utf8')).toBe('%PDF-1.7 bill 1')
  })

  it('of a damaged database is refused, and leaves nothing', async () => {
    await upload(1)
    const bytes = readFileSync(databaseFile(data))
    writeFileSync(databaseFile(data), bytes.fill(255, 200_000, 300_000))
    await expect(backUp()).rejects.toThrow(/^The database \S+ is damaged: /)
    expect(existsSync(target)).toBe(false)
  })
})

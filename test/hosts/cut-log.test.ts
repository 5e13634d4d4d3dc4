import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'
import '../../src/hosts/node/globals.ts'
import { work } from '../../src/areas/index.ts'
import { sealLog, verifyAuditLog } from '../../src/areas/insight/audit-log/chain/chain.usecases.ts'
import { cutLog } from '../../src/areas/insight/audit-log/segments/verifying.usecases.ts'
import { storeSegments } from '../../src/areas/insight/audit-log/segments/segments.usecases.ts'
import { backUpData } from '../../src/hosts/node/data-backup.ts'
import { bindingsOf, filesFolder, openData } from '../../src/hosts/node/data-folder.ts'
import { restoreData } from '../../src/hosts/node/data-restore.ts'
import { openFiles } from '../../src/hosts/node/files.ts'
import { runReaders } from '../../src/platform/work/readers.ts'
import { systemContext } from '../../src/platform/system-context.ts'
import { temporaryFolder } from '../support/running.ts'

// A data folder whose log was cut: a backup has the segments, and a restore proves them.

const root = temporaryFolder()
afterAll(root.remove)
const quiet = vi.spyOn(console, 'log').mockImplementation(() => undefined)
afterAll(() => quiet.mockRestore())

const migrations = inProject('migrations')
const variables = { CORS_ORIGINS: '', CLIENT_IP_HEADER: '' }
const data = join(root.path, 'data')
const backup = join(root.path, 'backup')

const contextIn = async (folder: string) => {
  const { database, secrets } = await openData(folder, migrations, variables)
  const stores = { DB: database.binding, FILES: openFiles(filesFolder(folder)) }
  const env = { ...bindingsOf(variables, secrets), ...stores }
  return { database, contextFor: (operation: string) => systemContext(env, operation) }
}

const logFiles = (folder: string) =>
  readdirSync(join(filesFolder(folder), 'log'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.includes('obj_'))
    .toSorted()

beforeAll(async () => {
  mkdirSync(data)
  const { database, contextFor } = await contextIn(data)
  const old = Date.now() - 500 * 24 * 60 * 60 * 1000
  for (const [number, at] of [old, old + 1, Date.now()].entries()) {
    await database.binding
      .prepare(
        `INSERT INTO log_commits (id, at, operation, actor_type, type, request_id, first_event, event_count)
          VALUES (?, ?, 'test', 'system', 'thing.changed', 'req_1', ?, 1)`,
      )
      .bind(`log_${number}`, at, number + 1)
      .run()
    await database.binding
      .prepare("INSERT INTO log_events (commit_number, resource_id) VALUES (?, 'thg')")
      .bind(number + 1)
      .run()
  }
  await sealLog(contextFor('test'))
  for (let run = 0; run < 3; run++) {
    await runReaders(work.readers ?? [], contextFor)
  }
  await storeSegments(contextFor('test'), [])
  await cutLog(contextFor('test'), [])
  database.close()
  await backUpData(data, backup, Date.now)
})

it('is restored with its segments, and verifies', async () => {
  const target = join(root.path, 'restored')
  const { differences } = await restoreData({
    ...{ backup, data: target, migrations, variables, acceptDifferences: false },
  })
  expect(differences).toEqual([])
  expect(logFiles(data)).toHaveLength(1)
  expect(logFiles(target)).toEqual(logFiles(data))
  const { database, contextFor } = await contextIn(target)
  const { results } = await database.binding
    .prepare('SELECT min(number) AS first FROM log_commits')
    .all()
  expect(results).toEqual([{ first: 3 }])
  expect(await verifyAuditLog(contextFor('test'), 1)).toMatchObject({ verified: 2, next: 3 })
  database.close()
})

it('is not restored without a segment', async () => {
  for (const path of logFiles(backup)) {
    rmSync(join(filesFolder(backup), 'log', path))
  }
  await expect(
    restoreData({
      ...{ backup, data: join(root.path, 'other'), migrations, variables, acceptDifferences: true },
    }),
  ).rejects.toThrow('files/log/')
})

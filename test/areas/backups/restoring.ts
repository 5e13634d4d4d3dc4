import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { tablesToFill } from '../../../src/areas/data-rights/backups/restoring/restoring.usecases.ts'
import { work } from '../../../src/areas/index.ts'
import { getRestore, restoreBackup } from '../../../src/areas/data-rights/backups/backups.routes.ts'
import type { WipeKind } from '../../../src/domain/owned-data.ts'
import { eraseInSteps } from '../../../src/areas/data-rights/own-user/own-user.public.ts'
import { shapeOf } from '../../../src/platform/owned-data/archived-tables.ts'
import { ownedData } from '../../../src/platform/owned-data/owned-data.ts'
import { refuseIf } from '../../../src/platform/database/premises.ts'
import { changedMeanwhile } from '../../../src/platform/database/refusals.ts'
import { call, ok, type Principal, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { deliver } from '../queue-tasks/tasks.ts'
import { download, make } from './archives.ts'

const HOUR = 60 * 60 * 1000

type Query = {
  dryRun?: 'true'
  mode?: 'merge'
  accountMap?: string
  backupId?: string
  fileName?: string
}

/** Sends an archive to be restored. */
export const sendRestore = (as: Principal, archive: Uint8Array, query: Query = {}, headers = {}) =>
  call(restoreBackup, {
    ...{ as, query, headers },
    raw: {
      body: archive as Uint8Array<ArrayBuffer>,
      contentType: 'application/octet-stream',
    },
  })

/** The task that goes on with a restore; none when it has ended. */
export const taskOf = async (id: string): Promise<string | undefined> =>
  (
    await rows<{ id: string }>(
      `SELECT t.id FROM tasks t JOIN restores r ON r.task_id = t.id
        WHERE r.id = ? AND t.state IN ('queued', 'running')`,
      id,
    )
  )[0]?.id

/** Does all that is to do for a restore, or so many of its tasks, and gives what came of it. */
export async function finishRestore(as: Principal, id: string, most = 100) {
  for (let round = 1; ; round++) {
    const task = await taskOf(id)
    if (task === undefined || round > most) {
      return ok(getRestore, { as, id })
    }
    await deliver(work, task, round * 2 * HOUR)
  }
}

export async function restored(as: Principal, archive: Uint8Array, query: Query = {}) {
  const { status, body } = await sendRestore(as, archive, query)
  if (status !== 202) {
    throw new Error(`the restore was refused: ${status} ${JSON.stringify(body)}`)
  }
  await heldBack(body.job.id)
  return finishRestore(as, body.id)
}

/** An archive of all data of somebody, as it is downloaded, with its hash. */
export async function backedUp(as: Principal) {
  const { id, manifest } = await make(as)
  const archive = new Uint8Array(await (await download(as, id)).arrayBuffer())
  return { id, archive, hash: manifest?.contentHash ?? '', manifest }
}

/** Lets nobody but the test do a task. */
export const heldBack = (taskId: string) =>
  rows('UPDATE tasks SET next_attempt_at = ? WHERE id = ?', Date.now() + HOUR, taskId)

/**
 * Erases all data of a user, as a wipe does.
 * @param left the kind of a wipe that stays
 */
export async function emptied({ id: ownerId }: { id: string }, left?: WipeKind): Promise<void> {
  const kinds = ownedData()
    .flatMap(({ erase = [] }) => erase)
    .filter(({ wipedWith = [] }) => wipedWith.some((kind) => kind !== left))
  const scope = { ownerId, before: Number.MAX_SAFE_INTEGER }
  const guard = refuseIf(sql`false`, changedMeanwhile)
  const result = await eraseInSteps(contextWith(), { scope, kinds, guard })
  expect(result).toEqual({ isDone: true, left: [] })
}

/** How many rows of archived tables a user has, where there are any. */
export async function rowsOf({ id }: { id: string }): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of tablesToFill()) {
    const { name, owner } = shapeOf(table)
    const [found] = await rows<{ count: number }>(
      `SELECT count(*) AS count FROM ${name} WHERE ${owner[0]} = ?`,
      id,
    )
    if (found && found.count > 0) {
      counts[name] = found.count
    }
  }
  return counts
}

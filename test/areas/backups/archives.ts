import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import {
  getBackup,
  downloadBackup,
  createBackup,
} from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { fetchRaw, ok, type Principal, rows } from '../../support/api.ts'
import { unzip } from '../../support/archives.ts'
import { someId } from '../../support/of-file.ts'
import { deliver } from '../queue-tasks/tasks.ts'

const HOUR = 60 * 60 * 1000

/** Asks for a backup that nobody but the test makes; gives its id and that of its task. */
export async function ask(as: Principal): Promise<{ id: string; taskId: string }> {
  const { id, job } = await ok(createBackup, { as })
  await rows('UPDATE tasks SET next_attempt_at = ? WHERE id = ?', Date.now() + HOUR, job.id)
  return { id, taskId: job.id }
}

export async function make(as: Principal) {
  const { id, taskId } = await ask(as)
  await deliver(work, taskId, 2 * HOUR)
  return ok(getBackup, { as, id })
}

export const download = (as: Principal, id: string): Promise<Response> =>
  fetchRaw(downloadBackup.path.replace('{id}', id), {
    headers: { Authorization: `Bearer ${as.accessToken}` },
  })

export async function contentsOf(as: Principal, id: string): Promise<Record<string, Uint8Array>> {
  const response = await download(as, id)
  expect(response.status).toBe(200)
  return unzip(new Uint8Array(await response.arrayBuffer()))
}

/** The rows of one kind in an archive. */
export const rowsIn = <Row = { id: string }>(
  files: Record<string, Uint8Array>,
  kind: string,
): Row[] =>
  new TextDecoder()
    .decode(files[`${kind}.ndjson`])
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)

export const keyOf = async (id: string): Promise<string | null> =>
  (await rows<{ object_key: string | null }>('SELECT object_key FROM archives WHERE id = ?', id))[0]
    ?.object_key ?? null

export async function keysInBucket(): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix: 'archives/' })
  return objects.map(({ key }) => key)
}

/** Puts a file of the user into the bucket, without the interface. */
export async function putFile(ownerId: string, fileName: string, text: string): Promise<string> {
  const id = someId('att')
  await env.FILES.put(`files/${id}`, text)
  await rows(
    `INSERT INTO attachments (id, owner_id, storage_class_id, object_key, file_name, content_type, size, sha256,
        created_at, updated_at)
      VALUES (?1, ?2, 'stc_standard', 'files/' || ?1, ?3, 'text/plain', ?4, '', 0, 0)`,
    id,
    ownerId,
    fileName,
    text.length,
  )
  return id
}

import { copyFileSync, cpSync, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { inject } from 'vitest'
import { startRelease } from '../../scripts/lib/release.ts'
import type { WorkerOptions } from '../../scripts/lib/runtime.ts'
import { inviteAdministrator } from '../../src/areas/identity/invites/invites.public.ts'
import type { Bindings } from '../../src/env.ts'
import { databaseFile, filesFolder } from '../../src/hosts/node/data-folder.ts'
import { openDatabase } from '../../src/hosts/node/database.ts'
import { openFiles } from '../../src/hosts/node/files.ts'
import { freshSecrets, type Secrets } from '../../src/hosts/node/secrets.ts'
import type { Context } from '../../src/platform/context.ts'
import { systemContext } from '../../src/platform/system-context.ts'
import { type Running, runNode, temporaryFolder } from './running.ts'

/** What the tests of a release run it on: `COFFER_HOST=workerd` for the other one. */
export const HOST = process.env['COFFER_HOST'] === 'workerd' ? 'workerd' : 'node'

/** What a release is told of a mail server that refuses every mail: for requests that are refused without one. */
export const DEAF_MAIL_SERVER = {
  variables: { MAIL_FROM: 'coffer@coffer.test', SMTP_URL: 'smtp://127.0.0.1:9' },
  worker: { email: { send_email: [{ name: 'MAIL' }] } },
}

type Stores = Pick<Bindings, 'DB' | 'FILES'>

/** A release at work, with what only its operator has. */
export interface Release extends Running {
  secrets: Secrets
  /** Its own database and bucket. */
  stores: Stores
  /** Acts on them with the service's own code. */
  context: () => Context
  /** A code that makes whoever registers with it an administrator. */
  invite: () => Promise<string>
}

interface Options {
  data?: string
  variables?: Record<string, string>
  /** Gets what the service logs, one line at a time. */
  onLog?: (line: string) => void
  /** What workerd is to be told beside `wrangler.toml`. */
  worker?: WorkerOptions
}

/** A folder with all that a release in workerd leaves there when nobody has used it yet. */
export function migratedFolder(): ReturnType<typeof temporaryFolder> {
  const folder = temporaryFolder()
  cpSync(inject('migratedData'), folder.path, { recursive: true })
  return folder
}

/** Starts a release with secrets of its own, in a folder that is removed when it stops unless `data` names one. */
export async function startService({
  data,
  variables,
  onLog,
  worker,
}: Options = {}): Promise<Release> {
  const newFolder = HOST === 'workerd' ? migratedFolder : temporaryFolder
  const own = data === undefined ? newFolder() : undefined
  const secrets = await freshSecrets()
  const start = HOST === 'node' ? onNode : onWorkerd
  const { url, stop, stores } = await start(
    data ?? own?.path ?? '',
    // Some tests do in a minute what nobody does by hand.
    { ...secrets, USER_LIMIT_DATABASE_MS: '1000000', ...variables },
    onLog,
    worker,
  )
  const env = {
    CORS_ORIGINS: '',
    CLIENT_IP_HEADER: '',
    ...secrets,
    ...stores,
  } as unknown as Bindings
  const context = () => systemContext(env, 'test')
  return {
    url,
    stores,
    secrets,
    context,
    invite: () => inviteAdministrator(context()),
    stop: async () => {
      await stop()
      own?.remove()
    },
  }
}

type Start = (
  data: string,
  variables: Record<string, string>,
  onLog?: (line: string) => void,
  worker?: WorkerOptions,
) => Promise<Running & { stores: Stores }>

const onNode: Start = async (data, variables, onLog = () => undefined) => {
  const file = databaseFile(data)
  if (!existsSync(file)) {
    copyFileSync(inject('migratedDatabase'), file)
  }
  const { url, stop, child } = await runNode(inject('nodeRelease'), data, variables)
  if (child.stdout) {
    createInterface(child.stdout).on('line', onLog)
  }
  const database = openDatabase(file)
  const stores = { DB: database.binding, FILES: openFiles(filesFolder(data)) }
  return {
    url,
    stores,
    stop: async () => {
      await stop()
      database.close()
    },
  }
}

const onWorkerd: Start = async (data, bindings, onLog, worker) => {
  const { url, stop, miniflare } = await startRelease({
    ...{ script: inject('release'), data, bindings },
    worker: { ...inject('workerOptions'), ...worker },
    ...(onLog ? { onLog } : {}),
  })
  const [DB, FILES] = await Promise.all([
    miniflare.getD1Database('DB'),
    miniflare.getR2Bucket('FILES'),
  ])
  return { url, stop, stores: { DB, FILES } }
}

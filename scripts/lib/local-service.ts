import './dev-globals.ts'
// Registers the hooks of the ledger.
import '../../src/areas/index.ts'
import type { Bindings } from '../../src/env.ts'
import { filesFolder, lockData, openData } from '../../src/hosts/node/data-folder.ts'
import { openFiles } from '../../src/hosts/node/files.ts'
import type { Context } from '../../src/platform/context.ts'
import { systemContext } from '../../src/platform/system-context.ts'
import { MIGRATIONS } from './project.ts'

/** The service's own code in this process, on the database of a data folder. */
export interface LocalService {
  env: Bindings
  /**
   * A context for use cases: of the system, unless `given` says who acts and when. A caller with a
   * `profile` is believed without a session.
   */
  makeContext: (given?: Partial<Context>) => Context
}

/**
 * Runs `work` on the database of a data folder, migrated, then closes it. Nobody else may have the folder open.
 * @param variables settings, instead of those of the environment
 */
export async function withLocalService<Result>(
  data: string,
  work: (service: LocalService) => Promise<Result>,
  variables: Record<string, string | undefined> = process.env,
): Promise<Result> {
  const unlock = lockData(data)
  const { database, secrets } = await openData(data, MIGRATIONS, variables)
  try {
    const bindings = { DB: database.binding, FILES: openFiles(filesFolder(data)) }
    return await work(serviceOn(bindings, { ...variables, ...secrets }))
  } finally {
    database.close()
    unlock()
  }
}

function serviceOn(
  bindings: Pick<Bindings, 'DB' | 'FILES'>,
  variables: Record<string, string | undefined>,
): LocalService {
  const nothing = () => Promise.resolve()
  const env = {
    CORS_ORIGINS: '',
    CLIENT_IP_HEADER: '',
    ...variables,
    ...bindings,
    TASKS: { send: nothing, sendBatch: nothing },
  } as unknown as Bindings

  const makeContext = (given: Partial<Context> = {}): Context => ({
    ...systemContext(env, 'script', given.ports),
    ...given,
  })
  return { env, makeContext }
}

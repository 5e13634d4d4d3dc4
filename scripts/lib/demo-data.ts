import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoLogins, seed } from '../demo/index.ts'
import { databaseFile } from '../../src/hosts/node/data-folder.ts'
import { withLocalService } from './local-service.ts'

export { demoLogins }

/** Loads the demo data when nobody is registered yet; says whether it did. */
export async function ensureDemoData(data: string): Promise<boolean> {
  mkdirSync(data, { recursive: true })
  const unfinished = join(data, 'demo-data-unfinished')
  if (existsSync(unfinished)) {
    // Loading was interrupted, and nobody has worked with the half of it.
    for (const end of ['', '-wal', '-shm']) {
      rmSync(databaseFile(data) + end, { force: true })
    }
  }
  // The household registers itself, and does in seconds what takes others a year, whatever the limits are for them.
  const variables = { ...process.env, REGISTRATION: 'open', USER_LIMIT_DATABASE_MS: '1000000' }
  const load = async (service: Parameters<Parameters<typeof withLocalService>[1]>[0]) => {
    const { DB } = service.env
    const [found] = await DB.batch([DB.prepare('SELECT 1 FROM users LIMIT 1')])
    if (found?.results.length !== 0) {
      return false
    }
    console.log('Loading the demo data, this once: some seconds.')
    writeFileSync(unfinished, '')
    await seed(service)
    rmSync(unfinished)
    return true
  }
  return withLocalService(data, load, variables)
}

/** Returns the greeting of a started development service. */
export const greeting = (url: string, more: string): string => `
Coffer is running.

  Service      ${url}
  Swagger UI   ${url}/swagger/index.html
${demoLogins.map(({ email, password, about }) => `\n  ${about}: ${email} / ${password}`).join('')}

Stop it with Ctrl-C. ${more}
`

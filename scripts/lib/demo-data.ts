import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockData } from './data-lock.ts'
import { withLocalService } from './local-service.ts'
import { dataFolder } from './project.ts'
import { seed } from '../../drizzle/seed/index.ts'

export { demoLogins } from '../../drizzle/seed/index.ts'

/** Loads the demo data when nobody is registered yet; says whether it did. */
export async function ensureDemoData(): Promise<boolean> {
  lockData(dataFolder())
  const unfinished = join(dataFolder(), 'demo-data-unfinished')
  if (existsSync(unfinished)) {
    // Loading was interrupted, and nobody has worked with the half of it.
    rmSync(join(dataFolder(), 'v3'), { recursive: true, force: true })
  }
  return withLocalService(async (service) => {
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
  })
}

import { existsSync } from 'node:fs'
import type { LocalService } from './local-service.ts'
import { inProject } from './project.ts'

interface Seed {
  seed: (service: LocalService) => Promise<void>
  /** Who can sign in afterwards, for the screen. */
  demoLogins: readonly { email: string; password: string; about: string }[]
}

const FILE = inProject('drizzle/seed/index.ts')

/** Loads the demo data when nobody is registered yet; says whether it did. */
export async function loadDemoData(service: LocalService): Promise<boolean> {
  const { DB } = service.env
  const [found] = await DB.batch([DB.prepare('SELECT 1 FROM users LIMIT 1')])
  if (!existsSync(FILE) || found?.results.length !== 0) {
    return false
  }
  const { seed } = (await import(FILE)) as Seed
  await seed(service)
  return true
}

export async function demoLogins(): Promise<Seed['demoLogins']> {
  return existsSync(FILE) ? ((await import(FILE)) as Seed).demoLogins : []
}

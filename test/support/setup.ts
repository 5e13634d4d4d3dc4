import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach } from 'vitest'
import { refuseLeaks, watchDatabase, watchLog } from './canaries.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

watchLog()

afterEach(refuseLeaks)

afterAll(async () => {
  await watchDatabase()
  refuseLeaks()
})

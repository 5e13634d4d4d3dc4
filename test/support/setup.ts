import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach } from 'vitest'
import { refuseLeaks, watchLog } from './canaries.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

watchLog()

afterEach(refuseLeaks)

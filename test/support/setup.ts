import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach } from 'vitest'
import { refuseLeaks, watchLog } from './canaries.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

watchLog()

afterEach(refuseLeaks)

// Every user sees them, those of the next file as well.
afterAll(() => env.DB.exec('DELETE FROM system_exchange_rates'))

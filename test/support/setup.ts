import { env } from 'cloudflare:workers'
import { afterAll, afterEach } from 'vitest'
import { refuseLeaks, tellLog, watchLog } from './canaries.ts'

watchLog()

afterEach(refuseLeaks)

afterEach(({ task }) => tellLog(task.result?.state === 'fail'))

// Every user sees them, those of the next file as well.
afterAll(() => env.DB.prepare('DELETE FROM system_exchange_rates').run())

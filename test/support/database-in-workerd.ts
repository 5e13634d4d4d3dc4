import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// Each file begins with an empty database; see database-on-node.ts.
await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

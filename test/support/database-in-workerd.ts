import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

// Each file begins with an empty database; see database-on-node.ts. Rows may come before those that they refer to.
await reset()
await env.DB.batch(
  ['PRAGMA defer_foreign_keys = ON', ...env.MIGRATED].map((sql) => env.DB.prepare(sql)),
)

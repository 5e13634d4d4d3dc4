import { reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'

/** After a file that has stored much, what is there may still be there once it is done. */
async function empty(): Promise<void> {
  await reset()
  const tables = await env.DB.prepare('SELECT count(*) AS count FROM sqlite_schema').first('count')
  if (tables !== 0) {
    await empty()
  }
}

// Each file begins with an empty database; see database-on-node.ts.
await empty()
await env.DB.batch(env.TEST_DATABASE.map((sql) => env.DB.prepare(sql)))

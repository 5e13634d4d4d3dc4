import { readFileSync } from 'node:fs'
import { startRelease } from '../../scripts/lib/release.ts'
import type { WorkerOptions } from '../../scripts/lib/runtime.ts'

// A release as a process of its own. Arguments: the bundle, the data folder, the bindings and what `wrangler.toml` says as JSON,
// and SQL to run first. Says where it listens.

const [script = '', data = '', bindings = '{}', worker = '{}', sql = ''] = process.argv.slice(2)
const { miniflare, url } = await startRelease({
  script: readFileSync(script, 'utf8'),
  data,
  bindings: JSON.parse(bindings) as Record<string, string>,
  worker: JSON.parse(worker) as WorkerOptions,
  clockByHand: true,
})
if (sql !== '') {
  const database = await miniflare.getD1Database('DB')
  await database.prepare(sql).run()
}
console.log(url)

import './globals.ts'
import { join, resolve } from 'node:path'
import { run } from './run.ts'

// The release on Node: `npm start` builds this file into dist/node, next to the migrations.

const data = resolve(process.env['COFFER_DATA'] ?? '.coffer/server')

await run({
  data,
  migrations: join(import.meta.dirname, 'migrations'),
  onReady: (url) => process.stdout.write(`Coffer listens on ${url}; its data is in ${data}.\n`),
})

/**
 * The peer of `npm run bench:imports`: Actual's own engine, in this process, imports the rows of a file that is parsed
 * already, and imports them again. Its argument is how many there are; it tells what that took.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowOf } from './import-rows.ts'

/** What is used of `@actual-app/api`. */
interface Actual {
  init: (options: { dataDir: string }) => Promise<unknown>
  runImport: (name: string, fill: () => Promise<void>) => Promise<void>
  createAccount: (account: object, opening: number) => Promise<string>
  importTransactions: (account: string, rows: object[]) => Promise<{ added: string[] }>
}

const rows = Number(process.argv[2])
const folder = process.env['ACTUAL_API'] ?? ''
const api = createRequire(join(folder, 'package.json'))('@actual-app/api') as Actual
const dataDir = mkdtempSync(join(tmpdir(), 'coffer-bench-actual-'))
// It tells of every step; the parent's table is what is to be read.
console.log = () => undefined
await api.init({ dataDir })

let account = ''
await api.runImport('bench', async () => {
  account = await api.createAccount({ name: 'Checking' }, 0)
})

const sent = Array.from({ length: rows }, (_, n) => {
  const { date, payee, notes, amount } = rowOf(n, rows)
  return { date, amount, payee_name: payee, imported_payee: payee, notes, cleared: true }
})

async function timed(added: number) {
  const [begun, before] = [performance.now(), process.cpuUsage()]
  const found = await api.importTransactions(account, sent)
  if (found.added.length !== added) {
    throw new Error(`it added ${found.added.length} of ${rows} rows`)
  }
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - begun) / 1000, cpuSeconds: (user + system) / 1e6 }
}

const first = await timed(rows)
const again = await timed(0)
process.once('disconnect', () => {
  rmSync(dataDir, { recursive: true, force: true })
  process.exit(0)
})
process.send?.({ first, again })

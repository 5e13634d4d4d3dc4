/**
 * `npm run prove`: runs all tests at full length, with chance that no run had before, or the test files that are named. The
 * seed is printed first and last; `COFFER_SEED` repeats it.
 */
import { randomInt } from 'node:crypto'
import { runSideBySide } from './lib/side-by-side.ts'

const seed = process.env['COFFER_SEED'] || String(randomInt(2 ** 32))
const message = `The seed is ${seed}. Repeat this run with: COFFER_SEED=${seed} npm run prove -- ${process.argv.slice(2).join(' ')}`
console.log(message)
const isGood = await runSideBySide(['vitest', 'run', ...process.argv.slice(2)], [], {
  COFFER_PROVE: '1',
  COFFER_SEED: seed,
})
console.log(message)
process.exitCode = isGood ? 0 : 1

import { expect, it } from 'vitest'
import { SEED } from '../../support/rounds.ts'
import { compareLedger } from './agreement.fixtures.ts'

it('every figure of every report is what the lines of a large ledger add up to', async () => {
  expect(await compareLedger(SEED, 2000, () => true)).toBe(42)
}, 1_800_000)

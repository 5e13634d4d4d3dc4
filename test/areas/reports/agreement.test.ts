import { expect, it } from 'vitest'
import { SEED } from '../../support/rounds.ts'
import { compareLedger } from './agreement.fixtures.ts'

it('every figure of every report is what the lines of a ledger add up to', async () => {
  expect(await compareLedger(SEED, 150, (at) => at % 5 === 0)).toBe(9)
})

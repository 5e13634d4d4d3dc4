import '../../src/areas/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compareLedger } from '../../src/ledger/integrity/integrity.public.ts'
import { prove } from '../books/proof.ts'
import { type Release, startService } from '../support/releases.ts'
import { rounds, SEED } from '../support/rounds.ts'

let service: Release
beforeAll(async () => {
  service = await startService({ variables: { REGISTRATION: 'open', PASSWORD_COST: '4' } })
})
afterAll(() => service.stop())

it(`agrees with books kept in memory, whoever writes at the same time (seed ${SEED})`, async () => {
  const { differences, lines } = await prove(service.url, rounds(250, 20_000), SEED)
  expect(differences).toEqual([])
  expect(lines).toBeGreaterThan(50)
  for await (const { found } of compareLedger(service.context())) {
    expect(Object.values(found).flat()).toEqual([])
  }
})

import { afterAll, beforeAll, expect, it } from 'vitest'
import '../../src/areas/index.ts'
import { makeCheckpoints } from '../../src/areas/planning/budgets/checkpoints/checkpoints.usecases.ts'
import { compareLedger } from '../../src/ledger/integrity/integrity.public.ts'
import { prove } from '../books/budgets/proof.ts'
import { type Release, startService } from '../support/releases.ts'
import { rounds, SEED } from '../support/rounds.ts'

let service: Release
beforeAll(async () => {
  service = await startService({ variables: { REGISTRATION: 'open', PASSWORD_COST: '4' } })
})
afterAll(() => service.stop())

const steps = rounds(30, 5_000)

it(`has the figures of budgets that are kept in memory, whatever happens (seed ${SEED})`, async () => {
  const { differences, taken } = await prove(service.url, { steps, seed: SEED })
  expect(differences).toEqual([])
  expect([...taken.values()].reduce((sum, times) => sum + times, 0)).toBe(steps)
})

it(`has them with checkpoints before each change too (seed ${SEED})`, async () => {
  let most = 0
  const beforeStep = async () => {
    await makeCheckpoints(service.context(), {}, [])
    const { results } = await service.stores.DB.prepare(
      "SELECT count(*) AS count FROM budget_checkpoints WHERE image <> ''",
    ).all<{ count: number }>()
    most = Math.max(most, results[0]?.count ?? 0)
  }
  const { differences } = await prove(service.url, {
    steps,
    seed: SEED,
    beforeStep,
  })
  expect(differences).toEqual([])
  expect(most).toBeGreaterThan(3)
  await makeCheckpoints(service.context(), {}, [])
  // The nightly check agrees.
  for await (const { found } of compareLedger(service.context())) {
    expect(Object.values(found).flat()).toEqual([])
  }
})

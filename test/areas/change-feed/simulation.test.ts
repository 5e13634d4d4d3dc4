import { expect, it } from 'vitest'
import { rounds, SEED } from '../../support/rounds.ts'
import { World } from './simulation.fixtures.ts'

const STEPS = rounds(400, 20_000)
/** Steps of one world: its trash and its copies stay small. Near their end a user is erased. */
const STEPS_OF_WORLD = 400
const ERASED_AT = 320

it('keeps each copy equal to what its user sees, and names nothing that they never saw', async () => {
  let finished = 0
  for (let done = 0; done < STEPS; done += STEPS_OF_WORLD) {
    const world = new World(SEED + done)
    await world.begin()
    for (let step = 0; step < STEPS_OF_WORLD; step++) {
      if (step === ERASED_AT) {
        await world.erase()
      }
      await world.step()
    }
    for (const client of world.clients) {
      await client.finish(5)
    }
    finished += world.finished
  }
  expect(finished).toBeGreaterThan(STEPS / 20)
}, 3_600_000)

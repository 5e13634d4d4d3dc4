import { expect, test } from 'vitest'
import { randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { Walk } from './walk.fixtures.ts'

const ROUNDS = rounds(50, 5_000)

test(`files in any order, overlapping, renamed, pending and typed: all is there once (seed ${SEED})`, () => {
  for (let seed = SEED; seed < SEED + ROUNDS; seed += 1) {
    const walk = new Walk(randomFrom(seed))
    walk.run()
    expect(walk.flaws, `seed ${seed}`).toEqual([])
  }
})

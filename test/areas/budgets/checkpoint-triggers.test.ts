import { expect, it } from 'vitest'
import { rows } from '../../support/api.ts'
import { oneOfEach } from '../../support/rounds.ts'
import { figuresAfter, SCENES } from './checkpoint-triggers.fixtures.ts'

it('every trigger that ends checkpoints has a change here that needs it', async () => {
  const triggers = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_checkpoints' ORDER BY name",
  )
  const needed = [...new Set(SCENES.map(([trigger]) => `${trigger}_checkpoints`))].toSorted()
  expect(needed).toEqual(triggers.map(({ name }) => name))
})

// One scene of each trigger; the others are in checkpoint-triggers.long.test.ts.
it.each(oneOfEach(SCENES, ([trigger]) => trigger))(
  '%s: figures are right after %s',
  async (_, __, scene) => {
    const right = await figuresAfter(scene)
    expect(right.withCheckpoints).toEqual(right.fromBeginning)
  },
)

import { expect, it } from 'vitest'
import { rows } from '../../support/api.ts'
import { oneOfEach } from '../../support/rounds.ts'
import { periodOf } from './budgets.fixtures.ts'
import { makeAt } from './checkpoint.fixtures.ts'
import type { Scene } from './checkpoint-scenes.fixtures.ts'
import { BOOKED } from './triggers-of-bookings.fixtures.ts'
import { DECIDED } from './triggers-of-decisions.fixtures.ts'
import { without } from './triggers.fixtures.ts'

const SCENES = [...BOOKED, ...DECIDED]

const shown = ({ me, budget, periods = ['2026-06-01', '2026-11-01'] }: Scene) =>
  Promise.all(periods.map((period) => periodOf(me, budget, period)))

/** Figures after a change, as checkpoints have them and as all periods since the beginning do. */
async function figuresAfter(newScene: () => Promise<Scene>) {
  const scene = await newScene()
  await makeAt(scene.budget)
  const stored = await rows(
    "SELECT 1 FROM budget_checkpoints WHERE budget_id = ? AND accounts NOT GLOB 'claimed*'",
    scene.budget.id,
  )
  expect(stored.length).toBeGreaterThan(0)
  await scene.change()
  const withCheckpoints = await shown(scene)
  await rows('DELETE FROM budget_checkpoints WHERE budget_id = ?', scene.budget.id)
  return { withCheckpoints, fromBeginning: await shown(scene) }
}

it('every trigger that ends checkpoints has a change here that needs it', async () => {
  const triggers = await rows<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_checkpoints' ORDER BY name",
  )
  const needed = [...new Set(SCENES.map(([trigger]) => `${trigger}_checkpoints`))].toSorted()
  expect(needed).toEqual(triggers.map(({ name }) => name))
})

it.each(SCENES)('%s: figures are right after %s', async (_, __, scene) => {
  const right = await figuresAfter(scene)
  expect(right.withCheckpoints).toEqual(right.fromBeginning)
})

// This tells of the scenes, not of the service: one of each trigger.
it.each(oneOfEach(SCENES, ([trigger]) => trigger))(
  '%s is needed: figures are wrong without it after %s',
  async (trigger, _, scene) => {
    const wrong = await without(`${trigger}_checkpoints`, () => figuresAfter(scene))
    expect(wrong.withCheckpoints).not.toEqual(wrong.fromBeginning)
  },
)

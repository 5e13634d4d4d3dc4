import { expect } from 'vitest'
import { rows } from '../../support/api.ts'
import { periodOf } from './budgets.fixtures.ts'
import { makeAt } from './checkpoint.fixtures.ts'
import type { Scene } from './checkpoint-scenes.fixtures.ts'
import { BOOKED } from './triggers-of-bookings.fixtures.ts'
import { DECIDED } from './triggers-of-decisions.fixtures.ts'

/** Changes that end checkpoints, each by the trigger that it needs. */
export const SCENES = [...BOOKED, ...DECIDED]

const shown = ({ me, budget, periods = ['2026-06-01', '2026-11-01'] }: Scene) =>
  Promise.all(periods.map((period) => periodOf(me, budget, period)))

/** Figures after a change, as checkpoints have them and as all periods since the beginning do. */
export async function figuresAfter(newScene: () => Promise<Scene>) {
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

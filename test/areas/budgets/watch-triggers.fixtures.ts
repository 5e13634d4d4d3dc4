import { env } from 'cloudflare:workers'
import { listBudgetAlerts } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { watchBudgets } from '../../../src/areas/planning/budgets/alerts/alerts.usecases.ts'
import { systemContext } from '../../../src/platform/system-context.ts'
import { ok } from '../../support/api.ts'
import { testPorts } from '../../support/ports.ts'
import type { Scene } from './checkpoint-scenes.fixtures.ts'
import { WATCHED } from './watch-of-bookings.fixtures.ts'
import { SURROUNDED } from './watch-of-surroundings.fixtures.ts'

/** Changes after which a threshold is told, each by the trigger that it needs. */
export const SCENES = [...WATCHED, ...SURROUNDED]

const NOW = Date.UTC(2026, 10, 20, 12)
export const sweep = () =>
  watchBudgets(systemContext(env, 'sweep', { ...testPorts, now: () => NOW }))

const toldOf = async ({ me, budget: { id } }: Scene) =>
  (await ok(listBudgetAlerts, { as: me, id })).alerts

/** The alerts of a budget that a sweep adds after a change. */
export async function toldAfter(newScene: () => Promise<Scene>) {
  const scene = await newScene()
  await sweep()
  const before = await toldOf(scene)
  await scene.change()
  await sweep()
  return (await toldOf(scene)).length - before.length
}

import { expect, it } from 'vitest'
import { oneOfEach } from '../../support/rounds.ts'
import { without } from './triggers.fixtures.ts'
import { SCENES, toldAfter } from './watch-triggers.fixtures.ts'

const FIRST = new Set(oneOfEach(SCENES, ([trigger]) => trigger))

it.each(SCENES.filter((scene) => !FIRST.has(scene)))(
  '%s: a threshold is told after %s',
  async (_, __, scene) => {
    expect(await toldAfter(scene)).toBeGreaterThan(0)
  },
)

// This tells of the scenes, not of the service: one of each trigger.
it.each([...FIRST])(
  '%s is needed: no threshold is told without it after %s',
  async (trigger, _, scene) => {
    expect(await without(`${trigger}_watch`, () => toldAfter(scene))).toBe(0)
  },
)

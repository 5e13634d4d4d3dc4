import { expect, it } from 'vitest'
import { oneOfEach } from '../../support/rounds.ts'
import { figuresAfter, SCENES } from './checkpoint-triggers.fixtures.ts'
import { without } from './triggers.fixtures.ts'

const FIRST = new Set(oneOfEach(SCENES, ([trigger]) => trigger))

it.each(SCENES.filter((scene) => !FIRST.has(scene)))(
  '%s: figures are right after %s',
  async (_, __, scene) => {
    const right = await figuresAfter(scene)
    expect(right.withCheckpoints).toEqual(right.fromBeginning)
  },
)

// This tells of the scenes, not of the service: one of each trigger.
it.each([...FIRST])(
  '%s is needed: figures are wrong without it after %s',
  async (trigger, _, scene) => {
    const wrong = await without(`${trigger}_checkpoints`, () => figuresAfter(scene))
    expect(wrong.withCheckpoints).not.toEqual(wrong.fromBeginning)
  },
)

import { expect, it } from 'vitest'
import { matchAndRevert } from './layers.fixtures.ts'

it.each([1, 2, 3, 4, 5, 6])(
  'imports that match one transaction are reverted in any order, around its edits: seed %i',
  async (seed) => {
    await expect(matchAndRevert(seed)).resolves.toBeUndefined()
  },
)

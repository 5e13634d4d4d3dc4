import { expect, it } from 'vitest'
import { matchAndRevert } from './layers.fixtures.ts'

it.each([7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24])(
  'imports that match one transaction are reverted in any order, around its edits: seed %i',
  async (seed) => {
    await expect(matchAndRevert(seed)).resolves.toBeUndefined()
  },
)

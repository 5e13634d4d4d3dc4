import { expect, it } from 'vitest'
import { rankOf, RIGHTS, rightOfRank } from '../../src/domain/sharing.ts'

it('counts rights from one up, and back', () => {
  expect(RIGHTS.map(rankOf)).toEqual([1, 2, 3, 4, 5])
  expect(RIGHTS.map((right) => rightOfRank(rankOf(right)))).toEqual(RIGHTS)
})

it('knows no rank beyond', () => {
  expect(() => rightOfRank(0)).toThrow(RangeError)
  expect(() => rightOfRank(6)).toThrow(RangeError)
})

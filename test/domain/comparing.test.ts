import { expect, it } from 'vitest'
import { fieldsThatDiffer } from '../../src/domain/comparing.ts'

it('finds the fields that another thing has otherwise, or has not', () => {
  const other = { same: 1, list: ['a'], changed: 'a', cleared: 'a', more: true }
  expect(
    fieldsThatDiffer({ same: 1, list: ['a'], changed: 'b', cleared: null, new: 0 }, other),
  ).toEqual({ changed: 'b', cleared: null, new: 0 })
})

import { expect, it } from 'vitest'
import { filterInSteps, flatMapInSteps, runSteps } from '../../src/domain/steps.ts'

const numbers = Array.from({ length: 10_000 }, (_, at) => at)

it('do the same as without steps, a thousand items at a time', () => {
  let [visited, most, steps] = [0, 0, 0]
  const doubled = flatMapInSteps(numbers, (one) => {
    visited += 1
    return [one, one]
  })
  let result = doubled.next()
  for (; !result.done; result = doubled.next()) {
    most = Math.max(most, visited)
    visited = 0
    steps += 1
  }
  expect([most, steps]).toEqual([1000, 10])
  expect(result.value).toEqual(numbers.flatMap((one) => [one, one]))
  expect(runSteps(filterInSteps(numbers, (one) => one % 2 === 0))).toHaveLength(5000)
})

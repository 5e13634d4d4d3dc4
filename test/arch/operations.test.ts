import { expect, it } from 'vitest'
import { areas } from '../../src/areas/index.ts'

it('names every operation as its operationId', () => {
  const modules = areas.flatMap(({ operations = [] }) => operations)
  const named = modules.flatMap((module) => Object.entries(module))
  expect(named.length).toBeGreaterThan(280)
  expect(named.flatMap(([name, { operationId }]) => (name === operationId ? [] : [name]))).toEqual(
    [],
  )
})

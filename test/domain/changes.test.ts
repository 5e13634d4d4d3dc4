import { expect, test } from 'vitest'
import { fieldChanges } from '../../src/domain/comparing.ts'

test('two images tell the fields that differ, nothing being null', () => {
  const [one, other] = [
    { name: 'Ada', roles: ['a'], note: null },
    { name: 'Ada', roles: ['b'], note: null },
  ]
  const roles = { field: 'roles', before: ['a'], after: ['b'] }
  expect(fieldChanges(one, other)).toEqual([roles])
  expect(fieldChanges(undefined, one)).toEqual([
    { field: 'name', before: null, after: 'Ada' },
    { field: 'roles', before: null, after: ['a'] },
  ])
  expect(fieldChanges(other, undefined)).toEqual([
    { field: 'name', before: 'Ada', after: null },
    { field: 'roles', before: ['b'], after: null },
  ])
  expect(fieldChanges(undefined, undefined)).toEqual([])
})

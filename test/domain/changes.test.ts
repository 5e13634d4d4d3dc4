import { expect, test } from 'vitest'
import { changesBetween, fieldChanges } from '../../src/domain/changes.ts'

const before = { name: 'Ada', roles: ['user'], note: null, version: 3 }

test('a change tells both images of what differs', () => {
  const after = { name: 'Grace', roles: ['user', 'admin'], note: 'x' }
  expect(changesBetween(before, after)).toEqual({
    name: ['Ada', 'Grace'],
    roles: [['user'], ['user', 'admin']],
    note: [null, 'x'],
  })
})

test('a change tells nothing of what is alike, was not sent or cannot be chosen', () => {
  expect(changesBetween(before, { name: undefined, roles: ['user'], note: null })).toEqual({})
  expect(changesBetween(before, {})).toEqual({})
})

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
